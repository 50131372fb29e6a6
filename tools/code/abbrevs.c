/* Abbreviations that libdw can use in a time that is sound: see abbrevs.h. */
#include <dwarf.h>
#include "tools/code/abbrevs.h"

#define ATTRIBUTES_MOST 128 /* of an abbreviation; compilers make some 30 */
#define BARE_MOST 32	    /* of these, such as take no byte of an entry */
#define NUMBER_MOST 10	    /* bytes of a number, of which libdw reads no more */

/* What is still to be read of a table of abbreviations. */
struct table {
	const uint8_t *at, *end;
	bool bad; /* a number was too long */
};

/* Read a number, LEB128; 0 at the end. libdw keeps its low 32 bits. */
static uint32_t read_number(struct table *t)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < NUMBER_MOST && t->at < t->end; i++) {
		v |= (uint64_t)(*t->at & 0x7f) << 7 * i;
		if (!(*t->at++ & 0x80))
			return (uint32_t)v;
	}
	t->bad = true;
	t->at = t->end;
	return 0;
}

/* Read the attributes of an abbreviation. Return whether they are not too many. */
static bool read_attributes(struct table *t)
{
	unsigned n, bare = 0;

	for (n = 0; n <= ATTRIBUTES_MOST; n++) {
		uint32_t name = read_number(t), form = read_number(t);

		if (name == 0 && form == 0)
			return true;
		if (form == DW_FORM_implicit_const)
			read_number(t);
		if (form == DW_FORM_implicit_const || form == DW_FORM_flag_present)
			bare++;
		if (bare > BARE_MOST)
			return false;
	}
	return false;
}

/* Read one unit's abbreviations, up to the number 0. Return whether they are sound. */
static bool read_table(struct table *t)
{
	while (t->at < t->end && read_number(t) != 0) {
		read_number(t); /* the tag */
		t->at += t->at < t->end; /* whether there are entries below */
		if (!read_attributes(t))
			return false;
	}
	return !t->bad;
}

/* Units in .debug_info, or those of types in .debug_types. Return whether all are sound. */
static bool read_units(Dwarf *dwarf, bool types, const struct table *all, size_t *most)
{
	Dwarf_Off at = 0, next, from;
	uint64_t signature, *wanted = NULL;
	struct table t;
	size_t used;

	if (types)
		wanted = &signature;
	for (; dwarf_next_unit(dwarf, at, &next, NULL, NULL, &from, NULL, NULL, wanted, NULL) == 0;
	     at = next) {
		if (from >= (size_t)(all->end - all->at))
			continue;
		t = *all;
		t.at += from;
		if (!read_table(&t))
			return false;
		used = (size_t)(t.at - all->at) - from;
		if (used > *most)
			return false;
		*most -= used;
	}
	return true;
}

bool abbrevs_sound(Dwarf *dwarf, const uint8_t *bytes, size_t n, size_t most)
{
	struct table all = {.at = bytes, .end = bytes + n};

	return read_units(dwarf, false, &all, &most) && read_units(dwarf, true, &all, &most);
}
