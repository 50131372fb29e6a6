/*
 * prf: DG/UX's profiler. A tick looks up the kernel's address in a table that was
 * loaded, and counts it there: on average 100 times a second.
 *
 * Each CPU samples its time at a random point of every 10 ms of it. At 1000 Hz one
 * tick of ten counts, but not always the tenth, so that nothing which runs in step
 * with another clock hides; at 50 Hz a tick counts for the two points it stands for.
 *
 * The two profilers that see a CPU take the same samples. So when they are on
 * together, the profiler of all counts exactly what those of the CPUs do.
 */
#include "prof/prof_hooks.h"

#define SEED 1000u /* of CPU 0 */
#define ADDR_LOG2 (sizeof(prof_addr) == 8 ? 3 : 2)

PROF_ASSERT(sizeof(prof_addr) == 1u << ADDR_LOG2, "an address has 4 or 8 bytes");

/* In struct prof_prf_cpu. */
enum { OWN, ALL };

bool prof_prf_init(struct prof *p, unsigned ncpu)
{
	if (!prof_has_room(ncpu))
		return false;
	p->prf.ncpu = ncpu;
	for (unsigned cpu = 0; cpu < ncpu; cpu++)
		prof_beat_begin(&p->prf.cpu[cpu].beat, PROF_PRF_US, SEED + cpu);
	return true;
}

bool prof_prf_on(const struct prof *p, unsigned which)
{
	return p->prf.of[which].on;
}

uint32_t prof_prf_size(const struct prof *p, unsigned which)
{
	const struct prof_prf_table *t = p->prf.of[which].table;

	return t ? t->n : 0;
}

/*
 * Divide the addresses' range into slots, of 16 bytes if there are no more than 16 slots to an
 * address then: functions begin at multiples of 16, so most slots have one address.
 */
static void prf_choose_slots(struct prof_prf_table *t, const prof_addr *addr)
{
	t->first = addr[0];
	t->range = addr[t->n - 1] - addr[0];
	t->shift = 4;
	while (t->range >> t->shift >= 16 * t->n)
		t->shift++;
	t->slots = (uint32_t)(t->range >> t->shift) + 1;
}

/* Note for each slot's start, and for the end of the last, the last address not above it. */
static void prf_fill_slots(uint16_t *slot, const struct prof_prf_table *t)
{
	uint32_t i = 0, s;

	for (s = 0; s < t->slots; s++) {
		while (i + 1 < t->n && t->addr[i + 1] - t->first <= (prof_addr)s << t->shift)
			i++;
		slot[s] = (uint16_t)i;
	}
	slot[t->slots] = (uint16_t)(t->n - 1);
}

/* Allocate everything for n addresses in one piece; NULL when there is no memory. */
static struct prof_prf_table *prf_make_table(const struct prof *p, unsigned which,
					 const prof_addr *addr, uint32_t n)
{
	struct prof_prf_table layout = {.n = n}, *t;
	uint32_t counts = (prof_past_cpu(which, p->prf.ncpu) - prof_first_cpu(which)) *
			  (n + PROF_PRF_OTHERS);

	prf_choose_slots(&layout, addr);
	t = prof_hook_alloc(sizeof(*t) + n * sizeof(*t->addr) + counts * sizeof(**t->count) +
			    (layout.slots + 1) * sizeof(*t->slot));
	if (!t)
		return NULL;
	*t = layout;
	prof_addr *copy = (prof_addr *)(t + 1);
	t->addr = copy;
	for (uint32_t i = 0; i < n; i++)
		copy[i] = addr[i];
	uint32_t *at = (uint32_t *)(copy + n);
	for (unsigned cpu = prof_first_cpu(which); cpu < prof_past_cpu(which, p->prf.ncpu); cpu++) {
		t->count[cpu] = at;
		at += n + PROF_PRF_OTHERS;
	}
	uint16_t *slot = (uint16_t *)at;
	prf_fill_slots(slot, t);
	t->slot = slot;
	return t;
}

static bool prf_ascending(const prof_addr *addr, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (addr[i] <= addr[i - 1])
			return false;
	return true;
}

