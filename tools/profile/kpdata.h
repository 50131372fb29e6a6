/* kprof's data: kpdata(5). */
#ifndef TOOLS_PROFILE_KPDATA_H
#define TOOLS_PROFILE_KPDATA_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/code/symbols.h"

#define KPDATA_SPECIAL 24 /* bytes of the special counts at the start */

struct kpdata {
	uint32_t total, outside; /* ticks */
	uint32_t us;		 /* microseconds per tick */
	uint32_t nbucket;
	uint32_t size;	  /* bytes of a count: 1, 2, 4 or 8 */
	uint32_t shift;	  /* log2 of the bytes of text that a bucket counts for */
	uint64_t *count;  /* nbucket of them; 0 where the special counts stand */
};

/* Ticks of one function; name is NULL for text that no symbol covers. */
struct kpdata_row {
	uint64_t ticks;
	const char *name;
};

/*
 * Take the n bytes of a kpdata file. 0, or -1: they contradict themselves (why).
 * kpdata_free() is due after success only.
 */
int kpdata_parse(struct kpdata *k, const uint8_t *p, size_t n, struct complaint *why);
void kpdata_free(struct kpdata *k);

/* Whether the data can be of the kernel with these symbols: 0, or -1 and why. */
int kpdata_fits(const struct kpdata *k, const struct symbols *s, struct complaint *why);

/*
 * Ticks by function, the most first, equal ones by name: *row, which the caller
 * frees, and their number; -1 when memory is short.
 */
long kpdata_by_symbol(const struct kpdata *k, const struct symbols *s, struct kpdata_row **row);

#endif
