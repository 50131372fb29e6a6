/* The text formats of call paths, whose first line tells the sum of what the others count. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * fuzz_seal() of such a format: set the number after that word to what the lines come to, in as
 * many digits as it has. fuzz_fields() is the same for all of them.
 */
void fuzz_paths_seal(uint8_t *data, size_t n, const char *word);
