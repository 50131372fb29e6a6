/*
 * Where a guest's variables are: see layout.h. DWARF 5, sections 5 (types) and 4 (variables).
 *
 * The debugging information is a tree of entries. Below each unit, a source file, are its
 * variables; each has an address, unless it is on a stack, and refers to the entry of its type.
 * A struct's entry has one below it for each member, and an array's one for its bounds.
 */
#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/guest/layout.h"

#define MAXPATH 128
#define MAXNAMES 64 /* typedefs and qualifiers of one type */
#define MAXNEST 256 /* members without a name that are looked into for one with a name */

/* What a path has led to so far: an object of that type, at that address. */
struct point {
	Dwarf_Die type;
	uint32_t address;
};

/* The file stays open, for its debugging information is read when it is needed. */
int layout_open(struct layout *l, const char *kernel, struct complaint *why)
{
	*l = (struct layout){.path = kernel, .fd = open(kernel, O_RDONLY | O_CLOEXEC)};
	if (l->fd < 0)
		return complain(why, "%s: %s", kernel, strerror(errno));
	elf_version(EV_CURRENT);
	l->elf = elf_begin(l->fd, ELF_C_READ, NULL);
	dwarfdata_open(&l->data, l->elf, l->fd);
	if (l->data.dwarf)
		return 0;
	layout_close(l);
	return complain(why, "%s: no ELF file with debugging information", kernel);
}

void layout_close(struct layout *l)
{
	dwarfdata_close(&l->data);
	elf_end(l->elf);
	close(l->fd);
}

/* Read an attribute that is a number. Return whether it is there. */
static bool attribute_value(Dwarf_Die *die, unsigned name, Dwarf_Word *value)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formudata(&attr, value) == 0;
}

/* Go to something's type. False: void. */
static bool step_to_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

/* Return whether a type has the layout of another: a name for it, or its qualified form. */
static bool is_transparent(int tag)
{
	switch (tag) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
		return true;
	}
	return false;
}

/* Return whether an entry has that tag and that name. */
static bool is_named(Dwarf_Die *die, int tag, const char *name)
{
	const char *its = dwarf_diename(die);

	if (!its)
		return false;
	if (dwarf_tag(die) != tag)
		return false;
	return strcmp(its, name) == 0;
}

/*
 * Find something's type, past names and qualifiers, which change no layout. There may be several
 * in a row, such as a typedef of a const type. False: void, or names that lead in a circle.
 */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	bool found = step_to_type(die, type);
	unsigned n;

	for (n = 0; found && n < MAXNAMES; n++) {
		int tag = dwarf_tag(type);
		Dwarf_Die inner = *type;

		if (!is_transparent(tag))
			return true;
		found = step_to_type(&inner, type);
	}
	return false;
}

/* Begin at a variable, if it has a fixed address. */
static bool take_variable(Dwarf_Die *die, struct point *p)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attr))
		return false;
	if (dwarf_getlocation(&attr, &op, &n) != 0)
		return false;
	if (n != 1)
		return false;
	if (op->atom != DW_OP_addr)
		return false;
	p->address = (uint32_t)op->number;
	return type_of(die, &p->type);
}

/* Find a variable among a unit's outermost names. */
static bool search_unit(Dwarf_Die *unit, const char *name, struct point *p)
{
	Dwarf_Die die;

	if (dwarf_child(unit, &die) != 0)
		return false;
	do {
		if (is_named(&die, DW_TAG_variable, name) && take_variable(&die, p))
			return true;
	} while (dwarfdata_next(&die));
	return false;
}

/* Whether a unit is the source file whose name is the first n characters. */
static bool is_file(Dwarf_Die *unit, const char *name, size_t n)
{
	const char *its = dwarf_diename(unit);

	if (!its)
		return false;
	if (strlen(its) != n)
		return false;
	return memcmp(its, name, n) == 0;
}

/* Get the unit at *at, which moves to the next one. False at the end. */
static bool next_unit(const struct layout *l, Dwarf_Off *at, Dwarf_Die *unit)
{
	Dwarf_Off next;
	size_t head;

	while (dwarf_nextcu(l->data.dwarf, *at, &next, &head, NULL, NULL, NULL) == 0) {
		bool there = dwarf_offdie(l->data.dwarf, *at + head, unit) != NULL;

		*at = next;
		if (there)
			return true;
	}
	return false;
}

/* Find a variable in any file of the kernel, or in the one named before a colon. */
static bool layout_search(const struct layout *l, const char *name, struct point *p)
{
	const char *colon = strchr(name, ':'), *variable = name;
	Dwarf_Off at = 0;
	Dwarf_Die unit;

	if (colon)
		variable = colon + 1;
	while (next_unit(l, &at, &unit)) {
		if (colon && !is_file(&unit, name, (size_t)(colon - name)))
			continue;
		if (search_unit(&unit, variable, p))
			return true;
	}
	return false;
}

/* Find the whole type of that kind and name among a unit's outermost names. */
static bool search_type(Dwarf_Die *unit, int tag, const char *name, Dwarf_Die *type)
{
	if (dwarf_child(unit, type) != 0)
		return false;
	do {
		if (is_named(type, tag, name) && !dwarf_hasattr(type, DW_AT_declaration))
			return true;
	} while (dwarfdata_next(type));
	return false;
}

/* Where a file knows no more of a type than its name, go to the type in a file that knows all. */
static void complete_type(const struct layout *l, Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);
	Dwarf_Die unit, whole;
	Dwarf_Off at = 0;

	if (!name)
		return;
	if (!dwarf_hasattr(type, DW_AT_declaration))
		return;
	while (next_unit(l, &at, &unit))
		if (search_type(&unit, dwarf_tag(type), name, &whole)) {
			*type = whole;
			return;
		}
}

