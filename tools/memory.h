/*
 * Memory for gnomon's commands, all of which have one policy: when it has run out, the program
 * ends with a message. So no caller tests for NULL.
 */
#ifndef TOOLS_MEMORY_H
#define TOOLS_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* End the program with that message. */
void memory_out(void) __attribute__((noreturn));

/* Allocate n zeroed elements of `size` bytes each; the caller frees them. */
void *memory_zeroed(size_t n, size_t size);

/*
 * Make room for n elements in an array that grows by doubling, and return where it is now.
 * *room, 0 at first, is how many elements it has room for; when it changes, the array has moved.
 */
void *memory_grow(void *array, size_t *room, size_t n, size_t size);

/* Do the same, and zero the elements that are added. */
void *memory_grow_zeroed(void *array, size_t *room, size_t n, size_t size);

/* Copy the n bytes at text to a string; the caller frees it. */
char *memory_string(const char *text, size_t n);

/*
 * A stream into memory, for what is put together in pieces. Prints into it cannot fail: that there
 * is no memory left ends the program, at the latest as it is closed.
 */
struct memory_stream {
	FILE *f;
	char *data; /* after memory_stream_close(), with a NUL; the caller frees it */
	size_t n;   /* bytes, without the NUL */
};
void memory_stream_open(struct memory_stream *s);
void memory_stream_close(struct memory_stream *s);

/* Return what printf() would print as a string; the caller frees it. */
char *memory_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
