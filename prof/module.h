/*
 * module: how often each instruction of the kernel and of programs was found running, or
 * ran. prof(3) has the whole of it.
 */
#ifndef PROF_MODULE_H
#define PROF_MODULE_H

#include "prof/sample.h"

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

#endif
