/* gmon: the arcs of the call graph, counted by mcount, and the histogram that goes with them. */
#include "prof/prof_hooks.h"

#define CELL_LOG2 2 /* of the bytes of text to one cell of kcount and of froms */
#define CELL (1u << CELL_LOG2)

PROF_ASSERT(PROF_GMON_HASHFRACTION * sizeof(uint16_t) == CELL, "froms is as kcount");
PROF_ASSERT(PROF_GMON_MAXARCS <= UINT16_MAX, "links have 16 bits");
PROF_ASSERT(PROF_GMON_MINARCS * PROF_MAXCPU <= PROF_GMON_MAXARCS, "a picture has all CPUs' arcs");

struct prof *prof_entered;

/* Return how many cells kcount and froms have. */
static uint32_t gmon_cells(const struct prof *p)
{
	return p->gmon.cpu[0].param->textsize >> CELL_LOG2;
}

/* Return the end of the CPUs that `which` means, which begin with prof_first_cpu(which). */
static unsigned gmon_past_cpu(const struct prof *p, unsigned which)
{
	return prof_past_cpu(which, p->gmon.ncpu);
}

/* Return one CPU's state, which any CPU's mcount may change. */
static int gmon_state_of(const struct prof_gmon_param *g)
{
	return __atomic_load_n(&g->state, __ATOMIC_RELAXED);
}

/* Change a CPU's state, unless it is not `from` any more. Return whether it was. */
static bool gmon_change_state(struct prof_gmon_param *g, int from, int to)
{
	return __atomic_compare_exchange_n(&g->state, &from, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/* Return how many arcs a CPU can count: so few that all CPUs' together fit 16-bit links. */
static uint32_t gmon_arc_limit(uint32_t textsize, unsigned ncpu)
{
	uint32_t most = (uint32_t)prof_divide(PROF_GMON_MAXARCS, ncpu);
	uint32_t n = (uint32_t)prof_divide((uint64_t)textsize * PROF_GMON_ARCDENSITY, 100);

	if (n < PROF_GMON_MINARCS)
		n = PROF_GMON_MINARCS;
	if (n > most)
		n = most;
	return n;
}

/* Return the sizes of one CPU's tables, for text [lo, hi) on ncpu CPUs. */
static struct prof_gmon_param gmon_layout(prof_addr lo, prof_addr hi, unsigned ncpu)
{
	struct prof_gmon_param g = {
		.state = PROF_GMON_OFF, .lowpc = lo & ~(prof_addr)(CELL - 1),
		.highpc = (hi + CELL - 1) & ~(prof_addr)(CELL - 1),
		.hashfraction = PROF_GMON_HASHFRACTION,
	};

	if (g.highpc == 0) /* a cell with the last byte of memory would have no end */
		g.highpc -= CELL;
	g.textsize = (uint32_t)(g.highpc - g.lowpc);
	g.kcountsize = (g.textsize >> CELL_LOG2) * sizeof(*g.kcount);
	g.fromssize = (g.textsize >> CELL_LOG2) * sizeof(*g.froms);
	g.tolimit = gmon_arc_limit(g.textsize, ncpu);
	g.tossize = g.tolimit * sizeof(*g.tos);
	return g;
}

/* Allocate one CPU's tables, of the sizes in *like, which g is to describe unless it is NULL. */
static bool gmon_alloc_tables(struct prof *p, unsigned cpu, struct prof_gmon_param *g,
			      const struct prof_gmon_param *like)
{
	if (!g)
		g = prof_hook_alloc(sizeof(*g));
	p->gmon.cpu[cpu] = (struct prof_gmon_cpu){.param = g};
	if (!g)
		return false;
	*g = *like;
	if (cpu)
		p->gmon.cpu[cpu - 1].param->next = g;
	g->kcount = prof_hook_alloc(g->kcountsize);
	g->froms = prof_hook_alloc(g->fromssize);
	g->tos = prof_hook_alloc(g->tossize);
	return g->kcount && g->froms && g->tos;
}

bool prof_gmon_init(struct prof *p, prof_addr lo, prof_addr hi, unsigned ncpu,
		    struct prof_gmon_param *first)
{
	if (lo >= hi || hi - lo > UINT32_MAX >> 1 || !prof_has_room(ncpu))
		return false;
	struct prof_gmon_param g = gmon_layout(lo, hi, ncpu);
	p->gmon.ncpu = 0;
	for (unsigned cpu = 0; cpu < ncpu; cpu++)
		if (!gmon_alloc_tables(p, cpu, cpu ? NULL : first, &g))
			return false;
	p->gmon.ncpu = ncpu;
	prof_entered = p;
	return true;
}

/* Return how many of those CPUs count. */
static unsigned gmon_counting(const struct prof *p, unsigned which)
{
	unsigned n = 0;

	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++)
		n += gmon_state_of(p->gmon.cpu[cpu].param) <= PROF_GMON_BUSY;
	return n;
}

/* Have no CPU in mcount while its state or its arcs change. */
static void gmon_begin_change(const struct prof *p)
{
	if (prof_wants(p, PROF_GMON))
		prof_hook_entries(false);
}

static void gmon_end_change(struct prof *p)
{
	bool on = gmon_counting(p, PROF_GMON_ALL) > 0;

	prof_switch(p, PROF_GMON, on);
	if (on)
		prof_hook_entries(true);
}

/*
 * Start or stop counting on those CPUs. The others go on as before, except that calls made
 * at this moment are not counted: while states change, the entries are off on all CPUs.
 */
static void gmon_set_running(struct prof *p, unsigned which, bool on)
{
	gmon_begin_change(p);
	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++) {
		struct prof_gmon_param *g = p->gmon.cpu[cpu].param;
		int state = gmon_state_of(g);

		if (on)
			state = PROF_GMON_ON;
		else if (state != PROF_GMON_ERROR)
			state = PROF_GMON_OFF;
		__atomic_store_n(&g->state, state, __ATOMIC_RELAXED);
		prof_hook_arcs(cpu, on ? g : NULL);
	}
	gmon_end_change(p);
}

