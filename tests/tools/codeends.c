/* tools/code/codeends.c: where code ends, with sections that overlap, and with very many (H14). */
#include <elf.h>
#include <libelf.h>
#include <sys/resource.h>
#include "tests/test.h"
#include "tools/code/codeends.h"

#define MANY 60000

/* A file that is only heads of sections. */
static struct {
	Elf32_Ehdr elf;
	Elf32_Shdr section[MANY];
} file;

/* Make a section with code, number i. */
static void section(unsigned i, unsigned addr, unsigned size)
{
	file.section[i] = (Elf32_Shdr){
		.sh_type = SHT_PROGBITS, .sh_flags = SHF_EXECINSTR,
		.sh_addr = addr, .sh_size = size,
	};
}

/* Read the first n sections; number 0 is none. */
static void read_sections(struct codeends *c, unsigned n)
{
	Elf *elf;

	file.elf = (Elf32_Ehdr){
		.e_ident = "\177ELF\1\1\1", .e_type = ET_REL, .e_machine = EM_386,
		.e_version = 1, .e_ehsize = sizeof(file.elf), .e_shoff = sizeof(file.elf),
		.e_shentsize = sizeof(file.section[0]), .e_shnum = (Elf32_Half)n,
	};
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)&file, sizeof(file.elf) + n * sizeof(file.section[0]));
	assert_non_null(elf);
	codeends_read(c, elf);
	elf_end(elf);
}

/* Return the first end of all of n sections that have an address. */
static code_addr first_end(unsigned n, code_addr pc)
{
	const Elf32_Shdr *s;
	code_addr end = UINT64_MAX;

	for (s = file.section; s < file.section + n; s++)
		if (s->sh_addr <= pc && pc - s->sh_addr < s->sh_size)
			if (s->sh_addr + s->sh_size < end)
				end = s->sh_addr + s->sh_size;
	return end;
}

static void sections_overlap(void **state)
{
	unsigned round, i, pc, seed = 1;
	struct codeends c;

	for (round = 0; round < 500; round++) {
		for (i = 1; i < 8; i++) {
			seed = seed * 1103515245 + 12345;
			section(i, seed >> 16 & 31, seed >> 24 & 15);
		}
		read_sections(&c, 8);
		for (pc = 0; pc < 64; pc++)
			assert_int_equal(codeends_find(&c, pc), first_end(8, pc));
		codeends_free(&c);
	}
}

static void no_file(void **state)
{
	struct codeends c;

	codeends_read(&c, NULL);
	assert_int_equal(codeends_find(&c, 0), UINT64_MAX);
	codeends_free(&c);
}

/* Sections around each other, of which the first one to begin is the last one to end. */
static void H14_very_many_sections(void **state)
{
	code_addr first = 0x1000, middle = first + MANY, last = middle + MANY - 1;
	struct codeends c;
	unsigned i;

	for (i = 1; i < MANY; i++)
		section(i, (unsigned)middle - i, 2 * i);
	read_sections(&c, MANY);
	for (i = 0; i < 1000000; i++)
		assert_int_equal(codeends_find(&c, middle), middle + 1);
	assert_int_equal(codeends_find(&c, first), UINT64_MAX);
	assert_int_equal(codeends_find(&c, first + 1), last);
	assert_int_equal(codeends_find(&c, last - 1), last);
	assert_int_equal(codeends_find(&c, last), UINT64_MAX);
	codeends_free(&c);
}

int main(void)
{
	const struct rlimit seconds = {20, 20};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_overlap),
		cmocka_unit_test(no_file),
		cmocka_unit_test(H14_very_many_sections),
	};

	setrlimit(RLIMIT_CPU, &seconds); /* what takes far too long is ended */
	return RUN(tests, NULL, NULL);
}
