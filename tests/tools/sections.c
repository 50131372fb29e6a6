/* tools/code/sections.c: the code of files whose sections lie anywhere (H14). */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/test.h"
#include "tools/code/sections.h"

#define BYTES 0x100 /* of the file that sections may have; the value of each is its place */
#define MOST 8

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

/* A section: where it is in memory, and which of the bytes it has. */
struct given {
	uint32_t address, from, n, type, flags;
};

#define CODE(address, from, n) \
	{address, from, n, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR}

static int fd = -1;
static Elf *elf;
static struct sections *s;

/* Open a file that has these sections. */
static void begin(const struct given *given, size_t n)
{
	struct {
		Elf32_Ehdr head;
		uint8_t byte[BYTES];
		Elf32_Shdr section[MOST];
	} file = {.head = {
		.e_ident = {ELFMAG0, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC, .e_machine = EM_386, .e_version = EV_CURRENT,
		.e_shoff = sizeof(Elf32_Ehdr) + BYTES, .e_ehsize = sizeof(Elf32_Ehdr),
		.e_shentsize = sizeof(Elf32_Shdr), .e_shnum = (uint16_t)(n + 1),
	}};
	char path[] = "/tmp/gnomon-sections.XXXXXX";
	size_t i;

	assert_true(n < MOST);
	for (i = 0; i < BYTES; i++)
		file.byte[i] = (uint8_t)i;
	for (i = 0; i < n; i++)
		file.section[i + 1] = (Elf32_Shdr){
			.sh_type = given[i].type, .sh_flags = given[i].flags,
			.sh_addr = given[i].address, .sh_size = given[i].n,
			.sh_offset = sizeof(Elf32_Ehdr) + given[i].from, .sh_addralign = 1,
		};
	fd = mkstemp(path);
	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, &file, sizeof(file)), sizeof(file));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	assert_non_null(elf);
	s = sections_load(elf);
}

static void end(void)
{
	sections_free(s);
	elf_end(elf);
	close(fd);
}

/* Return the place of what is at [lo, hi); -1: nothing is. */
static int at(uint64_t lo, uint64_t hi)
{
	const uint8_t *byte = sections_bytes(s, lo, hi);

	if (!byte)
		return -1;
	return *byte;
}

static void apart(void **state)
{
	static const struct given given[] = {
		CODE(0x2000, 0x40, 0x20), CODE(0x1000, 0x10, 0x10), CODE(0x1010, 0x80, 0x10),
		CODE(0x4000, 0x90, 0), {0x3000, 0x20, 0x10, SHT_PROGBITS, SHF_ALLOC},
		{0x5000, 0x20, 0x10, SHT_NOTE, SHF_ALLOC | SHF_EXECINSTR},
		{0x6000, 0x20, 0xffffff, SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR},
	};

	begin(given, nelem(given));
	assert_false(s->overlap);
	assert_int_equal(s->n, 3);
	assert_int_equal(at(0xfff, 0x1001), -1);
	assert_int_equal(at(0x1000, 0x1010), 0x10);
	assert_int_equal(at(0x100f, 0x1010), 0x1f);
	assert_int_equal(at(0x100f, 0x1011), -1);
	assert_int_equal(at(0x1010, 0x1011), 0x80);
	assert_int_equal(at(0x1020, 0x1021), -1);
	assert_int_equal(at(0x2004, 0x2020), 0x44);
	assert_int_equal(at(0x2004, 0x2004), -1);
	assert_int_equal(at(0x2004, 0x2003), -1);
	assert_int_equal(at(0x3000, 0x3001), -1);
	assert_int_equal(at(0x5000, 0x5001), -1);
	assert_int_equal(at(UINT64_MAX, UINT64_MAX), -1);
	end();
}

/* Of those that overlap in memory the first one counts, so that one look finds what is there. */
static void over(void **state)
{
	static const struct given given[] = {
		CODE(0x1000, 0x40, 0x20), CODE(0x1010, 0x80, 0x20), CODE(0x1020, 0xc0, 0x10),
	};

	begin(given, nelem(given));
	assert_int_equal(s->n, 2);
	assert_int_equal(at(0x1018, 0x101a), 0x58);
	assert_int_equal(at(0x1024, 0x1026), 0xc4);
	end();
}

/* A file of 1 MB with 50 sections that are all of it would be 50 MB of code. */
static void in_the_file(void **state)
{
	static const struct given given[] = {
		CODE(0x1000, 0, 0x100), CODE(0x2000, 0, 0x100), CODE(0x3000, 0, 0x100),
	};
	/* An empty one that lies elsewhere makes the file no longer; and notes are read, too. */
	static const struct given beyond[] = {
		CODE(0x1000, 0, 0x100), CODE(0x2000, 0, 0x100), CODE(0x3000, 0xfffffff0, 0),
	};
	static const struct given notes[] = {
		{0x1000, 0, 0x80, SHT_NOTE, 0}, {0x2000, 0x7f, 0x80, SHT_NOTE, 0},
	};
	static const struct given hidden[] = {
		CODE(0x1000, 0, 0x100),
		{0x2000, 0, 0x100, SHT_NOTE, SHF_EXECINSTR},
		{0x3000, 0, 0x100, SHT_NOTE, SHF_EXECINSTR},
	};

	begin(given, nelem(given));
	assert_true(s->overlap);
	assert_int_equal(at(0x1000, 0x1001), -1);
	end();
	begin(hidden, nelem(hidden));
	assert_true(s->overlap);
	end();
	begin(beyond, nelem(beyond));
	assert_true(s->overlap);
	end();
	begin(notes, nelem(notes));
	assert_true(s->overlap);
	end();
	begin(given, 1);
	assert_false(s->overlap);
	assert_int_equal(at(0x1000, 0x1100), 0);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(apart), cmocka_unit_test(over), cmocka_unit_test(in_the_file),
	};

	return RUN(tests, NULL, NULL);
}