void prof_gmon_start(struct prof *p, unsigned which)
{
	if (gmon_counting(p, which) < gmon_past_cpu(p, which) - prof_first_cpu(which))
		gmon_set_running(p, which, true);
}

/* If a full table has ended all counting, what it has left switched on is switched off here. */
void prof_gmon_stop(struct prof *p, unsigned which)
{
	bool ended = prof_wants(p, PROF_GMON) && gmon_counting(p, PROF_GMON_ALL) == 0;

	if (ended || gmon_counting(p, which) > 0)
		gmon_set_running(p, which, false);
}

/* Stop only the ticks for a moment, for only they change the histogram; calls go on. */
void prof_gmon_clear_count(struct prof *p, unsigned which)
{
	bool on = prof_pause(p, PROF_GMON);

	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++) {
		for (uint32_t i = 0; i < gmon_cells(p); i++)
			prof_store(&p->gmon.cpu[cpu].param->kcount[i], 0);
		prof_pace_clear(&p->gmon.cpu[cpu].pace);
	}
	prof_switch(p, PROF_GMON, on);
}

/* Stop only the calls, for only they change the arcs. A table that was full is no error now. */
void prof_gmon_clear_arcs(struct prof *p, unsigned which)
{
	gmon_begin_change(p);
	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++) {
		struct prof_gmon_param *g = p->gmon.cpu[cpu].param;

		for (uint32_t i = 0; i < gmon_cells(p); i++)
			__atomic_store_n(&g->froms[i], 0, __ATOMIC_RELAXED);
		__atomic_store_n(&g->tos[0].link, 0, __ATOMIC_RELAXED);
		prof_store(&g->lost, 0);
		gmon_change_state(g, PROF_GMON_ERROR, PROF_GMON_OFF);
	}
	gmon_end_change(p);
}

/* Take BUSY, which lasts only a moment, for ON. */
int prof_gmon_state(const struct prof *p, unsigned which)
{
	bool on = false;

	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++) {
		int state = gmon_state_of(p->gmon.cpu[cpu].param);

		if (state == PROF_GMON_ERROR)
			return PROF_GMON_ERROR;
		on |= state != PROF_GMON_OFF;
	}
	return on ? PROF_GMON_ON : PROF_GMON_OFF;
}

/*
 * Take the next entry of tos for a pair seen for the first time, and put it at the
 * head of its list. It is whole before the cursor says that it is there, for
 * readers, and before the head does, for an NMI's calls on the fast path. False: tos is full.
 */
