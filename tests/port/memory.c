/*
 * Memory for the hosts that are kernels: from the end of the kernel on, and never given back; and
 * the functions that compilers call to fill and copy it.
 */
#include "tests/port/host.h"

extern char end[], memory_end[];

void *memset(void *to, int byte, size_t n);
void *memcpy(void *to, const void *from, size_t n);

void *memset(void *to, int byte, size_t n)
{
	volatile uint8_t *at = to;

	while (n-- > 0)
		*at++ = (uint8_t)byte;
	return to;
}

void *memcpy(void *to, const void *from, size_t n)
{
	volatile uint8_t *at = to;
	const uint8_t *source = from;

	while (n-- > 0)
		*at++ = *source++;
	return to;
}

void *machine_memory(size_t n)
{
	static uintptr_t next;
	uintptr_t at = ((next ? next : (uintptr_t)end) + 15) & ~(uintptr_t)15;

	if (n > (uintptr_t)memory_end - at)
		return NULL;
	next = at + n;
	return memset((void *)at, 0, n);
}
