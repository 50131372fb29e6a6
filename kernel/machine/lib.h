/* Words that every file may need. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

/* Marks a function whose entry is not counted: one that runs in ticks, or too early. */
#define UNSEEN __attribute__((no_instrument_function))

/* Mark a static function that is part of its callers, or that is not, for it is seldom called. */
#define INLINED inline __attribute__((always_inline))
#define NOT_INLINED __attribute__((noinline))

/* Return whether v is in [start, end), which may be empty but has no end before its start. */
static INLINED bool in_range(uint32_t v, uint32_t start, uint32_t end)
{
	return v - start < end - start;
}

/* Divide *n, and return the remainder (div.c). */
uint32_t div64(uint64_t *n, uint32_t by);
