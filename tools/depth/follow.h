/* Following the instructions of a function, to see what it does to its stack. */
#ifndef TOOLS_DEPTH_FOLLOW_H
#define TOOLS_DEPTH_FOLLOW_H

#include <capstone/capstone.h>
#include "tools/depth/code.h"

/* Return whether a function has an instruction that leaves it, other than a call. */
bool follow_returns(csh handle, const struct code_function *f, const uint8_t *bytes);

/* Fill in a function, whose code is at `bytes`. returns[i] is whether function i ever returns. */
void follow_function(csh handle, const struct code *c, struct code_function *f,
		     const uint8_t *bytes, const bool *returns);

#endif