static bool gmon_new_arc(struct prof_gmon_param *g, uint32_t slot, prof_addr selfpc)
{
	uint16_t *head = &g->froms[slot];
	uint32_t at = g->tos[0].link + 1u;
	struct prof_tostruct *e = &g->tos[at];

	if (at >= g->tolimit)
		return false;
	e->selfpc = selfpc;
	e->slot = slot;
	e->link = *head;
	prof_store(&e->count, 1);
	__atomic_store_n(&g->tos[0].link, (uint16_t)at, __ATOMIC_RELEASE);
	__atomic_store_n(head, (uint16_t)at, __ATOMIC_RELEASE);
	return true;
}

/*
 * Count the pair in its list, and move its entry to the head, where the fast path looks. False: it
 * is new, and tos is full. Where a thread may be moved to another CPU within the fast path, that
 * counts here at the same time.
 */
static bool gmon_count_arc(struct prof_gmon_param *g, uint32_t slot, prof_addr selfpc)
{
	struct prof_tostruct *tos = g->tos, *e, *before = NULL;
	uint16_t *head = &g->froms[slot], at = *head;

	for (e = &tos[at]; at && e->selfpc != selfpc; e = &tos[at]) {
		before = e;
		at = e->link;
	}
	if (!at)
		return gmon_new_arc(g, slot, selfpc);
	__atomic_fetch_add(&e->count, 1, __ATOMIC_RELAXED);
	if (before) {
		before->link = e->link;
		e->link = *head;
		__atomic_store_n(head, at, __ATOMIC_RELEASE);
	}
	return true;
}

/*
 * End counting on all CPUs, with an error on the one whose table is full: a call graph that some
 * of them went on with would be of no one time.
 */
static void gmon_end_all(const struct prof *p, struct prof_gmon_param *full)
{
	gmon_change_state(full, PROF_GMON_BUSY, PROF_GMON_ERROR);
	for (unsigned cpu = 0; cpu < p->gmon.ncpu; cpu++) {
		struct prof_gmon_param *g = p->gmon.cpu[cpu].param;
		int state = gmon_state_of(g);

		while (state <= PROF_GMON_BUSY && !gmon_change_state(g, state, PROF_GMON_OFF))
			state = gmon_state_of(g);
		prof_hook_arcs(cpu, NULL);
	}
}

/*
 * While a CPU is in here its state is BUSY: a call made by whatever interrupts it is
 * only counted as lost, and does not meet a list that is half changed. The state may
 * become OFF meanwhile, and then stays so.
 */
void prof_mcount(prof_addr frompc, prof_addr selfpc)
{
	const struct prof *p = prof_entered;
	struct prof_gmon_param *g = p ? p->gmon.cpu[prof_hook_cpu()].param : NULL;
	int state = g ? gmon_state_of(g) : PROF_GMON_OFF;

	if (state == PROF_GMON_BUSY)
		prof_store(&g->lost, prof_load(&g->lost) + 1);
	if (state != PROF_GMON_ON || frompc - g->lowpc >= g->textsize ||
	    !gmon_change_state(g, PROF_GMON_ON, PROF_GMON_BUSY))
		return;
	if (gmon_count_arc(g, (uint32_t)(frompc - g->lowpc) >> CELL_LOG2, selfpc))
		gmon_change_state(g, PROF_GMON_BUSY, PROF_GMON_ON);
	else
		gmon_end_all(p, g);
}

/* Count the kernel's program counter; a program's is for profil(2). */
void prof_gmon_tick(struct prof *p, const struct prof_sample *s)
{
	if (s->what == PROF_USER)
		return;
	const struct prof_gmon_param *g = p->gmon.cpu[s->cpu].param;
	prof_addr off = s->at.pc - g->lowpc;
	if (off >= g->textsize || gmon_state_of(g) > PROF_GMON_BUSY)
		return;
	uint32_t n, *cell = &g->kcount[off >> CELL_LOG2];
	if (!__builtin_add_overflow(prof_load(cell), 1u, &n))
		prof_store(cell, n);
}

/* Return how many ticks those CPUs' histograms hold. */
static uint32_t gmon_ticks(const struct prof *p, unsigned which)
{
	uint32_t n = 0, cells = gmon_cells(p);

	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++)
		for (uint32_t i = 0; i < cells; i++)
			n = prof_add(n, prof_load(&p->gmon.cpu[cpu].param->kcount[i]));
	return n;
}

