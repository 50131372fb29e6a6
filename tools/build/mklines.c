/*
 * mklines: makes the table of a program's instructions and their source lines, lines(5),
 * on the standard output.
 *
 * Where instructions begin comes from the disassembly, lines come from the DWARF data of
 * PROGRAM. Files below the current directory are named from there. Where a function declared
 * inline asks for memory, the line is the one that calls the function: mprof(1) wants to know who
 * asked.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/code/addr.h"
#include "tools/complaint.h"
#include "tools/order.h"
#include "tools/outfile.h"
#include "tools/version.h"

#define LONGEST 15 /* bytes of an instruction */

static const char usage[] = "usage: objdump -dz --no-show-raw-insn PROGRAM | mklines PROGRAM\n";

/* What is known of a byte of the text. */
struct place {
	uint32_t line;
	uint16_t file;
	bool begin, fill; /* an instruction begins here; it only fills a gap */
};

/* An instruction, or bytes that are in none. */
struct instruction {
	struct place p;
	uint32_t length;
};

struct table {
	struct place *at;
	uint32_t text, size; /* where the text begins, and its bytes */
	char **file;
	size_t nfiles;
	char *root; /* the current directory, with a slash */
	uint64_t bytes; /* of the program's file */
};

/* Find the segment that can be executed, and make room for its bytes. 0, or -1. */
static int find_text(struct table *t, Elf *elf)
{
	GElf_Phdr ph;
	size_t n;

	if (elf_getphdrnum(elf, &n) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph))
			continue;
		if (ph.p_type != PT_LOAD)
			continue;
		if (!(ph.p_flags & PF_X))
			continue;
		if (ph.p_offset > t->bytes)
			return -1;
		if (ph.p_filesz > t->bytes - ph.p_offset)
			return -1;
		t->text = (uint32_t)ph.p_vaddr;
		t->size = (uint32_t)ph.p_filesz;
		t->at = calloc(t->size + 1u, sizeof(*t->at));
		break;
	}
	if (!t->at)
		return -1;
	return 0;
}

/*
 * Return the number of a file's name, which is kept if it is new, or -1. Rows of one file follow
 * each other, so the last names are the likeliest.
 */
static int file_number(struct table *t, const char *name)
{
	size_t n = strlen(t->root), i;

	if (strncmp(name, t->root, n) == 0)
		name += n;
	if (strncmp(name, "./", 2) == 0)
		name += 2;
	for (i = t->nfiles; i-- > 0;)
		if (strcmp(t->file[i], name) == 0)
			return (int)i;
	t->file = reallocarray(t->file, t->nfiles + 1, sizeof(*t->file));
	if (!t->file)
		return -1;
	if (t->nfiles == UINT16_MAX)
		return -1;
	t->file[t->nfiles] = strdup(name);
	if (!t->file[t->nfiles])
		return -1;
	return (int)t->nfiles++;
}

/* Give the bytes from a row of the line table up to `end`, the next row, its line. 0, or -1. */
static int take_row(struct table *t, Dwarf_Line *row, Dwarf_Addr end, const char *name)
{
	Dwarf_Addr at;
	int line, file;

	if (dwarf_lineaddr(row, &at))
		return -1;
	if (dwarf_lineno(row, &line))
		return -1;
	if (at < t->text || at >= end)
		return 0; /* of a function that the linker left out */
	if (end > (Dwarf_Addr)t->text + t->size)
		return 0;
	if (!name)
		name = dwarf_linesrc(row, NULL, NULL);
	if (!name)
		return -1;
	file = file_number(t, name);
	if (file < 0)
		return -1;
	for (; at < end; at++) {
		t->at[at - t->text].line = (uint32_t)line;
		t->at[at - t->text].file = (uint16_t)file;
	}
	return 0;
}

/*
 * Take the rows of a unit. NASM gives its one file's name relative to where it was started, but
 * calls the file's own directory the one it was started in; so the unit's name is right there.
 */
static int take_unit(struct table *t, Dwarf_Die *unit)
{
	bool assembled = dwarf_srclang(unit) == DW_LANG_Mips_Assembler;
	const char *name = NULL;
	Dwarf_Lines *lines;
	size_t n;

	if (assembled)
		name = dwarf_diename(unit);
	if (dwarf_getsrclines(unit, &lines, &n))
		return 0; /* a unit without code */
	for (size_t i = 0; i + 1 < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		Dwarf_Addr end;
		bool over;

		if (dwarf_lineendsequence(row, &over))
			return -1;
		if (dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &end))
			return -1;
		if (!over && take_row(t, row, end, name))
			return -1;
	}
	return 0;
}

/* Take all rows of all units. 0, or -1. */
static int take_lines(struct table *t, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int bad;

	while ((bad = dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL)) == 0)
		if (take_unit(t, &unit))
			return -1;
	if (bad < 0)
		return -1;
	return 0;
}

