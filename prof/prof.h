/*
 * The profilers: a library that knows no kernel. What it needs of one is in
 * port.h; what it offers is here, and described in prof(9).
 *
 * State belongs to the caller: one struct prof, zero at first. Only mcount, which
 * the compiler's calls reach without an argument, has a global, _gmonparam.
 * Addresses are 32 bits wide; ranges are half-open.
 *
 * Every CPU writes counters of its own and nobody else's. A total is a sum that a
 * reader makes, so no lock and no bus lock is on the way of a tick or of a call.
 *
 * Ticks and calls may come at any time. All other functions are for thread context,
 * and one at a time: their caller holds a lock.
 */
#ifndef PROF_H
#define PROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PROF_MAXCPU
#define PROF_MAXCPU 8
#endif

/* Counters that another CPU may be writing: no order is promised, and no torn value. */
static inline uint32_t prof_load(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline void prof_store(uint32_t *p, uint32_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

/* What the tick of the profiling clock interrupted. */
enum prof_mode { PROF_KERNEL, PROF_IDLE, PROF_USER };

struct prof_sample {
	unsigned cpu; /* from 0, below the number given to kprof_init and kmstartup */
	uint32_t pc;
	uint32_t fp; /* frame pointer */
	enum prof_mode mode;
	void *proc; /* whose thread ran; means nothing to the library */
};

/* How long the ticks of one data set were, also when the clock's rate changed between them. */
struct prof_pace {
	uint32_t us;	       /* per tick, now */
	uint32_t ticks_before; /* ticks taken before the period became that */
	uint64_t us_before;    /* and the time they stand for */
};

/*
 * kprof: how often each 8 bytes of text were found running. cell[cpu][i] counts
 * bucket i of text. The first six buckets' range is never counted (kpdata's special
 * numbers stand there), so two of their cells hold what is no bucket's.
 */
enum { KPROF_LEFT, KPROF_OUTSIDE, KPROF_SPECIAL = 6 };
#define KPROF_LOG2 3

struct kprof {
	uint32_t first; /* the lowest address that is counted */
	uint32_t size;	/* bytes of text from there on */
	uint32_t nbucket;
	unsigned ncpu;
	uint32_t *cell[PROF_MAXCPU];
	struct prof_pace pace;
};

/* Bits of prof.on. */
#define PROF_KPROF 1u
#define PROF_GMON 2u

struct prof {
	uint32_t on; /* which profilers get the ticks; prof_switch() changes it */
	struct kprof kprof;
	struct prof_pace gmon_pace;
};

/* tick.c */

/*
 * Whether one of the profilers in mask is on. A tick is two steps, because kprof needs
 * so little of a sample that making one would be most of the work:
 *
 *	uint32_t on = prof_on(p);
 *
 *	if (on & PROF_KPROF)
 *		kprof_tick(p, cpu, pc, user);
 *	if (on & ~PROF_KPROF)
 *		prof_tick(p, &sample);
 */
static inline uint32_t prof_on(const struct prof *p)
{
	return __atomic_load_n(&p->on, __ATOMIC_ACQUIRE);
}

static inline bool prof_wants(const struct prof *p, uint32_t mask)
{
	return prof_on(p) & mask;
}

/*
 * A tick of the profiling clock, for the profilers beside kprof: each that is on gets
 * the sample. From any context, NMI included, but never nested on one CPU.
 */
void prof_tick(const struct prof *p, const struct prof_sample *s);

/* The clock's period is us microseconds from now on; also to be told before the first tick. */
void prof_period(struct prof *p, uint32_t us);

/* kprof.c */

/* Get ready to count text [lo, hi) on ncpu CPUs. False: no memory, or no such text. */
bool kprof_init(struct prof *p, uint32_t lo, uint32_t hi, unsigned ncpu);
void kprof_start(struct prof *p); /* adds to what is there */
void kprof_stop(struct prof *p);
void kprof_clear(struct prof *p); /* zeroes; runs on if it ran */
bool kprof_full(const struct prof *p);
size_t kprof_length(const struct prof *p);		/* bytes of kpdata(5) */
void kprof_picture(const struct prof *p, uint8_t *out); /* exactly those, as they are now */

/*
 * A tick of the profiling clock on that CPU: count pc in its bucket, or as outside. To
 * be called when prof_wants(p, PROF_KPROF). A CPU may count its share of 2^32 - 1
 * ticks, which KPROF_LEFT holds the rest of; then it stops, so that no sum can wrap.
 * From any context, NMI included, but never nested on one CPU.
 */
static inline void kprof_tick(const struct prof *p, unsigned cpu, uint32_t pc, bool user)
{
	uint32_t *cell = p->kprof.cell[cpu], *at = &cell[KPROF_OUTSIDE], off, left;

	if (!user) {
		off = pc - p->kprof.first;
		if (off < p->kprof.size)
			at = &cell[KPROF_SPECIAL + (off >> KPROF_LOG2)];
	}
	if (__builtin_sub_overflow(cell[KPROF_LEFT], 1u, &left))
		return;
	prof_store(&cell[KPROF_LEFT], left);
	prof_store(at, *at + 1);
}

/* gmon.c: NetBSD's structures and rules; gmon(5) has them in full */

enum { GMON_PROF_ON, GMON_PROF_BUSY, GMON_PROF_ERROR, GMON_PROF_OFF };

struct tostruct {
	uint32_t selfpc; /* behind the entry call of the function that was called */
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
	uint32_t *kcount;    /* one for each 4 bytes of text; at their end they stay at 2^32 - 1 */
	uint32_t kcountsize; /* this and the next two: bytes */
	uint16_t *froms;
	uint32_t fromssize;
	struct tostruct *tos;
	uint32_t tossize;
	uint32_t tolimit; /* entries of tos */
	uint32_t lowpc;
	uint32_t highpc;
	uint32_t textsize;
	uint32_t hashfraction;
	uint32_t profrate; /* ticks a second, for the histogram */
	uint32_t lost;	   /* calls made while the table was being changed: not counted */
};

/* One CPU's tables. */
struct gmon_cpu {
	struct gmonparam param;
	uint32_t *slot; /* of each entry of tos: the froms cell whose list it is in */
};

/*
 * All CPUs together. Sizes and bounds are of the merged picture; the tables' addresses
 * are those of CPU 0; state is only what was asked for: ON or OFF.
 */
extern struct gmonparam _gmonparam;

/* Make tables for text [lo, hi) of ncpu CPUs. False: no memory, or no such text. */
bool kmstartup(uint32_t lo, uint32_t hi, unsigned ncpu);
void gmon_start(struct prof *p); /* adds to what is there */
void gmon_stop(struct prof *p);
void gmon_clear_count(struct prof *p); /* these two: run on if it ran */
void gmon_clear_arcs(struct prof *p);
int gmon_state(void); /* GMON_PROF_ERROR when a CPU's table was full */

/* Pictures, merged over the CPUs: out must hold _gmonparam's sizes. */
void gmon_param(const struct prof *p, struct gmonparam *out);
void gmon_count(uint32_t *out);
void gmon_arcs(uint16_t *froms, struct tostruct *tos);

/* One CPU's tables, for the machine's fast path and for tests. */
struct gmon_cpu *gmon_cpu(unsigned cpu);

/* A tick, on a CPU whose state is ON or BUSY. */
void gmon_tick(const struct prof_sample *s);

/* A call, from the code before frompc to the function at selfpc: the whole algorithm. */
void _mcount(uint32_t frompc, uint32_t selfpc);

/* gmonout.c: the file that gprof reads; it stands alone and needs no hook */

/* Where the bytes go: 0, or an error number that the function then returns. */
struct gmonout {
	int (*write)(void *arg, const void *data, size_t n);
	void *arg;
};

#define GMONOUT_EDAMAGED (-1) /* a list of arcs leads out of the table, or into itself */

int gmonout_head(const struct gmonout *o);
int gmonout_count(const struct gmonout *o, const struct gmonparam *g, const uint32_t *kcount);
int gmonout_arcs(const struct gmonout *o, const struct gmonparam *g, const uint16_t *froms,
		 const struct tostruct *tos);

#endif
