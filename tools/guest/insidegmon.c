/* The call graph profile inside a guest: inside_gmon() of inside.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "prof/files/prof_gmonout.h"
#include "tools/guest/peek.h"
#include "tools/memory.h"

#define GMON "profilers.gmon" /* in the kernel */
#define CPU GMON ".cpu[%u]"

/* An entry of tos in the guest, whose addresses are of 32 bits. */
struct arc32 {
	uint32_t selfpc, count;
	uint16_t link, pad;
	uint32_t slot;
};

/* Copy one CPU's arcs. */
static int copy_arcs(struct inside *in, struct prof_gmon_param *g, unsigned cpu,
		     struct complaint *why)
{
	struct arc32 *arc = memory_zeroed(g->tolimit, sizeof(*arc));
	int bad = peek_table(in, CPU ".param.tos", cpu, arc, g->tolimit * sizeof(*arc), why);
	uint32_t i;

	for (i = 0; i < g->tolimit; i++)
		g->tos[i] = (struct prof_tostruct){arc[i].selfpc, arc[i].count, arc[i].link, 0,
						   arc[i].slot};
	free(arc);
	return bad;
}

/* Copy one CPU's tables. */
static int gmon_copy(struct inside *in, struct prof *p, unsigned cpu, struct complaint *why)
{
	struct prof_gmon_cpu *c = &p->gmon.cpu[cpu];
	struct prof_gmon_param *g = c->param;

	if (peek_table(in, CPU ".param.kcount", cpu, g->kcount, g->kcountsize, why) < 0 ||
	    copy_arcs(in, g, cpu, why) < 0 ||
	    peek_number32(in, CPU ".param.lost", cpu, &g->lost, why) < 0)
		return -1;
	return peek_pace(in, CPU ".pace", cpu, &c->pace, why);
}

/*
 * Fill p's tables from the guest's. They must come out as large here as there, or the kernel is
 * built from another prof/.
 */
static int gmon_like(struct inside *in, struct prof *p, struct complaint *why)
{
	uint32_t lo, hi, limit;
	uint64_t ncpu;
	unsigned cpu;
	int bad = 0;

	if (peek_number32(in, CPU ".param.lowpc", 0, &lo, why) < 0 ||
	    peek_number32(in, CPU ".param.highpc", 0, &hi, why) < 0 ||
	    peek_number32(in, CPU ".param.tolimit", 0, &limit, why) < 0 ||
	    peek_number(in, GMON ".ncpu", 0, PROF_MAXCPU, &ncpu, why) < 0)
		return -1;
	if (lo > hi || hi - lo > PEEK_MAXTABLE ||
	    !prof_gmon_init(p, lo, hi, (unsigned)ncpu, NULL) ||
	    p->gmon.cpu[0].param->tolimit != limit)
		return complain(why, "gmon was not ready in the guest");
	for (cpu = 0; !bad && cpu < ncpu; cpu++)
		bad = gmon_copy(in, p, cpu, why);
	return bad;
}

/* Write to a file; a gmonout's write function. */
static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) == n ? 0 : errno;
}

/*
 * Write the file that the guest's kernel would give, all CPUs added up: its head, the ticks of
 * each bucket, and the arcs, which `froms` and `tos` hold as 4.4BSD has them.
 */
static int gmon_write(const struct prof *p, FILE *to, struct complaint *why)
{
	struct prof_sink out = {put, to, 4};
	struct prof_gmon_param g;
	uint32_t *count;
	uint16_t *froms;
	struct prof_tostruct *tos;
	int err;

	prof_gmon_param(p, PROF_GMON_ALL, &g);
	count = memory_zeroed(1, g.kcountsize);
	froms = memory_zeroed(1, g.fromssize);
	tos = memory_zeroed(1, g.tossize);
	prof_gmon_count(p, PROF_GMON_ALL, count);
	prof_gmon_arcs(p, PROF_GMON_ALL, froms, tos);
	err = prof_gmonout_head(&out);
	if (!err)
		err = prof_gmonout_count(&out, &g, count);
	if (!err)
		err = prof_gmonout_arcs(&out, &g, froms, tos);
	free(count);
	free(froms);
	free(tos);
	return err ? complain(why, "%s", err < 0 ? "its arcs are damaged" : strerror(err)) : 0;
}

/*
 * Check that no arc leads out of the tables, so that prof/ may walk them: each names the slot
 * of `froms` in which its list begins.
 */
static bool arcs_fit(const struct prof *p)
{
	unsigned cpu;
	uint32_t i;

	for (cpu = 0; cpu < PROF_MAXCPU && p->gmon.cpu[cpu].param; cpu++) {
		const struct prof_gmon_param *g = p->gmon.cpu[cpu].param;

		if (g->tos[0].link >= g->tolimit)
			return false;
		for (i = 1; i <= g->tos[0].link; i++)
			if (g->tos[i].slot >= g->fromssize / sizeof(*g->froms))
				return false;
	}
	return true;
}

/* prof_gmon_init() got these from prof_hook_alloc() of offline.c. */
static void free_gmon(const struct prof *p)
{
	unsigned cpu;

	for (cpu = 0; cpu < PROF_MAXCPU && p->gmon.cpu[cpu].param; cpu++) {
		struct prof_gmon_param *g = p->gmon.cpu[cpu].param;

		free(g->kcount);
		free(g->froms);
		free(g->tos);
		free(g);
	}
}

/* Fill tables, check them, let prof/ make the file, and free them. */
int inside_gmon(struct inside *in, FILE *to, struct complaint *why)
{
	struct prof p = {0};
	int bad = gmon_like(in, &p, why);

	if (!bad && !arcs_fit(&p))
		bad = complain(why, "gmon's tables are damaged");
	if (!bad)
		bad = gmon_write(&p, to, why);
	free_gmon(&p);
	return bad;
}
