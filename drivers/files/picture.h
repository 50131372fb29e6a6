/*
 * Pictures: what a data file held at the moment it was opened. A channel's aux is its
 * picture, and every read of the channel is served from it.
 */
#ifndef DRIVERS_FILES_PICTURE_H
#define DRIVERS_FILES_PICTURE_H

#include "kernel/dev.h"

struct picture {
	size_t len;
	size_t at;	/* for a device whose reads go on where the last one ended; begins at 0 */
	uint8_t data[]; /* aligned for uint32_t */
};

/* Give c, which is being opened, a picture of len bytes yet to be filled; NULL: no memory. */
struct picture *picture_new(struct chan *c, size_t len);

/* Put what the file of c holds into size bytes at out: how many it took, or an error. */
typedef ssize_t picture_fill(struct chan *c, char *out, size_t size);

/* Give c a picture that fill makes in size bytes: 0, -ENOMEM, or fill's error. */
int picture_take(struct chan *c, size_t size, picture_fill *fill);

/* A device's close(), and a read() of a channel opened for reading. */
void picture_close(struct chan *c);
ssize_t picture_read(struct chan *c, void *buf, size_t n, uint64_t off);

#endif
