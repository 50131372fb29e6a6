/* Walks along paths, in the namespace of the calling process. */
#pragma once

#include "kernel/file/dev.h"

/* A walk along a path, which stops before the last name */
struct walk {
	struct chan *c;	     /* how far it is; its own, not open */
	char *last;	     /* in name: the name that it stands before; NULL: none */
	bool slash;	     /* a slash ends the path */
	bool cut;	     /* ".." has cut it since c was there */
	unsigned links;	     /* symbolic links that it has followed */
	char *rest;	     /* what the last link has made of the path, or NULL */
	size_t len;	     /* of the path to c */
	char name[PATH_MAX]; /* that path, clean and absolute, and `last` after it */
};
/* Marks a local pointer to a walk, or NULL, that ends where its block does. */
#define WALK __attribute__((cleanup(walk_free)))
int walk_new(const char *path, struct walk **out);
int walk_step(struct walk *w);
int walk_end(struct walk *w, bool follow);
int walk_jump(struct walk *w, const struct chan *c);
int walk_name(struct walk *w);
void walk_free(struct walk **w);
#define FIND_NAMED 2 /* the channel has its name */
int ns_find(const char *path, unsigned how, struct chan **out);
