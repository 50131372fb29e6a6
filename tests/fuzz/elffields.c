/* See elffields.h. System V ABI, chapter 4, and its form with 64 bits. */
#include <elf.h>
#include <string.h>
#include "tests/fuzz/elffields.h"

#define HEADERS 12 /* program headers, and sections, that are looked at */


#define AT(type, field) offsetof(type, field), sizeof(((type *)0)->field)

/* A field of each structure: at and width in turn. */
static const uint8_t head32[] = {
	4, 1, 5, 1, AT(Elf32_Ehdr, e_type), AT(Elf32_Ehdr, e_machine), AT(Elf32_Ehdr, e_entry),
	AT(Elf32_Ehdr, e_phoff), AT(Elf32_Ehdr, e_shoff), AT(Elf32_Ehdr, e_ehsize),
	AT(Elf32_Ehdr, e_phentsize), AT(Elf32_Ehdr, e_phnum), AT(Elf32_Ehdr, e_shentsize),
	AT(Elf32_Ehdr, e_shnum), AT(Elf32_Ehdr, e_shstrndx),
}, segment32[] = {
	AT(Elf32_Phdr, p_type), AT(Elf32_Phdr, p_offset), AT(Elf32_Phdr, p_vaddr),
	AT(Elf32_Phdr, p_paddr), AT(Elf32_Phdr, p_filesz), AT(Elf32_Phdr, p_memsz),
	AT(Elf32_Phdr, p_flags),
}, section32[] = {
	AT(Elf32_Shdr, sh_name), AT(Elf32_Shdr, sh_type), AT(Elf32_Shdr, sh_flags),
	AT(Elf32_Shdr, sh_addr), AT(Elf32_Shdr, sh_offset), AT(Elf32_Shdr, sh_size),
	AT(Elf32_Shdr, sh_link), AT(Elf32_Shdr, sh_info), AT(Elf32_Shdr, sh_entsize),
}, head64[] = {
	4, 1, 5, 1, AT(Elf64_Ehdr, e_type), AT(Elf64_Ehdr, e_machine), AT(Elf64_Ehdr, e_entry),
	AT(Elf64_Ehdr, e_phoff), AT(Elf64_Ehdr, e_shoff), AT(Elf64_Ehdr, e_ehsize),
	AT(Elf64_Ehdr, e_phentsize), AT(Elf64_Ehdr, e_phnum), AT(Elf64_Ehdr, e_shentsize),
	AT(Elf64_Ehdr, e_shnum), AT(Elf64_Ehdr, e_shstrndx),
}, segment64[] = {
	AT(Elf64_Phdr, p_type), AT(Elf64_Phdr, p_offset), AT(Elf64_Phdr, p_vaddr),
	AT(Elf64_Phdr, p_paddr), AT(Elf64_Phdr, p_filesz), AT(Elf64_Phdr, p_memsz),
	AT(Elf64_Phdr, p_flags),
};

/* Note the fields of a structure at `at`. */
static void note(struct fuzz_fields *f, size_t n, size_t at, const uint8_t *form, size_t size)
{
	for (size_t i = 0; i + 1 < size; i += 2)
		fuzz_field(f, n, at + form[i], form[i + 1], FUZZ_LITTLE);
}

#define NOTE(f, n, at, form) note(f, n, at, form, sizeof(form))

/* Note numbers of all sizes, some of them, in the content of a section. */
static void content(struct fuzz_fields *f, const uint8_t *data, size_t n, const Elf32_Shdr *sh)
{
	size_t step = sh->sh_size / 12 + 1, at = sh->sh_offset + data[n / 2] % step;

	if (sh->sh_type == SHT_NULL || sh->sh_type == SHT_NOBITS || sh->sh_offset >= n)
		return;
	for (; at < (size_t)sh->sh_offset + sh->sh_size; at += step)
		fuzz_field(f, n, at, 1u << at % 3, FUZZ_LITTLE);
}

/* Note the headers of a file of 32 bits, and what is in its sections. */
static void fields32(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	Elf32_Ehdr eh;

	NOTE(f, n, 0, head32);
	if (n < sizeof(eh))
		return;
	memcpy(&eh, data, sizeof(eh));
	for (size_t i = 0; i < eh.e_phnum && i < HEADERS; i++)
		NOTE(f, n, eh.e_phoff + i * sizeof(Elf32_Phdr), segment32);
	for (size_t i = 0; i < eh.e_shnum && i < 2 * HEADERS; i++) {
		size_t at = eh.e_shoff + i * sizeof(Elf32_Shdr);
		Elf32_Shdr sh;

		if (at > n || n - at < sizeof(sh))
			break;
		if (i < HEADERS)
			NOTE(f, n, at, section32);
		memcpy(&sh, data + at, sizeof(sh));
		content(f, data, n, &sh);
	}
}

/* Note the headers of a file of 64 bits, which is a memory dump. */
static void fields64(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	Elf64_Ehdr eh;

	NOTE(f, n, 0, head64);
	if (n < sizeof(eh))
		return;
	memcpy(&eh, data, sizeof(eh));
	for (size_t i = 0; i < eh.e_phnum && i < HEADERS; i++)
		NOTE(f, n, eh.e_phoff + i * sizeof(Elf64_Phdr), segment64);
}

void elf_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	if (n > EI_CLASS && data[EI_CLASS] == ELFCLASS64)
		fields64(f, data, n);
	else
		fields32(f, data, n);
}