/* Whether a disassembled instruction is one with which assemblers fill gaps. */
static bool is_fill(const char *text)
{
	static const char *const fill[] = {"xchg   %ax,%ax", "lea    0x0(%esi", "lea    0x0(%edi",
					   "lea    %cs:0x0("};

	for (size_t i = 0; i < sizeof(fill) / sizeof(fill[0]); i++)
		if (strncmp(text, fill[i], strlen(fill[i])) == 0)
			return true;
	return strncmp(text, "nop", 3) == 0 || strstr(text, " nop") != NULL;
}

/* Whether a disassembled instruction calls a function that gives memory. */
static bool asks_for_memory(const char *text)
{
	static const char *const give[] = {"<kmalloc>", "<malloc>", "<calloc>", "<realloc>",
					   "<reallocarray>"};

	if (strncmp(text, "call", 4) != 0)
		return false;
	for (size_t i = 0; i < sizeof(give) / sizeof(give[0]); i++)
		if (strstr(text, give[i]))
			return true;
	return false;
}

/* Return an attribute that is a number, also of what the entry is an instance of; 0: none. */
static Dwarf_Word number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute mem;
	Dwarf_Word v = 0;

	if (dwarf_formudata(dwarf_attr_integrate(die, attribute, &mem), &v) != 0)
		return 0;
	return v;
}

/* Whether a scope is that of a call of a function which the source declares inline. */
static bool is_inlined(Dwarf_Die *scope)
{
	return dwarf_tag(scope) == DW_TAG_inlined_subroutine &&
	       number_of(scope, DW_AT_inline) == DW_INL_declared_inlined;
}

/* Give the instruction the line of the call through which it comes from inline functions, if so. */
static void take_caller(struct table *t, Dwarf *dwarf, uint32_t at)
{
	struct place *p = &t->at[at - t->text];
	Dwarf_Die unit, *inner = NULL, *scope = NULL;
	Dwarf_Files *files;
	size_t nfiles;
	int n = 0, file;

	if (dwarf_addrdie(dwarf, at, &unit) && dwarf_getscopes(&unit, at, &inner) > 0 &&
	    dwarf_getsrcfiles(&unit, &files, &nfiles) == 0)
		n = dwarf_getscopes_die(&inner[0], &scope);
	for (int i = 0; i < n; i++) {
		const char *name;

		if (dwarf_tag(&scope[i]) == DW_TAG_lexical_block)
			continue;
		if (!is_inlined(&scope[i]))
			break;
		name = dwarf_filesrc(files, number_of(&scope[i], DW_AT_call_file), NULL, NULL);
		if (!name)
			break;
		file = file_number(t, name);
		if (file < 0)
			break;
		p->file = (uint16_t)file;
		p->line = (uint32_t)number_of(&scope[i], DW_AT_call_line);
	}
	free(inner);
	free(scope);
}

/*
 * Take where instructions begin from the disassembly on standard input, whose lines are an
 * address, a colon, a tab and the instruction. Return how many there are.
 */
static size_t take_disassembly(struct table *t, Dwarf *dwarf)
{
	char line[512], *end;
	size_t n = 0;

	while (fgets(line, sizeof(line), stdin)) {
		unsigned long at = strtoul(line, &end, 16);

		if (strncmp(end, ":\t", 2) != 0)
			continue;
		if (!code_within(at, t->text, t->size))
			continue;
		t->at[at - t->text].begin = true;
		t->at[at - t->text].fill = is_fill(end + 2);
		if (asks_for_memory(end + 2))
			take_caller(t, dwarf, (uint32_t)at);
		n++;
	}
	return n;
}

/* Write an unsigned LEB128 number: seven bits a byte, the last without the top bit. */
static void put_number(FILE *f, uint32_t value)
{
	for (; value > 127; value >>= 7)
		putc((int)(value & 127) | 128, f);
	putc((int)value, f);
}

/*
 * Find the instruction at an offset in the text; bytes that are in none are marked as filling a
 * gap. Its length is 0 at the end of the text.
 */
static struct instruction instruction_at(const struct table *t, uint32_t at)
{
	struct instruction in = {.p = t->at[at]};

	while (in.length < order_min(t->size - at, LONGEST)) {
		if (in.length > 0 && t->at[at + in.length].begin)
			break;
		in.length++;
	}
	in.p.fill |= !in.p.begin;
	return in;
}

/* Whether a short entry can have the instruction, as far as that is not a matter of its line. */
static bool is_short(const struct instruction *in, const struct place *last)
{
	if (in->length < 1 || in->length > 8)
		return false;
	return !in->p.fill && in->p.file == last->file;
}

/* Write two instructions in one byte, unless the line of one is not that of the last. */
static bool put_pair(FILE *f, const struct instruction *in, const struct instruction *next,
		     const struct place *last)
{
	if (in->p.line != last->line)
		return false;
	if (next->p.line != last->line)
		return false;
	if (!is_short(in, last))
		return false;
	if (!is_short(next, last))
		return false;
	putc((int)(0xc0 | (in->length - 1) << 3 | (next->length - 1)), f);
	return true;
}

