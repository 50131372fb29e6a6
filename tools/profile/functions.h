/* The functions of a profile, numbered; and paths of addresses as paths of functions. */
#ifndef TOOLS_PROFILE_FUNCTIONS_H
#define TOOLS_PROFILE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/image.h"
#include "tools/profile/profdata.h"

/* One that was met. What has no address gets one too: "[idle]", "[outside]" ... */
struct function {
	const char *name;
	uint32_t image;	     /* of the profile, or PROFDATA_NONE */
	uint32_t start, end; /* its text, half-open; both 0 if unknown, or inlined */
	bool inlined;	     /* all of its code that was met is in other functions */
	uint64_t self, all;  /* after functions_count() */
};

/* One step of a path, and the place in it. */
struct step {
	uint32_t function;
	uint32_t pc;	  /* of a call, the return address */
	const char *file; /* NULL: unknown, or functions_init() was told not to look */
	unsigned line;
};

struct functions_cache;

struct functions {
	const struct profdata *prof;
	struct function *function;
	size_t n;
	struct functions_cache *cache;
};

/*
 * Begin with none. `lines`: paths have source lines, and a step for each function that was
 * inlined, which costs time: DWARF data are read. The profile and its images must last.
 */
void functions_init(struct functions *f, const struct profdata *prof, bool lines);
void functions_free(struct functions *f);

/* The number of the function that has an address of an image, by its symbol. */
uint32_t functions_at(struct functions *f, uint32_t image, uint32_t pc);

/* The number of the function that a sample was counted in: its innermost, by its symbol. */
uint32_t functions_leaf(struct functions *f, const struct profdata_sample *s);

/*
 * A sample's path, the outermost step first; at least one. *n of them, which last until
 * the next call.
 */
const struct step *functions_path(struct functions *f, const struct profdata_sample *s, size_t *n);

/* Sum up all samples: self by the innermost step, all by path, a function once in each. */
void functions_count(struct functions *f);

/* The numbers of all functions with counts, those with most self first, equal ones by name. */
uint32_t *functions_sorted(const struct functions *f, size_t *n);

#endif
