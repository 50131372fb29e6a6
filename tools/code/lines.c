/*
 * DWARF data as two sorted arrays: see lines.h. These are made in one walk, for to look up each
 * address in DWARF's tree would take a walk through all entries of its source file.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/lines.h"
#include "tools/code/rangelists.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"
#include "tools/sorted.h"

/* Bytes of the lists of ranges of all entries, where sections have so many: most have their own. */
#define RANGES_MOST(bytes) ((16u << 20) + 4 * (size_t)(bytes))

#define NESTED 256 /* levels of functions and blocks in each other that are followed */

/*
 * Return a path, unless none can be as long: many files may have one folder, and each would be
 * looked at with all of it.
 */
static const char *sound_path(const char *path)
{
	if (!path)
		return NULL;
	if (strnlen(path, PATH_MAX) == PATH_MAX)
		return NULL;
	return path;
}

/* Return the folder in which the compiler ran for a unit. */
static const char *comp_dir(Dwarf_Die *cu)
{
	Dwarf_Attribute mem;

	return sound_path(dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &mem)));
}

/* Return a file's name relative to a folder, or as it is if it does not lie there. */
static const char *below_directory(const char *dir, const char *file)
{
	size_t n;

	if (!dir)
		return file;
	if (!*dir)
		return file;
	n = strlen(dir);
	if (strncmp(file, dir, n) != 0)
		return file;
	if (file[n] != '/' && dir[n - 1] != '/')
		return file;
	return file + n + strspn(file + n, "/");
}

/* Return a source file's name relative to the folder in which the compiler ran. */
static const char *lines_file(struct lines *l, Dwarf_Die *cu, const char *file)
{
	if (file == l->file && cu->addr == l->file_of)
		return l->shown_file; /* of most rows it is that of the row before */
	l->file = file;
	l->file_of = cu->addr;
	l->shown_file = NULL;
	if (!sound_path(file))
		return NULL;
	file = below_directory(l->unit_dir, file);
	while (strncmp(file, "./", 2) == 0)
		file += 2 + strspn(file + 2, "/");
	l->shown_file = printable_kept(&l->shown, file);
	return l->shown_file;
}

/* Read a row of a compilation unit. The end of a sequence has no line. */
static bool read_row(struct lines *l, Dwarf_Die *cu, Dwarf_Line *from, struct line_row *row)
{
	Dwarf_Addr pc;
	int line;
	bool end;

	if (dwarf_lineaddr(from, &pc) != 0)
		return false;
	if (dwarf_lineno(from, &line) != 0)
		return false;
	if (dwarf_lineendsequence(from, &end) != 0)
		return false;
	*row = (struct line_row){.pc = pc, .line = line};
	if (!end && line != 0)
		row->file = lines_file(l, cu, dwarf_linesrc(from, NULL, NULL));
	row->dir = l->unit_dir;
	return true;
}

/*
 * Add the rows of one compilation unit. Each row takes a byte or more of the file, and so does each
 * range of a scope; that there are more means that a damaged file names some again and again.
 */
static void add_rows(struct lines *l, Dwarf_Die *cu)
{
	struct line_row row;
	Dwarf_Lines *lines;
	size_t i, n;

	if (dwarf_getsrclines(cu, &lines, &n) != 0)
		return;
	for (i = 0; i < n; i++) {
		if (l->nrow == l->data.bytes)
			return;
		if (!read_row(l, cu, dwarf_onesrcline(lines, i), &row))
			continue;
		l->row = memory_grow(l->row, &l->room_row, l->nrow + 1, sizeof(*l->row));
		l->row[l->nrow++] = row;
	}
}

/* Return an attribute of an entry; 0: it has none. */
static unsigned attribute_number(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute mem;
	Dwarf_Word v = 0;

	if (!dwarf_formudata(dwarf_attr(die, attribute, &mem), &v))
		return v;
	return 0;
}

/* Find where an inlined function was called. */
static void find_call(struct lines *l, Dwarf_Die *cu, Dwarf_Die *die, struct line_scope *scope)
{
	unsigned file = attribute_number(die, DW_AT_call_file);
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(cu, &files, &n) == 0)
		scope->call_file = lines_file(l, cu, dwarf_filesrc(files, file, NULL, NULL));
	scope->call_dir = l->unit_dir;
	scope->call_line = attribute_number(die, DW_AT_call_line);
}

