/*
 * The functions of a profile by number, and paths of addresses as paths of functions. Only those
 * that were met have a number, in the order in which they were; it stays, while the array of them
 * moves as it grows.
 */
#ifndef TOOLS_PROFILE_FUNCTIONS_H
#define TOOLS_PROFILE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/image.h"
#include "tools/profile/profdata.h"

/* A function in the profile. Modes without addresses have pseudo-functions: "[idle]" ... */
struct function {
	const char *name;    /* of several of one name, with the file: namesakes.h */
	const char *plain;   /* without */
	uint32_t image;	     /* of the profile, or PROFDATA_NONE */
	code_addr start, end; /* its text, half-open; both 0 if unknown, or inlined */
	bool inlined;	     /* it stands for its code within other functions */
	bool hidden;	     /* functions_path() leaves its steps out */
	uint64_t self, all;  /* counts in it, and in it and what it called: functions_count() */
	uint64_t idle;	     /* the part of `all` that was counted while the CPU was idle */
};

/* One step of a path, and the place in it. */
struct step {
	code_addr pc;	  /* of a call, the return address */
	const char *file; /* NULL: unknown, or not looked for: functions_init() */
	unsigned line;
	uint32_t function;
};

struct functions_cache;

struct functions {
	const struct profdata *prof;
	struct function *function;
	size_t n;
	struct functions_cache *cache;
};

/*
 * Begin with no functions. With `lines`, paths have source lines and a step for each inlined
 * function, which takes time, for DWARF data are read. The profile and its images must last.
 */
void functions_init(struct functions *f, const struct profdata *prof, bool lines);
void functions_free(struct functions *f);

/*
 * Return the number of the function whose symbol covers an address of an image; where none does,
 * that of "?", which stands for all such text of that image.
 */
uint32_t functions_at(struct functions *f, uint32_t image, code_addr pc);

/* Return the number of the function, by symbol, in which a sample was counted. */
uint32_t functions_leaf(struct functions *f, const struct profdata_sample *s);

/*
 * Return a sample's path, the outermost step first: *n of them, at least one, which last until
 * the next call. If all are hidden, the one step is that of the sample's mode.
 */
const struct step *functions_path(struct functions *f, const struct profdata_sample *s, size_t *n);

/*
 * The same for who calls whom: an interrupt has no caller, so what its handler ran begins with a
 * step that stands for it, "[interrupt]".
 */
const struct step *functions_caused(struct functions *f, const struct profdata_sample *s,
				    size_t *n);

/*
 * Count all samples: `self` of the innermost step, `all` once for each function of the path,
 * however often a recursion has it there. Earlier counts are dropped.
 */
void functions_count(struct functions *f);

/* Return whether all that was counted in a function is idle time. */
static inline bool functions_idle(const struct function *f)
{
	return f->idle > 0 && f->idle == f->all;
}

/*
 * Return the numbers of all functions with counts, those with the most `self` first, but after all
 * others those that are idle: *n of them, which the caller frees.
 */
uint32_t *functions_sorted(const struct functions *f, size_t *n);

/*
 * Add up by function what was ever allocated there, once functions_count() has numbered all. Return
 * an array, which the caller frees; NULL: the profile does not tell.
 */
struct profdata_memory *functions_memory(struct functions *f);

#endif
