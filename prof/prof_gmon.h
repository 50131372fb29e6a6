/* gmon: ticks and calls, by NetBSD's structures and rules. gmon(5) has them in full. */
#pragma once

#include "prof/prof_sample.h"

enum { PROF_GMON_ON, PROF_GMON_BUSY, PROF_GMON_ERROR, PROF_GMON_OFF };

struct prof_tostruct {
	prof_addr selfpc; /* after the entry call of the function that was called */
	uint32_t count;	 /* wraps */
	uint16_t link;	 /* the caller's next one, or 0; in entry 0: the last one in use */
	uint16_t pad;
	uint32_t slot; /* the froms cell where the list begins */
};

struct prof_gmon_param {
	int32_t state;
	uint32_t *kcount;    /* one for each 4 bytes of text; saturates at 2^32 - 1 */
	uint32_t kcountsize; /* sizes are in bytes */
	uint16_t *froms;
	uint32_t fromssize;
	struct prof_tostruct *tos;
	uint32_t tossize;
	uint32_t tolimit; /* most entries of tos */
	prof_addr lowpc;
	prof_addr highpc;
	uint32_t textsize;
	uint32_t hashfraction;
	uint32_t profrate; /* ticks a second, now; in a picture: the mean of its ticks */
	uint32_t lost;	   /* calls made while the table was being changed: not counted */
	uint32_t mixed;	   /* in a picture: 1 if its ticks came at several rates, else 0 */
	struct prof_gmon_param *next; /* the next CPU's, or NULL */
};

/* One CPU's tables. */
struct prof_gmon_cpu {
	struct prof_gmon_param *param; /* NULL before prof_gmon_init() */
	struct prof_pace pace;
};

struct prof_gmon {
	unsigned ncpu;
	struct prof_gmon_cpu cpu[PROF_CPUS(PROF_HAVE_GMON)];
};

/* The profilers that the entries of functions call, which know of no other: prof_gmon_init()'s. */
extern struct prof *prof_entered;

/*
 * Make tables for text [lo, hi) on ncpu CPUs; *first is to describe those of the first one, by a
 * name of the caller's, unless it is NULL. Return false if out of memory, or if there is no such
 * text or number of CPUs.
 */
bool prof_gmon_init(struct prof *p, prof_addr lo, prof_addr hi, unsigned ncpu,
		    struct prof_gmon_param *first);

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
int prof_gmon_state(const struct prof *p, unsigned which);

/*
 * Make a picture, the sum of those CPUs. Its sizes are those that prof_gmon_param() gives; what
 * that gives as pointers are the first CPU's. The tables of arcs have to be all 0 before.
 */
void prof_gmon_param(const struct prof *p, unsigned which, struct prof_gmon_param *out);
void prof_gmon_count(const struct prof *p, unsigned which, uint32_t *out);
void prof_gmon_arcs(const struct prof *p, unsigned which, uint16_t *froms,
		    struct prof_tostruct *tos);

/* Count a tick if the CPU's state is ON or BUSY. */
void prof_gmon_tick(struct prof *p, const struct prof_sample *s);

void prof_gmon_period(struct prof *p, uint32_t us); /* of its row: prof_profilers.h */

/*
 * Count a call from the code before frompc to the function at selfpc: the whole algorithm. A call
 * made by an interrupt, or an NMI, while a CPU is in here is counted as lost; but the thread that
 * called this must not be moved to another CPU, nor another run on this one, before it returns.
 */
void prof_mcount(prof_addr frompc, prof_addr selfpc);
