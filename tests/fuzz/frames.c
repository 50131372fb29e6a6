/*
 * frames(5), what the guest sends: cut into frames, and the files that they bring.
 * Runs: 5000
 * Links: tests/fuzz/mutate.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "tests/fuzz/fuzz.h"
#include "userland/formats/le.h"
#include "tools/run/fetch.h"
#include "tools/run/frames.h"

#define HEADER 16

/* Return how long the payload of the frame at `at` is, as far as it is there. */
static size_t payload(const uint8_t *data, size_t n, size_t at)
{
	size_t left = n - at - HEADER, told = le_get32(data + at + 8);

	return told < left ? told : left;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n && n - at >= HEADER; at += HEADER + payload(data, n, at)) {
		fuzz_field(f, n, at, 4, FUZZ_LITTLE);
		fuzz_field(f, n, at + 4, 1, FUZZ_LITTLE);
		fuzz_field(f, n, at + 8, 4, FUZZ_LITTLE);
		if (data[at + 4] == 'F' || data[at + 4] == 'S')
			fuzz_field(f, n, at + HEADER, 8, FUZZ_LITTLE);
		if (data[at + 4] == 'X')
			fuzz_field(f, n, at + HEADER, 4, FUZZ_LITTLE);
	}
}

/* Every checksum is right. */
void fuzz_seal(uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n && n - at >= HEADER; at += HEADER + payload(data, n, at))
		le_put32(data + at + 12, (uint32_t)crc32(0, data + at + HEADER,
							      (unsigned)payload(data, n, at)));
}

/* What came, however the stream was cut into pieces. */
struct taken {
	struct fetch *fetch; /* NULL: only add up */
	uint32_t sum;
	unsigned n;
};

/* The payload's memory ends with it. */
static int take(void *arg, const struct frame *f)
{
	struct taken *t = arg;
	uint8_t *copy = malloc(f->length ? f->length : 1);
	struct frame exact = *f;
	int r = 0;

	memcpy(copy, f->payload, f->length);
	exact.payload = copy;
	t->sum = (uint32_t)crc32(t->sum, copy, f->length) + (uint8_t)f->type;
	t->n++;
	if (t->fetch)
		r = fetch_frame(t->fetch, &exact);
	free(copy);
	return r;
}

static int output(void *arg, const uint8_t *p, size_t n)
{
	uint32_t *sum = arg;

	*sum = (uint32_t)crc32(*sum, p, (unsigned)n);
	return 0;
}

/* Let the stream bring files into a folder that is made for it, once, where fuzz removes it. */
static void fetch(const uint8_t *data, size_t n)
{
	static char dir[256];
	static struct progress none;
	static struct frames s;
	struct fetch_file file[2] = {{.guest = "/dev/kpdata", .name = "kpdata"},
				     {.guest = "/tmp/x", .name = "y"}};
	uint32_t sum = 0;
	struct fetch x = {
		.dir = dir, .file = file, .nfile = 2, .output = output, .arg = &sum,
		.progress = &none,
	};
	struct taken t = {.fetch = &x};

	if (!*dir) {
		const char *tmp = getenv("TMPDIR");

		snprintf(dir, sizeof(dir), "%s/frames.XXXXXX", tmp ? tmp : "/tmp");
		if (!mkdtemp(dir))
			abort();
	}
	frames_init(&s);
	frames_feed(&s, data, n, take, &t);
	fetch_finish(&x);
}

/* Pieces of one byte give what one large piece gives. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct frames whole, bytes;
	struct taken a = {.n = 0}, b = {.n = 0};
	int bad;

	frames_init(&whole);
	bad = frames_feed(&whole, data, n, take, &a) | frames_end(&whole);
	frames_init(&bytes);
	for (size_t i = 0; i < n; i++)
		frames_feed(&bytes, data + i, 1, take, &b);
	if (bad != frames_end(&bytes) || a.n != b.n || a.sum != b.sum)
		abort();
	fetch(data, n);
	return 0;
}
