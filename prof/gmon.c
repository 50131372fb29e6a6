/* gmon: the arcs of the call graph, counted by mcount, and the histogram that goes with them. */
#include "prof/port.h"
#include "prof/tick.h"

#define CELL 4u /* bytes of text to one cell of kcount and of froms */

struct gmonparam _gmonparam;
static struct gmon_cpu gmon[PROF_MAXCPU];
static unsigned gmon_ncpu;
static uint32_t asked; /* a bit for each CPU that was switched on, even if in error by now */

struct gmon_cpu *gmon_cpu(unsigned cpu)
{
	return &gmon[cpu];
}

/* Return one CPU's state, which its mcount changes and others look at. */
static int state_of(const struct gmon_cpu *c)
{
	return __atomic_load_n(&c->param.state, __ATOMIC_RELAXED);
}

static void set_state(struct gmon_cpu *c, int state)
{
	__atomic_store_n(&c->param.state, state, __ATOMIC_RELAXED);
}

/* Return how many arcs a CPU can count: so few that all CPUs' together fit 16-bit links. */
static uint32_t arc_limit(uint32_t textsize, unsigned ncpu)
{
	uint32_t most = GMON_MAXARCS / ncpu, n = textsize / 100 * GMON_ARCDENSITY;

	n += textsize % 100 * GMON_ARCDENSITY / 100;
	if (n < GMON_MINARCS)
		n = GMON_MINARCS;
	return n < most ? n : most;
}

/* Return the sizes of one CPU's tables, for text [lo, hi) on so many CPUs. */
static struct gmonparam layout(uint32_t lo, uint32_t hi, unsigned ncpu)
{
	struct gmonparam g = {
		.state = GMON_PROF_OFF,
		.lowpc = lo & ~(CELL - 1),
		.highpc = (hi + CELL - 1) & ~(CELL - 1),
		.hashfraction = GMON_HASHFRACTION,
	};

	g.textsize = g.highpc - g.lowpc;
	g.kcountsize = g.textsize / CELL * sizeof(*g.kcount);
	g.fromssize = g.textsize / g.hashfraction;
	g.tolimit = arc_limit(g.textsize, ncpu);
	g.tossize = g.tolimit * sizeof(*g.tos);
	return g;
}

/* Allocate one CPU's tables, whose sizes are known. */
static bool alloc_tables(struct gmon_cpu *c)
{
	c->param.kcount = prof_port_alloc(c->param.kcountsize);
	c->param.froms = prof_port_alloc(c->param.fromssize);
	c->arc = prof_port_alloc(c->param.tolimit * sizeof(*c->arc));
	return c->param.kcount && c->param.froms && c->arc;
}

bool kmstartup(uint32_t lo, uint32_t hi, unsigned ncpu)
{
	struct gmonparam g;
	unsigned cpu;

	if (lo >= hi || hi - lo > UINT32_MAX / 2 || hi > UINT32_MAX - CELL || ncpu == 0 ||
	    ncpu > PROF_MAXCPU)
		return false;
	g = layout(lo, hi, ncpu);
	for (cpu = 0; cpu < ncpu; cpu++) {
		gmon[cpu] = (struct gmon_cpu){.param = g};
		if (!alloc_tables(&gmon[cpu]))
			return false;
	}
	gmon_ncpu = ncpu;
	asked = 0;
	_gmonparam = gmon[0].param;
	_gmonparam.tolimit = g.tolimit * ncpu;
	_gmonparam.tossize = g.tossize * ncpu;
	return true;
}

/* Return whether each of them counts already. */
static bool all_on(unsigned which)
{
	unsigned cpu;

	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++)
		if (state_of(&gmon[cpu]) > GMON_PROF_BUSY)
			return false;
	return true;
}

/* Set one CPU's state, its fast path to match, and whether it was asked to count. */
static void switch_cpu(unsigned cpu, bool on)
{
	struct gmon_cpu *c = &gmon[cpu];

	asked = on ? asked | 1u << cpu : asked & ~(1u << cpu);
	set_state(c, on ? GMON_PROF_ON : GMON_PROF_OFF);
	prof_port_arcs(cpu, on ? c : NULL);
}

/*
 * Start or stop counting on those CPUs. The others go on as before, except that calls made
 * at this moment are not counted: while states change, the entries are off on all CPUs.
 */