/* Return whether an entry's list of ranges is not too much to look at. */
static bool take_ranges(struct lines *l, Dwarf_Die *die)
{
	const struct dwarfdata *d = &l->data;
	const struct rangelists lists = {
		.old = d->ranges.at, .nold = d->ranges.n,
		.new = d->rnglists.at, .nnew = d->rnglists.n,
	};

	if (l->ranges > RANGES_MOST(d->bytes))
		return false;
	l->ranges += rangelists_size(&lists, die);
	return l->ranges <= RANGES_MOST(d->bytes);
}

/* Add the ranges of a function, one scope each. */
static void add_scope(struct lines *l, Dwarf_Die *cu, Dwarf_Die *die, unsigned depth, bool inlined)
{
	const struct entryname name = entrynames_get(&l->names, die);
	struct line_scope scope = {
		.name = printable_kept(&l->shown, name.name), .line = name.line,
		.depth = depth, .inlined = inlined, .parent = LINES_NONE,
	};
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	if (!scope.name)
		return;
	if (!take_ranges(l, die))
		return;
	if (inlined)
		find_call(l, cu, die, &scope);
	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		if (l->nscope == l->data.bytes)
			return;
		if (lo >= hi)
			continue;
		scope.lo = lo;
		scope.hi = hi;
		l->scope = memory_grow(l->scope, &l->room_scope, l->nscope + 1, sizeof(*l->scope));
		l->scope[l->nscope++] = scope;
	}
}

/*
 * Add all functions below an entry: those in other functions, and in their blocks. What is more
 * than `room` levels below is left out; compilers do not nest that deep. An entry comes after its
 * parent and what is before it. Where a damaged file says otherwise, the walk would come to some
 * again and again. Return whether the unit goes on; *below as in dwarfdata_next_after().
 */
static bool add_scopes(struct lines *l, Dwarf_Die *cu, Dwarf_Die *parent, unsigned depth,
		       unsigned room, const uint8_t **below)
{
	const uint8_t *end;
	bool on = true;
	Dwarf_Die die;
	int tag;

	*below = NULL;
	if (room == 0)
		return true;
	if (dwarf_child(parent, &die) != 0)
		return true;
	do {
		if (dwarf_dieoffset(&die) < l->walked)
			return false;
		l->walked = dwarf_dieoffset(&die) + 1;
		end = NULL;
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
			add_scope(l, cu, &die, depth, tag == DW_TAG_inlined_subroutine);
			on = add_scopes(l, cu, &die, depth + 1, room - 1, &end);
		} else if (tag == DW_TAG_lexical_block) {
			on = add_scopes(l, cu, &die, depth, room - 1, &end);
		}
	} while (on && dwarfdata_next_after(&die, &end, l->unit_end));
	*below = end;
	return end;
}

/* For qsort: by address; of two, the end of a sequence comes before what begins there. */
static int compare_rows(const void *va, const void *vb)
{
	const struct line_row *a = va, *b = vb;

	if (a->pc != b->pc)
		return order(a->pc, b->pc);
	return order(a->file != NULL, b->file != NULL);
}

/* For qsort: by address, outer scopes before those in them. */
static int compare_scopes(const void *va, const void *vb)
{
	const struct line_scope *a = va, *b = vb;

	if (a->lo != b->lo)
		return order(a->lo, b->lo);
	if (a->hi != b->hi)
		return order(b->hi, a->hi);
	return order(a->depth, b->depth);
}

/* Note which scope is the innermost one from an address on, or from where the last one is. */
static void begin_inner(struct lines *l, code_addr pc, uint32_t scope)
{
	if (l->ninner && pc <= l->inner[l->ninner - 1].pc) {
		l->inner[l->ninner - 1].scope = scope;
		return;
	}
	l->inner = memory_grow(l->inner, &l->room_inner, l->ninner + 1, sizeof(*l->inner));
	l->inner[l->ninner++] = (struct line_inner){pc, scope};
}

/* Leave the scopes that end before an address. Return the one around it. */
static uint32_t leave_scopes(struct lines *l, uint32_t around, code_addr pc)
{
	while (around != LINES_NONE && l->scope[around].hi <= pc) {
		begin_inner(l, l->scope[around].hi, l->scope[around].parent);
		around = l->scope[around].parent;
	}
	return around;
}

