/*
 * The content of a file in memory: an array of pages. A file that came in an archive stays
 * in the archive's memory, and each block moves to a page when it is first written.
 */
#include "drivers/files/rootfile.h"
#include "kernel/memory.h"

#define BLOCK PAGE

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The reserve is not exact: several files may take from it at once. */
bool rootfile_room(void)
{
	return frame_free_count() > ROOTFILE_RESERVE;
}

/* Copy the n bytes at off, which lie in a block that was never written. */
static void read_unwritten(const struct rootfile *f, uint8_t *buf, size_t n, uint64_t off)
{
	size_t have = off < f->romsize ? min_size(n, f->romsize - (size_t)off) : 0;

	if (have)
		memcpy(buf, f->rom + (size_t)off, have);
	memset(buf + have, 0, n - have);
}

ssize_t rootfile_read(struct rootfile *f, void *buf, size_t n, uint64_t off)
{
	size_t done = 0;

	mutex_lock(&f->lock);
	if (off >= f->size)
		n = 0;
	else if (n > f->size - off)
		n = (size_t)(f->size - off);
	while (done < n) {
		size_t at = (size_t)(off + done), i = at / BLOCK, in = at % BLOCK;
		size_t k = min_size(n - done, BLOCK - in); /* bytes of this block */
		uint8_t *to = (uint8_t *)buf + done;

		if (i < f->nblock && f->block[i])
			memcpy(to, f->block[i] + in, k);
		else
			read_unwritten(f, to, k, at);
		done += k;
	}
	mutex_unlock(&f->lock);
	return (ssize_t)n;
}

/* Make the array long enough for block i. -ENOSPC. */
static int reach_block(struct rootfile *f, size_t i)
{
	size_t n = f->nblock ? f->nblock : 4;
	uint8_t **block;

	if (i < f->nblock)
		return 0;
	while (n <= i)
		n *= 2;
	block = rootfile_room() ? kzalloc(n * sizeof(*block)) : NULL;
	if (!block)
		return -ENOSPC;
	if (f->nblock)
		memcpy(block, f->block, f->nblock * sizeof(*block));
	kfree(f->block);
	f->block = block;
	f->nblock = n;
	return 0;
}

/* Make block i a page, which can be written. -ENOSPC. */
static int own_block(struct rootfile *f, size_t i)
{
	int err = reach_block(f, i);
	uint8_t *b;

	if (err || f->block[i])
		return err;
	b = rootfile_room() ? frame_alloc() : NULL;
	if (!b)
		return -ENOSPC;
	read_unwritten(f, b, BLOCK, (uint64_t)i * BLOCK);
	f->block[i] = b;
	return 0;
}

/* Write what fits of n bytes at off, which is below ROOTFILE_MAX. The caller holds the lock. */
static ssize_t put_bytes(struct rootfile *f, const uint8_t *buf, size_t n, uint64_t off)
{
	size_t done = 0;
	int err = 0;

	while (done < n) {
		size_t at = (size_t)(off + done), i = at / BLOCK, in = at % BLOCK;
		size_t k = min_size(n - done, BLOCK - in);

		err = own_block(f, i);
		if (err)
			break;
		memcpy(f->block[i] + in, buf + done, k);
		done += k;
	}
	if (done && off + done > f->size)
		f->size = off + done;
	return done ? (ssize_t)done : err;
}

/* No file may grow past ROOTFILE_MAX, so that offsets within it fit a size_t. */
ssize_t rootfile_write(struct rootfile *f, const void *buf, size_t n, uint64_t off, bool append)
{
	ssize_t r;

	mutex_lock(&f->lock);
	if (append)
		off = f->size;
	if (off >= ROOTFILE_MAX)
		r = -EFBIG;
	else
		r = put_bytes(f, buf, min_size(n, (size_t)(ROOTFILE_MAX - off)), off);
	mutex_unlock(&f->lock);
	return r;
}

/* Free the blocks from byte size on, and clear the rest of the last one. Lock held. */
static void cut_to(struct rootfile *f, size_t size)
{
	size_t last = size / BLOCK, in = size % BLOCK;

	if (in && last < f->nblock && f->block[last])
		memset(f->block[last] + in, 0, BLOCK - in);
	for (size_t i = last + (in != 0); i < f->nblock; i++) {
		if (f->block[i])
			frame_free(f->block[i]);
		f->block[i] = NULL;
	}
	f->romsize = min_size(f->romsize, size);
	if (size == 0) {
		kfree(f->block);
		f->block = NULL;
		f->nblock = 0;
	}
}

int rootfile_truncate(struct rootfile *f, uint64_t size)
{
	if (size > ROOTFILE_MAX)
		return -EFBIG;
	mutex_lock(&f->lock);
	cut_to(f, (size_t)size);
	f->size = size;
	mutex_unlock(&f->lock);
	return 0;
}

void rootfile_rom(struct rootfile *f, const void *data, size_t n)
{
	mutex_lock(&f->lock);
	cut_to(f, 0);
	f->rom = data;
	f->romsize = f->size = n;
	mutex_unlock(&f->lock);
}
