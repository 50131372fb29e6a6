/*
 * module: how often each instruction of the kernel and of programs was found running, or
 * ran. prof(3) has the whole of it.
 */
#pragma once

#include "prof/prof_sample.h"

struct prof_stack_times;

enum prof_module_kind {
	PROF_MODULE_NONE, PROF_MODULE_SAMPLE, PROF_MODULE_COVER, PROF_MODULE_MEMORY
};

/* What tells files apart; all zero is the kernel. A file that has changed is another one. */
struct prof_module_file {
	uint64_t device, number, version;
};

/* What a module is made from. Strings are copied. */
struct prof_module_text {
	const char *name, *path;
	struct prof_module_file file;
	prof_addr lo;
	uint32_t size; /* addresses [lo, lo + size) */
	bool others;   /* made for others: all these together have half of the room */
};

struct prof_module {
	struct prof_module *older; /* the one that was made before */
	uint32_t id;		   /* from 1; never reused */
	prof_addr lo;		   /* its text */
	uint32_t size;
	const char *name, *path; /* as the file was called when the module was made */
	struct prof_module_file file;
	bool others; /* it counts what they run; what the owner runs of the file is another's */
	struct {
		uint64_t live, peak, total; /* bytes, of all instructions together */
		uint32_t allocated, freed, lost; /* blocks; lost ones are only counted here */
	} memory;
	/* For each byte of text; atomic; up to 2^32 - 1. Of memory: the number of its place. */
	uint32_t count[];
};

/* What an instruction allocated. */
struct prof_memprof_place {
	uint64_t total;		   /* bytes of all its blocks */
	uint32_t live, peak;	   /* bytes that are in use; the largest value of that */
	uint32_t allocated, freed; /* blocks */
};

/*
 * memprof: memory in use; a module's counts are then in bytes. A block is identified by its
 * address and its owner, which is an address space, or NULL for the kernel's.
 */
struct prof_memprof_block {
	uint32_t next; /* in its list; 0 ends */
	prof_addr addr;
	uint32_t at : 31, others : 1; /* offset in text of what asked; not the owner ran it */
	uint32_t bytes;
	struct prof_stack_times *path; /* whose block it is; NULL: not known */
	const void *owner;
	struct prof_module *module; /* NULL: no block is here */
};

struct prof_memprof {
	uint32_t nblock; /* a power of two */
	uint32_t fresh, nplace; /* entries, and places, from there on were never in use */
	uint32_t unused;  /* the list of those that are no longer */
	uint32_t have[2]; /* how many the owner's programs have, and those of others */
	uint32_t *head;	 /* nblock lists */
	struct prof_memprof_block *block; /* NULL if there is no table */
	struct prof_memprof_place *place; /* nblock / 8 of them; number 0 is none */
};

struct prof_modules {
	struct prof_module *newest;
	uint32_t last_id;
	size_t room, used; /* bytes that all modules together may have, and do have */
	size_t others;	   /* of `used`: what was made for others than the owner */
	uint32_t nleft;	   /* how often a module found no room; the caller may set it to 0 */
	char left[PROF_MODULE_NAME]; /* the name of the last of these, perhaps cut */
	enum prof_module_kind kind;  /* of the counts */
	bool on;
	struct prof_module *kernel; /* the kernel's own while it is counted; else NULL */
	struct prof_memprof memory;
	uint32_t interval;	    /* microseconds between samples */
	size_t nnames;		    /* bytes of names in use; if 0, every module is wanted */
	char *names; /* room for PROF_MODULE_NAMES bytes; NULL if there was no name yet */
	struct prof_beat beat[PROF_CPUS(PROF_HAVE_MODULE)]; /* each CPU's own */
};

void prof_module_init(struct prof *p, size_t room);

/* Add a module's name, or its file's path, to the wanted ones. False: the list is full. */
bool prof_module_want(struct prof *p, const char *name);
bool prof_module_wanted(const struct prof *p, const char *name, const char *path);

/* Return the module of that file and text, or NULL. */
struct prof_module *prof_module_find(const struct prof *p, const struct prof_module_text *t);

/* The same, made if need be. NULL: no room, so it is left out. */
struct prof_module *prof_module_get(struct prof *p, const struct prof_module_text *t);

/* Count from now on, adding to earlier counts; the kernel's text counts if `kernel` is not NULL. */
void prof_module_start(struct prof *p, enum prof_module_kind kind, struct prof_module *kernel);
void prof_module_stop(struct prof *p);			/* on return, no tick is being counted */
void prof_module_interval(struct prof *p, uint32_t us); /* 1 to 1e9 */
void prof_module_free(struct prof *p); /* all modules; counting is stopped, and nobody uses them */
void prof_module_forget(struct prof *p); /* and resets the list of names and the interval */

/*
 * Find the first count that is not zero, from offset *at in the text on, and set *at and *n.
 * Return false if there is none.
 */
bool prof_module_next(const struct prof_module *m, uint32_t *at, uint32_t *n);

/* Count n more at that address, if it is the module's. From any context. */
void prof_module_count(struct prof_module *m, prof_addr pc, uint32_t n);

/* Count one more, fast: only a count near its end needs prof_module_count()'s care. */
static inline void prof_module_ran(struct prof_module *m, prof_addr pc)
{
	prof_addr i = pc - m->lo;

	if (i < m->size && prof_load(&m->count[i]) < UINT32_MAX - PROF_MAXCPU)
		__atomic_fetch_add(&m->count[i], 1, __ATOMIC_RELAXED);
	else
		prof_module_count(m, pc, 1);
}

/* Count a tick. It allocates nothing and takes no lock. */
void prof_module_tick(struct prof *p, const struct prof_sample *s);

/* prof_memprof.c: the caller sees to it that no two of these run at the same time */

/* Make a table for about that many blocks, unless there is one. Return false if out of memory. */
bool prof_memprof_init(struct prof *p, uint32_t blocks);
void prof_memprof_drop(struct prof *p); /* frees the table; a part of prof_module_free() */

/*
 * Note that the code at pc, which the owner runs or others do, allocated a block of that many
 * bytes, or that a block was freed. If there is no room for it, or pc is not in the module, it is
 * counted as lost: NULL. To free a block that is not in the table does nothing.
 */
struct prof_memprof_block *prof_memprof_alloc(struct prof *p, const void *owner, prof_addr addr,
					      struct prof_module *m, prof_addr pc, uint32_t bytes,
					      bool others);
void prof_memprof_free(struct prof *p, const void *owner, prof_addr addr);

/*
 * Forget the owner's blocks, which stay counted, in n entries of the table: from 0 on in the
 * first call, then from what the last call returned, until that is 0.
 */
uint32_t prof_memprof_forget(struct prof *p, const void *owner, uint32_t from, uint32_t n);
