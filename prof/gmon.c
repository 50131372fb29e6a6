/* gmon: the arcs of the call graph, counted by mcount, and the histogram beside them. */
#include "port.h"
#include "tick.h"

#define CELL 4u /* bytes of text to one cell of kcount and of froms */

struct gmonparam _gmonparam;
static struct gmon_cpu gmon[PROF_MAXCPU];
static unsigned gmon_ncpu;

struct gmon_cpu *gmon_cpu(unsigned cpu)
{
	return &gmon[cpu];
}

/* One CPU's state, which its mcount changes and others look at. */
static int state_of(const struct gmon_cpu *c)
{
	return __atomic_load_n(&c->param.state, __ATOMIC_RELAXED);
}

static void set_state(struct gmon_cpu *c, int state)
{
	__atomic_store_n(&c->param.state, state, __ATOMIC_RELAXED);
}

/* Entries of tos for that much text: in all CPUs' tables together what links can name. */
static uint32_t arc_limit(uint32_t textsize, unsigned ncpu)
{
	uint32_t most = GMON_MAXARCS / ncpu, n = textsize / 100 * GMON_ARCDENSITY;

	n += textsize % 100 * GMON_ARCDENSITY / 100;
	if (n < GMON_MINARCS)
		n = GMON_MINARCS;
	return n < most ? n : most;
}

/* The sizes of one set of tables, for text [lo, hi) on so many CPUs. */
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

/* Memory for one CPU's tables, whose sizes are known. */
static bool alloc_tables(struct gmon_cpu *c)
{
	c->param.kcount = prof_port_alloc(c->param.kcountsize);
	c->param.froms = prof_port_alloc(c->param.fromssize);
	c->param.tos = prof_port_alloc(c->param.tossize);
	c->slot = prof_port_alloc(c->param.tolimit * sizeof(*c->slot));
	return c->param.kcount && c->param.froms && c->param.tos && c->slot;
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
	_gmonparam = gmon[0].param;
	_gmonparam.tolimit = g.tolimit * ncpu;
	_gmonparam.tossize = g.tossize * ncpu;
	return true;
}

/* The calls on or off, with each CPU's state and fast path to match. */
static void set_running(bool on)
{
	unsigned cpu;

	if (!on)
		prof_port_entries(false);
	for (cpu = 0; cpu < gmon_ncpu; cpu++) {
		set_state(&gmon[cpu], on ? GMON_PROF_ON : GMON_PROF_OFF);
		prof_port_arcs(cpu, on ? &gmon[cpu].param : NULL);
	}
	if (on)
		prof_port_entries(true);
}

void gmon_start(struct prof *p)
{
	if (gmon_ncpu == 0 || gmon_state() == GMON_PROF_ON)
		return;
	gmon_stop(p);
	_gmonparam.state = GMON_PROF_ON;
	prof_switch(p, PROF_GMON, true);
	set_running(true);
}

void gmon_stop(struct prof *p)
{
	if (_gmonparam.state == GMON_PROF_OFF)
		return;
	set_running(false);
	prof_switch(p, PROF_GMON, false);
	_gmonparam.state = GMON_PROF_OFF;
}

/* Stop and wait until nobody counts; whether it ran, for resume(). */
static bool suspend(struct prof *p)
{
	bool ran = _gmonparam.state == GMON_PROF_ON;

	gmon_stop(p);
	prof_port_quiesce();
	return ran;
}

static void resume(struct prof *p, bool ran)
{
	if (ran)
		gmon_start(p);
}

void gmon_clear_count(struct prof *p)
{
	bool ran = suspend(p);
	unsigned cpu;
	uint32_t i;

	for (cpu = 0; cpu < gmon_ncpu; cpu++)
		for (i = 0; i < _gmonparam.textsize / CELL; i++)
			prof_store(&gmon[cpu].param.kcount[i], 0);
	p->gmon_pace.ticks_before = 0;
	p->gmon_pace.us_before = 0;
	resume(p, ran);
}

void gmon_clear_arcs(struct prof *p)
{
	bool ran = suspend(p);
	unsigned cpu;
	uint32_t i;

	for (cpu = 0; cpu < gmon_ncpu; cpu++) {
		struct gmonparam *g = &gmon[cpu].param;

		for (i = 0; i < g->textsize / CELL; i++)
			__atomic_store_n(&g->froms[i], 0, __ATOMIC_RELAXED);
		__atomic_store_n(&g->tos[0].link, 0, __ATOMIC_RELAXED);
		g->lost = 0;
	}
	resume(p, ran);
}

int gmon_state(void)
{
	unsigned cpu;

	for (cpu = 0; cpu < gmon_ncpu; cpu++)
		if (state_of(&gmon[cpu]) == GMON_PROF_ERROR)
			return GMON_PROF_ERROR;
	return _gmonparam.state;
}

/*
 * Take the next entry of tos for a pair seen for the first time, and put it at the
 * head of its list. It is whole before the cursor says that it is there, for
 * readers, and before the head does, for an NMI's calls on the fast path.
 */
