/* 64-bit counters of one CPU, which an NMI of that CPU may change. */
#pragma once

#include <stdint.h>

/* Do *t += n in two instructions: the compiler takes six. */
static inline void counter_add(uint64_t *t, uint32_t n)
{
	__asm__("addl %1, %0\n\tadcl $0, 4+%0" : "+o"(*t) : "ri"(n) : "cc");
}

/* Read a counter that may change between its halves. */
static inline uint64_t counter_read(const volatile uint64_t *p)
{
	uint64_t v;

	do
		v = *p;
	while (v != *p);
	return v;
}
