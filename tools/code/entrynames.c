/* The names of entries in DWARF's tree: see entrynames.h. */
#include <dwarf.h>
#include <stdlib.h>
#include "tools/code/entrynames.h"
#include "tools/memory.h"

#define CHAIN 16 /* entries that are followed to a name; libdw follows as many */

/* Go to the entry that has what another one lacks. False: there is none. */
static bool go_to_origin(Dwarf_Die *die, Dwarf_Die *origin)
{
	Dwarf_Attribute mem, *to = dwarf_attr(die, DW_AT_abstract_origin, &mem);

	if (!to)
		to = dwarf_attr(die, DW_AT_specification, &mem);
	return dwarf_formref_die(to, origin);
}

/* Return what an entry itself says. */
static struct entryname own_name(Dwarf_Die *die)
{
	struct entryname own = {.name = NULL};
	Dwarf_Attribute mem, *name = dwarf_attr(die, DW_AT_name, &mem);
	Dwarf_Word line;

	if (name)
		own.name = dwarf_formstring(name);
	if (dwarf_formudata(dwarf_attr(die, DW_AT_decl_line, &mem), &line) == 0)
		own.line = (unsigned)line;
	return own;
}

/* The same, with what it lacks from those that are at most `room' steps away. */
static struct entryname find_name(struct entrynames *e, Dwarf_Die *die, unsigned room)
{
	struct entryname found = own_name(die), key;
	Dwarf_Die origin;
	size_t i;

	if (found.name || room == 0)
		return found;
	if (!go_to_origin(die, &origin))
		return found;
	key = (struct entryname){.at = dwarf_dieoffset(&origin)};
	e->known.size = sizeof(key);
	e->known.key = sizeof(key.at);
	i = distinct_index(&e->known, e->entry, &key, e->n);
	if (i == e->n) {
		e->entry = memory_grow(e->entry, &e->room, e->n + 1, sizeof(key));
		e->entry[e->n++] = key; /* without a name, where entries lead in a circle */
		key = find_name(e, &origin, room - 1);
		e->entry[i].name = key.name;
		e->entry[i].line = key.line;
	}
	found.name = e->entry[i].name;
	if (!found.line)
		found.line = e->entry[i].line;
	return found;
}

struct entryname entrynames_get(struct entrynames *e, Dwarf_Die *die)
{
	return find_name(e, die, CHAIN);
}

void entrynames_free(struct entrynames *e)
{
	free(e->entry);
	distinct_free(&e->known);
}
