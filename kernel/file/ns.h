/* Namespaces: what is mounted where. */
#pragma once

#include "kernel/file/union.h"

#define NMOUNT 64 /* rows of a namespace */

struct ns {
	uint32_t ref;	     /* atomic */
	struct chan *root;   /* constant; where absolute paths begin */
	struct mutex change; /* held by bind and unmount from look to effect */
	struct spinlock l;
	uint32_t near[32]; /* l for writing; bit qid % 1024: a place with such a qid had a row */
	unsigned n;	  /* l */
	struct union_mount *row[NMOUNT]; /* l */
};

/* Return whether something may be mounted on the place: mostly not. */
static inline bool ns_near(const struct ns *ns, const struct chan *place)
{
	return __atomic_load_n(&ns->near[(uint32_t)place->qid / 32 % 32], __ATOMIC_RELAXED) >>
		       (uint32_t)place->qid % 32 & 1;
}

/* Add a user. */
static inline struct ns *ns_ref(struct ns *ns)
{
	__atomic_add_fetch(&ns->ref, 1, __ATOMIC_RELAXED);
	return ns;
}

struct ns *ns_new(struct chan *root); /* takes its own reference to root */
struct ns *ns_copy(struct ns *ns);
void ns_put(struct ns *ns);
int ns_bind(const char *name, const char *old, int flags);
int ns_unmount(const char *name, const char *old);
struct union_mount *ns_mounted(struct ns *ns, const struct chan *place);
