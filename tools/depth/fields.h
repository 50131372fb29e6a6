/*
 * Which functions a call through a pointer may reach: for each field of a struct, and each array
 * or variable of pointers to functions, the functions whose addresses the image has in it. Only
 * what the linker put there is seen; what code stores later takes a rule, "holds". All structs of
 * one type share a field, whatever variable they are in: so a call may be said to reach more than
 * it does.
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

/*
 * Read what the image's constants and initialised variables hold, by DWARF's types: each variable
 * with a fixed address, the members of structs and unions in it, elements of arrays, and structs
 * that pointers in it lead to. Without DWARF data there are no fields.
 */
void fields_read(struct fields *f, const struct code *c);
void fields_free(struct fields *f);

/* Return the field of a name, or NULL. */
struct field *fields_named(const struct fields *f, const char *name);

/* Add a function to a field, which is made if there is none. */
void fields_add(struct fields *f, const char *name, size_t fn);

#endif
