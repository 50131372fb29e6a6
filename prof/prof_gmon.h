/* gmon: ticks and calls, by NetBSD's structures and rules. gmon(5) has them in full. */
#ifndef PROF_GMON_H
#define PROF_GMON_H

#include "prof/prof_sample.h"

enum { PROF_GMON_ON, PROF_GMON_BUSY, PROF_GMON_ERROR, PROF_GMON_OFF };

struct prof_tostruct {
	uint32_t selfpc; /* after the entry call of the function that was called */
	uint32_t count;	 /* wraps */
	uint16_t link;	 /* the caller's next one, or 0; in entry 0: the last one in use */
	uint16_t pad;
	uint32_t slot; /* the froms cell where the list begins */
};

#define PROF_GMON_HASHFRACTION 2 /* a froms cell of 2 bytes for each 4 bytes of text */
#define PROF_GMON_ARCDENSITY 2	 /* per cent of text size */
#define PROF_GMON_MINARCS 50u
#define PROF_GMON_MAXARCS 65534u

struct prof_gmon_param {
	int32_t state;
	uint32_t *kcount;    /* one for each 4 bytes of text; saturates at 2^32 - 1 */
	uint32_t kcountsize; /* sizes are in bytes */
	uint16_t *froms;
	uint32_t fromssize;
	struct prof_tostruct *tos;
	uint32_t tossize;
	uint32_t tolimit; /* most entries of tos */
	uint32_t lowpc;
	uint32_t highpc;
	uint32_t textsize;
	uint32_t hashfraction;
	uint32_t profrate; /* ticks a second, now; in a picture: the mean of its ticks */
	uint32_t lost;	   /* calls made while the table was being changed: not counted */
	uint32_t mixed;	   /* in a picture: 1 if its ticks came at several rates, else 0 */
	struct prof_gmon_param *next; /* the next CPU's, or NULL */
};

/* The first CPU's tables; those of the others follow. They are what mcount and ticks work on. */
extern struct prof_gmon_param _gmonparam;

/* One CPU's tables. */
struct prof_gmon_cpu {
	struct prof_gmon_param *param; /* NULL before prof_gmon_init() */
	struct prof_pace pace;
};

/*
 * Make tables for text [lo, hi) on ncpu CPUs. Return false if out of memory, or if there is no
 * such text or number of CPUs.
 */
bool prof_gmon_init(uint32_t lo, uint32_t hi, unsigned ncpu);

/*
 * In what follows, `which` is a CPU's number below ncpu, or PROF_GMON_ALL. The entries of functions
 * call mcount while any CPU counts; a CPU that is off counts neither calls nor ticks.
 */
#define PROF_GMON_ALL UINT32_MAX

void prof_gmon_start(struct prof *p, unsigned which); /* adds to earlier counts; ends an error */
void prof_gmon_stop(struct prof *p, unsigned which);
void prof_gmon_clear_count(struct prof *p, unsigned which); /* these two do not stop counting */
void prof_gmon_clear_arcs(struct prof *p, unsigned which);  /* ends an error */

/*
 * Return ERROR if one of these CPUs' tables was full, else ON if one counts, else OFF. When a
 * table is full no CPU counts any more.
 */
int prof_gmon_state(unsigned which);

/*
 * Make a picture, the sum of those CPUs. Its sizes are those that prof_gmon_param() gives; what
 * that gives as pointers are the first CPU's.
 */
void prof_gmon_param(unsigned which, struct prof_gmon_param *out);
void prof_gmon_count(unsigned which, uint32_t *out);
void prof_gmon_arcs(unsigned which, uint16_t *froms, struct prof_tostruct *tos);

/* Return one CPU's tables, for the machine's fast path and for tests. */
struct prof_gmon_cpu *prof_gmon_cpu(unsigned cpu);

/* Count a tick if the CPU's state is ON or BUSY. */
void prof_gmon_tick(const struct prof_sample *s);

/* Count a call from the code before frompc to the function at selfpc: the whole algorithm. */
void prof_mcount(uint32_t frompc, uint32_t selfpc);

#endif
