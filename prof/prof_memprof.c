/*
 * Memory in use, by where it was asked for. Each block whose allocation was seen has an
 * entry in a table, so that its bytes can be taken off again where they were added. Entries
 * are in lists by a hash of owner and address; those not in use are in a list of their own.
 * There is no entry 0: that number ends a list.
 */
#include "prof/prof_hooks.h"

#define MINBLOCKS 1024u
#define MAXBLOCKS (1u << 17)
#define MAXLIST 64u /* entries of one list; there are as many lists as entries */

/* Return the list in which a block is. Addresses are multiples of 8 at least. */
static uint32_t *memprof_list_of(const struct prof_memprof *t, const void *owner, prof_addr addr)
{
	uint32_t mixed = (uint32_t)(addr >> 3) + (uint32_t)((uintptr_t)owner >> 4) * 31;

	return &t->head[(mixed * 2654435769u >> 8) & (t->nblock - 1)];
}

/*
 * The size is the largest power of two that is not above what is asked for, within bounds. The
 * places and the lists' heads are after the entries, all in one piece of memory. If there is none
 * of that size, a smaller table does, from which more blocks are lost.
 */
bool prof_memprof_init(struct prof *p, uint32_t blocks)
{
	struct prof_memprof *t = &p->module.memory;
	uint32_t n = MINBLOCKS;

	if (t->block)
		return true;
	while (n < MAXBLOCKS && n <= blocks >> 1)
		n *= 2;
	do
		t->block = prof_hook_alloc(n * (sizeof(*t->block) + sizeof(*t->head)) +
					   n / 8 * sizeof(*t->place));
	while (!t->block && (n /= 2) >= MINBLOCKS);
	if (!t->block)
		return false;
	t->place = (struct prof_memprof_place *)&t->block[n];
	t->head = (uint32_t *)&t->place[n / 8];
	t->nblock = n;
	t->fresh = t->nplace = 1;
	return true;
}

/* Charge a block to its instruction, which has a place. */
static void memprof_charge(struct prof_memprof *t, const struct prof_memprof_block *b)
{
	struct prof_module *m = b->module;
	struct prof_memprof_place *place = &t->place[m->count[b->at]];

	place->live = prof_add(place->live, b->bytes);
	if (place->live > place->peak)
		place->peak = place->live;
	place->total += b->bytes;
	place->allocated++;
	m->memory.total += b->bytes;
	m->memory.live += b->bytes;
	if (m->memory.live > m->memory.peak)
		m->memory.peak = m->memory.live;
	m->memory.allocated++;
}

/* Take a block's bytes off again. */
static void memprof_discharge(struct prof_memprof *t, const struct prof_memprof_block *b)
{
	struct prof_module *m = b->module;
	struct prof_memprof_place *place = &t->place[m->count[b->at]];

	if (place->live != UINT32_MAX)
		place->live -= b->bytes;
	place->freed++;
	m->memory.live -= b->bytes;
	m->memory.freed++;
	if (PROF_HAVE_STACK && b->path)
		prof_stack_add_time(b->path->time[1], b->bytes);
}

/* Take the entry that *link leads to out of its list. */
static void memprof_unlink(struct prof_memprof *t, uint32_t *link)
{
	uint32_t i = *link;

	*link = t->block[i].next;
	t->have[t->block[i].others]--;
	t->block[i].module = NULL;
	t->block[i].next = t->unused;
	t->unused = i;
}

/* Forget a block, if it has an entry. Return how many others stand before it in its list. */
static uint32_t memprof_drop_block(struct prof_memprof *t, const void *owner, prof_addr addr)
{
	uint32_t *link, n = 0;

	for (link = memprof_list_of(t, owner, addr); *link; link = &t->block[*link].next, n++) {
		if (t->block[*link].addr == addr && t->block[*link].owner == owner) {
			memprof_discharge(t, &t->block[*link]);
			memprof_unlink(t, link);
			break;
		}
	}
	return n;
}

/* Ignore a block without an entry: it was allocated before profiling began. */
void prof_memprof_free(struct prof *p, const void *owner, prof_addr addr)
{
	memprof_drop_block(&p->module.memory, owner, addr);
}

/*
 * Return an entry that is in no list, an old one before one that never was in use, and see to it
 * that *place has a number. 0: there is no room. What others run leaves half of it.
 */
static uint32_t memprof_entry(struct prof_memprof *t, uint32_t *place, bool others)
{
	uint32_t i = t->unused;

	if (t->have[others] == t->nblock >> others)
		return 0;
	if (*place == 0) {
		if (t->nplace >= t->nblock / 8 >> others)
			return 0;
		prof_store(place, t->nplace++);
	}
	if (i)
		t->unused = t->block[i].next;
	else if (t->fresh < t->nblock)
		i = t->fresh++;
	return i;
}

/*
 * An entry that the address has already is of a block that was freed unseen. Programs tell us
 * addresses as they like, so many may be meant for one list, in which others would search long; and
 * what others run leaves half of each.
 */
struct prof_memprof_block *prof_memprof_alloc(struct prof *p, const void *owner, prof_addr addr,
					      struct prof_module *m, prof_addr pc, uint32_t bytes,
					      bool others)
{
	struct prof_memprof *t = &p->module.memory;
	prof_addr at = pc - m->lo;
	uint32_t *head = memprof_list_of(t, owner, addr);
	uint32_t before = memprof_drop_block(t, owner, addr), i = 0;

	if (at < m->size && before < MAXLIST >> others)
		i = memprof_entry(t, &m->count[at], others);
	if (!i) {
		m->memory.lost++;
		return NULL;
	}
	t->block[i] = (struct prof_memprof_block){*head, addr, at & INT32_MAX, others, bytes, NULL,
						  owner, m};
	*head = i;
	t->have[others]++;
	memprof_charge(t, &t->block[i]);
	return &t->block[i];
}

/* Search each list from its head, because an entry knows only the one after it. */
uint32_t prof_memprof_forget(struct prof *p, const void *owner, uint32_t from, uint32_t n)
{
	struct prof_memprof *t = &p->module.memory;
	uint32_t i, *link;

	for (i = from; i < t->fresh && i - from < n; i++) {
		if (!t->block[i].module || t->block[i].owner != owner)
			continue;
		link = memprof_list_of(t, owner, t->block[i].addr);
		while (*link != i)
			link = &t->block[*link].next;
		memprof_unlink(t, link);
	}
	return i < t->fresh ? i : 0;
}

/* Free the table together with the modules, for its blocks point to them. */
void prof_memprof_drop(struct prof *p)
{
	prof_hook_free(p->module.memory.block);
	p->module.memory = (struct prof_memprof){0};
}
