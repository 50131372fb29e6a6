/* The functions of an ELF file, by address: see symbols.h. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/code/buildid.h"
#include "tools/code/codeends.h"
#include "tools/code/namesakes.h"
#include "tools/code/nm.h"
#include "tools/code/strtab.h"
#include "tools/code/symbols.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"

/* Return whether a name tells where something ends, and nothing of what follows. */
static bool ends(const char *name)
{
	size_t n = strlen(name);

	return n >= 4 && strcmp(name + n - 4, "_end") == 0;
}

/*
 * For qsort: by address; of several for one functions first, then those that are no end of
 * something, then global ones, then by text.
 */
static int compare_symbols(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;

	if (a->start != b->start)
		return order(a->start, b->start);
	if (a->label != b->label)
		return order(a->label, b->label);
	if (ends(a->name) != ends(b->name))
		return order(ends(a->name), ends(b->name));
	if (a->global != b->global)
		return order(b->global, a->global);
	return strcmp(a->name, b->name);
}

/* Return where the code around an address ends, which is with its section or the kernel's text. */
static code_addr end_of_code(const struct symbols *s, const struct codeends *ends, code_addr pc)
{
	bool in_text = s->ktzero <= pc && pc < s->etext;
	code_addr end = codeends_find(ends, pc);

	if (s->has_text && in_text)
		end = order_min(end, s->etext);
	if (end == UINT64_MAX)
		return pc + 1;
	return end;
}

/*
 * Leave out the labels that stand in a function. One without a size reaches as far as the next
 * function, or the end of its section.
 */
static void drop_inner_labels(struct symbols *s, const struct codeends *ends)
{
	const struct symbol *sym;
	code_addr covered = 0;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		sym = &s->sym[i];
		if (sym->label && sym->start < covered)
			continue;
		if (!sym->label)
			covered = sym->end;
		if (!sym->label && sym->end == sym->start)
			covered = end_of_code(s, ends, sym->start);
		s->sym[n++] = *sym;
	}
	s->n = n;
}

/* Sort, keep one name for each address, and give symbols without a size an end. */
static void arrange_symbols(struct symbols *s)
{
	struct codeends ends;
	size_t i, n = 0;

	codeends_read(&ends, s->elf);
	qsort(s->sym, s->n, sizeof(*s->sym), compare_symbols);
	for (i = 0; i < s->n; i++)
		if (n == 0 || s->sym[n - 1].start != s->sym[i].start)
			s->sym[n++] = s->sym[i];
		else if (s->sym[n - 1].end < s->sym[i].end)
			s->sym[n - 1].end = s->sym[i].end;
	s->n = n;
	drop_inner_labels(s, &ends);
	for (i = 0; i < s->n; i++) {
		if (s->sym[i].end != s->sym[i].start)
			continue;
		s->sym[i].end = end_of_code(s, &ends, s->sym[i].start);
		if (i + 1 < s->n && s->sym[i + 1].start < s->sym[i].end)
			s->sym[i].end = s->sym[i + 1].start;
	}
	codeends_free(&ends);
}

/* Read what tells the file from others of its name. */
static void read_ids(struct symbols *s)
{
	buildid_read(s->elf, s->buildid);
	if (!*s->buildid)
		buildid_of_code(s->elf, s->codeid);
}

/* Return whether a section is there, and not packed: nobody packs symbols, but to do harm. */
static bool is_plain(Elf_Scn *scn, GElf_Shdr *sh)
{
	if (!gelf_getshdr(scn, sh)) /* not there, too */
		return false;
	return !(sh->sh_flags & SHF_COMPRESSED);
}

/* Return the section that holds the symbol table, or NULL. */
static Elf_Scn *find_symtab(Elf *elf, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!is_plain(scn, sh))
			continue;
		if (sh->sh_type != SHT_SYMTAB)
			continue;
		if (sh->sh_entsize == 0)
			continue;
		if (strtab_sound(elf, sh->sh_link))
			return scn;
	}
	return NULL;
}

