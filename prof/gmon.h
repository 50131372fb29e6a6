/* gmon: ticks and calls, by NetBSD's structures and rules. gmon(5) has them in full. */
#ifndef PROF_GMON_H
#define PROF_GMON_H

#include "prof/sample.h"

enum { GMON_PROF_ON, GMON_PROF_BUSY, GMON_PROF_ERROR, GMON_PROF_OFF };

struct tostruct {
	uint32_t selfpc; /* after the entry call of the function that was called */
	uint32_t count;	 /* wraps */
	uint16_t link;	 /* the next of the same caller; 0 ends; in entry 0: the last one taken */
	uint16_t pad;
};

#define GMON_HASHFRACTION 2 /* a froms cell of 2 bytes for each 4 bytes of text */
#define GMON_ARCDENSITY 2   /* per cent of text size */
#define GMON_MINARCS 50u
#define GMON_MAXARCS 65534u

struct gmonparam {
	int32_t state;
	uint32_t *kcount;    /* one for each 4 bytes of text; saturates at 2^32 - 1 */
	uint32_t kcountsize; /* this and the next two: bytes */
	uint16_t *froms;
	uint32_t fromssize;
	struct tostruct *tos; /* of a program: monitor(3); the kernel's CPUs have struct gmon_arc */
	uint32_t tossize;     /* of a picture */
	uint32_t tolimit; /* entries of tos */
	uint32_t lowpc;
	uint32_t highpc;
	uint32_t textsize;
	uint32_t hashfraction;
	uint32_t profrate; /* ticks a second, for the histogram */
	uint32_t lost;	   /* calls made while the table was being changed: not counted */
};

/* An entry of a CPU's table: one of tos, and of which list it is. */
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
 * are those of CPU 0; state is only what was asked for: ON of at least one CPU, or OFF.
 */
extern struct gmonparam _gmonparam;

/* Make tables for text [lo, hi) of ncpu CPUs. False: no memory, or no such text. */
bool kmstartup(uint32_t lo, uint32_t hi, unsigned ncpu);

/*
 * In what follows, which is the number of a CPU below ncpu, or this: all of them. The
 * entries of functions call while any CPU counts; one that is off counts neither calls
 * nor ticks.
 */
#define GMON_ALL UINT32_MAX

void gmon_start(struct prof *p, unsigned which); /* adds to what is there; ends an error */
void gmon_stop(struct prof *p, unsigned which);
void gmon_clear_count(struct prof *p, unsigned which); /* these two: runs on if it ran */
void gmon_clear_arcs(unsigned which);

/* ERROR when the table of one of these CPUs was full; else ON when one counts; else OFF. */
int gmon_state(unsigned which);

/* Pictures, merged over those CPUs: out must hold the sizes of _gmonparam, or of that CPU. */
void gmon_param(unsigned which, struct gmonparam *out);
void gmon_count(unsigned which, uint32_t *out);
void gmon_arcs(unsigned which, uint16_t *froms, struct tostruct *tos);

/* One CPU's tables, for the machine's fast path and for tests. */
struct gmon_cpu *gmon_cpu(unsigned cpu);

/* Count a tick if the CPU's state is ON or BUSY. */
void gmon_tick(const struct prof_sample *s);

/* A call, from the code before frompc to the function at selfpc: the whole algorithm. */
void _mcount(uint32_t frompc, uint32_t selfpc);

#endif
