/* Addresses in the kernel or a program that a profile is of, whether they have 32 or 64 bits. */
#ifndef TOOLS_CODE_ADDR_H
#define TOOLS_CODE_ADDR_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t code_addr;

/* For printf(), after a %: eight digits, or as many more as it takes. */
#define CODE_ADDR "08" PRIx64

/* Return whether an address is one of those that begin at `start`, of which there are n. */
static inline bool code_within(code_addr at, code_addr start, code_addr n)
{
	return at >= start && at - start < n;
}

#endif
