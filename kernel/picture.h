/*
 * Pictures: copies of data files as they were when they were opened. A channel's aux is its
 * picture, and every read of the channel is served from it.
 */
#pragma once

#include "kernel/dev.h"

struct picture {
	size_t len, room;
	size_t at;	/* for a device whose reads continue where the last one ended; 0 at first */
	uint8_t data[]; /* aligned for uint32_t */
};

/* Give c, which is being opened, a picture of len bytes yet to be filled. NULL: no memory. */
struct picture *picture_new(struct chan *c, size_t len);

/* Write the content of c's file to out, at most size bytes. Return how many, or an error. */
typedef ssize_t picture_fill(struct chan *c, char *out, size_t size);

/* Give c a picture that fill() makes in size bytes. Return 0, -ENOMEM, or fill's error. */
int picture_take(struct chan *c, size_t size, picture_fill *fill);

/* Add n bytes to a picture, of which what has no room is only added to its length. Always 0. */
int picture_write(void *pic, const void *data, size_t n);

/* A device's close(), and a read() of a channel opened for reading. */
void picture_close(struct chan *c);
ssize_t picture_read(struct chan *c, void *buf, size_t n, uint64_t off);
