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
	struct tostruct *tos; /* used by monitor(3); the kernel's CPUs have struct gmon_arc */
	uint32_t tossize;     /* of a picture's tos */
	uint32_t tolimit; /* most entries of tos */
	uint32_t lowpc;
	uint32_t highpc;
	uint32_t textsize;
	uint32_t hashfraction;
	uint32_t profrate; /* ticks a second, for the histogram */
	uint32_t lost;	   /* calls made while the table was being changed: not counted */
};

/* An entry of a CPU's table: one of tos, and the list it is in. */
struct gmon_arc {
	uint32_t selfpc;
	uint32_t count;
	uint32_t slot; /* the froms cell where the list begins */
	uint16_t link; /* as in struct tostruct */
};

/* One CPU's tables. */
struct gmon_cpu {
	struct gmonparam param;
	struct gmon_arc *arc; /* param.tolimit of them */
	struct prof_pace pace;
};

/*
 * All CPUs together. Sizes and bounds are of the merged picture; the tables' addresses
 * are those of CPU 0; state is ON if at least one CPU was switched on, else OFF.
 */
extern struct gmonparam _gmonparam;

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

void gmon_start(struct prof *p, unsigned which); /* adds to earlier counts; resets an error */
void gmon_stop(struct prof *p, unsigned which);
void gmon_clear_count(struct prof *p, unsigned which); /* these two do not stop counting */
void gmon_clear_arcs(unsigned which);

/* Return ERROR if one of these CPUs' tables was full, else ON if one counts, else OFF. */
int gmon_state(unsigned which);

/* Make a picture, the sum of those CPUs; its sizes are those that gmon_param() gives. */
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
