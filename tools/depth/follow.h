/*
 * Following the instructions of a function, to see what it does to its stack: how many bytes it has
 * in use at most, and at each call. Bytes are counted from the return address on, which is 4.
 */
#ifndef TOOLS_DEPTH_FOLLOW_H
#define TOOLS_DEPTH_FOLLOW_H

#include <capstone/capstone.h>
#include "tools/depth/code.h"

/* Return whether a function has an instruction that leaves it, other than a call. */
bool follow_returns(csh handle, const struct code_function *f, const uint8_t *bytes);

/*
 * Fill in a function, whose code is at `bytes`: its own use, calls, and what it takes the address
 * of. returns[i] is whether function i ever returns; what follows a call of one that does not is no
 * code. A function that changes to another stack, or has an array of variable size, is `lost'.
 */
void follow_function(csh handle, const struct code *c, struct code_function *f,
		     const uint8_t *bytes, const bool *returns);

#endif
