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

/* Read and write counters of which each CPU has its own: in no order, but never torn. */
static inline uint32_t prof_load(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline void prof_store(uint32_t *p, uint32_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

struct prof_module;
struct profil;

/*
 * The one generator of random numbers: multiplicative, with a period of 2^30. The state is
 * odd and stays so, so only the upper bits of a number are random.
 */
static inline uint32_t prof_random(uint32_t *state)
{
	return *state *= 2891336453u;
}

/* Return the state that number n begins with. The factor is even, so the state is odd. */
static inline uint32_t prof_seed(uint32_t n)
{
	return 0x9e3779b9u + n * 0x632be5aau;
}

/* What the tick of the profiling clock interrupted. */
enum prof_mode { PROF_KERNEL, PROF_IDLE, PROF_USER };

/* Where a CPU was when a tick, or a trap, came. */
struct stack_place {
	uint32_t pc, fp; /* program counter, frame pointer */
	uint32_t ret;	 /* the return address that is in no frame yet, or no longer; 0: none */
};

/* All that a profiler may ask about a tick. */
struct prof_sample {
	unsigned cpu; /* from 0, below the number given to kprof_init and kmstartup */
	enum prof_mode mode;
	struct stack_place at;

	/* If mode is PROF_USER: the program's module, and what the process has, or NULL. */
	struct prof_module *module;
	struct profil *profil;

	/* These and at.ret are for PROF_STACK alone. */
	uint32_t lo, hi;   /* the kernel stack, from what is in use, of 8 bytes at least */
	const void *stack; /* where lo can be read */
	uint32_t pid;
	uint32_t entered; /* another number after each of the process's ways into the kernel */
	const char *name; /* up to 31 characters; zero after them up to a multiple of 4 */
};

/* How long the ticks of one data set were, even if the clock's rate changed between them. */
struct prof_pace {
	uint32_t us;	       /* per tick, now */
	uint32_t ticks_before; /* ticks taken before the period became that */
	uint64_t us_before;    /* and the time they stand for */
};

/*
 * A profiler whose own rate is not the clock's takes a sample at a random point of each
 * of its periods, so that nothing which runs in step with a clock hides.
 */
struct prof_beat {
	int32_t left; /* microseconds until the next sample is due */
	uint32_t at;  /* when in its period that sample is */
	uint32_t random; /* for prof_random() */
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

/*
 * prf: how often the kernel was found at each of a list of addresses or after it, up to the
 * next. There is a profiler for each CPU and one for all of them, which load and run independently.
 */
#define PRF_MAXADDR 8192u
#define PRF_MINADDR 3u
#define PRF_US 10000u		/* 100 samples a second, whatever the clock's rate is */
#define PRF_EVERY PROF_MAXCPU	/* the profiler of all CPUs; others are their CPU's number */

/*
 * What the counters after those of the addresses are for. The last, which is not shown, is
 * for text below the first address.
 */
enum { PRF_IN_USER, PRF_IN_IDLE, PRF_BELOW, PRF_OTHERS };

/* What is loaded into a profiler: prf.c makes and frees it as a whole. */
struct prf_table {
	uint32_t n;		      /* addresses */
	uint32_t first, range;	      /* the first, and the bytes from there to the last */
	uint32_t slots, shift;	      /* slot s begins at first + (s << shift) */
	const uint32_t *addr;	      /* n, ascending */
	const uint16_t *slot;	      /* slots + 1: the last address not above its begin */
	uint32_t *count[PROF_MAXCPU]; /* n + 3 each; NULL: not profiled */
};

/* One CPU's part: only its own ticks change what is not atomic. */
struct prf_cpu {
	const struct prf_table *on[2]; /* atomic: its own profiler's and that of all; or NULL */
	uint32_t *cell[2];	       /* their counters of this CPU */
	struct prof_beat beat;
	uint32_t pad; /* to a power of two: a shift finds a CPU's */
};

struct prf {
	unsigned ncpu;
	uint32_t us; /* a tick, now; atomic */
	struct {
		struct prf_table *table; /* NULL: not loaded */
		bool on;
	} of[PROF_MAXCPU + 1];
	struct prf_cpu cpu[PROF_MAXCPU];
};

/*
 * module: how often each instruction of the kernel and of programs was found running, or
 * ran. prof(3) has the whole of it.
 */
#define MODULE_US 100000u    /* between samples, until module_interval() */
#define MODULE_NAMES 512u    /* bytes of names of wanted modules, each with its NUL */

enum module_kind { MODULE_NONE, MODULE_SAMPLE, MODULE_COVER, MODULE_MEMORY };

struct prof_module {
	struct prof_module *older; /* the one that was made before */
	uint32_t id;		   /* from 1, never the same again */
	uint32_t lo, size;	   /* its text */
	const char *name, *path;
	struct {
		uint64_t live, peak; /* bytes, of all instructions together */
		uint32_t allocated, freed, lost; /* blocks; of the lost nothing else is known */
	} memory;
	uint32_t *peak;	  /* the largest that each count has been; NULL: they are not of memory */
	uint32_t count[]; /* for each byte of text; atomic; saturates at 2^32 - 1 */
};

/*
 * memprof: memory in use; a module's counts are bytes then. A block is known by its address
 * and its owner, an address space; NULL is the kernel's.
 */
struct memprof_block {
	uint32_t next; /* in its list; 0 ends */
	uint32_t addr;
	uint32_t at, bytes; /* the byte of the module's text that asked, and for how many */
	const void *owner;
	struct prof_module *module; /* NULL: no block is here */
};

struct memprof {
	uint32_t nblock; /* a power of two */
	uint32_t unused; /* the list of entries that are */
	uint32_t *head;	 /* nblock lists */
	struct memprof_block *block; /* NULL: there is no table */
};

struct modules {
	struct prof_module *newest;
	uint32_t last_id;
	enum module_kind kind; /* of the counts */
	bool on;
	struct prof_module *kernel; /* the kernel's own while it is counted; else NULL */
	struct memprof memory;
	uint32_t interval;	    /* microseconds between samples */
	uint32_t us;		    /* a tick, now; atomic */
	size_t nnames;		    /* used bytes of names; 0: every module is wanted */
	char names[MODULE_NAMES];
	struct prof_beat beat[PROF_MAXCPU]; /* each CPU's own */
};

/* profil: a process's own histogram. The tick notes; who may write user memory counts. */
#define PROFIL_US 10000u     /* between samples */
#define PROFIL_FAST_US 1000u /* the same, by PROF_FAST */
#define PROFIL_QUEUE 64u

/* Text that is counted, and where: an address and a length in the program's memory. */
struct profil_region {
	uint32_t base, size;
	uint32_t offset; /* the lowest address that is counted */
	uint32_t scale;	 /* bytes of buffer to a byte of text, 16.16 fixed point */
};

/* A process's samples that are not counted yet. Only a tick in user mode adds to them. */
struct profil {
	struct prof_beat beat;
	uint32_t us;	 /* between samples */
	uint32_t queued; /* of the entries, each n samples at one address */
	struct {
		uint32_t pc, n;
	} queue[PROFIL_QUEUE];
};

/*
 * stack: how often the program counter was found at the end of each path of calls, by
 * frame pointers. kpstack(5) has the file.
 */
#define STACK_DEPTH 64u	    /* addresses in a path, until stack_depth() */
#define STACK_MAXDEPTH 128u
#ifndef STACK_WORDS
#define STACK_WORDS 262144u /* of all CPUs' tables together; 1/4 to 1/2 as much for their hashes */
#endif
#define STACK_LOG2_RECENT 10u
#define STACK_PAGE 4096u
#define STACK_EVERY UINT32_MAX /* no process has this number */

enum stack_kind { STACK_KERNEL, STACK_IDLE, STACK_USER, STACK_INTERRUPT };

/* What a trap came from. */
enum stack_trap { STACK_AT_NOTHING, STACK_AT_INTERRUPT, STACK_AT_USER, STACK_AT_KERNEL };

/* The entry found last with some pc and frame pointer, and in which system call that was. */
struct stack_recent {
	uint32_t *entry;	 /* the one at place 0: none */
	uint32_t pid, entered;	 /* the sample's then */
	uint32_t left;		 /* bytes of kernel stack from the system call's frame to the end */
	const uint32_t *pc;	 /* in the entry: its innermost address */
	const uint32_t *program; /* and the program's innermost */
};

/* One CPU's table, written by its ticks alone. */
struct stack_cpu {
	uint32_t *slot; /* a hash: where in word an entry is; 0: none; atomic */
	struct stack_recent *recent; /* by pc and frame pointer, hashed */
	uint32_t *word; /* entries, one after the other: stack.h; NULL: switched off */
	uint32_t used;	/* of them; atomic */
	uint32_t left;	/* ticks that may yet be counted; atomic */
	uint32_t pad[3]; /* to a power of two: a shift finds a CPU's */
};

struct stacks {
	unsigned ncpu;
	uint32_t trap;	/* the return address of what is called at a trap */
	uint32_t depth; /* addresses in a path, at most */
	uint32_t pid;	/* whose ticks alone are counted, or STACK_EVERY; atomic */
	uint32_t nword; /* of each table */
	uint32_t shift; /* it has 2^(32 - shift) slots */
	struct prof_pace pace;
	struct stack_cpu cpu[PROF_MAXCPU];
};

/* How full the tables were at one moment. */
struct stack_look {
	uint32_t used[PROF_MAXCPU];
};

/* Bits of prof.on. */
#define PROF_KPROF 1u
#define PROF_GMON 2u
#define PROF_PRF 4u
#define PROF_PROFIL 8u
#define PROF_MODULE 16u
#define PROF_STACK 32u

struct prof {
	uint32_t on; /* which profilers get the ticks; prof_switch() changes it */
	struct kprof kprof;
	struct prf prf;
	struct modules module;
	struct stacks stack;
	uint32_t profil_us; /* a tick, now; atomic */
};

/* tick.c */

/* Return the bits of the profilers that are on. */
static inline uint32_t prof_running(const struct prof *p)
{
	return __atomic_load_n(&p->on, __ATOMIC_ACQUIRE);
}

/* Return whether one of the profilers in mask is on. */
static inline bool prof_wants(const struct prof *p, uint32_t mask)
{
	return prof_running(p) & mask;
}

/*
 * The clock's period is us microseconds from now on; also to be told after kprof_init and
 * kmstartup, before the first tick.
 */
void prof_period(struct prof *p, uint32_t us);

/* kprof.c */

/* Get ready to count text [lo, hi) on ncpu CPUs. False: no memory, or no such text. */
bool kprof_init(struct prof *p, uint32_t lo, uint32_t hi, unsigned ncpu);
void kprof_start(struct prof *p); /* adds to what is there; so does stack, if it has tables */
void kprof_stop(struct prof *p);  /* both at once, so that they count the same ticks */
void kprof_clear(struct prof *p); /* zeroes; runs on if it ran */
bool kprof_full(const struct prof *p);
size_t kprof_length(const struct prof *p);		/* bytes of kpdata(5) */
void kprof_picture(const struct prof *p, uint8_t *out); /* exactly those, as they are now */

/*
 * Count a tick: pc in its bucket, or as outside. A CPU may count its share of 2^32 - 1
 * ticks, and then stops, so that no sum can wrap; KPROF_LEFT is what is left of it.
 */
static inline void kprof_tick(const struct prof *p, unsigned cpu, uint32_t pc, bool user)
{
	uint32_t *cell = p->kprof.cell[cpu], *at = &cell[KPROF_OUTSIDE], off, left;

	if (__builtin_expect(!user, 1)) {
		off = pc - p->kprof.first;
		if (off < p->kprof.size)
			at = &cell[KPROF_SPECIAL + (off >> KPROF_LOG2)];
	}
	if (__builtin_sub_overflow(cell[KPROF_LEFT], 1u, &left))
		return;
	prof_store(&cell[KPROF_LEFT], left);
	prof_store(at, *at + 1);
}

/* prf.c: prf(7) has the whole of it; which is a CPU's number, or PRF_EVERY */

bool prf_init(struct prof *p, unsigned ncpu); /* false: no such number of CPUs */

enum prf_error { PRF_OK, PRF_EBUSY, PRF_ENOSPC, PRF_E2BIG, PRF_EINVAL, PRF_ENOMEM };

/*
 * Load the addresses in size bytes at addr, and zero the counters. All errors leave the
 * profiler as it was, but EINVAL, not strictly ascending: then it is not loaded.
 */
enum prf_error prf_load(struct prof *p, unsigned which, const uint32_t *addr, size_t size);
void prf_set(struct prof *p, unsigned which, bool on); /* no effect when not loaded */
bool prf_on(const struct prof *p, unsigned which);
uint32_t prf_size(const struct prof *p, unsigned which); /* addresses; 0: not loaded */

/* Of what is loaded: prf_size() addresses, then 2 more counters. i is below their number. */
uint32_t prf_word(const struct prof *p, unsigned which, uint32_t i);

/* The counter of pc: the index of the largest address not above it, or n + PRF_BELOW. */
uint32_t prf_find(const struct prf_table *t, uint32_t pc);

/* Let a tick's time pass on that CPU, and return whether a sample is due. */
static inline bool prf_due(struct prof *p, unsigned cpu)
{
	struct prof_beat *b = &p->prf.cpu[cpu].beat;

	b->left -= (int32_t)prof_load(&p->prf.us);
	return __builtin_expect(b->left <= 0, 0);
}

/* Count what a tick interrupted for which prf_due() is true; no other CPU's counters change. */
void prf_count(struct prf_cpu *c, uint32_t pc, enum prof_mode mode);

/* module.c: prof(3) */

void module_init(struct prof *p);

/* Put a module's name, or the path of its file, on the list of those wanted. False: it is full. */
bool module_want(struct prof *p, const char *name);
bool module_wanted(const struct prof *p, const char *name, const char *path);

/* Return the module of that file and text [lo, lo + size), or a new one. NULL: no memory. */
struct prof_module *module_get(struct prof *p, const char *name, const char *path, uint32_t lo,
			       uint32_t size);

/* Count from now on, adding to what is there; in kernel, if not NULL, what the kernel does. */
void module_start(struct prof *p, enum module_kind kind, struct prof_module *kernel);
void module_stop(struct prof *p);		   /* on return, no tick counts any more */
void module_interval(struct prof *p, uint32_t us); /* 1 to 1e9 */
void module_free(struct prof *p);   /* the modules; it is stopped and nobody refers to them */
void module_forget(struct prof *p); /* and the list, and the interval: all as at first */

/* The next byte of text from *at on with a count that is not zero: where and what. False: none. */
bool module_next(const struct prof_module *m, uint32_t *at, uint32_t *count);

/* Count n more at that address, if it is the module's. From any context. */
void module_count(struct prof_module *m, uint32_t pc, uint32_t n);

/* Count one more, fast: only a count near its end needs module_count()'s care. */
static inline void module_ran(struct prof_module *m, uint32_t pc)
{
	uint32_t i = pc - m->lo;

	if (i < m->size && prof_load(&m->count[i]) < UINT32_MAX - PROF_MAXCPU)
		__atomic_fetch_add(&m->count[i], 1, __ATOMIC_RELAXED);
	else
		module_count(m, pc, 1);
}

/* Count a tick. It allocates nothing and takes no lock. */
void module_tick(struct prof *p, const struct prof_sample *s);

/* memprof.c: no two of these may run at the same time, in any context */

/* Room for about so many blocks, unless there is some. False: no memory. */
bool memprof_init(struct prof *p, uint32_t blocks);
void memprof_drop(struct prof *p); /* the table goes, with module_free() */

/*
 * The code at pc got a block of so many bytes, or freed one. Without room for it, or if pc
 * is not the module's, it is counted as lost. What is not in the table is not freed.
 */
void memprof_alloc(struct prof *p, const void *owner, uint32_t addr, struct prof_module *m,
		   uint32_t pc, uint32_t bytes);
void memprof_free(struct prof *p, const void *owner, uint32_t addr);

/*
 * The owner is no more: what it had stays counted. Looks at n entries of the table, the
 * first time from 0 on; where to go on, or 0 at the end.
 */
uint32_t memprof_forget(struct prof *p, const void *owner, uint32_t from, uint32_t n);

/* As module_next(), but of peaks: the most bytes that there were at any one time. */
bool memprof_next(const struct prof_module *m, uint32_t *at, uint32_t *peak);

/* profil.c: profil(2) and sprofil(2) have the whole of it */

void profil_set(struct prof *p, bool on); /* whether there are processes to be profiled */

/* Empty the queue, and have a sample taken every us microseconds of the process's own time. */
void profil_begin(struct profil *f, uint32_t us, uint32_t seed);

/*
 * The address of the cell, of `cell` bytes, that counts pc: of the n regions that hold pc,
 * the one that begins last. False: none holds it.
 */
bool profil_find(const struct profil_region *r, uint32_t n, uint32_t cell, uint32_t pc,
		 uint32_t *addr);

/*
 * Count a tick. A sample that finds the queue full is dropped; that does not happen if the
 * queue is emptied whenever the kernel is entered, as the system clock makes it be.
 */
void profil_tick(struct prof *p, const struct prof_sample *s);

/* stack.c, and stacktable.c, which switches it */

/*
 * Before all others: how many CPUs, and where the code that a trap calls returns to, by
 * which the frames of handlers are known.
 */
void stack_init(struct prof *p, unsigned ncpu, uint32_t trap);

/* The tables are made, empty; false: no memory. Or freed, once no tick is under way. */
bool stack_open(struct prof *p);
void stack_close(struct prof *p);
bool stack_on(const struct prof *p); /* whether there are tables */

void stack_run(struct prof *p, bool on); /* count, adding to what is there; needs tables */
void stack_clear(struct prof *p);	 /* zeroes; runs on if it ran */
void stack_depth(struct prof *p, uint32_t depth); /* 1 to STACK_MAXDEPTH; without tables */
void stack_only(struct prof *p, uint32_t pid);

/*
 * Count the path of a tick. A CPU may count its share of 2^32 - 1 ticks. It allocates
 * nothing, takes no lock, and reads no memory but the sample's and what the hooks tell.
 */
void stack_tick(struct prof *p, const struct prof_sample *s);

/* stackout.c: the file, as at that moment; its length is at most what stack_look() returned. */
size_t stack_look(const struct prof *p, struct stack_look *l);
size_t stack_text(const struct prof *p, const struct stack_look *l, char *out);

/* gmon.c: NetBSD's structures and rules; gmon(5) has them in full */

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

/* The tick */

/*
 * Hand a sample to the profilers among `on`. What PROF_STACK alone needs may be left out when
 * it is not among them.
 */
static inline void prof_sample(struct prof *p, uint32_t on, const struct prof_sample *s)
{
	if (on & PROF_STACK)
		stack_tick(p, s);
	if (on & PROF_GMON)
		gmon_tick(s);
	if (on & PROF_PROFIL)
		profil_tick(p, s);
	if (on & PROF_MODULE)
		module_tick(p, s);
}

/*
 * A tick of the profiling clock on that CPU, which interrupted the code at pc. From any
 * context, NMI included, but never nested on one CPU.
 *
 * kprof and prf need so little of it that to make a sample would be most of the work. Only
 * if another profiler is on, sample() is called, with the frame, the mode, and the bits of
 * those that are on: it makes a sample and calls prof_sample().
 */
typedef void prof_sampler(const void *frame, enum prof_mode mode, uint32_t on);

static inline __attribute__((always_inline)) void
prof_tick(struct prof *p, unsigned cpu, uint32_t pc, enum prof_mode mode,
	  prof_sampler *sample, const void *frame)
{
	uint32_t on = prof_running(p);

	if (on & PROF_KPROF)
		kprof_tick(p, cpu, pc, mode == PROF_USER);
	if (on & PROF_PRF && prf_due(p, cpu))
		prf_count(&p->prf.cpu[cpu], pc, mode);
	if (on & ~(PROF_KPROF | PROF_PRF))
		sample(frame, mode, on);
}

#endif
