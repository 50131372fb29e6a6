/*
 * Profiling a program from within: a histogram by sprofil(2) and arcs by mcount, which are
 * written to gmon.out at the end. Their tables are those of the kernel's gmon (prof/prof_gmon.h).
 * Host: no
 */
#include <sys/gmon.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include "prof/files/prof_gmonout.h"
#include "prof/prof_profil.h"
#include "userland/libc/libc.h"

#define CELL 4u /* bytes of text to one cell of kcount and of froms */
#define OUT "gmon.out"

static struct prof_gmon_param param = {.state = PROF_GMON_OFF};

/*
 * Change the state in one atomic step, since processes may share this memory (sproc(2)).
 * Return false if it was not `from'.
 */
static bool change_state(int32_t from, int32_t to)
{
	return __atomic_compare_exchange_n(&param.state, &from, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE);
}

/*
 * Count the pair in its list, or take a new entry for it. Return the state that this leads
 * to.
 */
static int32_t count_arc(uint32_t slot, uint32_t selfpc)
{
	uint16_t at = param.froms[slot];

	while (at && param.tos[at].selfpc != selfpc)
		at = param.tos[at].link;
	if (!at) {
		if (param.tos[0].link + 1u >= param.tolimit)
			return PROF_GMON_ERROR;
		at = ++param.tos[0].link;
		param.tos[at] = (struct prof_tostruct){selfpc, 0, param.froms[slot], 0, slot};
		param.froms[slot] = at;
	}
	param.tos[at].count++;
	return PROF_GMON_ON;
}

/* Record a call. It is lost if another process with this memory is in here. */
void _mcount(uint32_t frompc, uint32_t selfpc)
{
	uint32_t off = frompc - param.lowpc;

	if (off >= param.textsize || !change_state(PROF_GMON_ON, PROF_GMON_BUSY))
		return;
	__atomic_store_n(&param.state, count_arc(off / CELL, selfpc), __ATOMIC_RELEASE);
}

/*
 * Set the sizes of the tables for text [lo, hi). There is room for NetBSD's number of arcs,
 * 2 per cent of the text.
 */
static void set_bounds(uint32_t lo, uint32_t hi)
{
	param.lowpc = lo & ~(CELL - 1);
	param.highpc = (hi + CELL - 1) & ~(CELL - 1);
	param.textsize = param.highpc - param.lowpc;
	param.kcountsize = param.textsize;
	param.hashfraction = PROF_GMON_HASHFRACTION;
	param.profrate = 1000000 / PROF_PROFIL_US;
	param.tolimit = param.textsize / 100 * PROF_GMON_ARCDENSITY;
	if (param.tolimit < PROF_GMON_MINARCS)
		param.tolimit = PROF_GMON_MINARCS;
	if (param.tolimit > PROF_GMON_MAXARCS)
		param.tolimit = PROF_GMON_MAXARCS;
}

/*
 * Profile text [lo, hi) with the histogram in kcount. Without memory, warn and profile
 * nothing.
 */
static void start(uint32_t lo, uint32_t hi, uint32_t *kcount)
{
	set_bounds(lo, hi);
	param.kcount = kcount;
	param.froms = calloc(param.textsize / CELL, sizeof(*param.froms));
	param.tos = calloc(param.tolimit, sizeof(*param.tos));
	if (!param.kcount || !param.froms || !param.tos) {
		warnx("no memory for a profile");
		param.textsize = 0;
		return;
	}
	moncontrol(1);
}

/* Begin to profile the text [lowpc, highpc). */
void monstartup(unsigned long lowpc, unsigned long highpc)
{
	if (lowpc < highpc && param.textsize == 0)
		start(lowpc, highpc, calloc((highpc - lowpc) / CELL + 2, CELL));
}

/*
 * Begin to profile with the caller's memory for the histogram, which bounds how much text is
 * profiled. A lowpc of NULL ends profiling.
 */
void monitor(int (*lowpc)(void), int (*highpc)(void), void *buffer, size_t bufsize, size_t nfunc)
{
	uint32_t lo = (uintptr_t)lowpc & ~(CELL - 1), hi = (uintptr_t)highpc;

	(void)nfunc;
	if (!lowpc) {
		_mcleanup();
		return;
	}
	bufsize &= ~(size_t)(CELL - 1);
	if (lo < hi && hi - lo > bufsize)
		hi = lo + bufsize;
	if (lo < hi && param.textsize == 0)
		start(lo, hi, buffer);
}

/* Count if mode is not 0, and stop counting if it is. */
void moncontrol(int mode)
{
	if (param.textsize == 0)
		return;
	if (mode && change_state(PROF_GMON_OFF, PROF_GMON_ON))
		__profil_words(param.kcount, param.kcountsize, param.lowpc);
	if (mode)
		return;
	__profil_words(NULL, 0, 0);
	change_state(PROF_GMON_ON, PROF_GMON_OFF);
}

/* Write a piece of gmon.out. Return 1 on failure. */
static int out(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) == n ? 0 : 1;
}

/* End profiling and write gmon.out in the current directory. */
void _mcleanup(void)
{
	struct prof_sink o = {.write = out};
	int bad;

	if (param.textsize == 0)
		return;
	moncontrol(0);
	if (param.state == PROF_GMON_ERROR)
		warnx("%s: calls of more pairs of functions than there was room for", OUT);
	o.arg = fopen(OUT, "w");
	if (!o.arg) {
		warn("%s", OUT);
		return;
	}
	bad = prof_gmonout_head(&o) || prof_gmonout_count(&o, &param, param.kcount) ||
	      prof_gmonout_arcs(&o, &param, param.froms, param.tos);
	if (fclose(o.arg) != 0 || bad)
		warn("%s", OUT);
	param.textsize = 0;
	param.state = PROF_GMON_OFF;
}
