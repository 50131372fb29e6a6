/* A queue of bytes in a fixed array. The caller keeps the lock. */
#ifndef DRIVERS_CONSOLE_RING_H
#define DRIVERS_CONSOLE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* in and out count bytes for ever and wrap together; in - out is what is held. */
struct ring {
	uint8_t *data;
	uint32_t size; /* a power of two */
	uint32_t in, out;
};

static inline uint32_t ring_used(const struct ring *r)
{
	return r->in - r->out;
}

static inline bool ring_full(const struct ring *r)
{
	return ring_used(r) == r->size;
}

/* Append a byte; the caller has seen that there is room. */
static inline void ring_putc(struct ring *r, uint8_t c)
{
	r->data[r->in++ & (r->size - 1)] = c;
}

/* Take the oldest byte; the caller has seen that there is one. */
static inline uint8_t ring_getc(struct ring *r)
{
	return r->data[r->out++ & (r->size - 1)];
}

/* Append as much of n bytes as there is room for; how many that were. */
static inline size_t ring_put(struct ring *r, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && !ring_full(r); i++)
		ring_putc(r, p[i]);
	return i;
}

/* Take at most n bytes; how many there were. */
static inline size_t ring_get(struct ring *r, uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && ring_used(r) > 0; i++)
		p[i] = ring_getc(r);
	return i;
}

#endif
