/* The content of a file in memory. */
#pragma once

#include "kernel/file/dev.h"

#define ROOTFILE_MAX (1ull << 30) /* bytes in a file */
#define ROOTFILE_NEAR 1024u	  /* blocks to which a page of pointers leads */

/*
 * A block is a page. One that was never written is NULL: its bytes are those of
 * the archive's memory up to romsize, and zeros from there on. A block's bytes after
 * the end of the file are zeros. A structure of zeros is an empty file.
 */
struct rootfile {
	struct mutex lock;
	uint32_t size;	    /* lock, to change it; read atomically without */
	const uint8_t *rom; /* lock; the archive's memory, or NULL */
	size_t romsize;	    /* lock; at most size */
	uint8_t **near;	    /* lock; the first blocks */
	size_t nnear;	    /* lock; length of the array, at most ROOTFILE_NEAR */
	uint8_t ***far;	    /* lock; the others: pages of ROOTFILE_NEAR; NULL: there are none */
	uint32_t nblock;    /* lock; how many there are */
	uint32_t holders;   /* lock; while there are any, the content stays as it is */
};

/* Files leave the last frames that a user may have alone: enough is left to remove files with. */
#define ROOTFILE_RESERVE 256
bool rootfile_room(void); /* whether files may use more memory */

/* Read at most n bytes at off; 0 at the end. */
ssize_t rootfile_read(struct rootfile *f, void *buf, size_t n, uint64_t off);
/*
 * Write as much as fits at off, or at the end if append. -ENOSPC or -EFBIG if nothing fits,
 * -ETXTBSY while the file is held.
 */
ssize_t rootfile_write(struct rootfile *f, const void *buf, size_t n, uint64_t off, bool append);
/* Set the file's size; new bytes are zeros. An empty file uses no memory. 0, -EFBIG, -ETXTBSY. */
int rootfile_truncate(struct rootfile *f, uint64_t size);
/* Make these n bytes, which must stay where they are, the file's content. */
void rootfile_rom(struct rootfile *f, const void *data, size_t n);

/*
 * If all of the file is in blocks, or in an archive, have its content stay as it is until it has
 * been released as often as it was held. Return how many bytes of it are in pages that hold nothing
 * else, wherever they begin; or 0 if it is not held.
 */
uint32_t rootfile_hold(struct rootfile *f);
void rootfile_release(struct rootfile *f);
/* Return where the byte at off is, which is held. */
const void *rootfile_page(const struct rootfile *f, size_t off);
