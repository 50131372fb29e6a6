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

/* Return the name of an entry, or of one of those that are at most `room' steps away. */
static const char *find_name(struct entrynames *e, Dwarf_Die *die, unsigned room)
{
	Dwarf_Attribute mem, *own = dwarf_attr(die, DW_AT_name, &mem);
	struct entryname key;
	Dwarf_Die origin;
	size_t i;

	if (own)
		return dwarf_formstring(own);
	if (room == 0)
		return NULL;
	if (!go_to_origin(die, &origin))
		return NULL;
	key = (struct entryname){.at = dwarf_dieoffset(&origin)};
	e->known.size = sizeof(key);
	e->known.key = sizeof(key.at);
	i = distinct_index(&e->known, e->entry, &key, e->n);
	if (i < e->n)
		return e->entry[i].name;
	e->entry = memory_grow(e->entry, &e->room, e->n + 1, sizeof(key));
	e->entry[e->n++] = key; /* without a name, where entries lead in a circle */
	key.name = find_name(e, &origin, room - 1);
	e->entry[i].name = key.name;
	return key.name;
}

const char *entrynames_get(struct entrynames *e, Dwarf_Die *die)
{
	return find_name(e, die, CHAIN);
}

void entrynames_free(struct entrynames *e)
{
	free(e->entry);
	distinct_free(&e->known);
}
