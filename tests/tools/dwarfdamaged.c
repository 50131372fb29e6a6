/*
 * Damaged DWARF data: strings without an end, entries that lead in circles, and too many in each
 * other (B11). DWARF 4, section 7.5, has their form.
 */
#include <dwarf.h>
#include <fcntl.h>
#include <libelf.h>
#include <unistd.h>
#include "tests/test.h"
#include "tools/code/lines.h"
#include "tools/guest/layout.h"

#define FIRST 11 /* a unit's first entry follows its head */

static char path[64];

/* The abbreviations: number, tag, whether it has children, pairs of attribute and form, 0, 0. */
static const uint8_t abbreviations[] = {
	1, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string, 0, 0,
	2, DW_TAG_variable, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref1,
	   DW_AT_location, DW_FORM_exprloc, 0, 0,
	3, DW_TAG_typedef, 0, DW_AT_type, DW_FORM_ref1, 0, 0,
	4, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string, DW_AT_sibling, DW_FORM_ref1,
	   DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1, 0, 0,
	5, DW_TAG_compile_unit, 0, DW_AT_comp_dir, DW_FORM_string, 0, 0,
	6, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
	   DW_AT_high_pc, DW_FORM_data1, 0, 0,
	7, DW_TAG_structure_type, 1, DW_AT_byte_size, DW_FORM_data1, 0, 0,
	8, DW_TAG_member, 0, DW_AT_type, DW_FORM_ref1, 0, 0,
	0,
};

/* Add a section with these bytes. */
static void add(Elf *elf, unsigned name, unsigned type, const void *bytes, size_t n)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	Elf32_Shdr *head = elf32_getshdr(section);

	data->d_buf = (void *)bytes;
	data->d_size = n;
	data->d_version = EV_CURRENT;
	head->sh_name = name;
	head->sh_type = type;
}

/* Make an ELF file with one unit, of the n bytes of entries. */
static void make(const void *entries, size_t n)
{
	static const char names[] = "\0.debug_info\0.debug_abbrev\0.shstrtab";
	uint8_t unit[65536] = {
		(uint8_t)(7 + n), (uint8_t)((7 + n) >> 8), 0, 0, 4, 0, 0, 0, 0, 0, 4,
	};
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	Elf32_Ehdr *head;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	assert_non_null(elf);
	head = elf32_newehdr(elf);
	head->e_ident[EI_DATA] = ELFDATA2LSB;
	head->e_machine = EM_386;
	head->e_type = ET_EXEC;
	head->e_shstrndx = 3;
	memcpy(unit + FIRST, entries, n);
	add(elf, 1, SHT_PROGBITS, unit, FIRST + n);
	add(elf, 13, SHT_PROGBITS, abbreviations, sizeof(abbreviations));
	add(elf, 27, SHT_STRTAB, names, sizeof(names));
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
}

/* The lines of the file, which is open until the next call. */
static struct lines *load(void)
{
	static int fd = -1;
	static Elf *elf;

	elf_end(elf);
	if (fd >= 0)
		close(fd);
	fd = open(path, O_RDONLY);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	return lines_load(elf, fd);
}

/* The last string of the data has no NUL. */
static void no_end(void **state)
{
	struct lines *l;

	make("\5/abc", 5);
	l = load();
	assert_string_equal(l->dir, "/abc");
	lines_free(l);
}

/* A function says that the next entry is itself. */
static void circle_of_siblings(void **state)
{
	struct lines *l;

	make("\1f\0" "\4g\0\x0e\0\x10\0\0\x10" "\0\0", 14);
	l = load();
	assert_int_equal(l->nscope, 1);
	assert_string_equal(l->scope[0].name, "g");
	lines_free(l);
}

/* As many functions in each other as there are levels that are followed, and more. */
static void too_deep(void **state)
{
	static const char function[] = "\6g\0\0\x10\0\0\x10";
	uint8_t entries[9100] = "\1f";
	struct lines *l;
	size_t n, at;

	for (n = 255; n <= 1000; n += n < 257 ? 1 : 743) {
		memset(entries + 3, 0, sizeof(entries) - 3);
		for (at = 3; at < 3 + 8 * n; at += 8)
			memcpy(entries + at, function, 8);
		make(entries, at + n + 1);
		l = load();
		assert_int_equal(l->nscope, n < 256 ? n : 256);
		lines_free(l);
	}
}

static int no_memory(struct ram *r, uint64_t pa, void *to, size_t n, struct complaint *why)
{
	return complain(why, "no memory");
}

/* Look for something that is not there. */
static void expect(const char *name, const char *reason)
{
	struct ram ram = {.read = no_memory};
	struct complaint why = {0};
	struct location at;
	struct layout l;

	assert_int_equal(layout_open(&l, path, &why), 0);
	assert_int_equal(layout_find(&l, &ram, name, &at, &why), -1);
	assert_non_null(strstr(why.text, reason));
	layout_close(&l);
}

#define VARIABLE(type) "\2v\0" type "\5\3\0\0\0\xc0" /* at 0xc0000000 */

/* A typedef of itself, and a struct that has itself as a member without a name. */
static void circle_of_types(void **state)
{
	make("\1f\0" VARIABLE("\x18") "\3\x18\0", 16);
	expect("v", "no variable v");
	make("\1f\0" VARIABLE("\x18") "\7\4" "\x8\x18\0\0", 19);
	expect("v.x", "it has no x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_end), cmocka_unit_test(circle_of_siblings),
		cmocka_unit_test(too_deep), cmocka_unit_test(circle_of_types),
	};

	snprintf(path, sizeof(path), "/tmp/gnomon-dwarfdamaged.%d", getpid());
	int failed = RUN(tests, NULL, NULL);

	unlink(path);
	return failed;
}
