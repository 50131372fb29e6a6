/* Reading a profile, and all that is done with one: for the harnesses of its kinds. */
#ifndef TESTS_FUZZ_PROFILE_H
#define TESTS_FUZZ_PROFILE_H

#include "tools/merge/merge.h"
#include "tools/profile/profread.h"

/* A way to add up profiles of one kind, of merge.h. */
typedef const struct merge_kind fuzz_merge;

/*
 * Read the input; merge it with itself, unless merge is NULL; report it and export it, as
 * measured in a kernel whose text is the 256 bytes from 0xc0100000 on.
 */
void fuzz_profile(profread_reader *read, fuzz_merge *merge, const uint8_t *data, size_t n);

#endif