static void set_running(struct prof *p, unsigned which, bool on)
{
	unsigned cpu;

	if (asked)
		prof_port_entries(false);
	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++)
		switch_cpu(cpu, on);
	_gmonparam.state = asked ? GMON_PROF_ON : GMON_PROF_OFF;
	prof_switch(p, PROF_GMON, asked);
	if (asked)
		prof_port_entries(true);
}

void gmon_start(struct prof *p, unsigned which)
{
	if (gmon_ncpu > 0 && !all_on(which))
		set_running(p, which, true);
}

void gmon_stop(struct prof *p, unsigned which)
{
	unsigned cpu;

	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++) {
		if (asked & 1u << cpu) {
			set_running(p, which, false);
			return;
		}
	}
}

/* Stop only the ticks for a moment, for only they change the histogram; calls go on. */
void gmon_clear_count(struct prof *p, unsigned which)
{
	unsigned cpu;
	uint32_t i;

	prof_switch(p, PROF_GMON, false);
	prof_port_quiesce();
	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++) {
		for (i = 0; i < _gmonparam.textsize / CELL; i++)
			prof_store(&gmon[cpu].param.kcount[i], 0);
		pace_clear(&gmon[cpu].pace);
	}
	prof_switch(p, PROF_GMON, asked);
}

/* Stop only the calls, for only they change the arcs. The state stays, even an error. */
void gmon_clear_arcs(unsigned which)
{
	unsigned cpu;
	uint32_t i;

	if (asked)
		prof_port_entries(false);
	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++) {
		struct gmonparam *g = &gmon[cpu].param;

		for (i = 0; i < g->textsize / CELL; i++)
			__atomic_store_n(&g->froms[i], 0, __ATOMIC_RELAXED);
		__atomic_store_n(&gmon[cpu].arc[0].link, 0, __ATOMIC_RELAXED);
		prof_store(&g->lost, 0);
	}
	if (asked)
		prof_port_entries(true);
}

/* Take BUSY, which lasts only a moment, for ON. */
int gmon_state(unsigned which)
{
	bool on = false;
	unsigned cpu;

	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++) {
		int state = state_of(&gmon[cpu]);

		if (state == GMON_PROF_ERROR)
			return GMON_PROF_ERROR;
		on |= state != GMON_PROF_OFF;
	}
	return on ? GMON_PROF_ON : GMON_PROF_OFF;
}

/*
 * Take the next entry of tos for a pair seen for the first time, and put it at the
 * head of its list. It is whole before the cursor says that it is there, for
 * readers, and before the head does, for an NMI's calls on the fast path.
 */
static int new_arc(struct gmon_cpu *c, uint32_t slot, uint32_t selfpc)
{
	uint16_t *head = &c->param.froms[slot];
	uint32_t at = c->arc[0].link + 1u;
	struct gmon_arc *e = &c->arc[at];

	if (at >= c->param.tolimit)
		return GMON_PROF_ERROR;
	e->selfpc = selfpc;
	e->slot = slot;
	e->link = *head;
	prof_store(&e->count, 1);
	__atomic_store_n(&c->arc[0].link, (uint16_t)at, __ATOMIC_RELEASE);
	__atomic_store_n(head, (uint16_t)at, __ATOMIC_RELEASE);
	return GMON_PROF_ON;
}

/* Count the pair in its list, and move its entry to the head, where the fast path looks. */
static int count_arc(struct gmon_cpu *c, uint32_t slot, uint32_t selfpc)
{
	struct gmon_arc *arc = c->arc, *e, *before = NULL;
	uint16_t *head = &c->param.froms[slot], at = *head;

	for (e = &arc[at]; at && e->selfpc != selfpc; e = &arc[at]) {
		before = e;
		at = e->link;
	}
	if (!at)
		return new_arc(c, slot, selfpc);
	prof_store(&e->count, prof_load(&e->count) + 1);
	if (before) {
		before->link = e->link;
		e->link = *head;
		__atomic_store_n(head, at, __ATOMIC_RELEASE);
	}
	return GMON_PROF_ON;
}

/*
 * While a CPU is in here its state is BUSY: a call made by whatever interrupts it is
 * only counted as lost, and does not meet a list that is half changed.
 */
void _mcount(uint32_t frompc, uint32_t selfpc)
{
	unsigned cpu = prof_port_cpu();
	struct gmon_cpu *c = &gmon[cpu];
	uint32_t off = frompc - c->param.lowpc;
	int state = state_of(c);

	if (state == GMON_PROF_BUSY)
		prof_store(&c->param.lost, prof_load(&c->param.lost) + 1);
	if (state != GMON_PROF_ON || off >= c->param.textsize)
		return;
	set_state(c, GMON_PROF_BUSY);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	state = count_arc(c, off / CELL, selfpc);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	set_state(c, state);
	if (state == GMON_PROF_ERROR)
		prof_port_arcs(cpu, NULL);
}

