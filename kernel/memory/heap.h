/* Kernel memory of any size. */
#pragma once

#include "kernel/machine/string.h"

extern const uint16_t class_size[]; /* bytes of an object of each class */

/* 16-byte aligned; NULL when there is none. */
void *kmalloc(size_t n);
void *kzalloc_unseen(size_t n); /* zeros, which memory profiling does not count */
void kfree(void *p);

/* These two are inline so that memory profiling sees their caller call kmalloc(). */
static inline void *kzalloc(size_t n)
{
	void *p = kmalloc(n);

	if (!p)
		return NULL;
	return memset(p, 0, n);
}

static inline char *kstrdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = kmalloc(n);

	if (!copy)
		return NULL;
	return memcpy(copy, s, n);
}
