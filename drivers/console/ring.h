/* A queue of bytes, which the caller's lock guards. All zeros are an empty one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* in and out only ever grow, and wrap at 32 bits; in - out is how many bytes are held. */
#define RING_SIZE 4096u /* a power of two */
struct ring {
	uint32_t in, out;
	uint8_t data[RING_SIZE];
};

static inline uint32_t ring_used(const struct ring *r)
{
	return r->in - r->out;
}

static inline bool ring_full(const struct ring *r)
{
	return ring_used(r) == RING_SIZE;
}

/* Append a byte; there must be room. */
static inline void ring_putc(struct ring *r, uint8_t c)
{
	r->data[r->in++ % RING_SIZE] = c;
}

/* Take the oldest byte; there must be one. */
static inline uint8_t ring_getc(struct ring *r)
{
	return r->data[r->out++ % RING_SIZE];
}

/* Append as many of n bytes as there is room for, and return how many. */
static inline size_t ring_put(struct ring *r, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && !ring_full(r); i++)
		ring_putc(r, p[i]);
	return i;
}

/* Take at most n bytes, and return how many. */
static inline size_t ring_get(struct ring *r, uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && ring_used(r) > 0; i++)
		p[i] = ring_getc(r);
	return i;
}