/* Count the kernel's program counter; a program's is for profil(2). */
void gmon_tick(const struct prof_sample *s)
{
	const struct gmon_cpu *c = &gmon[s->cpu];
	const struct gmonparam *g = &c->param;
	uint32_t off = s->at.pc - g->lowpc, n;

	if (s->mode == PROF_USER || off >= g->textsize || state_of(c) > GMON_PROF_BUSY)
		return;
	n = prof_load(&g->kcount[off / CELL]);
	if (n != UINT32_MAX)
		prof_store(&g->kcount[off / CELL], n + 1);
}

/* Add, and saturate. */
static uint32_t add(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Return cell i of those CPUs together. */
static uint32_t sum(unsigned which, uint32_t i)
{
	uint32_t n = 0;
	unsigned cpu;

	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++)
		n = add(n, prof_load(&gmon[cpu].param.kcount[i]));
	return n;
}

/* Return how many ticks those CPUs' histograms hold. */
static uint32_t ticks(unsigned which)
{
	uint32_t n = 0, i;

	for (i = 0; i < _gmonparam.textsize / CELL; i++)
		n = add(n, sum(which, i));
	return n;
}

void gmon_period(uint32_t us)
{
	unsigned cpu;

	for (cpu = 0; cpu < gmon_ncpu; cpu++)
		pace_set(&gmon[cpu].pace, ticks(cpu), us);
}

/* Return the length of those CPUs' ticks: the period is the same on all of them. */
static struct prof_pace pace_of(unsigned which)
{
	struct prof_pace pace = {.us = gmon[0].pace.us};
	unsigned cpu;

	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++) {
		pace.ticks_before += gmon[cpu].pace.ticks_before;
		pace.us_before += gmon[cpu].pace.us_before;
	}
	return pace;
}

void gmon_param(unsigned which, struct gmonparam *out)
{
	struct prof_pace pace = pace_of(which);
	uint32_t us = pace_mean(&pace, ticks(which));
	unsigned cpu;

	*out = which == GMON_ALL ? _gmonparam : gmon[which].param;
	out->state = gmon_state(which);
	out->profrate = us ? (1000000 + us / 2) / us : 0;
	out->lost = 0;
	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++)
		out->lost = add(out->lost, prof_load(&gmon[cpu].param.lost));
}

void gmon_count(unsigned which, uint32_t *out)
{
	uint32_t i;

	for (i = 0; i < _gmonparam.textsize / CELL; i++)
		out[i] = sum(which, i);
}

/* Add an arc to a picture. There is room: arc_limit() saw to that. */
static void add_arc(uint16_t *froms, struct tostruct *tos, const struct gmon_arc *arc)
{
	uint32_t count = prof_load(&arc->count);
	uint16_t at = froms[arc->slot];

	while (at && tos[at].selfpc != arc->selfpc)
		at = tos[at].link;
	if (at) {
		tos[at].count = add(tos[at].count, count);
		return;
	}
	at = ++tos[0].link;
	tos[at] = (struct tostruct){arc->selfpc, count, froms[arc->slot], 0};
	froms[arc->slot] = at;
}

/*
 * The lists are made anew, from the entries in order of first use and the slots noted
 * in them: the CPUs' own lists may change while they are being followed.
 */
void gmon_arcs(unsigned which, uint16_t *froms, struct tostruct *tos)
{
	uint32_t limit = which == GMON_ALL ? _gmonparam.tolimit : gmon[which].param.tolimit;
	uint32_t i, n;
	unsigned cpu;

	for (i = 0; i < _gmonparam.textsize / CELL; i++)
		froms[i] = 0;
	for (i = 0; i < limit; i++)
		tos[i] = (struct tostruct){0, 0, 0, 0};
	for (cpu = first_cpu(which); cpu < past_cpu(which, gmon_ncpu); cpu++) {
		const struct gmon_cpu *c = &gmon[cpu];

		n = __atomic_load_n(&c->arc[0].link, __ATOMIC_ACQUIRE);
		for (i = 1; i <= n; i++)
			add_arc(froms, tos, &c->arc[i]);
	}
}
