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
#include "prof/port.h"
#include "prof/tick.h"

#define SEED 1000u /* of CPU 0 */

/* In struct prf_cpu. */
enum { OWN, ALL };

bool prf_init(struct prof *p, unsigned ncpu)
{
	unsigned cpu;

	if (ncpu == 0 || ncpu > PROF_MAXCPU)
		return false;
	p->prf.ncpu = ncpu;
	for (cpu = 0; cpu < ncpu; cpu++)
		beat_begin(&p->prf.cpu[cpu].beat, PRF_US, SEED + cpu);
	return true;
}

bool prf_on(const struct prof *p, unsigned which)
{
	return p->prf.of[which].on;
}

uint32_t prf_size(const struct prof *p, unsigned which)
{
	const struct prf_table *t = p->prf.of[which].table;

	return t ? t->n : 0;
}

/* The CPUs of a profiler: from first() up to, but not including, past(). */
static unsigned first(unsigned which)
{
	return which == PRF_EVERY ? 0 : which;
}

static unsigned past(const struct prof *p, unsigned which)
{
	return which == PRF_EVERY ? p->prf.ncpu : which + 1;
}

/*
 * Slots for pieces of the addresses' range, of 16 bytes if that makes no more than 16 for an
 * address: functions begin at multiples of 16, and most slots have one address.
 */
static void choose_slots(struct prf_table *t, const uint32_t *addr)
{
	t->first = addr[0];
	t->range = addr[t->n - 1] - addr[0];
	t->shift = 4;
	while (t->range >> t->shift >= 16 * t->n)
		t->shift++;
	t->slots = (t->range >> t->shift) + 1;
}

/* For each slot's begin, and behind the last, the last address that is not above it. */
static void fill_slots(uint16_t *slot, const struct prf_table *t)
{
	uint32_t i = 0, s;

	for (s = 0; s < t->slots; s++) {
		while (i + 1 < t->n && t->addr[i + 1] - t->first <= s << t->shift)
			i++;
		slot[s] = (uint16_t)i;
	}
	slot[t->slots] = (uint16_t)(t->n - 1);
}

/* Everything for n addresses in one piece of memory; NULL when there is none. */
static struct prf_table *make_table(const struct prof *p, unsigned which, const uint32_t *addr,
				    uint32_t n)
{
	struct prf_table layout = {.n = n}, *t;
	uint32_t words, i, *at;
	uint16_t *slot;
	unsigned cpu;

	choose_slots(&layout, addr);
	words = n + (past(p, which) - first(which)) * (n + PRF_OTHERS);
	t = prof_port_alloc(sizeof(*t) + words * sizeof(*at) + (layout.slots + 1) * sizeof(*slot));
	if (!t)
		return NULL;
	*t = layout;
	at = (uint32_t *)(t + 1);
	for (i = 0; i < n; i++)
		at[i] = addr[i];
	t->addr = at;
	at += n;
	for (cpu = first(which); cpu < past(p, which); cpu++, at += n + PRF_OTHERS)
		t->count[cpu] = at;
	slot = (uint16_t *)at;
	fill_slots(slot, t);
	t->slot = slot;
	return t;
}

static bool ascending(const uint32_t *addr, uint32_t n)
{
	uint32_t i;

	for (i = 1; i < n; i++) {
		if (addr[i] <= addr[i - 1])
			return false;
	}
	return true;
}

/* It is off, and no tick has been using its table since prf_set() returned. */
enum prf_error prf_load(struct prof *p, unsigned which, const uint32_t *addr, size_t size)
{
	struct prf_table *table = NULL;
	uint32_t n = size / sizeof(*addr);
	bool valid;

