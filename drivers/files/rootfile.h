/* The content of a file in memory. */
#ifndef DRIVERS_FILES_ROOTFILE_H
#define DRIVERS_FILES_ROOTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/dev.h"

#define ROOTFILE_MAX (1ull << 30) /* bytes in a file */

/*
 * Blocks of a page. One that was never written is NULL: its bytes are those of
 * the archive's memory up to romsize, and zeros from there on. Bytes of a block
 * past the file's size are zeros. All zeros is an empty file.
 */
struct rootfile {
	struct mutex lock; /* guards the rest */
	uint32_t size; /* atomic */
	const uint8_t *rom;
	size_t romsize; /* at most size */
	uint8_t **block;
	size_t nblock; /* length of the array */
};

/* The root takes nothing of the last frames there are: those are for removing files with. */
#define ROOTFILE_RESERVE 256
bool rootfile_room(void); /* whether it may take more */

ssize_t rootfile_read(struct rootfile *f, void *buf, size_t n, uint64_t off);
/* At the end if append. What fits; -ENOSPC, -EFBIG when nothing does. */
ssize_t rootfile_write(struct rootfile *f, const void *buf, size_t n, uint64_t off, bool append);
int rootfile_truncate(struct rootfile *f, uint64_t size); /* -EFBIG */
void rootfile_rom(struct rootfile *f, const void *data, size_t n); /* it is these bytes now */
void rootfile_free(struct rootfile *f); /* the blocks; nobody uses it any more */

/* How long the file is now. */
static inline uint32_t rootfile_size(const struct rootfile *f)
{
	return __atomic_load_n(&f->size, __ATOMIC_RELAXED);
}

#endif
