/*
 * The content of a file in memory: pages, which an array names if they are near its beginning,
 * and others if they are far. No array is longer than a page. A file that came in an archive stays
 * in the archive's memory, and each block moves to a page when it is first written.
 */
#include "drivers/files/rootfile.h"
#include "kernel/memory.h"

#define BLOCK PAGE
#define NFAR (ROOTFILE_MAX / BLOCK / ROOTFILE_NEAR) /* the first is not used */

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The reserve is not exact: several files may take from it at once. */
bool rootfile_room(void)
{
	return frame_left() > ROOTFILE_RESERVE;
}

/* Return where block i is named, or NULL if no array is there for it. Lock held. */
static uint8_t **slot_find(const struct rootfile *f, size_t i)
{
	if (i < f->nnear)
		return &f->near[i];
	if (i < ROOTFILE_NEAR || !f->far || !f->far[i / ROOTFILE_NEAR])
		return NULL;
	return &f->far[i / ROOTFILE_NEAR][i % ROOTFILE_NEAR];
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

	HOLD_MUTEX(&f->lock);
	if (off >= f->size)
		n = 0;
	else if (n > f->size - off)
		n = (size_t)(f->size - off);
	while (done < n) {
		size_t at = (size_t)(off + done), i = at / BLOCK, in = at % BLOCK;
		size_t k = min_size(n - done, BLOCK - in); /* bytes of this block */
		uint8_t *to = (uint8_t *)buf + done, **slot = slot_find(f, i);

		if (slot && *slot)
			memcpy(to, *slot + in, k);
		else
			read_unwritten(f, to, k, at);
		done += k;
	}
	return (ssize_t)n;
}

/* Make the array of the first blocks long enough for block i. -ENOSPC. */
static int reach_near(struct rootfile *f, size_t i)
{
	size_t n = f->nnear ? f->nnear : 4;

	while (n <= i)
		n *= 2;
	uint8_t **near = kzalloc(n * sizeof(*near));
	if (!near)
		return -ENOSPC;
	if (f->nnear)
		memcpy(near, f->near, f->nnear * sizeof(*near));
	kfree(f->near);
	f->near = near;
	f->nnear = n;
	return 0;
}

/* Make the page that names block i, which is far. -ENOSPC. */
static int reach_far(struct rootfile *f, size_t i)
{
	if (!f->far)
		f->far = kzalloc(NFAR * sizeof(*f->far));
	if (!f->far)
		return -ENOSPC;
	uint8_t **names = kzalloc(ROOTFILE_NEAR * sizeof(*names));
	f->far[i / ROOTFILE_NEAR] = names;
	return names ? 0 : -ENOSPC;
}

/* Make block i a page, which can be written; *slot is where it is named. -ENOSPC. */
static int own_block(struct rootfile *f, size_t i, uint8_t ***slot)
{
	*slot = slot_find(f, i);
	if (*slot && **slot)
		return 0;
	if (!rootfile_room())
		return -ENOSPC;
	if (!*slot && (i < ROOTFILE_NEAR ? reach_near(f, i) : reach_far(f, i)) != 0)
		return -ENOSPC;
	*slot = slot_find(f, i);
	uint8_t *b = frame_alloc();
	if (!b)
		return -ENOSPC;
	read_unwritten(f, b, BLOCK, (uint64_t)i * BLOCK);
	**slot = b;
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
		uint8_t **slot;

		err = own_block(f, i, &slot);
		if (err)
			break;
		memcpy(*slot + in, buf + done, k);
		done += k;
	}
	if (done && off + done > f->size)
		f->size = off + done;
	return done ? (ssize_t)done : err;
}

/* No file may grow past ROOTFILE_MAX, so that offsets within it fit a size_t. */
ssize_t rootfile_write(struct rootfile *f, const void *buf, size_t n, uint64_t off, bool append)
{
	HOLD_MUTEX(&f->lock);
	if (append)
		off = f->size;
	if (off >= ROOTFILE_MAX)
		return -EFBIG;
	return put_bytes(f, buf, min_size(n, (size_t)(ROOTFILE_MAX - off)), off);
}

/* Free the blocks from number i on of an array of n. */
static void free_blocks(uint8_t **block, size_t i, size_t n)
{
	for (; i < n; i++) {
		if (block[i])
			frame_free(block[i]);
		block[i] = NULL;
	}
}

/* Free the far blocks from number i on, and the pages that name none any more. Lock held. */
static void free_far(struct rootfile *f, size_t i)
{
	for (size_t page = 1; f->far && page < NFAR; page++) {
		size_t first = page * ROOTFILE_NEAR;

		if (!f->far[page] || i >= first + ROOTFILE_NEAR)
			continue;
		free_blocks(f->far[page], i > first ? i - first : 0, ROOTFILE_NEAR);
		if (i <= first) {
			kfree(f->far[page]);
			f->far[page] = NULL;
		}
	}
	if (i <= ROOTFILE_NEAR) {
		kfree(f->far);
		f->far = NULL;
	}
}

/* Free the blocks from byte size on, and clear the rest of the last one. Lock held. */
static void cut_to(struct rootfile *f, size_t size)
{
	size_t last = size / BLOCK, in = size % BLOCK;
	uint8_t **slot = in ? slot_find(f, last) : NULL;

	if (slot && *slot)
		memset(*slot + in, 0, BLOCK - in);
	last += in != 0;
	free_blocks(f->near, last, f->nnear);
	free_far(f, last);
	f->romsize = min_size(f->romsize, size);
	if (size == 0) {
		kfree(f->near);
		f->near = NULL;
		f->nnear = 0;
	}
}

int rootfile_truncate(struct rootfile *f, uint64_t size)
{
	if (size > ROOTFILE_MAX)
		return -EFBIG;
	HOLD_MUTEX(&f->lock);
	cut_to(f, (size_t)size);
	f->size = size;
	return 0;
}

void rootfile_rom(struct rootfile *f, const void *data, size_t n)
{
	HOLD_MUTEX(&f->lock);
	cut_to(f, 0);
	f->rom = data;
	f->romsize = f->size = n;
}