	if (p->prf.of[which].on)
		return PRF_EBUSY;
	if (n > PRF_MAXADDR)
		return PRF_ENOSPC;
	if (n < PRF_MINADDR || size % sizeof(*addr) != 0)
		return PRF_E2BIG;
	valid = ascending(addr, n);
	if (valid)
		table = make_table(p, which, addr, n);
	if (valid && !table)
		return PRF_ENOMEM;
	prof_port_free(p->prf.of[which].table);
	p->prf.of[which].table = table;
	return valid ? PRF_OK : PRF_EINVAL;
}

/* Ticks get prf while a profiler is on. */
static void switch_prf(struct prof *p)
{
	bool any = false;
	unsigned i;

	for (i = 0; i <= PROF_MAXCPU; i++)
		any |= p->prf.of[i].on;
	prof_switch(p, PROF_PRF, any);
}

/* Once it is off and this has returned, its counters change no more. */
void prf_set(struct prof *p, unsigned which, bool on)
{
	const struct prf_table *table = p->prf.of[which].table;
	int at = which == PRF_EVERY ? ALL : OWN;
	unsigned cpu;

	if (!table || on == p->prf.of[which].on)
		return;
	p->prf.of[which].on = on;
	for (cpu = first(which); cpu < past(p, which); cpu++) {
		struct prf_cpu *c = &p->prf.cpu[cpu];

		if (on)
			c->cell[at] = table->count[cpu];
		__atomic_store_n(&c->on[at], on ? table : NULL, __ATOMIC_RELEASE);
	}
	switch_prf(p);
	if (!on)
		prof_port_quiesce();
}

/* Counters of all CPUs that the profiler sees, added up; they wrap as their sum does. */
uint32_t prf_word(const struct prof *p, unsigned which, uint32_t i)
{
	const struct prf_table *t = p->prf.of[which].table;
	uint32_t sum = 0;
	unsigned cpu;

	if (i < t->n)
		return t->addr[i];
	for (cpu = first(which); cpu < past(p, which); cpu++)
		sum += prof_load(&t->count[cpu][i - t->n]);
	return sum;
}

/* In a slot that has several addresses: a binary search. */
static uint32_t search(const struct prf_table *t, uint32_t lo, uint32_t hi, uint32_t pc)
{
	while (lo < hi) {
		uint32_t mid = (lo + hi + 1) / 2;

		if (t->addr[mid] <= pc)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* The last address that is not above pc; most slots have one. */
static inline __attribute__((always_inline)) uint32_t find(const struct prf_table *t, uint32_t pc)
{
	uint32_t off = pc - t->first;
	const uint16_t *slot;

	if (__builtin_expect(off >= t->range, 0))
		return pc < t->first ? t->n + PRF_BELOW : t->n - 1;
	slot = &t->slot[off >> t->shift];
	if (__builtin_expect(slot[0] != slot[1], 0))
		return search(t, slot[0], slot[1], pc);
	return slot[0];
}

uint32_t prf_find(const struct prf_table *t, uint32_t pc)
{
	return find(t, pc);
}

/* Count a sample in one of the two tables, if it is on. Its cells were there before it was. */
static inline __attribute__((always_inline)) void count(const struct prf_cpu *c, int which,
							 uint32_t pc, enum prof_mode mode)
{
	const struct prf_table *t = __atomic_load_n(&c->on[which], __ATOMIC_ACQUIRE);
	uint32_t *cell;

	if (!t)
		return;
	cell = c->cell[which];
	if (__builtin_expect(mode == PROF_KERNEL, 1))
		cell += find(t, pc);
	else
		cell += t->n + (mode == PROF_IDLE ? PRF_IN_IDLE : PRF_IN_USER);
	prof_store(cell, prof_load(cell) + 1);
}

/* A tick that is longer than 10 ms may stand for more samples than one. */
void prf_count(struct prf_cpu *c, uint32_t pc, enum prof_mode mode)
{
	do {
		beat_next(&c->beat, PRF_US);
		count(c, ALL, pc, mode);
		count(c, OWN, pc, mode);
	} while (__builtin_expect(c->beat.left <= 0, 0));
}
