/* Reads the symbol table of a 32-bit ELF file; System V ABI, "Object Files". Optimize: speed. */
#include "userland/profile/symtab.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/files/stream.h"
#include "userland/profile/elf.h"
#include "userland/profile/lines.h"

/* A note that is a build id. */
struct id_note {
	struct elf_note head;
	char name[4];
	uint8_t id[SYMTAB_ID / 2];
};

/* The file in memory; a NUL follows it. */
struct image {
	char *data;
	size_t size;
	struct elf32_head head;
};

/* Copy n bytes at an offset. Return false if the file does not have them. */
static bool get(const struct image *f, size_t at, void *to, size_t n)
{
	if (at > f->size || f->size - at < n)
		return false;
	memcpy(to, f->data + at, n);
	return true;
}

/* Get section number i. Return false if the file does not have it, or not all of its content. */
static bool get_section(const struct image *f, uint32_t i, struct elf32_section *s)
{
	return i < f->head.shnum && f->head.shoff <= f->size &&
	       get(f, f->head.shoff + i * sizeof(*s), s, sizeof(*s)) &&
	       s->offset <= f->size && s->size <= f->size - s->offset;
}

/*
 * Make names printable and end those that are too long, all at once: thousands of symbols may
 * be ends of the same one.
 */
static void clean(char *names, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		size_t last = i + SYMTAB_NAME < size ? i + SYMTAB_NAME - 1 : size - 1;

		for (; i < last; i++) {
			if (names[i] > ' ' && names[i] <= '~')
				continue;
			if (!names[i])
				break;
			names[i] = '?';
		}
		names[i] = 0;
	}
}

/*
 * Return whether a name is better than another for its address: a function's, global, or the first
 * by name.
 */
static bool better(const struct symtab_function *a, const struct symtab_function *b)
{
	if (a->label != b->label)
		return b->label;
	if (a->global != b->global)
		return a->global;
	return strcmp(a->name, b->name) < 0;
}

/*
 * Put functions in the order of their addresses, by each byte of these from the lowest on: to
 * compare them takes three times as long. There is room for as many more in spare. Return which of
 * the two has them then.
 */
static struct symtab_function *sort(struct symtab_function *from, size_t n,
				    struct symtab_function *spare)
{
	for (unsigned shift = 0; shift < 32; shift += 8) {
		struct symtab_function *to = spare;
		size_t next[257] = {0}; /* where one with that byte goes */

		for (size_t i = 0; i < n; i++)
			next[(from[i].address >> shift & 255) + 1]++;
		if (n > 0 && next[(from->address >> shift & 255) + 1] == n)
			continue; /* all have the same, as often the highest */
		for (unsigned byte = 1; byte < 256; byte++)
			next[byte] += next[byte - 1];
		for (size_t i = 0; i < n; i++)
			to[next[from[i].address >> shift & 255]++] = from[i];
		spare = from;
		from = to;
	}
	return from;
}

/*
 * Return whether a symbol without a type names code. A name with a dot is a label within a
 * function, by NASM.
 */
static bool names_code(const struct image *f, const struct elf32_symbol *symbol, const char *name)
{
	struct elf32_section in;

	return (symbol->info & 15) == STT_NOTYPE && !strchr(name, '.') &&
	       get_section(f, symbol->shndx, &in) && in.flags & SHF_EXECINSTR &&
	       symbol->value - in.addr < in.size;
}

/*
 * Take a function or variable, or one of the two symbols that bound the kernel's text. Those that
 * linker.ld defines have no type, and count as variables.
 */
static void take(struct symtab *s, const struct image *f, const struct elf32_symbol *symbol,
		 const char *name)
{
	unsigned type = symbol->info & 15;
	struct symtab_function taken = {
		.address = symbol->value, .end = symbol->value + symbol->size, .name = name,
		.global = symbol->info >> 4 != STB_LOCAL, .label = type != STT_FUNC,
	};

	if (symbol->shndx == 0 || !*name)
		return;
	if (type == STT_FUNC)
		s->function[s->n++] = taken;
	if (type > STT_OBJECT)
		return;
	s->variable[s->nvariable++] = taken;
	if (strcmp(name, "ktzero") == 0)
		s->ktzero = symbol->value;
	else if (strcmp(name, "etext") == 0)
		s->etext = symbol->value;
	else if (names_code(f, symbol, name))
		s->function[s->n++] = taken;
}

/* Keep one name for each address, and no labels that stand in a function. */
static void drop_others(struct symtab *s)
{
	struct symtab_function *last = s->function; /* beyond the last that is kept */
	uint32_t covered = 0;

	for (const struct symtab_function *f = s->function; f < s->function + s->n; f++) {
		if (f->label && f->address < covered)
			continue;
		if (last > s->function && last[-1].address == f->address) {
			if (!better(f, &last[-1]))
				continue;
			last--;
		}
		if (!f->label)
			covered = f->end > f->address ? f->end : UINT32_MAX;
		*last++ = *f;
	}
	s->n = (size_t)(last - s->function);
}

/* Read a symbol table. Its names are in the section that it links to. */
static const char *read_symbols(struct symtab *s, const struct image *f,
				const struct elf32_section *table)
{
	size_t i, most = table->size / sizeof(struct elf32_symbol);
	struct elf32_section names;
	const char *from = f->data + table->offset;
	struct symtab_function *spare, *sorted;
	struct elf32_symbol symbol;

	if (s->function || table->entsize != sizeof(symbol) || !get_section(f, table->link, &names))
		return "its symbol table is damaged";
	if (most > SYMTAB_MOST)
		return "it has too many symbols";
	s->function = reallocarray(NULL, most + 1, sizeof(*s->function));
	s->variable = reallocarray(NULL, most + 1, sizeof(*s->variable));
	if (!s->function || !s->variable)
		return strerror(errno);
	clean(f->data + names.offset, names.size);
	for (i = 0; i < most; i++) {
		__builtin_memcpy(&symbol, from + i * sizeof(symbol), sizeof(symbol));
		if (symbol.name < names.size)
			take(s, f, &symbol, f->data + names.offset + symbol.name);
	}
	spare = reallocarray(NULL, s->n + 1, sizeof(*spare));
	if (!spare)
		return strerror(errno);
	sorted = sort(s->function, s->n, spare);
	free(sorted == spare ? s->function : spare);
	s->function = sorted;
	drop_others(s);
	return NULL;
}

