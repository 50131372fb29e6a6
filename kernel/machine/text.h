/* Writes to the text of the kernel that runs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Write 8 aligned bytes of text by one store. */
void text_store(uint64_t *word, uint64_t new);
/* Write n <= 8 bytes of text, inside 8 aligned bytes, by one store. */
void text_write(uint32_t va, const void *from, size_t n);
