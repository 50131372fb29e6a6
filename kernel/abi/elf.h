/* Programs in ELF files: System V ABI, "Object Files"; names as there. */
#pragma once

#include <stdint.h>

#define ELF_MAGIC 0x464c457fu /* DEL, then "ELF" */
#define ELFCLASS32 1
#define ELFDATA2LSB 1 /* little-endian */

#define ET_EXEC 2
#define EM_386 3

#define PT_LOAD 1
#define PF_X 1
#define PF_W 2
#define PF_R 4

/* How every file begins. */
struct elf_ident {
	uint32_t magic;
	uint8_t class, data, version, pad[9];
};

struct elf32_head {
	struct elf_ident ident;
	uint16_t type, machine;
	uint32_t version, entry, phoff, shoff, flags;
	uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

struct elf32_segment {
	uint32_t type, offset, vaddr, paddr, filesz, memsz, flags, align;
};