/* Write an instruction in one byte, unless it is more than a few lines from the last. */
static bool put_step(FILE *f, const struct instruction *in, const struct place *last)
{
	static const int steps[] = {-2, -1, 1, 2, 3, 4, 5, 6};
	uint32_t more = in->p.line - last->line;

	if (!is_short(in, last))
		return false;
	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (more != (uint32_t)steps[i])
			continue;
		putc((int)(0x80 | (in->length - 1) << 3 | i), f);
		return true;
	}
	return false;
}

/*
 * Write a long entry: the length and flags, then the file and the difference of the line, each
 * only if it is not that of the instruction before. The difference's sign is its lowest bit.
 */
static void put_long(FILE *f, const struct instruction *in, const struct place *last)
{
	uint32_t more = in->p.line - last->line;
	bool file = in->p.file != last->file;
	uint32_t head = in->length;

	if (in->p.fill)
		head |= 0x10;
	if (file)
		head |= 0x20;
	if (more)
		head |= 0x40;
	putc((int)head, f);
	if (file)
		put_number(f, in->p.file);
	if (more)
		put_number(f, more << 1 ^ -(more >> 31));
}

/* Write all instructions. */
static void put_stream(FILE *f, const struct table *t)
{
	struct place last = {0};

	for (uint32_t at = 0; at < t->size;) {
		struct instruction in = instruction_at(t, at);
		struct instruction next = instruction_at(t, at + in.length);

		at += in.length;
		if (put_pair(f, &in, &next, &last))
			at += next.length;
		else if (!put_step(f, &in, &last))
			put_long(f, &in, &last);
		last = in.p;
	}
}

/* Write the table: its head, the names, and the instructions. 0, or -1. */
static int put_table(const struct table *t)
{
	char *stream = NULL;
	size_t size = 0, names = 0;
	FILE *f = open_memstream(&stream, &size);

	if (!f)
		return -1;
	put_stream(f, t);
	if (fclose(f))
		return -1;
	for (size_t i = 0; i < t->nfiles; i++)
		names += strlen(t->file[i]) + 1;
	uint32_t head[5] = {2, t->size, (uint32_t)t->nfiles, (uint32_t)names, (uint32_t)size};

	fwrite("LINE", 1, 4, stdout);
	fwrite(head, sizeof(head), 1, stdout);
	for (size_t i = 0; i < t->nfiles; i++)
		fwrite(t->file[i], 1, strlen(t->file[i]) + 1, stdout);
	fwrite(stream, 1, size, stdout);
	free(stream);
	return 0;
}

/* Free the table. */
static void free_table(struct table *t)
{
	for (size_t i = 0; i < t->nfiles; i++)
		free(t->file[i]);
	free(t->file);
	free(t->at);
}

/* Make the table of a program that is open, with its line table. 0, or -1 and why. */
static int make_table(struct table *t, Elf *elf, Dwarf *dwarf, const char *path,
		      struct complaint *why)
{
	if (!elf || gelf_getclass(elf) != ELFCLASS32 || find_text(t, elf))
		return complain(why, "%s: not a 32-bit program", path);
	if (!dwarf || take_lines(t, dwarf))
		return complain(why, "%s: no line table can be read: %s", path, dwarf_errmsg(-1));
	if (take_disassembly(t, dwarf) == 0)
		return complain(why, "standard input: no disassembly of %s", path);
	if (put_table(t))
		return complain(why, "%s: %s", path, strerror(ENOMEM));
	return 0;
}

/* Make the table of a program. 0, or -1 and why. */
static int mklines_make(const char *path, struct complaint *why)
{
	struct table t = {0};
	char root[4096];
	int bad, fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	Dwarf *dwarf;
	Elf *elf;

	elf_version(EV_CURRENT);
	if (fd < 0)
		return complain_errno(why, path);
	if (fstat(fd, &st) < 0)
		return complain_errno(why, path);
	t.bytes = (uint64_t)st.st_size;
	if (!getcwd(root, sizeof(root) - 1))
		return complain(why, "the current directory: %s", strerror(errno));
	t.root = strcat(root, "/");
	elf = elf_begin(fd, ELF_C_READ, NULL);
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	bad = make_table(&t, elf, dwarf, path, why);
	dwarf_end(dwarf);
	elf_end(elf);
	close(fd);
	free_table(&t);
	return bad;
}

int main(int argc, char **argv)
{
	int asked = version_asked("mklines", usage, argc, argv);
	struct complaint why;

	if (asked >= 0)
		return asked;
	if (!version_operands(argc, argv, 1, 1)) {
		fputs(usage, stderr);
		return 2;
	}
	if (mklines_make(argv[1], &why) < 0) {
		fprintf(stderr, "mklines: %s\n", why.text);
		return 1;
	}
	return outfile_standard("mklines", 0);
}
