/* Directories that several make up. */
#pragma once

#include "kernel/file/dev.h"

#define UNION_MAX 64 /* members */

struct member {
	struct chan *c; /* never open, never moved, no union of its own */
	bool create;	/* MCREATE: new files may go here */
};

/*
 * What is mounted on a place. It does not change once it is in a namespace: bind
 * and unmount replace it, and channels that walked to this one keep it.
 */
struct union_mount {
	uint32_t ref;	 /* atomic */
	struct chan *on; /* the place it hides */
	enum payer payer; /* for the members; PAYER_NONE: not in a namespace yet */
	unsigned n;	 /* 1 to UNION_MAX in a namespace */
	struct member m[];
};

/* Add a reference. */
static inline struct union_mount *union_ref(struct union_mount *u)
{
	__atomic_add_fetch(&u->ref, 1, __ATOMIC_RELAXED);
	return u;
}

struct chan *union_place(struct chan *c);
struct union_mount *union_join(struct chan *old, struct chan *new, int flags);
int union_less(struct chan *old, struct chan *what, struct union_mount **out);
bool union_charge(struct union_mount *u, const struct union_mount *old);
void union_put(struct union_mount *u); /* NULL is fine */
/* Of a directory, which need not be a union: */
int union_find(struct chan *dir, const char *name, struct chan **holder, struct chan **out);
int union_walk(struct chan **dir, const char *name);
int union_permit(struct chan *c, int may); /* of a file, too */
int union_next(struct chan *dir, uint64_t *next, char *name, struct stat *st);
struct chan *union_creator(struct chan *dir);
