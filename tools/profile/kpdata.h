/*
 * kprof's data in memory: kpdata(5), which has the layout. All its numbers are big-endian and
 * unsigned. Gnomon's own kernel has counts of 4 bytes for each 8 bytes of text; a file may have
 * others, as it says itself, which is why sizes are looked at here and fixed nowhere.
 */
#ifndef TOOLS_PROFILE_KPDATA_H
#define TOOLS_PROFILE_KPDATA_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/code/symbols.h"

#define KPDATA_SPECIAL 24 /* bytes of the special counts at the start */

struct kpdata {
	uint32_t total, outside; /* ticks: all, and those outside of the kernel's text */
	uint32_t us;		 /* microseconds per tick */
	uint32_t nbucket;
	uint32_t size;	  /* bytes of a count: 1, 2, 4 or 8 */
	uint32_t shift;	  /* log2 of the bytes of text that a bucket counts for */
	uint64_t *count;  /* nbucket of them; 0 where the special counts stand */
};

/* The ticks of one function; name is NULL for text that no symbol covers. */
struct kpdata_row {
	uint64_t ticks;
	const char *name;
	bool idle; /* the kernel waited there: SYMBOLS_IDLE */
};

/*
 * Read the n bytes of a kpdata file, which are not needed afterwards. Return 0, or -1 and *why:
 * they contradict themselves, as where the counts do not add up to the total. The caller ends with
 * kpdata_free(), after success only.
 */
int kpdata_parse(struct kpdata *k, const uint8_t *p, size_t n, struct complaint *why);
void kpdata_free(struct kpdata *k);

/*
 * Check that the data can be of the kernel with these symbols. All there is to go by is the size of
 * its text: the file has no build id. Return 0, or -1 and *why.
 */
int kpdata_fits(const struct kpdata *k, const struct symbols *s, struct complaint *why);

/*
 * Add up ticks by function. Return *n rows, which the caller frees, the most ticks first, equal
 * ones by name; what is idle comes last. A bucket with bytes of two functions is the one's that has
 * its first byte. Ticks outside of the text are in no row. Names last as long as the symbols.
 */
struct kpdata_row *kpdata_by_symbol(const struct kpdata *k, const struct symbols *s, size_t *n);

/* Return whether counts can have that size, and buckets 2^shift bytes. */
bool kpdata_sizes(uint32_t size, uint32_t shift);

#endif
