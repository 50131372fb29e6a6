/* The namespace's insides, which ns.c and walk.c share. */
#ifndef KERNEL_NS_H
#define KERNEL_NS_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/dev.h"

struct member {
	struct chan *c; /* never open, never moved, no union of its own */
	bool create;	/* MCREATE: new files may go here */
};

/*
 * What is mounted on a place. It does not change once it is in a namespace: bind
 * and unmount put another in its stead, and whoever walked to this one keeps it.
 */
struct union_mount {
	uint32_t ref;	 /* atomic */
	struct chan *on; /* the place it hides */
	unsigned n;	 /* at least 1 */
	struct member m[];
};

void union_put(struct union_mount *u); /* NULL is fine */

/* The place c stands for in the mount table: what its union is mounted on, or itself. */
const struct chan *ns_place(const struct chan *c);
/* What is mounted there in ns, with a reference of the caller's own; or NULL. */
struct union_mount *ns_mounted(struct ns *ns, const struct chan *place);
struct chan *ns_root(struct ns *ns); /* borrowed */

/* walk.c: what changes directories, by path */
int ns_mkdir(const char *path, uint32_t mode);
int ns_remove(const char *path);
int ns_rename(const char *from, const char *to);

#endif
