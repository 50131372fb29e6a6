/*
 * Which functions a call through a pointer may reach: for each field of a struct, and each array
 * or variable of pointers to functions, the functions whose addresses the image has in it.
 */
#ifndef TOOLS_DEPTH_FIELDS_H
#define TOOLS_DEPTH_FIELDS_H

#include "tools/depth/code.h"

/* A field, "dev.read", or a variable, "table". */
struct field {
	char *name;
	size_t *fn; /* indices of functions, each once */
	size_t n, room;
};

struct fields {
	struct field *field;
	size_t n, room;
};

/* Read what the image's constants and initialised variables hold, by DWARF's types. */
void fields_read(struct fields *f, const struct code *c);
void fields_free(struct fields *f);

/* Return the field of a name, or NULL. */
struct field *fields_named(const struct fields *f, const char *name);

/* Add a function to a field, which is made if there is none. */
void fields_add(struct fields *f, const char *name, size_t fn);

#endif