/* Go to what a pointer in the guest points to. */
static int follow_pointer(const struct layout *l, struct point *p, struct ram *r,
			  struct complaint *why)
{
	Dwarf_Die pointer = p->type;

	if (!type_of(&pointer, &p->type))
		return complain(why, "it points to nothing known");
	complete_type(l, &p->type);
	if (!r) {
		p->address = 0;
		return 0;
	}
	return ram_kernel(r, p->address, &p->address, sizeof(p->address), why);
}

/*
 * Go to a member of a struct or union, which may be inside a member without a name. At most *room
 * of these are looked into: in a damaged file they may be of the type that they are in.
 */
static bool enter_member(struct point *p, const char *name, unsigned *room)
{
	Dwarf_Die die;

	if (*room == 0)
		return false;
	--*room;
	if (dwarf_child(&p->type, &die) != 0)
		return false;
	do {
		const char *its = dwarf_diename(&die);
		struct point inner = {.address = p->address};
		Dwarf_Word offset = 0;
		bool other = its && strcmp(its, name) != 0;

		if (other)
			continue;
		if (dwarf_tag(&die) != DW_TAG_member)
			continue;
		if (!type_of(&die, &inner.type))
			continue;
		attribute_value(&die, DW_AT_data_member_location, &offset);
		inner.address += (uint32_t)offset;
		if (its || enter_member(&inner, name, room)) {
			*p = inner;
			return true;
		}
	} while (dwarfdata_next(&die));
	return false;
}

/* Go to an element of an array, within its bound; one at the end of a struct may have none. */
static bool enter_element(struct point *p, unsigned long i)
{
	Dwarf_Die range, array = p->type;
	Dwarf_Word size, last;

	if (dwarf_tag(&array) != DW_TAG_array_type)
		return false;
	if (!type_of(&array, &p->type))
		return false;
	if (dwarf_aggregate_size(&p->type, &size) != 0)
		return false;
	if (dwarf_child(&array, &range) != 0 || !attribute_value(&range, DW_AT_upper_bound, &last))
		last = UINT64_MAX;
	if (i > last)
		return false;
	p->address += (uint32_t)(i * size);
	return true;
}

/* Go to element i of those that a pointer, already followed, points to. */
static bool enter_pointed(struct point *p, unsigned long i)
{
	Dwarf_Word size;

	if (dwarf_aggregate_size(&p->type, &size) != 0)
		return false;
	p->address += (uint32_t)(i * size);
	return true;
}

/* Take one step of a path: to the member after a `.`, or the element after a `[`. */
static int layout_step(const struct layout *l, struct point *p, struct ram *r, char kind,
		       const char *word, struct complaint *why)
{
	bool pointer = dwarf_tag(&p->type) == DW_TAG_pointer_type, found;
	unsigned long i = strtoul(word, NULL, 10);
	unsigned room = MAXNEST;

	if (pointer && follow_pointer(l, p, r, why) < 0)
		return -1;
	if (kind == '.')
		found = enter_member(p, word, &room);
	else if (pointer)
		found = enter_pointed(p, i);
	else
		found = enter_element(p, i);
	if (!found)
		return complain(why, "it has no %s", word);
	return 0;
}

/* Copy a path's next word, and the mark before it, or 0. Return the length of both. */
static size_t next_word(const char *path, char *kind, char word[MAXPATH])
{
	size_t mark = strspn(path, ".["), n;

	*kind = 0;
	if (mark > 0) {
		mark = 1;
		*kind = *path;
	}
	path += mark;
	n = strcspn(path, ":");
	if (!path[n])
		n = 0; /* a file's name, which ends at a colon, has a dot */
	n += strcspn(path + n, ".[]");
	snprintf(word, MAXPATH, "%.*s", (int)n, path);
	if (*kind == '[' && path[n] == ']')
		n++;
	return mark + n;
}

/* Find the variable, then take the path's steps one by one. */
int layout_find(const struct layout *l, struct ram *r, const char *path, struct location *at,
		struct complaint *why)
{
	struct complaint inner;
	char kind, word[MAXPATH];
	const char *rest = path + next_word(path, &kind, word);
	Dwarf_Word size = 0;
	struct point p;

	if (!layout_search(l, word, &p))
		return complain(why, "%s: no variable %s", l->path, word);
	while (*rest) {
		rest += next_word(rest, &kind, word);
		if (layout_step(l, &p, r, kind, word, &inner) < 0)
			return complain(why, "%s: %s: %s", l->path, path, inner.text);
	}
	/* A pointer is of the guest's size; what has none, a function for example, has 0. */
	if (dwarf_tag(&p.type) == DW_TAG_pointer_type)
		size = sizeof(uint32_t);
	else if (dwarf_aggregate_size(&p.type, &size) != 0)
		size = 0;
	*at = (struct location){p.address, (uint32_t)size};
	return 0;
}

/* Bytes that the guest's number does not have stay 0. */
int layout_number(const struct layout *l, struct ram *r, uint64_t *value, struct complaint *why,
		  const char *path, ...)
{
	char name[MAXPATH];
	struct location at;
	va_list ap;

	va_start(ap, path);
	vsnprintf(name, sizeof(name), path, ap);
	va_end(ap);
	*value = 0;
	if (layout_find(l, r, name, &at, why) < 0)
		return -1;
	if (at.size == 0 || at.size > sizeof(*value))
		return complain(why, "%s: %s is no number", l->path, name);
	return ram_kernel(r, at.address, value, at.size, why);
}
