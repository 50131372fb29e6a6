/*
 * A directory's entries: a list in the order in which they came, for listing, and a hash table by
 * name once there are many. The table grows with the directory; without memory for that, its
 * chains become longer. An entry's place is its number and, below that, a part of its name's hash:
 * so a list goes on from any entry that is still there, whoever else lists the directory.
 */
#include "drivers/files/rootdir.h"
#include "kernel/memory/heap.h"

#define FEW 8 /* entries; up to here the list is searched */
#define PLACE_HASH 20 /* bits of the hash in a place: there are fewer buckets */

/* Return the name's hash: FNV-1a, 32 bits. */
static uint32_t rootdir_hash(const char *name)
{
	uint32_t h = 0x811c9dc5;

	while (*name)
		h = (h ^ (uint8_t)*name++) * 0x01000193;
	return h ^ h >> 16;
}

static inline struct rootent **rootdir_bucket(const struct rootdir *d, uint32_t h)
{
	return &d->bucket[h & (d->nbucket - 1)];
}

static void rootdir_chain(const struct rootdir *d, struct rootent *e)
{
	struct rootent **b = rootdir_bucket(d, (uint32_t)e->place);

	e->chain = *b;
	*b = e;
}

/* Have as many buckets as entries, if there is memory. */
static void rootdir_grow(struct rootdir *d)
{
	size_t n = d->nbucket ? 2 * d->nbucket : 2 * FEW;
	struct rootent **bucket = n >> PLACE_HASH ? NULL : kzalloc(n * sizeof(*bucket));

	if (!bucket)
		return;
	kfree(d->bucket);
	d->bucket = bucket;
	d->nbucket = n;
	for (struct rootent *e = d->oldest; e; e = e->newer)
		rootdir_chain(d, e);
}

struct rootent *rootdir_find(const struct rootdir *d, const char *name)
{
	struct rootent *e = d->oldest;

	if (!d->bucket) {
		while (e && (e->name[0] != name[0] || strcmp(e->name, name) != 0))
			e = e->newer;
		return e;
	}
	e = *rootdir_bucket(d, rootdir_hash(name));
	while (e && strcmp(e->name, name) != 0)
		e = e->chain;
	return e;
}

struct rootent *rootdir_after(const struct rootdir *d, uint64_t place)
{
	struct rootent *e = d->bucket ? *rootdir_bucket(d, (uint32_t)place) : NULL;

	while (e && e->place != place)
		e = e->chain;
	if (e)
		return e->newer;
	e = d->oldest;
	while (e && e->place <= place)
		e = e->newer;
	return e;
}

void rootdir_add(struct rootdir *d, struct rootent *e)
{
	e->place = ++d->added << PLACE_HASH | (rootdir_hash(e->name) & ((1u << PLACE_HASH) - 1));
	e->older = d->newest;
	e->newer = NULL;
	if (d->newest)
		d->newest->newer = e;
	else
		d->oldest = e;
	d->newest = e;
	if (d->bucket)
		rootdir_chain(d, e);
	if (++d->n > FEW && d->n > d->nbucket)
		rootdir_grow(d);
}

void rootdir_take(struct rootdir *d, struct rootent *e)
{
	if (d->bucket) {
		struct rootent **at = rootdir_bucket(d, (uint32_t)e->place);
		while (*at != e)
			at = &(*at)->chain;
		*at = e->chain;
	}
	if (e->older)
		e->older->newer = e->newer;
	else
		d->oldest = e->newer;
	if (e->newer)
		e->newer->older = e->older;
	else
		d->newest = e->older;
	if (--d->n == 0) {
		kfree(d->bucket);
		*d = (struct rootdir){.added = d->added};
	}
}