/*
 * Read the file. Return NULL, or what is wrong with it. A path that a user chose may be that of a
 * device here, which has no end, or waits for keys.
 */
static const char *read_image(struct image *f, const char *path)
{
	struct stat st;
	size_t room = 0;
	bool fits;
	int fd = open(path, O_RDONLY);

	*f = (struct image){.size = 0};
	if (fd < 0)
		return strerror(errno);
	fits = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= SYMTAB_FILE;
	if (fits)
		f->data = stream_slurp(fd, NULL, &f->size, &room);
	close(fd);
	if (!fits)
		return "not a file of at most 16 MB";
	if (!f->data)
		return strerror(errno);
	f->data[f->size] = 0;
	if (get(f, 0, &f->head, sizeof(f->head)) &&
	    f->head.ident.magic == ELF_MAGIC && f->head.ident.class == ELFCLASS32 &&
	    f->head.ident.data == ELFDATA2LSB &&
	    f->head.shentsize == sizeof(struct elf32_section))
		return NULL;
	return "not a 32-bit ELF file";
}

/* Read a note, which may be the build id. */
static void read_note(struct symtab *s, const struct image *f, uint32_t at)
{
	struct id_note note;

	if (!get(f, at, &note, sizeof(note)) || note.head.type != NT_GNU_BUILD_ID ||
	    note.head.namesz != 4 || note.head.descsz != sizeof(note.id) ||
	    memcmp(note.name, "GNU", 4) != 0)
		return;
	for (size_t i = 0; i < sizeof(note.id); i++)
		snprintf(s->buildid + 2 * i, 3, "%02x", note.id[i]);
}

/* Find where text begins: backwards, so that it is the first segment that is kept. */
static void read_segments(struct symtab *s, const struct image *f)
{
	struct elf32_segment g;

	for (uint32_t i = f->head.phnum; i-- > 0 && f->head.phoff <= f->size;)
		if (get(f, f->head.phoff + i * sizeof(g), &g, sizeof(g)) && g.type == PT_LOAD &&
		    g.flags & PF_X)
			s->text = g.vaddr;
}

/* Take a section that is known by its name alone: the table of source lines. */
static void take_named(struct symtab *s, const struct image *f, const struct elf32_section *section)
{
	struct elf32_section names;

	if (!get_section(f, f->head.shstrndx, &names) || section->name >= names.size ||
	    strcmp(f->data + names.offset + section->name, LINES_SECTION) != 0)
		return;
	s->lines = f->data + section->offset;
	s->lines_size = section->size;
}

/* Read the sections that matter. */
static const char *read_sections(struct symtab *s, const struct image *f)
{
	struct elf32_section section;
	const char *bad = NULL;

	for (uint32_t i = 0; i < f->head.shnum && !bad; i++) {
		if (!get_section(f, i, &section))
			continue;
		if (section.type == SHT_SYMTAB)
			bad = read_symbols(s, f, &section);
		else if (section.type == SHT_NOTE)
			read_note(s, f, section.offset);
		else if (section.type == SHT_PROGBITS)
			take_named(s, f, &section);
	}
	return bad;
}

const char *symtab_load(struct symtab *s, const char *path)
{
	struct image f;
	const char *bad;

	memset(s, 0, sizeof(*s));
	bad = read_image(&f, path);
	s->image = f.data;
	if (!bad) {
		read_segments(s, &f);
		bad = read_sections(s, &f);
	}
	if (!bad && s->n == 0)
		bad = "it has no symbols";
	return bad;
}

const char *symtab_keep(const struct symtab **s, const char *path)
{
	static struct symtab kept;
	static const char *bad;
	static char *of;

	*s = &kept;
	if (of && strcmp(of, path) == 0)
		return bad;
	free(of);
	symtab_free(&kept);
	bad = symtab_load(&kept, path);
	of = memory(strdup(path));
	return bad;
}

void symtab_read(struct symtab *s, const char *path)
{
	const char *bad = symtab_load(s, path);

	if (bad)
		errx(1, "%s: %s", path, bad);
	if (!*s->buildid)
		errx(1, "%s: not a kernel image with a build id", path);
}

uint32_t symtab_variable(const struct symtab *s, const char *name)
{
	for (size_t i = 0; i < s->nvariable; i++)
		if (strcmp(s->variable[i].name, name) == 0)
			return s->variable[i].address;
	return 0;
}

void symtab_free(struct symtab *s)
{
	free(s->function);
	free(s->variable);
	free(s->image);
	memset(s, 0, sizeof(*s));
}

/* For bsearch. */
static int at_address(const void *key, const void *function)
{
	const struct symtab_function *f = function;
	uint32_t address = *(const uint32_t *)key;

	return address < f->address ? -1 : address > f->address;
}

const char *symtab_name(const struct symtab *s, uint32_t address)
{
	const struct symtab_function *f =
		bsearch(&address, s->function, s->n, sizeof(*s->function), at_address);

	return f ? f->name : NULL;
}

const struct symtab_function *symtab_find(const struct symtab *s, uint32_t address)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->function[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 ? &s->function[lo - 1] : NULL;
}
