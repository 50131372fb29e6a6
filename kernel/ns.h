/* The namespace's insides, which the files of paths and directories share. */
#pragma once

#include "kernel/dev.h"
#include "kernel/memory.h"
#include "kernel/proc.h"

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
	struct account *payer; /* the members are counted here; NULL: not in a namespace yet */
	unsigned n;	 /* 1 to UNION_MAX in a namespace */
	struct member m[];
};

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

/* Return whether two channels are at the same file. */
static inline bool same_place(const struct chan *a, const struct chan *b)
{
	return a->qid == b->qid && a->dev == b->dev;
}

/* Add a reference. */
static inline struct union_mount *union_ref(struct union_mount *u)
{
	__atomic_add_fetch(&u->ref, 1, __ATOMIC_RELAXED);
	return u;
}

/* union.c */
struct union_mount *union_of(struct chan *c, bool create);
struct union_mount *union_join(struct chan *on, const struct union_mount *old,
			       const struct union_mount *new, int flags);
int union_less(struct union_mount *u, struct chan *what, struct union_mount **out);
void union_put(struct union_mount *u); /* NULL is fine */
/* Of a directory, which need not be a union: */
int union_find(struct chan *dir, const char *name, struct chan **holder, struct chan **out);
int union_walk(struct chan **dir, const char *name);
int union_permit(struct chan *c, int may); /* of a file, too */
int union_next(struct chan *dir, uint64_t *next, char *name, struct stat *st);
struct chan *union_creator(struct chan *dir);

/* ns.c */
const struct chan *ns_place(const struct chan *c);
struct union_mount *ns_mounted(struct ns *ns, const struct chan *place);

/* walk.c: a walk along a path, which stops before the last name */
struct walk {
	struct chan *c;	     /* how far it is; its own, not open */
	char *last;	     /* in name: the name that it stands before; NULL: none */
	bool slash;	     /* a slash ends the path */
	size_t len;	     /* of the path to c */
	char name[PATH_MAX]; /* that path, clean and absolute, and last behind it */
};
/* Marks a local pointer to a walk, or NULL, that ends where its block does. */
#define WALK __attribute__((cleanup(walk_free)))
int walk_new(const char *path, struct walk **out);
int walk_step(struct walk *w);
int walk_end(struct walk *w);
int walk_jump(struct walk *w, const struct chan *c);
int walk_name(struct walk *w);
void walk_free(struct walk **w);
int ns_find(const char *path, bool named, struct chan **out);

/* open.c, rename.c: changes to directories, by path */
int ns_mkdir(const char *path, uint32_t mode);
int ns_remove(const char *path, uint32_t kind);
int ns_rename(const char *from, const char *to);
