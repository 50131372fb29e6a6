/*
 * Pictures: what files hold, as the show() of their rows in a device's dir has written it. That of
 * a channel is its aux, and every read of the channel is served from it; a live row's is made for
 * one read.
 */
#pragma once

#include "kernel/file/dev.h"

struct picture {
	uint8_t *data;	  /* `first', or what was allocated when that had no room */
	size_t len, room; /* bytes of data that are used, and those that there are */
	size_t at;	  /* for a file whose reads continue where the last one ended; 0 at first */
	bool lacking;	  /* there was no memory for all of it */
	uint8_t first[] __attribute__((aligned(4)));
};

/* Add text, or n bytes. -ENOMEM: there is no memory, and so nobody will see the picture. */
int picture_print(struct picture *pic, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int picture_write(void *pic, const void *data, size_t n);

/* The open, close and, through dirtab_read(), read of a device that has rows with a show. */
int picture_open(struct chan *c, int flags);
void picture_close(struct chan *c);
ssize_t picture_read(struct chan *c, void *buf, size_t n, uint64_t off);
