/*
 * Archives that are unpacked into the root: boot/cpio.c and devroot.c. What was made is
 * removed after each, and no memory may be lost.
 * Runs: 12000
 * Links: tests/fuzz/mutate.c tests/kernel/fakes.c boot/cpio.c
 */
#include "tests/kernel/fakes.h"
#include "tests/fuzz/fuzz.h"
#include "boot/cpio.h"
#include "drivers/files/devroot.h"
#include "kernel/file/dev.h"

#define MAGIC 6u
#define DIGITS 8u
#define NFIELD 13u
#define HEADER (MAGIC + NFIELD * DIGITS)
enum { SIZE = 6, NAMESIZE = 11 };

/* Return a number in a header. */
static uint32_t number(const uint8_t *head, unsigned field)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < DIGITS; i++) {
		uint8_t c = head[MAGIC + field * DIGITS + i];

		v = v << 4 | (c >= 'a' ? c - 'a' + 10u : c >= 'A' ? c - 'A' + 10u : c - '0') % 16;
	}
	return v;
}

/* Return where the member after the one at `at` begins, or n. */
static size_t next(const uint8_t *data, size_t n, size_t at)
{
	size_t name = number(data + at, NAMESIZE), size = number(data + at, SIZE);

	at += (HEADER + name + 3) / 4 * 4 + (size + 3) / 4 * 4;
	return at < n ? at : n;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0; n - at >= HEADER; at = next(data, n, at)) {
		for (unsigned i = 0; i < NFIELD; i++)
			fuzz_field(f, n, at + MAGIC + i * DIGITS, DIGITS, FUZZ_HEX);
		fuzz_field(f, n, at, 1, FUZZ_LITTLE);
		fuzz_field(f, n, at + HEADER, 2, FUZZ_LITTLE);
	}
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

/* Read a file's first bytes, from a copy of the archive that will be gone. */
static void look(struct chan *c)
{
	char buf[64];
	ssize_t n = rootdev.read(c, buf, sizeof(buf), 0);

	if (n > (ssize_t)sizeof(buf))
		abort();
}

/* Remove all that is in a directory. */
static void clear(struct chan *dir)
{
	char name[NAME_MAX + 1];
	uint64_t at = 0;
	struct stat st;

	while (rootdev.entry(dir, &at, name, &st) > 0) {
		struct chan *c = chan_clone(dir);

		if (rootdev.walk(c, name) != 0)
			abort();
		if ((st.st_mode & S_IFMT) == S_IFDIR)
			clear(c);
		else
			look(c);
		if (rootdev.remove(c) != 0)
			abort();
		chan_put(c);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);
	static bool begun;
	long before;

	if (!begun)
		fake_start(NULL);
	begun = true;
	before = fake_allocs;
	memcpy(copy, data, n);
	cpio_unpack(copy, n);
	fake_log[0] = 0;
	clear(fake_proc.cwd);
	if (fake_allocs != before)
		abort();
	free(copy);
	return 0;
}