/* The symbols whose values are kept, and the bits by which one knows that they are there. */
enum { KTZERO = 1, ETEXT = 2, BLOCK = 4 };

static const struct {
	const char *name;
	unsigned bit;
	size_t field; /* of struct symbols */
} kept[] = {
	{"ktzero", KTZERO, offsetof(struct symbols, ktzero)},
	{"etext", ETEXT, offsetof(struct symbols, etext)},
	{"prof_block", BLOCK, offsetof(struct symbols, block)},
};

#define NKEPT (sizeof(kept) / sizeof(kept[0]))

/* Return whether a section has code at an address. */
static bool has_code(Elf_Scn *scn, code_addr pc)
{
	GElf_Shdr sh;

	if (!gelf_getshdr(scn, &sh))
		return false;
	if (!(sh.sh_flags & SHF_EXECINSTR))
		return false;
	return pc >= sh.sh_addr && pc - sh.sh_addr < sh.sh_size;
}

/*
 * Return whether a symbol without a type names code, as in kernels whose assembly says no types.
 * A name that begins with $ tells the kind of what follows (ELF for ARM, AArch64 and RISC-V); one
 * with a dot is a label within a function, by NASM.
 */
static bool names_code(const struct symbols *s, const GElf_Sym *sym, const char *name)
{
	Elf_Scn *scn = elf_getscn(s->elf, sym->st_shndx);

	if (GELF_ST_TYPE(sym->st_info) != STT_NOTYPE)
		return false;
	if (*name == '$' || strchr(name, '.'))
		return false;
	return scn && has_code(scn, sym->st_value);
}

/* What is known as the symbols are read. */
struct reading {
	unsigned have;	  /* the bits of those that are kept */
	const char *file; /* the source of the local symbols that follow; NULL: unknown */
};

/* Take one symbol: its value if that is kept, the file of those after it, or what it names. */
static void take_symbol(struct symbols *s, const GElf_Sym *sym, const char *name,
			struct reading *r)
{
	bool thumb, label, global = GELF_ST_BIND(sym->st_info) != STB_LOCAL;
	const char *file = NULL;
	size_t i;

	if (GELF_ST_TYPE(sym->st_info) == STT_FILE) {
		r->file = name;
		return;
	}
	if (!*name)
		return;
	if (strnlen(name, TEXTS_NAME) == TEXTS_NAME)
		return;
	if (sym->st_shndx == SHN_UNDEF)
		return;
	for (i = 0; i < NKEPT; i++) {
		if (strcmp(name, kept[i].name) != 0)
			continue;
		*(code_addr *)((char *)s + kept[i].field) = sym->st_value;
		r->have |= kept[i].bit;
		return;
	}
	label = GELF_ST_TYPE(sym->st_info) != STT_FUNC;
	if (label && !names_code(s, sym, name))
		return;
	name = printable_kept(&s->shown, name);
	if (!name)
		return;
	if (!global)
		file = r->file;
	thumb = s->machine == EM_ARM && sym->st_value & 1;
	s->sym[s->n++] = (struct symbol){
		.start = sym->st_value - thumb,
		.end = sym->st_value - thumb + sym->st_size,
		.name = name,
		.plain = name,
		.file = file,
		.thumb = thumb,
		.label = label,
		.global = global,
	};
}

/* Read the symbol table. */
static int read_symbols(struct symbols *s, const char *path, struct complaint *why)
{
	GElf_Shdr sh;
	Elf_Data *data = elf_getdata(find_symtab(s->elf, &sh), NULL);
	size_t i, n = 0;
	struct reading r = {.file = NULL};
	const char *name;
	GElf_Sym sym;

	if (data)
		n = data->d_size / sh.sh_entsize;
	if (n == 0)
		return complain(why, "%s: it has no symbols", path);
	s->sym = memory_zeroed(n, sizeof(*s->sym));
	s->shown.most = TEXTS_LOOKS(data->d_size);
	for (i = 0; i < n; i++) {
		if (!gelf_getsym(data, i, &sym))
			continue;
		name = elf_strptr(s->elf, sh.sh_link, sym.st_name);
		if (name)
			take_symbol(s, &sym, name, &r);
	}
	if ((r.have & (KTZERO | ETEXT)) == (KTZERO | ETEXT))
		s->has_text = s->ktzero < s->etext;
	return 0;
}

