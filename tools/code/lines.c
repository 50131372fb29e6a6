/*
 * DWARF data as two sorted arrays: see lines.h. These are made in one walk, for to look up each
 * address in DWARF's tree would take a walk through all entries of its source file.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/lines.h"
#include "tools/memory.h"
#include "tools/sorted.h"

#define NESTED 256 /* levels of functions and blocks in each other that are followed */

/* Return the folder in which the compiler ran for a unit. */
static const char *comp_dir(Dwarf_Die *cu)
{
	Dwarf_Attribute mem;

	return dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &mem));
}

/* Return a source file's name relative to the folder in which the compiler ran. */
static const char *relative(Dwarf_Die *cu, const char *file)
{
	const char *dir = comp_dir(cu);
	size_t n = dir ? strlen(dir) : 0;

	if (file && n > 0 && strncmp(file, dir, n) == 0 && (file[n] == '/' || dir[n - 1] == '/'))
		file += n + strspn(file + n, "/");
	while (file && strncmp(file, "./", 2) == 0)
		file += 2 + strspn(file + 2, "/");
	return file;
}

/* Add the rows of one compilation unit. */
static void add_rows(struct lines *l, Dwarf_Die *cu)
{
	Dwarf_Lines *lines;
	Dwarf_Addr pc;
	const char *file;
	size_t i, n;
	int line;
	bool end;

	if (dwarf_getsrclines(cu, &lines, &n) != 0)
		return;
	for (i = 0; i < n; i++) {
		Dwarf_Line *at = dwarf_onesrcline(lines, i);

		if (dwarf_lineaddr(at, &pc) != 0 || dwarf_lineno(at, &line) != 0 ||
		    dwarf_lineendsequence(at, &end) != 0)
			continue;
		file = end || line == 0 ? NULL : relative(cu, dwarf_linesrc(at, NULL, NULL));
		l->row = memory_grow(l->row, &l->room_row, l->nrow + 1, sizeof(*l->row));
		l->row[l->nrow++] = (struct line_row){.pc = pc, .line = line, .file = file};
	}
}

/* Return an attribute of an entry, or of its abstract origin; 0: neither has it. */
static unsigned number(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute mem;
	Dwarf_Word v = 0;

	if (!dwarf_formudata(dwarf_attr_integrate(die, attribute, &mem), &v))
		return v;
	return 0;
}

/* Add the ranges of a function, one scope each. */
static void add_scope(struct lines *l, Dwarf_Die *cu, Dwarf_Die *die, unsigned depth, bool inlined)
{
	struct line_scope scope = {.depth = depth, .inlined = inlined, .parent = LINES_NONE};
	Dwarf_Addr base, lo, hi;
	Dwarf_Files *files;
	ptrdiff_t at = 0;
	size_t n;

	scope.name = dwarf_diename(die);
	if (inlined && dwarf_getsrcfiles(cu, &files, &n) == 0)
		scope.call_file = relative(cu, dwarf_filesrc(files, number(die, DW_AT_call_file),
							     NULL, NULL));
	scope.call_line = inlined ? number(die, DW_AT_call_line) : 0;
	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		if (lo >= hi || !scope.name)
			continue;
		scope.lo = lo;
		scope.hi = hi;
		l->scope = memory_grow(l->scope, &l->room_scope, l->nscope + 1, sizeof(*l->scope));
		l->scope[l->nscope++] = scope;
	}
}

/*
 * Add all functions below an entry: those in other functions, and in their blocks. What is more
 * than `room` levels below is left out; compilers do not nest that deep.
 */
static void add_scopes(struct lines *l, Dwarf_Die *cu, Dwarf_Die *parent, unsigned depth,
		       unsigned room)
{
	Dwarf_Die die;
	int tag;

	if (room == 0 || dwarf_child(parent, &die) != 0)
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
			add_scope(l, cu, &die, depth, tag == DW_TAG_inlined_subroutine);
			add_scopes(l, cu, &die, depth + 1, room - 1);
		} else if (tag == DW_TAG_lexical_block) {
			add_scopes(l, cu, &die, depth, room - 1);
		}
	} while (dwarfdata_next(&die));
}

