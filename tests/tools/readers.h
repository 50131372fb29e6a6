/* What the tests of readers of profiles share. */
#ifndef TESTS_TOOLS_READERS_H
#define TESTS_TOOLS_READERS_H

#include <stddef.h>
#include <stdint.h>
#include "tools/profile/profread.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))
#define ID "abcd000000000000000000000000000000000000"

/* A file that must be refused, and a part of the reason. */
struct damaged {
	const char *text, *why;
};

int read_bytes(profread_reader *read, struct profdata *p, const void *data, size_t n,
	       struct complaint *why);
void expect_sample(const struct profdata *p, size_t i, uint64_t count, int mode, size_t n,
		   const uint32_t *pc);
void refuse(profread_reader *read, const struct damaged *d, size_t n);
void shake(profread_reader *read, const void *data, size_t n);

#endif
