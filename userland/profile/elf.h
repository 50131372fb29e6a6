/* ELF files beyond programs, as far as we read them: symbols, notes, images of memory. */
#ifndef PROFILE_ELF_H
#define PROFILE_ELF_H

#include "kernel/abi/elf.h"

#define ELFCLASS64 2
#define ET_CORE 4

#define SHT_PROGBITS 1
#define SHT_SYMTAB 2
#define SHT_NOTE 7

/* The low four bits of a symbol's info are its type, the high four its binding. */
#define STT_NOTYPE 0 /* what the linker script defines, and labels of assembly */
#define STT_OBJECT 1
#define STT_FUNC 2
#define STB_LOCAL 0

#define NT_GNU_BUILD_ID 3

#define SHF_EXECINSTR 4

struct elf32_section {
	uint32_t name, type, flags, addr, offset, size, link, info, addralign, entsize;
};

struct elf32_symbol {
	uint32_t name, value, size;
	uint8_t info, other;
	uint16_t shndx;
};

/* A note; its name follows, then what it says, each filled up to a multiple of 4 bytes. */
struct elf_note {
	uint32_t namesz, descsz, type;
};

/* QEMU writes a guest's memory as a 64-bit file, whichever machine the guest is. */
struct elf64_head {
	struct elf_ident ident;
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, phoff, shoff;
	uint32_t flags;
	uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

struct elf64_segment {
	uint32_t type, flags;
	uint64_t offset, vaddr, paddr, filesz, memsz, align;
};

#endif
