/* gmon: ticks and calls, by NetBSD's structures and rules. gmon(5) has them in full. */
#ifndef PROF_GMON_H
#define PROF_GMON_H

#include "prof/sample.h"

enum { GMON_PROF_ON, GMON_PROF_BUSY, GMON_PROF_ERROR, GMON_PROF_OFF };

struct tostruct {
	uint32_t selfpc; /* after the entry call of the function that was called */
	uint32_t count;	 /* wraps */
	uint16_t link;	 /* the caller's next one, or 0; in entry 0: the last one in use */
	uint16_t pad;
	uint32_t slot; /* the froms cell where the list begins */
};

#define GMON_HASHFRACTION 2 /* a froms cell of 2 bytes for each 4 bytes of text */
#define GMON_ARCDENSITY 2   /* per cent of text size */
#define GMON_MINARCS 50u
#define GMON_MAXARCS 65534u

struct gmonparam {
	int32_t state;
	uint32_t *kcount;    /* one for each 4 bytes of text; saturates at 2^32 - 1 */
	uint32_t kcountsize; /* sizes are in bytes */
	uint16_t *froms;
	uint32_t fromssize;
	struct tostruct *tos;
	uint32_t tossize;
	uint32_t tolimit; /* most entries of tos */
	uint32_t lowpc;
	uint32_t highpc;
	uint32_t textsize;
	uint32_t hashfraction;
	uint32_t profrate; /* ticks a second, now; in a picture: the mean of its ticks */
	uint32_t lost;	   /* calls made while the table was being changed: not counted */
	uint32_t mixed;	   /* in a picture: 1 if its ticks came at several rates, else 0 */
	struct gmonparam *next; /* the next CPU's, or NULL */
};

/* The first CPU's tables; those of the others follow. They are what mcount and ticks work on. */
extern struct gmonparam _gmonparam;

/* One CPU's tables. */
struct gmon_cpu {
	struct gmonparam *param; /* NULL before kmstartup() */
	struct prof_pace pace;
};

/*
 * Make tables for text [lo, hi) on ncpu CPUs. Return false if out of memory, or if there is no
 * such text or number of CPUs.
 */
bool kmstartup(uint32_t lo, uint32_t hi, unsigned ncpu);

/*
 * In what follows, `which` is a CPU's number below ncpu, or GMON_ALL. The entries of functions
 * call mcount while any CPU counts; a CPU that is off counts neither calls nor ticks.
 */
#define GMON_ALL UINT32_MAX

void gmon_start(struct prof *p, unsigned which); /* adds to earlier counts; ends an error */
void gmon_stop(struct prof *p, unsigned which);
void gmon_clear_count(struct prof *p, unsigned which); /* these two do not stop counting */
void gmon_clear_arcs(struct prof *p, unsigned which);  /* ends an error */

/*
 * Return ERROR if one of these CPUs' tables was full, else ON if one counts, else OFF. When a
 * table is full no CPU counts any more.
 */
int gmon_state(unsigned which);

/*
 * Make a picture, the sum of those CPUs. Its sizes are those that gmon_param() gives; what that
 * gives as pointers are the first CPU's.
 */
void gmon_param(unsigned which, struct gmonparam *out);
void gmon_count(unsigned which, uint32_t *out);
void gmon_arcs(unsigned which, uint16_t *froms, struct tostruct *tos);

/* Return one CPU's tables, for the machine's fast path and for tests. */
struct gmon_cpu *gmon_cpu(unsigned cpu);

/* Count a tick if the CPU's state is ON or BUSY. */
void gmon_tick(const struct prof_sample *s);

/* Count a call from the code before frompc to the function at selfpc: the whole algorithm. */
void _mcount(uint32_t frompc, uint32_t selfpc);

#endif
