/* The functions of an ELF file, by address: see symbols.h. */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/code/symbols.h"
#include "tools/memory.h"

/* For qsort: by address; of several names for one address, global ones first, then by text. */
static int compare(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->global != b->global)
		return a->global ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Return where the code around an address ends, which is with its section or the kernel's text. */
static code_addr end_of_code(const struct symbols *s, code_addr pc)
{
	code_addr end = s->has_text && s->ktzero <= pc && pc < s->etext ? s->etext : UINT64_MAX;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(s->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_EXECINSTR) &&
		    sh.sh_addr <= pc && pc - sh.sh_addr < sh.sh_size &&
		    sh.sh_addr + sh.sh_size < end)
			end = sh.sh_addr + sh.sh_size;
	return end == UINT64_MAX ? pc + 1 : end;
}

/* Sort, keep one name for each address, and give symbols without a size an end. */
static void arrange(struct symbols *s)
{
	size_t i, n = 0;

	qsort(s->sym, s->n, sizeof(*s->sym), compare);
	for (i = 0; i < s->n; i++)
		if (n == 0 || s->sym[n - 1].start != s->sym[i].start)
			s->sym[n++] = s->sym[i];
		else if (s->sym[n - 1].end < s->sym[i].end)
			s->sym[n - 1].end = s->sym[i].end;
	s->n = n;
	for (i = 0; i < n; i++) {
		if (s->sym[i].end != s->sym[i].start)
			continue;
		s->sym[i].end = end_of_code(s, s->sym[i].start);
		if (i + 1 < n && s->sym[i + 1].start < s->sym[i].end)
			s->sym[i].end = s->sym[i + 1].start;
	}
}

/* Read the build id, if the file has one of the usual 20 bytes. */
static void read_buildid(struct symbols *s)
{
	const void *id;
	ssize_t i, n = dwelf_elf_gnu_build_id(s->elf, &id);

	for (i = 0; n == 20 && i < n; i++)
		sprintf(s->buildid + 2 * i, "%02x", ((const unsigned char *)id)[i]);
}

/* Return the section that holds the symbol table, or NULL. */
static Elf_Scn *find_symtab(Elf *elf, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, sh) && sh->sh_type == SHT_SYMTAB && sh->sh_entsize > 0)
			return scn;
	return NULL;
}

/*
 * Take one symbol: a function, the described block, or one of the two that bound the kernel's text,
 * which set a bit of *bounds each.
 */
static void take(struct symbols *s, const GElf_Sym *sym, const char *name, unsigned *bounds)
{
	bool thumb;

	if (!name || !*name || sym->st_shndx == SHN_UNDEF)
		return;
	if (strcmp(name, "ktzero") == 0) {
		s->ktzero = sym->st_value;
		*bounds |= 1;
	} else if (strcmp(name, "etext") == 0) {
		s->etext = sym->st_value;
		*bounds |= 2;
	} else if (strcmp(name, "prof_block") == 0) {
		s->block = sym->st_value;
	}
	if (GELF_ST_TYPE(sym->st_info) != STT_FUNC)
		return;
	thumb = s->machine == EM_ARM && sym->st_value & 1;
	s->sym[s->n++] = (struct symbol){
		.start = sym->st_value - thumb,
		.end = sym->st_value - thumb + sym->st_size,
		.name = name,
		.thumb = thumb,
		.global = GELF_ST_BIND(sym->st_info) != STB_LOCAL,
	};
}

/* Read the symbol table. */
static int read_symbols(struct symbols *s, const char *path, struct complaint *why)
{
	GElf_Shdr sh;
	Elf_Scn *scn = find_symtab(s->elf, &sh);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t i, n = data ? data->d_size / sh.sh_entsize : 0;
	unsigned bounds = 0;
	GElf_Sym sym;

	if (n == 0)
		return complain(why, "%s: it has no symbols", path);
	s->sym = memory_zeroed(n, sizeof(*s->sym));
	for (i = 0; i < n; i++)
		if (gelf_getsym(data, i, &sym))
			take(s, &sym, elf_strptr(s->elf, sh.sh_link, sym.st_name), &bounds);
	s->has_text = bounds == 3 && s->ktzero < s->etext;
	return 0;
}

/* Read what the header tells, and the symbols. */
static int read_all(struct symbols *s, const GElf_Ehdr *head, const char *path,
		    struct complaint *why)
{
	s->width = head->e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	s->machine = head->e_machine;
	return read_symbols(s, path, why);
}

int symbols_load(struct symbols *s, const char *path, struct complaint *why)
{
	GElf_Ehdr head;
	int bad;

	*s = (struct symbols){.fd = open(path, O_RDONLY | O_CLOEXEC)};
	if (s->fd < 0)
		return complain(why, "%s: %s", path, strerror(errno));
	elf_version(EV_CURRENT);
	s->elf = elf_begin(s->fd, ELF_C_READ, NULL);
	if (!s->elf || elf_kind(s->elf) != ELF_K_ELF || !gelf_getehdr(s->elf, &head))
		bad = complain(why, "%s: not an ELF file", path);
	else if (head.e_ident[EI_DATA] != ELFDATA2LSB)
		bad = complain(why, "%s: of a big-endian machine, which is not supported", path);
	else
		bad = read_all(s, &head, path, why);
	if (bad) {
		symbols_free(s);
		return -1;
	}
	read_buildid(s);
	arrange(s);
	return 0;
}

void symbols_free(struct symbols *s)
{
	free(s->sym);
	elf_end(s->elf);
	close(s->fd);
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
	return lo > 0 && pc < s->sym[lo - 1].end ? &s->sym[lo - 1] : NULL;
}