/* For qsort: by address; of two, the end of a sequence comes before what begins there. */
static int compare_rows(const void *va, const void *vb)
{
	const struct line_row *a = va, *b = vb;

	if (a->pc != b->pc)
		return a->pc < b->pc ? -1 : 1;
	if (!a->file != !b->file)
		return a->file ? 1 : -1;
	return 0;
}

/* For qsort: by address, outer scopes before those in them. */
static int compare_scopes(const void *va, const void *vb)
{
	const struct line_scope *a = va, *b = vb;

	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	if (a->hi != b->hi)
		return a->hi > b->hi ? -1 : 1;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

/* Find every scope's parent: the last one before it that has not ended. */
static void nest(struct lines *l)
{
	uint32_t i, around = LINES_NONE;

	for (i = 0; i < l->nscope; i++) {
		while (around != LINES_NONE && l->scope[around].hi <= l->scope[i].lo)
			around = l->scope[around].parent;
		l->scope[i].parent = around;
		around = i;
	}
}

/* Keep the last of several rows of one address: the others have no code. */
static void thin(struct lines *l)
{
	size_t i, n = 0;

	for (i = 0; i < l->nrow; i++) {
		if (n > 0 && l->row[n - 1].pc == l->row[i].pc)
			n--;
		l->row[n++] = l->row[i];
	}
	l->nrow = n;
}

/* Call f() with each compilation unit. */
static void each_unit(struct lines *l, void (*f)(struct lines *l, Dwarf_Die *cu))
{
	Dwarf_Off at = 0, next;
	size_t head;
	Dwarf_Die cu;

	while (dwarf_nextcu(l->data.dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(l->data.dwarf, at + head, &cu))
			f(l, &cu);
		at = next;
	}
}

/* Take the shortest folder: NASM notes that of the source file, not that in which it ran. */
static void find_dir(struct lines *l, Dwarf_Die *cu)
{
	const char *dir = comp_dir(cu);

	if (dir && (!l->dir || strlen(dir) < strlen(l->dir)))
		l->dir = dir;
}

/* Add the rows and scopes of a unit. */
static void add_unit(struct lines *l, Dwarf_Die *cu)
{
	add_rows(l, cu);
	add_scopes(l, cu, cu, 0, NESTED);
}

struct lines *lines_load(void *elf)
{
	struct lines *l = memory_zeroed(1, sizeof(*l));

	dwarfdata_open(&l->data, elf);
	if (l->data.dwarf) {
		each_unit(l, find_dir);
		each_unit(l, add_unit);
	}
	if (l->nrow)
		qsort(l->row, l->nrow, sizeof(*l->row), compare_rows);
	if (l->nscope)
		qsort(l->scope, l->nscope, sizeof(*l->scope), compare_scopes);
	thin(l);
	nest(l);
	return l;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	free(l->row);
	free(l->scope);
	dwarfdata_close(&l->data);
	free(l);
}

/* It is the last row at or before pc. */
const struct line_row *lines_row(const struct lines *l, code_addr pc)
{
	size_t n = sorted_below(l->row, l->nrow, sizeof(*l->row), pc + 1);

	return n > 0 && l->row[n - 1].file ? &l->row[n - 1] : NULL;
}

/* Names of files are not the same pointers in all units, so their characters are compared. */
bool lines_one(const struct lines *l, code_addr lo, code_addr hi)
{
	size_t i = sorted_below(l->row, l->nrow, sizeof(*l->row), lo + 1);
	struct line_row none = {.file = NULL}, first = i ? l->row[i - 1] : none;

	for (; i < l->nrow && l->row[i].pc < hi; i++) {
		const struct line_row *next = &l->row[i];
		if (!next->file != !first.file)
			return false;
		if (next->file && (next->line != first.line || strcmp(next->file, first.file) != 0))
			return false;
	}
	return true;
}

/* It is the last scope that begins at or before pc, or the nearest around it that covers pc. */
uint32_t lines_scope(const struct lines *l, code_addr pc)
{
	size_t n = sorted_below(l->scope, l->nscope, sizeof(*l->scope), pc + 1);
	uint32_t i = n ? n - 1 : LINES_NONE;

	while (i != LINES_NONE && l->scope[i].hi <= pc)
		i = l->scope[i].parent;
	return i;
}