/* Find every scope's parent: the last one before it that has not ended; and which is innermost. */
static void nest_scopes(struct lines *l)
{
	uint32_t i, around = LINES_NONE;

	for (i = 0; i < l->nscope; i++) {
		l->scope[i].parent = leave_scopes(l, around, l->scope[i].lo);
		begin_inner(l, l->scope[i].lo, i);
		around = i;
	}
	leave_scopes(l, around, UINT64_MAX);
}

/* Keep the last of several rows of one address: the others end where they begin. */
static void thin_rows(struct lines *l)
{
	size_t i, n = 0;

	for (i = 0; i < l->nrow; i++) {
		if (n > 0 && l->row[n - 1].pc == l->row[i].pc)
			n--;
		l->row[n++] = l->row[i];
	}
	l->nrow = n;
}

/* Names of files are not the same pointers in all units, so their characters are compared. */
static bool is_same_line(const struct line_row *a, const struct line_row *b)
{
	if (!a->file || !b->file)
		return !a->file && !b->file;
	return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Number the runs of rows of one line. What is before the first row is a run that is not known. */
static void number_runs(struct lines *l)
{
	struct line_row last = {.file = NULL};
	size_t i;

	for (i = 0; i < l->nrow; i++) {
		l->row[i].run = last.run + !is_same_line(&l->row[i], &last);
		last = l->row[i];
	}
}

/* Call f() with each compilation unit. */
static void each_unit(struct lines *l, void (*f)(struct lines *l, Dwarf_Die *cu))
{
	Dwarf_Off at = 0, next;
	size_t head;
	Dwarf_Die cu;

	while (dwarf_nextcu(l->data.dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
		l->unit_end = next;
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
	const uint8_t *end;

	l->unit_dir = comp_dir(cu);
	add_rows(l, cu);
	add_scopes(l, cu, cu, 0, NESTED, &end);
}

struct lines *lines_load(void *elf, int fd)
{
	struct lines *l = memory_zeroed(1, sizeof(*l));

	dwarfdata_open(&l->data, elf, fd);
	l->shown.most = TEXTS_LOOKS(l->data.bytes);
	if (l->data.dwarf) {
		each_unit(l, find_dir);
		each_unit(l, add_unit);
	}
	if (l->nrow)
		qsort(l->row, l->nrow, sizeof(*l->row), compare_rows);
	if (l->nscope)
		qsort(l->scope, l->nscope, sizeof(*l->scope), compare_scopes);
	thin_rows(l);
	number_runs(l);
	nest_scopes(l);
	return l;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	free(l->row);
	free(l->scope);
	free(l->inner);
	entrynames_free(&l->names);
	texts_free(&l->shown);
	dwarfdata_close(&l->data);
	free(l);
}

/* It is the last row at or before pc. */
const struct line_row *lines_row(const struct lines *l, code_addr pc)
{
	size_t n = sorted_below(l->row, l->nrow, sizeof(*l->row), pc + 1);

	if (n == 0)
		return NULL;
	if (!l->row[n - 1].file)
		return NULL;
	return &l->row[n - 1];
}

/* Return the number of the run that the last address below a limit is in. */
static uint32_t run_below(const struct lines *l, code_addr limit)
{
	size_t n = sorted_below(l->row, l->nrow, sizeof(*l->row), limit);

	if (n == 0)
		return 0;
	return l->row[n - 1].run;
}

/* Profiles may ask that of many ranges of many rows: the rows in between are not looked at. */
bool lines_one(const struct lines *l, code_addr lo, code_addr hi)
{
	return hi <= lo || run_below(l, lo + 1) == run_below(l, hi);
}

const struct line_scope *lines_parent(const struct lines *l, const struct line_scope *scope)
{
	if (scope->parent == LINES_NONE)
		return NULL;
	return &l->scope[scope->parent];
}

const struct line_scope *lines_scope(const struct lines *l, code_addr pc)
{
	size_t n = sorted_below(l->inner, l->ninner, sizeof(*l->inner), pc + 1);

	if (n == 0)
		return NULL;
	if (l->inner[n - 1].scope == LINES_NONE)
		return NULL;
	return &l->scope[l->inner[n - 1].scope];
}
