/*
 * The content of a file in memory: pages, which an array names if they are near its beginning,
 * and others if they are far. No array is longer than a page. A file that came in an archive stays
 * in the archive's memory, and each block moves to a page when it is first written.
 */
#include "drivers/files/rootfile.h"
#include "kernel/machine/user.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"

#define BLOCK PAGE
#define NFAR (ROOTFILE_MAX / BLOCK / ROOTFILE_NEAR) /* the first is not used */

/* The reserve is not exact: several files may take from it at once. */
bool rootfile_room(void)
{
	return frame_available() > ROOTFILE_RESERVE;
}

/* Return where block i is named, or NULL if no array is there for it. Lock held. */
static uint8_t **rootfile_slot(const struct rootfile *f, size_t i)
{
	if (i < f->nnear)
		return &f->near[i];
	if (i < ROOTFILE_NEAR || !f->far || !f->far[i / ROOTFILE_NEAR])
		return NULL;
	return &f->far[i / ROOTFILE_NEAR][i % ROOTFILE_NEAR];
}

/* Return block i; NULL if it has never been written. Lock held. */
static uint8_t *rootfile_block(const struct rootfile *f, size_t i)
{
	uint8_t **slot = rootfile_slot(f, i);

	return slot ? *slot : NULL;
}

/* Return where the bytes from `at` on are, and cut *n to those that are there. Lock held. */
static const uint8_t *rootfile_bytes(const struct rootfile *f, size_t at, size_t *n)
{
	static const uint8_t zeros[BLOCK];
	const uint8_t *block = rootfile_block(f, at / BLOCK);

	*n = min_size(*n, BLOCK - at % BLOCK);
	if (block)
		return block + at % BLOCK;
	if (at < f->romsize) {
		*n = min_size(*n, f->romsize - at);
		return f->rom + at;
	}
	return zeros;
}

ssize_t rootfile_read(struct rootfile *f, void *buf, size_t n, uint64_t off)
{
	size_t done = 0, k;

	HOLD_MUTEX(&f->lock);
	if (off >= f->size)
		return 0;
	n = min_size(n, (size_t)(f->size - off));
	for (; done < n; done += k) {
		k = n - done;
		const uint8_t *from = rootfile_bytes(f, (size_t)off + done, &k);
		if (copy_bytes((uint8_t *)buf + done, from, k) < k)
			break;
	}
	if (done < n && (done == 0 || n <= BLOCK))
		return -EFAULT;
	return (ssize_t)done;
}

/* Write to b, block i's new page, the bytes from `in` to `end` that the file had there already. */
static void rootfile_fill_block(const struct rootfile *f, uint8_t *b, size_t i, size_t in,
				size_t end)
{
	size_t at = i * BLOCK, have = 0;

	if (at < f->romsize)
		have = min_size(end, f->romsize - at);
	if (have > in)
		memcpy(b + in, f->rom + at + in, have - in);
	else
		have = in;
	memset(b + have, 0, end - have);
}

/* Make the page that names block i, which is far. -ENOSPC. */
static int rootfile_reach_far(struct rootfile *f, size_t i)
{
	if (!f->far)
		f->far = kzalloc(NFAR * sizeof(*f->far));
	if (!f->far)
		return -ENOSPC;
	uint8_t **names = kzalloc(ROOTFILE_NEAR * sizeof(*names));
	f->far[i / ROOTFILE_NEAR] = names;
	return names ? 0 : -ENOSPC;
}