/* Read what the header tells, and the symbols. */
static int read_all(struct symbols *s, const GElf_Ehdr *head, const char *path,
		    struct complaint *why)
{
	s->width = 4;
	if (head->e_ident[EI_CLASS] == ELFCLASS64)
		s->width = 8;
	s->machine = head->e_machine;
	return read_symbols(s, path, why);
}

/* Read a file that is not ELF: it may be text. Profiles name files: a device would have no end. */
static int read_text(struct symbols *s, const char *path, struct complaint *why)
{
	struct stat st;
	bool file = fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode);

	elf_end(s->elf);
	s->elf = NULL;
	if (file && nm_read(s, path)) {
		close(s->fd); /* there may be more such files than can be open */
		s->fd = -1;
		return 0;
	}
	return complain(why, "%s: not an ELF file, nor symbols as nm prints them", path);
}

int symbols_load(struct symbols *s, const char *path, struct complaint *why)
{
	GElf_Ehdr head;
	bool is_elf;
	int bad = 0;

	*s = (struct symbols){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
	if (s->fd < 0)
		return complain(why, "%s: %s", path, strerror(errno));
	elf_version(EV_CURRENT);
	s->elf = elf_begin(s->fd, ELF_C_READ, NULL);
	is_elf = elf_kind(s->elf) == ELF_K_ELF && gelf_getehdr(s->elf, &head);
	if (!is_elf)
		bad = read_text(s, path, why);
	else if (head.e_ident[EI_DATA] != ELFDATA2LSB)
		bad = complain(why, "%s: of a big-endian machine, which is not supported", path);
	else
		bad = read_all(s, &head, path, why);
	if (bad) {
		symbols_free(s);
		return -1;
	}
	if (s->elf)
		read_ids(s);
	arrange_symbols(s);
	namesakes_part(s);
	return 0;
}

void symbols_free(struct symbols *s)
{
	free(s->sym);
	texts_free(&s->shown);
	elf_end(s->elf);
	if (s->fd >= 0)
		close(s->fd);
}

bool symbol_means(const struct symbol *s, const char *name)
{
	if (strcmp(s->name, name) == 0)
		return true;
	return strcmp(s->plain, name) == 0;
}

bool symbols_are(const struct symbols *s, const char *buildid)
{
	if (!*buildid)
		return false;
	if (strcmp(s->buildid, buildid) == 0)
		return true;
	return strcmp(s->codeid, buildid) == 0;
}

/* It is the last symbol that starts at or before pc, if it reaches that far. */
const struct symbol *symbols_at(const struct symbols *s, code_addr pc)
{
	size_t lo = 0, hi = s->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->sym[mid].start <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return NULL;
	if (pc >= s->sym[lo - 1].end)
		return NULL;
	return &s->sym[lo - 1];
}

/* Return whether symbol i covers pc, which the one after it does not. */
static bool covers(const struct symbols *s, size_t i, code_addr pc)
{
	if (pc < s->sym[i].start)
		return false;
	if (pc >= s->sym[i].end)
		return false;
	return i + 1 == s->n || pc < s->sym[i + 1].start;
}

const struct symbol *symbols_near(const struct symbols *s, size_t *last, code_addr pc)
{
	size_t i, end = order_min(*last + 2, s->n);
	const struct symbol *found;

	for (i = *last; i < end; i++)
		if (covers(s, i, pc)) {
			*last = i;
			return &s->sym[i];
		}
	found = symbols_at(s, pc);
	if (found)
		*last = found - s->sym;
	return found;
}
