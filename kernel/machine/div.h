/* Division of 64-bit numbers. */
#pragma once

#include <stdint.h>

uint32_t div64(uint64_t *n, uint32_t by); /* divides *n; returns the remainder */