static int new_arc(struct gmon_cpu *c, uint32_t slot, uint32_t selfpc)
{
	struct gmonparam *g = &c->param;
	uint32_t at = g->tos[0].link + 1u;

	if (at >= g->tolimit)
		return GMON_PROF_ERROR;
	g->tos[at].selfpc = selfpc;
	prof_store(&g->tos[at].count, 1);
	g->tos[at].link = g->froms[slot];
	c->slot[at] = slot;
	__atomic_store_n(&g->tos[0].link, (uint16_t)at, __ATOMIC_RELEASE);
	__atomic_store_n(&g->froms[slot], (uint16_t)at, __ATOMIC_RELEASE);
	return GMON_PROF_ON;
}

/* Count the pair in its list, and move its entry to the head, where the fast path looks. */
static int count_arc(struct gmon_cpu *c, uint32_t slot, uint32_t selfpc)
{
	struct gmonparam *g = &c->param;
	uint16_t at = g->froms[slot], before = 0;

	while (at && g->tos[at].selfpc != selfpc) {
		before = at;
		at = g->tos[at].link;
	}
	if (!at)
		return new_arc(c, slot, selfpc);
	prof_store(&g->tos[at].count, prof_load(&g->tos[at].count) + 1);
	if (before) {
		g->tos[before].link = g->tos[at].link;
		g->tos[at].link = g->froms[slot];
		__atomic_store_n(&g->froms[slot], at, __ATOMIC_RELEASE);
	}
	return GMON_PROF_ON;
}

/*
 * While a CPU is in here its state is BUSY: a call made by what interrupts it finds
 * that and is lost, but for a count, instead of finding a list half changed.
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

/* The kernel's program counter only: a user's is for profil(2). */
void gmon_tick(const struct prof_sample *s)
{
	const struct gmon_cpu *c = &gmon[s->cpu];
	const struct gmonparam *g = &c->param;
	uint32_t off = s->pc - g->lowpc, n;

	if (s->mode == PROF_USER || off >= g->textsize || state_of(c) > GMON_PROF_BUSY)
		return;
	n = prof_load(&g->kcount[off / CELL]);
	if (n != UINT32_MAX)
		prof_store(&g->kcount[off / CELL], n + 1);
}

/* A sum that stays at its end. */
static uint32_t add(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Cell i of all CPUs together. */
static uint32_t sum(uint32_t i)
{
	uint32_t n = 0;
	unsigned cpu;

	for (cpu = 0; cpu < gmon_ncpu; cpu++)
		n = add(n, prof_load(&gmon[cpu].param.kcount[i]));
	return n;
}

uint32_t gmon_ticks(void)
{
	uint32_t n = 0, i;

	for (i = 0; i < _gmonparam.textsize / CELL; i++)
		n = add(n, sum(i));
	return n;
}

void gmon_param(const struct prof *p, struct gmonparam *out)
{
	uint32_t us = pace_mean(&p->gmon_pace, gmon_ticks());
	unsigned cpu;

	*out = _gmonparam;
	out->state = gmon_state();
	out->profrate = us ? (1000000 + us / 2) / us : 0;
	for (cpu = 0; cpu < gmon_ncpu; cpu++)
		out->lost = add(out->lost, prof_load(&gmon[cpu].param.lost));
}

void gmon_count(uint32_t *out)
{
	uint32_t i;

	for (i = 0; i < _gmonparam.textsize / CELL; i++)
		out[i] = sum(i);
}

/* Add an arc of that froms cell to a picture. There is room: arc_limit() saw to that. */
static void add_arc(uint16_t *froms, struct tostruct *tos, uint32_t slot,
		    const struct tostruct *arc)
{
	uint16_t at = froms[slot];

	while (at && tos[at].selfpc != arc->selfpc)
		at = tos[at].link;
	if (at) {
		tos[at].count = add(tos[at].count, arc->count);
		return;
	}
	at = ++tos[0].link;
	tos[at] = (struct tostruct){arc->selfpc, arc->count, froms[slot], 0};
	froms[slot] = at;
}

/*
 * The lists are made anew, from the entries in order of first use and the slots noted
 * beside them: lists that a CPU is changing are no ground to walk on.
 */
void gmon_arcs(uint16_t *froms, struct tostruct *tos)
{
	uint32_t i, n;
	unsigned cpu;

	for (i = 0; i < _gmonparam.textsize / CELL; i++)
		froms[i] = 0;
	for (i = 0; i < _gmonparam.tolimit; i++)
		tos[i] = (struct tostruct){0, 0, 0, 0};
	for (cpu = 0; cpu < gmon_ncpu; cpu++) {
		const struct gmon_cpu *c = &gmon[cpu];

		n = __atomic_load_n(&c->param.tos[0].link, __ATOMIC_ACQUIRE);
		for (i = 1; i <= n; i++) {
			const struct tostruct *e = &c->param.tos[i];
			struct tostruct arc = {e->selfpc, prof_load(&e->count), 0, 0};

			add_arc(froms, tos, c->slot[i], &arc);
		}
	}
}
