/* ELF files, as far as we read them: System V ABI, "Object Files"; names as there. */
#ifndef ABI_ELF_H
#define ABI_ELF_H

#include <stdint.h>

#define ELF_MAGIC 0x464c457fu /* DEL, then "ELF" */
#define ELFCLASS32 1
#define ELFCLASS64 2
#define ELFDATA2LSB 1 /* little-endian */

#define ET_EXEC 2
#define ET_CORE 4
#define EM_386 3

#define PT_LOAD 1
#define PF_X 1
#define PF_W 2
#define PF_R 4

#define SHT_PROGBITS 1
#define SHT_SYMTAB 2
#define SHT_NOTE 7

/* The low four bits of a symbol's info are its type, the high four its binding. */
#define STT_OBJECT 1 /* 0: without a type, as symbols that the linker script defines */
#define STT_FUNC 2
#define STB_LOCAL 0

#define NT_GNU_BUILD_ID 3

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
