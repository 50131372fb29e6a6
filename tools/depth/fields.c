/* Pointers to functions in data, by DWARF's types: see fields.h. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/depth/fields.h"
#include "tools/memory.h"

#define NAME 128 /* bytes of a field's name; a longer one is cut off */

struct reader {
	struct fields *fields;
	const struct code *code;
	uint32_t *seen; /* what pointers have led to: lists may be circles */
	size_t nseen, room;
};

static void read_value(struct reader *r, Dwarf_Die *type, uint32_t at, const char *name);

struct field *fields_named(const struct fields *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->field[i].name, name) == 0)
			return &f->field[i];
	return NULL;
}

void fields_add(struct fields *f, const char *name, size_t fn)
{
	struct field *field = fields_named(f, name);

	if (!field) {
		f->field = memory_grow(f->field, &f->room, f->n + 1, sizeof(*f->field));
		field = &f->field[f->n++];
		*field = (struct field){.name = memory_string(name, strlen(name))};
	}
	for (size_t i = 0; i < field->n; i++)
		if (field->fn[i] == fn)
			return;
	field->fn = memory_grow(field->fn, &field->room, field->n + 1, sizeof(*field->fn));
	field->fn[field->n++] = fn;
}

/* Get the type of an entry, without qualifiers and other names for it. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute a;

	if (!dwarf_attr_integrate(die, DW_AT_type, &a))
		return false;
	if (!dwarf_formref_die(&a, type))
		return false;
	return dwarf_peel_type(type, type) == 0;
}

/* Read each member of a struct; one without a name of its own has that of what holds it. */
static void read_struct(struct reader *r, Dwarf_Die *type, uint32_t at, const char *name)
{
	const char *tag = dwarf_diename(type);
	char full[NAME];

	if (tag)
		name = tag;
	Dwarf_Die member, of;
	Dwarf_Word offset;
	Dwarf_Attribute a;

	if (dwarf_child(type, &member) != 0)
		return;
	do {
		const char *field = dwarf_diename(&member);

		if (dwarf_tag(&member) != DW_TAG_member)
			continue;
		if (!type_of(&member, &of))
			continue;
		offset = 0;
		dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &a), &offset);
		if (field)
			snprintf(full, sizeof(full), "%s.%s", name, field);
		else
			snprintf(full, sizeof(full), "%s", name);
		read_value(r, &of, at + offset, full);
	} while (dwarf_siblingof(&member, &member) == 0);
}

/* Read the elements of a type that `bytes' bytes at an address hold. */
static void read_elements(struct reader *r, Dwarf_Die *of, uint32_t at, Dwarf_Word bytes,
			  const char *name)
{
	Dwarf_Word size;

	if (dwarf_aggregate_size(of, &size) != 0)
		return;
	if (size == 0)
		return;
	for (Dwarf_Word i = 0; i + size <= bytes; i += size)
		read_value(r, of, at + i, name);
}

/* Return the size of the object that begins at an address, by its symbol; 0: it has none. */
static uint32_t object_size(const struct reader *r, uint32_t at)
{
	Elf *elf = r->code->image->symbols.elf;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh))
			continue;
		if (sh.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(scn, NULL);
		if (!data)
			continue;
		for (int i = 0; gelf_getsym(data, i, &sym); i++)
			if ((uint32_t)sym.st_value == at && sym.st_size > 0)
				return sym.st_size;
	}
	return 0;
}

/* Read a pointer to a function, or what a pointer to a struct leads to, which may have no name. */
static void read_pointer(struct reader *r, Dwarf_Die *type, uint32_t at, const char *name)
{
	Dwarf_Die of;
	uint32_t to;
	size_t fn;

	if (!type_of(type, &of))
		return;
	if (!code_word(r->code->image, at, &to))
		return;
	if (to == 0)
		return;
	if (dwarf_tag(&of) == DW_TAG_subroutine_type) {
		fn = code_start(r->code, to);
		if (fn != CODE_NONE)
			fields_add(r->fields, name, fn);
		return;
	}
	if (dwarf_tag(&of) != DW_TAG_structure_type)
		return;
	for (size_t i = 0; i < r->nseen; i++)
		if (r->seen[i] == to)
			return;
	r->seen = memory_grow(r->seen, &r->room, r->nseen + 1, sizeof(*r->seen));
	r->seen[r->nseen++] = to;
	read_elements(r, &of, to, object_size(r, to), name);
}

/* Read what is at an address, of that type. Numbers and other plain types lead nowhere. */
static void read_value(struct reader *r, Dwarf_Die *type, uint32_t at, const char *name)
{
	Dwarf_Die of;
	Dwarf_Word size;

	switch (dwarf_tag(type)) {
	case DW_TAG_pointer_type:
		read_pointer(r, type, at, name);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		read_struct(r, type, at, name);
		break;
	case DW_TAG_array_type:
		if (type_of(type, &of) && dwarf_aggregate_size(type, &size) == 0)
			read_elements(r, &of, at, size, name);
		break;
	}
}

/* Read a variable, if it has a fixed address. */
static void read_variable(struct reader *r, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &a));
	Dwarf_Die type;
	Dwarf_Op *op;
	size_t n;

	if (!name)
		name = "?";
	if (!dwarf_attr(die, DW_AT_location, &a))
		return;
	if (dwarf_getlocation(&a, &op, &n) != 0)
		return;
	if (n != 1)
		return;
	if (op[0].atom != DW_OP_addr)
		return;
	if (type_of(die, &type))
		read_value(r, &type, op[0].number, name);
}

/* Read all variables below an entry: those in functions, too. */
static void read_below(struct reader *r, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			read_variable(r, &die);
			break;
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			read_below(r, &die);
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

void fields_read(struct fields *f, const struct code *c)
{
	Dwarf *dwarf = dwarf_begin_elf(c->image->symbols.elf, DWARF_C_READ, NULL);
	struct reader r = {.fields = f, .code = c};
	Dwarf_Off at = 0, next;
	size_t head;
	Dwarf_Die cu;

	*f = (struct fields){0};
	if (!dwarf)
		return;
	while (dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(dwarf, at + head, &cu))
			read_below(&r, &cu);
		at = next;
	}
	free(r.seen);
	dwarf_end(dwarf);
}

void fields_free(struct fields *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->field[i].name);
		free(f->field[i].fn);
	}
	free(f->field);
}
