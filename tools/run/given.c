/* The programs that a machine is given: see given.h. */
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/code/buildid.h"
#include "tools/memory.h"
#include "tools/run/cpio.h"
#include "tools/run/given.h"
#include "tools/slurp.h"

/* An archive in memory. */
struct archive {
	uint8_t *data;
	size_t n;
	size_t at; /* the next file is there */
};

/* Return whether a file is a program, and what tells it from others. */
static bool given_id(const struct cpio_entry *e, char id[static BUILDID_SIZE])
{
	Elf *elf;

	*id = 0;
	if (e->n < SELFMAG)
		return false;
	if (memcmp(e->data, ELFMAG, SELFMAG) != 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)e->data, e->n);
	if (!elf)
		return false;
	buildid_read(elf, id);
	if (!*id)
		buildid_of_code(elf, id);
	elf_end(elf);
	return *id;
}

/* Find the data of one of several links to a file, which come with the last of them. */
static void find_linked(const struct archive *a, struct cpio_entry *e)
{
	struct cpio_entry other;
	size_t at = a->at;

	while (e->n == 0 && cpio_next(a->data, a->n, &at, &other)) {
		if (other.inode != e->inode)
			continue;
		e->data = other.data;
		e->n = other.n;
	}
}

/* Return the file of the host's that has that path in the guest; NULL: none does. Caller frees. */
static char *file_of(const struct runopts *o, const char *path)
{
	unsigned i;

	for (i = o->nput; i > 0; i--) {
		const char *guest = o->put[i - 1].guest;

		if (strcmp(guest + strspn(guest, "/"), path) == 0)
			return realpath(o->put[i - 1].host, NULL);
	}
	return NULL;
}

/* Add a file if it is a program. */
static void add_entry(struct programs *p, const struct cpio_entry *e, const struct runopts *o)
{
	char id[BUILDID_SIZE], *path, *file;

	if (!S_ISREG(e->mode))
		return;
	if (!given_id(e, id))
		return;
	path = memory_format("/%s", e->path);
	file = file_of(o, e->path);
	programs_add(p, path, id, file);
	free(file);
	free(path);
}

/* Read one of the archives in the work directory. False: it cannot be read. */
static bool read_archive(struct archive *a, const struct workdir *work, const char *name)
{
	char *path = memory_format("%s/%s", work->path, name);
	struct complaint none;
	bool good = slurp(path, &a->data, &a->n, &none) == 0;

	a->at = 0;
	free(path);
	return good;
}

/* Go on to the next file, with its data. False: there is none. */
static bool next_file(struct archive *a, struct cpio_entry *e)
{
	if (!cpio_next(a->data, a->n, &a->at, e))
		return false;
	if (e->links > 1)
		find_linked(a, e);
	return true;
}

/* Add the programs of one archive. */
static void add_archive(struct programs *p, const struct workdir *work, const char *name,
			const struct runopts *o)
{
	struct cpio_entry e;
	struct archive a;

	if (!read_archive(&a, work, name))
		return;
	while (next_file(&a, &e))
		add_entry(p, &e, o);
	free(a.data);
}

/* The kernel unpacks the archives in this order: what the user puts in replaces what was there. */
void given_find(struct programs *p, const struct workdir *work, const struct runopts *o)
{
	add_archive(p, work, QEMU_INITRD, o);
	add_archive(p, work, QEMU_SCRIPT, o);
}

/* Copy the data of a file of one archive; without one, *data stays. */
static void copy_data(const struct workdir *work, const char *name, const char *path,
		      uint8_t **data, size_t *n)
{
	struct cpio_entry e;
	struct archive a;

	if (!read_archive(&a, work, name))
		return;
	while (next_file(&a, &e)) {
		if (strcmp(e.path, path + 1) != 0)
			continue;
		free(*data);
		*data = memory_zeroed(e.n, 1);
		memcpy(*data, e.data, e.n);
		*n = e.n;
	}
	free(a.data);
}

int given_data(const struct workdir *work, const char *path, uint8_t **data, size_t *n)
{
	*data = NULL;
	copy_data(work, QEMU_INITRD, path, data, n);
	copy_data(work, QEMU_SCRIPT, path, data, n);
	if (!*data)
		return -1;
	return 0;
}
