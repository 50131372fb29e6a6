/* Small ELF files for the tests: see elfdata.h. */
#include <assert.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/tools/elfdata.h"

static char *strings;
static size_t nstrings, room;

/* Put a string into the only string table. Return its offset. */
static uint32_t add_string(const char *s)
{
	uint32_t at = nstrings;

	if (nstrings + strlen(s) + 1 > room) {
		room = 2 * room + strlen(s) + 8192;
		strings = realloc(strings, room);
		assert(strings);
	}
	strcpy(strings + at, s);
	nstrings += strlen(s) + 1;
	return at;
}

/* Add a section. */
static Elf_Scn *add_section(Elf *elf, const char *name, uint32_t type, uint32_t flags, void *data,
			    size_t n, Elf_Type datatype)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf32_Shdr *sh = elf32_getshdr(scn);
	Elf_Data *d = elf_newdata(scn);

	*d = (Elf_Data){
		.d_buf = data, .d_size = n, .d_type = datatype, .d_align = 4,
		.d_version = EV_CURRENT,
	};
	sh->sh_name = add_string(name);
	sh->sh_type = type;
	sh->sh_flags = flags;
	return scn;
}

/* What each kind of a symbol is. */
static const struct {
	unsigned char bind, type;
	uint16_t section;
} kinds[128] = {
	['F'] = {STB_GLOBAL, STT_FUNC, 1}, ['f'] = {STB_LOCAL, STT_FUNC, 1},
	['n'] = {STB_GLOBAL, STT_NOTYPE, 1}, ['u'] = {STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	['s'] = {STB_LOCAL, STT_FILE, SHN_ABS},
};

/* Return a symbol as the file has it. */
static Elf32_Sym symbol(const struct elfdata_symbol *s)
{
	unsigned kind = (unsigned char)s->kind;

	return (Elf32_Sym){
		.st_name = add_string(s->name),
		.st_value = s->value,
		.st_size = s->size,
		.st_info = ELF32_ST_INFO(kinds[kind].bind, kinds[kind].type),
		.st_shndx = kinds[kind].section,
	};
}

/* Add the symbol table, whose string table is section number strndx. */
static Elf32_Sym *add_symbols(Elf *elf, const struct elfdata_symbol *sym, size_t n, unsigned strndx)
{
	Elf32_Sym *table = calloc(n + 1, sizeof(*table));
	Elf32_Shdr *sh;
	size_t i;

	for (i = 0; i < n; i++)
		table[i + 1] = symbol(&sym[i]);
	sh = elf32_getshdr(add_section(elf, ".symtab", SHT_SYMTAB, 0, table,
				       (n + 1) * sizeof(*table), ELF_T_SYM));
	sh->sh_link = strndx;
	sh->sh_entsize = sizeof(*table);
	return table;
}

/* Make the file. Sections: 1 .text, 2 .strtab, 3 the build id if any, then .symtab. */
void elfdata_write(const char *path, const struct elfdata_symbol *sym, size_t n,
		   const uint8_t *buildid)
{
	uint8_t text[16] = {0}, note[36] = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	Elf32_Sym *table = NULL;
	Elf32_Ehdr *eh;
	Elf_Data *str;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	assert(elf);
	eh = elf32_newehdr(elf);
	eh->e_ident[EI_DATA] = ELFDATA2LSB;
	eh->e_machine = EM_386;
	eh->e_type = ET_EXEC;
	nstrings = 0;
	add_string("");
	add_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text, sizeof(text),
		    ELF_T_BYTE);
	str = elf_getdata(add_section(elf, ".strtab", SHT_STRTAB, 0, NULL, 0, ELF_T_BYTE), NULL);
	eh->e_shstrndx = 2;
	if (buildid) {
		memcpy(note + 16, buildid, 20);
		add_section(elf, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, note, sizeof(note),
			    ELF_T_BYTE);
	}
	if (sym)
		table = add_symbols(elf, sym, n, 2);
	str->d_buf = strings;
	str->d_size = nstrings;
	assert(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
	free(table);
	free(strings);
	strings = NULL;
	room = 0;
}