/* Replace the table at once: it is off, and no tick uses it since prof_prf_stop() returned. */
enum prof_prf_error prof_prf_load(struct prof *p, unsigned which, const prof_addr *addr,
				  size_t size)
{
	struct prof_prf_table *table = NULL;
	size_t n = size >> ADDR_LOG2;

	if (p->prf.of[which].on)
		return PROF_PRF_EBUSY;
	if (n > PROF_PRF_MAXADDR)
		return PROF_PRF_ENOSPC;
	if (n < PROF_PRF_MINADDR || size & (sizeof(*addr) - 1))
		return PROF_PRF_E2BIG;
	if (prf_ascending(addr, (uint32_t)n)) {
		table = prf_make_table(p, which, addr, (uint32_t)n);
		if (!table)
			return PROF_PRF_ENOMEM;
	}
	prof_hook_free(p->prf.of[which].table);
	p->prf.of[which].table = table;
	return table ? PROF_PRF_OK : PROF_PRF_EINVAL;
}

/*
 * Switch a profiler on, with that table, or off, without one, and give prf the ticks while one of
 * its profilers is on.
 */
static void prf_set(struct prof *p, unsigned which, const struct prof_prf_table *table)
{
	bool at = which == PROF_PRF_EVERY; /* ALL or OWN */
	bool any = false;

	p->prf.of[which].on = table;
	for (unsigned cpu = prof_first_cpu(which); cpu < prof_past_cpu(which, p->prf.ncpu); cpu++) {
		struct prof_prf_cpu *c = &p->prf.cpu[cpu];

		if (table)
			c->cell[at] = table->count[cpu];
		__atomic_store_n(&c->on[at], table, __ATOMIC_RELEASE);
	}
	for (unsigned i = 0; i <= PROF_MAXCPU; i++)
		any |= p->prf.of[i].on;
	prof_switch(p, PROF_PRF, any);
}

void prof_prf_start(struct prof *p, unsigned which)
{
	const struct prof_prf_table *table = p->prf.of[which].table;

	if (table && !p->prf.of[which].on)
		prf_set(p, which, table);
}

void prof_prf_stop(struct prof *p, unsigned which)
{
	if (!p->prf.of[which].on)
		return;
	prf_set(p, which, NULL);
	prof_hook_quiesce();
}

/* Add up the counters of all CPUs that the profiler sees; they wrap as their sum does. */
prof_addr prof_prf_word(const struct prof *p, unsigned which, uint32_t i)
{
	const struct prof_prf_table *t = p->prf.of[which].table;
	uint32_t sum = 0;

	if (i < t->n)
		return t->addr[i];
	for (unsigned cpu = prof_first_cpu(which); cpu < prof_past_cpu(which, p->prf.ncpu); cpu++)
		sum += prof_load(&t->count[cpu][i - t->n]);
	return sum;
}

/* Search a slot that has several addresses. */
static uint32_t prf_search(const struct prof_prf_table *t, uint32_t lo, uint32_t hi, prof_addr pc)
{
	while (lo < hi) {
		uint32_t mid = (lo + hi + 1) >> 1;

		if (t->addr[mid] <= pc)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* Find the last address that is not above pc; most slots have one. */
static inline __attribute__((always_inline)) uint32_t prf_find(const struct prof_prf_table *t,
								prof_addr pc)
{
	prof_addr off = pc - t->first;

	if (__builtin_expect(off >= t->range, 0))
		return pc < t->first ? t->n + PROF_PRF_BELOW : t->n - 1;
	const uint16_t *slot = &t->slot[off >> t->shift];
	if (__builtin_expect(slot[0] != slot[1], 0))
		return prf_search(t, slot[0], slot[1], pc);
	return slot[0];
}

uint32_t prof_prf_find(const struct prof_prf_table *t, prof_addr pc)
{
	return prf_find(t, pc);
}

/* Count a sample in one of the two tables, if it is on. Its cells were there before it was. */
static inline __attribute__((always_inline)) void prf_count(const struct prof_prf_cpu *c, int which,
							prof_addr pc, enum prof_cause what)
{
	const struct prof_prf_table *t = __atomic_load_n(&c->on[which], __ATOMIC_ACQUIRE);

	if (!t)
		return;
	uint32_t *cell = c->cell[which];
	if (__builtin_expect(what == PROF_KERNEL, 1))
		cell += prf_find(t, pc);
	else
		cell += t->n + (what == PROF_IDLE ? PROF_PRF_IN_IDLE : PROF_PRF_IN_USER);
	prof_store(cell, prof_load(cell) + 1);
}

/* Count a tick as one sample, or as several if it is longer than 10 ms. */
void prof_prf_count(struct prof_prf_cpu *c, prof_addr pc, enum prof_cause what)
{
	do {
		prof_beat_next(&c->beat, PROF_PRF_US);
		prf_count(c, ALL, pc, what);
		prf_count(c, OWN, pc, what);
	} while (__builtin_expect(c->beat.left <= 0, 0));
}