/* Return how many a second ticks of us microseconds are. */
static uint32_t gmon_rate_of(uint32_t us)
{
	return us ? (uint32_t)prof_divide(1000000 + (us >> 1), us) : 0;
}

/* Before the first period there is no tick: to look for some at boot would take a while. */
void prof_gmon_period(struct prof *p, uint32_t us)
{
	for (unsigned cpu = 0; cpu < p->gmon.ncpu; cpu++) {
		struct prof_pace *pace = &p->gmon.cpu[cpu].pace;

		prof_pace_set(pace, pace->us ? gmon_ticks(p, cpu) : 0, us);
		p->gmon.cpu[cpu].param->profrate = gmon_rate_of(us);
	}
}

/* Return the length of those CPUs' ticks: the period is the same on all of them. */
static struct prof_pace gmon_pace_of(const struct prof *p, unsigned which)
{
	struct prof_pace pace = {.us = p->gmon.cpu[0].pace.us};

	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++) {
		pace.ticks_before += p->gmon.cpu[cpu].pace.ticks_before;
		pace.us_before += p->gmon.cpu[cpu].pace.us_before;
		if (p->gmon.cpu[cpu].pace.rates > pace.rates)
			pace.rates = p->gmon.cpu[cpu].pace.rates;
	}
	return pace;
}

/* How many ticks there are matters only if some were of another length. */
void prof_gmon_param(const struct prof *p, unsigned which, struct prof_gmon_param *out)
{
	struct prof_pace pace = gmon_pace_of(p, which);
	uint32_t n = pace.rates ? gmon_ticks(p, which) : 0, cpus;

	*out = *p->gmon.cpu[prof_first_cpu(which)].param;
	out->state = prof_gmon_state(p, which);
	cpus = gmon_past_cpu(p, which) - prof_first_cpu(which);
	out->tolimit *= cpus;
	out->tossize *= cpus;
	out->profrate = gmon_rate_of(prof_pace_mean(&pace, n));
	out->mixed = pace.rates + (n > pace.ticks_before) > 1;
	out->next = NULL;
	out->lost = 0;
	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++)
		out->lost = prof_add(out->lost, prof_load(&p->gmon.cpu[cpu].param->lost));
}

void prof_gmon_count(const struct prof *p, unsigned which, uint32_t *out)
{
	unsigned cpu = prof_first_cpu(which);
	const uint32_t *kcount = p->gmon.cpu[cpu].param->kcount;
	uint32_t cells = gmon_cells(p);

#pragma GCC unroll 8
	for (uint32_t i = 0; i < cells; i++)
		out[i] = prof_load(&kcount[i]);
	while (++cpu < gmon_past_cpu(p, which)) {
		kcount = p->gmon.cpu[cpu].param->kcount;
		for (uint32_t i = 0; i < cells; i++)
			out[i] = prof_add(out[i], prof_load(&kcount[i]));
	}
}

/* Add an arc to a picture. There is room: gmon_arc_limit() saw to that. */
static void gmon_add_arc(uint16_t *froms, struct prof_tostruct *tos,
			 const struct prof_tostruct *arc)
{
	uint32_t count = prof_load(&arc->count);
	uint16_t at = froms[arc->slot];

	while (at && tos[at].selfpc != arc->selfpc)
		at = tos[at].link;
	if (at) {
		tos[at].count = prof_add(tos[at].count, count);
		return;
	}
	at = ++tos[0].link;
	tos[at] = (struct prof_tostruct){arc->selfpc, count, froms[arc->slot], 0, arc->slot};
	froms[arc->slot] = at;
}

/*
 * The lists are made anew, from the entries in order of first use and the slots noted
 * in them: the CPUs' own lists may change while they are being followed.
 */
void prof_gmon_arcs(const struct prof *p, unsigned which, uint16_t *froms,
		    struct prof_tostruct *tos)
{
	for (unsigned cpu = prof_first_cpu(which); cpu < gmon_past_cpu(p, which); cpu++) {
		const struct prof_gmon_param *g = p->gmon.cpu[cpu].param;
		uint32_t n = __atomic_load_n(&g->tos[0].link, __ATOMIC_ACQUIRE);

		for (uint32_t i = 1; i <= n; i++)
			gmon_add_arc(froms, tos, &g->tos[i]);
	}
}
