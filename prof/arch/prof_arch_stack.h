/* What may be read of the kernel's stack, on any machine: for prof_arch.h. */
#pragma once

#include "prof/prof.h"

#define PROF_ARCH static inline __attribute__((no_instrument_function))

PROF_BEGIN
/* Leave of the stack what is in use, or nothing. Return whether anything can be read. */
PROF_ARCH bool prof_arch_stack(struct prof_sample *s, prof_addr sp)
{
	prof_addr used = sp - s->lo;

	s->at.ret = 0;
	if (s->what == PROF_USER)
		return false;
	if (used > s->hi - s->lo) {
		s->lo = s->hi;
		return false;
	}
	s->stack = (const uint8_t *)s->stack + used;
	s->lo = sp;
	return true;
}

/* A word of a stack, whose pointer may be anything. */
typedef prof_addr __attribute__((aligned(1), may_alias)) prof_arch_any;

/* Return the word at that address of the stack, or 0 if it has none there. */
PROF_ARCH prof_addr prof_arch_word(const struct prof_sample *s, prof_addr at)
{
	prof_addr off = at - s->lo, size = s->hi - s->lo;

	if (off >= size || size - off < sizeof(at))
		return 0;
	return *(const prof_arch_any *)(const void *)((const uint8_t *)s->stack + off);
}

PROF_END
