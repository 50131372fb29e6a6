/* A directory's entries in memory, by age and by name. The caller's lock guards them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What a directory knows of an entry, for the caller to put into its own. */
struct rootent {
	char *name;		     /* set before it is added */
	uint64_t place;		     /* in the list; ascending, and never used again: rootdir.c */
	struct rootent *older, *newer; /* in the list */
	struct rootent *chain;	     /* with the same bucket */
};

/* A structure of zeros is an empty directory. */
struct rootdir {
	struct rootent *oldest, *newest;
	uint64_t added;		 /* how many entries it has ever had */
	size_t n;		 /* entries */
	struct rootent **bucket; /* NULL: few have been in it, or memory was short */
	size_t nbucket;		 /* a power of two */
};

/* Return the entry of that name; NULL: there is none. */
struct rootent *rootdir_find(const struct rootdir *d, const char *name);
/*
 * Return the oldest entry whose place is after that; NULL: there is none. If an entry has that
 * place, it is not looked for.
 */
struct rootent *rootdir_after(const struct rootdir *d, uint64_t place);
/* Add an entry, the newest. There must be none of its name. */
void rootdir_add(struct rootdir *d, struct rootent *e);
/* Take an entry out. The others keep their places. */
void rootdir_take(struct rootdir *d, struct rootent *e);