/* Make the array that names block i, or make that of the first blocks long enough. -ENOSPC. */
static int rootfile_reach(struct rootfile *f, size_t i)
{
	size_t n = 4; /* at least; arrays grow by doubling */

	if (i >= ROOTFILE_NEAR)
		return rootfile_reach_far(f, i);
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

/* Give block i a page, and return it; NULL when out of memory. Lock held. */
static uint8_t *rootfile_new_block(struct rootfile *f, size_t i)
{
	if (!rootfile_room())
		return NULL;
	if (!rootfile_slot(f, i) && rootfile_reach(f, i) != 0)
		return NULL;
	uint8_t *page = frame_alloc();
	f->nblock += page != NULL;
	return *rootfile_slot(f, i) = page;
}

/* Free the blocks from number i on of an array of n. Lock held. */
static void rootfile_free_blocks(struct rootfile *f, uint8_t **block, size_t i, size_t n)
{
	for (; i < n; i++) {
		if (!block[i])
			continue;
		frame_free(block[i]);
		block[i] = NULL;
		f->nblock--;
	}
}

/* Write n bytes to block i from its byte `in` on. Return how many, -ENOSPC, -EFAULT. Lock held. */
static ssize_t rootfile_put_block(struct rootfile *f, size_t i, size_t in, const uint8_t *buf,
				  size_t n)
{
	uint8_t *b = rootfile_block(f, i);
	bool fresh = !b;

	if (fresh)
		b = rootfile_new_block(f, i);
	if (!b)
		return -ENOSPC;
	size_t got = copy_bytes(b + in, buf, n);
	if (fresh && got < BLOCK) {
		rootfile_fill_block(f, b, i, 0, in);
		rootfile_fill_block(f, b, i, in + got, BLOCK);
	}
	if (got > 0)
		return (ssize_t)got;
	if (fresh)
		rootfile_free_blocks(f, rootfile_slot(f, i), 0, 1);
	return -EFAULT;
}

/*
 * No file may grow past ROOTFILE_MAX, so that offsets within it fit a size_t. A piece of up to a
 * block is begun only if its last byte is accessible.
 */
ssize_t rootfile_write(struct rootfile *f, const void *buf, size_t n, uint64_t off, bool append)
{
	const uint8_t *from = buf, *end = from + n;
	ssize_t r;

	HOLD_MUTEX(&f->lock);
	if (f->holders)
		return -ETXTBSY;
	if (append)
		off = f->size;
	do {
		size_t k = min_size((size_t)(end - from), BLOCK);
		uint8_t last;

		r = -EFAULT;
		if (copy_bytes(&last, from + k - 1, 1) == 0)
			break;
		r = -EFBIG;
		if (off >= ROOTFILE_MAX)
			break;
		size_t in = (size_t)off % BLOCK;
		r = rootfile_put_block(f, (size_t)off / BLOCK, in, from, min_size(k, BLOCK - in));
		if (r < 0)
			break;
		from += r;
		off += (size_t)r;
	} while (from < end);
	size_t done = n - (size_t)(end - from);
	if (done == 0)
		return r;
	if (off > f->size)
		f->size = (uint32_t)off;
	return (ssize_t)done;
}

/* Free the far blocks from number i on, and the pages that name none any more. Lock held. */
static void rootfile_free_far(struct rootfile *f, size_t i)
{
	for (size_t page = 1; f->far && page < NFAR; page++) {
		size_t first = page * ROOTFILE_NEAR, from = i > first ? i - first : 0;

		if (!f->far[page] || from >= ROOTFILE_NEAR)
			continue;
		rootfile_free_blocks(f, f->far[page], from, ROOTFILE_NEAR);
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
static void rootfile_cut(struct rootfile *f, size_t size)
{
	size_t last = size / BLOCK, in = size % BLOCK;
	uint8_t *block = rootfile_block(f, last);

	if (block && in)
		memset(block + in, 0, BLOCK - in);
	last += in != 0;
	rootfile_free_blocks(f, f->near, last, f->nnear);
	rootfile_free_far(f, last);
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
	if (f->holders)
		return -ETXTBSY;
	rootfile_cut(f, (size_t)size);
	f->size = size;
	return 0;
}

uint32_t rootfile_hold(struct rootfile *f)
{
	HOLD_MUTEX(&f->lock);
	uint32_t n = f->size;
	if (f->nblock == 0)
		n = f->romsize - min_size(f->romsize, BLOCK); /* the last page may have more */
	else if (f->nblock * BLOCK < n)
		n = 0;
	f->holders += n > 0; /* 0 says that it is not held */
	return n;
}

void rootfile_release(struct rootfile *f)
{
	HOLD_MUTEX(&f->lock);
	f->holders--;
}

/* Without the lock: while the file is held nothing changes. */
const void *rootfile_page(const struct rootfile *f, size_t off)
{
	size_t n = 1;

	return rootfile_bytes(f, off, &n);
}

void rootfile_rom(struct rootfile *f, const void *data, size_t n)
{
	HOLD_MUTEX(&f->lock);
	rootfile_cut(f, 0);
	f->rom = data;
	f->romsize = f->size = n;
}
