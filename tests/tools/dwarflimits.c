/*
 * Small files whose debugging information would take very much time or memory (H14):
 * tools/code/dwarfdata.c and tools/code/lines.c. DWARF 4, section 7.5, has its form.
 */
#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include "tests/test.h"
#include "tools/code/lines.h"
#include "userland/formats/le.h"

static char path[64];

/* A section; several may have the same bytes, which are in the file once. */
struct section {
	const char *name;
	const void *bytes;
	size_t n;
	unsigned flags;
};

/* Write a section's bytes, unless they are those of the one before. Return where they are. */
static uint32_t write_bytes(FILE *f, const struct section *s, const struct section *before,
			    uint32_t at)
{
	if (before && before->bytes == s->bytes)
		return at;
	at = (uint32_t)ftell(f);
	fwrite(s->bytes, 1, s->n, f);
	return at;
}

/* Make an ELF file of these sections; the last one is that of names, which it gets here. */
static void write_elf(struct section *s, size_t n)
{
	Elf32_Shdr *head = calloc(n + 1, sizeof(*head));
	Elf32_Ehdr elf = {
		.e_ident = "\177ELF\1\1\1", .e_type = ET_EXEC, .e_machine = EM_386,
		.e_version = 1, .e_ehsize = sizeof(elf), .e_shentsize = sizeof(*head),
		.e_shnum = (Elf32_Half)(n + 1), .e_shstrndx = (Elf32_Half)n,
	};
	static char names[65536];
	size_t i, used = 1;
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fwrite(&elf, sizeof(elf), 1, f);
	for (i = 0; i < n; i++) {
		head[i + 1] = (Elf32_Shdr){.sh_name = (Elf32_Word)used, .sh_type = SHT_PROGBITS};
		used += (size_t)sprintf(names + used, "%s", s[i].name) + 1;
	}
	s[n - 1].bytes = names;
	s[n - 1].n = used;
	for (i = 0; i < n; i++) {
		head[i + 1].sh_flags = s[i].flags;
		head[i + 1].sh_size = (Elf32_Word)s[i].n;
		head[i + 1].sh_offset = write_bytes(f, &s[i], i ? &s[i - 1] : NULL,
						    head[i].sh_offset);
	}
	head[n].sh_type = SHT_STRTAB;
	elf.e_shoff = (Elf32_Off)ftell(f);
	fwrite(head, sizeof(*head), n + 1, f);
	rewind(f);
	fwrite(&elf, sizeof(elf), 1, f);
	fclose(f);
	free(head);
}

static Elf *elf;
static int fd;

/* Open the file. */
static void open_elf(void)
{
	fd = open(path, O_RDONLY);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	assert_non_null(elf);
}

static void close_elf(void)
{
	elf_end(elf);
	close(fd);
}

/* Return whether the data of a file with these sections are read, and how many bytes they have. */
static bool is_read(struct section *s, size_t n, size_t *bytes)
{
	struct dwarfdata d;
	bool read;

	write_elf(s, n);
	open_elf();
	dwarfdata_open(&d, elf, fd);
	read = d.dwarf;
	*bytes = d.bytes;
	dwarfdata_close(&d);
	close_elf();
	return read;
}

/* Very many sections at one place of the file. */
static void H14_sections_in_each_other(void **state)
{
	static uint8_t zeros[1000000];
	static struct section s[102];
	size_t i, n;

	for (i = 0; i < 100; i++)
		s[i] = (struct section){".debug_x", zeros, sizeof(zeros), 0};
	s[0].name = ".debug_info";
	s[100].name = ".shstrtab";
	s[101].name = ".shstrtab";
	assert_false(is_read(s, 101, &n));
	/* Some of them are not too much, but others do not count by them. */
	s[10].name = ".shstrtab";
	assert_true(is_read(s, 11, &n));
	assert_in_range(n, 4000000, 6000000);
}

/* Sections that are packed, each not too well. */
static void H14_sections_packed_often(void **state)
{
	static const Elf32_Chdr packed = {ELFCOMPRESS_ZLIB, 3 << 20, 1};
	static const uint8_t gnu[12] = "ZLIB\0\0\0\0\0\x30\0";
	static uint8_t zero;
	struct section s[4] = {
		{".debug_info", &zero, 1, 0},
		{".debug_x", &packed, sizeof(packed), SHF_COMPRESSED},
		{".debug_y", &packed, sizeof(packed), SHF_COMPRESSED},
	};
	size_t n;

	s[3].name = ".shstrtab";
	assert_false(is_read(s, 4, &n));
	s[2].name = ".other";
	assert_true(is_read(s, 4, &n));
	s[1] = (struct section){".zdebug_x", gnu, sizeof(gnu), 0};
	s[2] = (struct section){".zdebug_y", gnu, sizeof(gnu), 0};
	assert_false(is_read(s, 4, &n));
	s[2].name = ".other";
	assert_true(is_read(s, 4, &n));
}

/* To read the names of sections would unpack them. */
static void H14_names_are_not_packed(void **state)
{
	static uint8_t zero;
	struct section s[2] = {{".debug_info", &zero, 1, 0}, {.name = ".shstrtab"}};
	size_t n;

	assert_true(is_read(s, 2, &n));
	s[1].flags = SHF_COMPRESSED;
	assert_false(is_read(s, 2, &n));
}

static uint8_t info[9600000], ranges[4000000];
static size_t ninfo, nranges;

/* Begin the entries of a unit of DWARF 4, the first of which has number 1 and no attributes. */
static void begin_unit(void)
{
	memcpy(info, "\0\0\0\0\4\0\0\0\0\0\4\1", 12);
	ninfo = 12;
}

/* Add entries of one byte each. */
static void add_entries(uint8_t number, size_t n)
{
	memset(info + ninfo, number, n);
	ninfo += n;
}

/* Return the lines of a file with this unit, these abbreviations, and the ranges. */
static struct lines *load(const uint8_t *abbreviations, size_t n)
{
	struct section s[4] = {
		{".debug_info", info, ninfo, 0},
		{".debug_abbrev", abbreviations, n, 0},
		{info[4] < 5 ? ".debug_ranges" : ".debug_rnglists", ranges, nranges, 0},
	};

	s[3].name = ".shstrtab";
	le_put32(info, (uint32_t)ninfo - 4);
	write_elf(s, 4);
	open_elf();
	return lines_load(elf, fd);
}

static void unload(struct lines *l)
{
	lines_free(l);
	close_elf();
}

/* What is below each of many blocks in each other is walked once, whether they end or not. */
static void H14_blocks_in_each_other(void **state)
{
	static const uint8_t abbreviations[] = {
		1, DW_TAG_compile_unit, 1, 0, 0,
		2, DW_TAG_lexical_block, 1, 0, 0,
		3, DW_TAG_lexical_block, 0, 0, 0,
		4, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
		   DW_AT_high_pc, DW_FORM_data1, 0, 0,
		0,
	};
	struct lines *l;
	unsigned end;

	for (end = 0; end < 2; end++) {
		begin_unit();
		add_entries(2, 300);
		add_entries(3, 9000000);
		if (end) {
			add_entries(0, 300);
			memcpy(info + ninfo, "\4f\0\0\0\0\0\x10", 9); /* is found behind them */
			ninfo += 9;
		}
		l = load(abbreviations, sizeof(abbreviations));
		assert_int_equal(l->nscope, end);
		unload(l);
	}
}

/* Return whether a file is read whose entries have so many attributes, with and without bytes. */
static bool has_sound(size_t some, size_t bare)
{
	static const uint8_t unit[] = {1, DW_TAG_compile_unit, 1, 0, 0, 2, DW_TAG_subprogram, 0};
	static uint8_t abbreviations[210000];
	size_t n = sizeof(unit), i;
	struct lines *l;
	bool sound;

	memcpy(abbreviations, unit, n);
	for (i = 0; i < some + bare; i++) {
		abbreviations[n++] = DW_AT_external;
		abbreviations[n++] = i < some ? DW_FORM_flag : DW_FORM_flag_present;
	}
	memset(abbreviations + n, 0, 3);
	begin_unit();
	add_entries(2, 1000000);
	l = load(abbreviations, n + 3);
	sound = l->data.dwarf;
	unload(l);
	return sound;
}

static void H14_attributes_have_a_limit(void **state)
{
	assert_true(has_sound(96, 32));
	assert_false(has_sound(97, 32));
	assert_false(has_sound(0, 33));
	assert_false(has_sound(0, 100000));
}

/* Very many functions have their name of one that is reached past others with many attributes. */
static void H14_names_of_others(void **state)
{
	static const uint8_t unit[] = {
		1, DW_TAG_compile_unit, 1, 0, 0,
		2, DW_TAG_inlined_subroutine, 0, DW_AT_abstract_origin, DW_FORM_ref1, 0, 0,
		3, DW_TAG_variable, 0,
	};
	static const uint8_t last[] = {DW_AT_specification, DW_FORM_ref1, 0, 0, 0};
	uint8_t abbreviations[300];
	size_t n = sizeof(unit), i;

	memcpy(abbreviations, unit, n);
	for (i = 0; i < 120; i++) {
		abbreviations[n++] = DW_AT_external;
		abbreviations[n++] = DW_FORM_flag;
	}
	for (i = 0; i < 32; i++)
		abbreviations[n - 1 - 2 * i] = DW_FORM_flag_present;
	memcpy(abbreviations + n, last, sizeof(last));
	begin_unit();
	for (i = 0; i < 2; i++) { /* each has 88 bytes, and refers to the other */
		add_entries(3, 1);
		add_entries(0, 88);
		add_entries(i ? 12 : 102, 1);
	}
	for (i = 0; i < 4000000; i++) {
		info[ninfo++] = 2;
		info[ninfo++] = 12;
	}
	unload(load(abbreviations, n + sizeof(last)));
}

/* Add functions f, each with the list of ranges that begins there. */
static void add_functions(size_t n, uint32_t list)
{
	for (; n > 0; n--) {
		memcpy(info + ninfo, "\2f\0", 3);
		le_put32(info + ninfo + 3, list);
		ninfo += 7;
	}
}

/* Functions with names and lists. */
static const uint8_t with_lists[] = {
	1, DW_TAG_compile_unit, 1, 0, 0,
	2, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, DW_AT_ranges, DW_FORM_sec_offset, 0, 0,
	0,
};

/* Very many functions have one list, of ranges that are empty; and one before has its own. */
static void H14_lists_of_nothing(void **state)
{
	struct lines *l;

	memset(ranges, 1, sizeof(ranges)); /* from 0x01010101 up to there */
	memcpy(ranges, "\0\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0", 16);
	memset(ranges + sizeof(ranges) - 8, 0, 8);
	nranges = sizeof(ranges);
	begin_unit();
	add_functions(1, 0);
	add_functions(300000, 16);
	add_functions(1, 0);
	l = load(with_lists, sizeof(with_lists));
	assert_int_equal(l->nscope, 1);
	assert_int_equal(l->scope[0].hi, 0x10);
	unload(l);

	/* In DWARF 5 each range tells its kind: 4, offsets from and up to 1; a list ends with 0. */
	memset(ranges, 1, 3000000);
	for (nranges = 16; nranges < 3000000; nranges += 3)
		ranges[nranges] = 4;
	le_put32(ranges, (uint32_t)nranges - 4);
	memcpy(ranges + 4, "\5\0\4\0\0\0\0\0\4\0\x20\0", 12);
	begin_unit();
	memcpy(info + 4, "\5\0\1\4\0\0\0\0", 8);
	add_entries(1, 1);
	add_functions(1, 12);
	add_functions(300000, 16);
	l = load(with_lists, sizeof(with_lists));
	assert_int_equal(l->nscope, 1);
	assert_int_equal(l->scope[0].hi, 0x20);
	unload(l);
	nranges = 0;
}

/* Ranges in each other: at the end of each, all that are in it are over. */
static void H14_ranges_in_each_other(void **state)
{
	const uint32_t n = 400000, middle = 0x1000000;
	struct lines *l;
	uint32_t i;

	for (i = 0; i < n; i++) {
		le_put32(ranges + 8 * i, middle - n + i);
		le_put32(ranges + 8 * i + 4, middle + n - i);
	}
	memset(ranges + 8 * n, 0, 8);
	nranges = 8 * n + 8;
	begin_unit();
	add_functions(1, 0);
	l = load(with_lists, sizeof(with_lists));
	assert_int_equal(l->nscope, n);
	for (i = 0; i < n; i++)
		assert_int_equal(lines_scope(l, middle + n - 1 - i) - l->scope, i);
	assert_null(lines_scope(l, middle - n - 1));
	assert_null(lines_scope(l, middle + n));
	unload(l);
	nranges = 0;
}

/* All units have the same abbreviations, which each would read. */
static void H14_units_share_abbreviations(void **state)
{
	static uint8_t abbreviations[50000];
	struct section s[3] = {
		{".debug_info", info, 0, 0},
		{".debug_abbrev", abbreviations, sizeof(abbreviations), 0},
	};
	size_t i, n;

	for (i = 0; i + 5 < sizeof(abbreviations); i += 5)
		memcpy(abbreviations + i, "\2\x2e\0\0", 5);
	for (i = 0; i < 500; i++)
		memcpy(info + 12 * i, "\x8\0\0\0\4\0\0\0\0\0\4\2", 12);
	s[2].name = ".shstrtab";
	s[0].n = 12 * 300;
	assert_true(is_read(s, 3, &n));
	s[0].n = 12 * 500;
	assert_false(is_read(s, 3, &n));
}

/* Which of two libdw takes, it alone knows. */
static void H14_sections_of_one_name(void **state)
{
	static const uint8_t one[] = {1}, two[] = {0};
	struct section s[4] = {
		{".debug_info", one, 1, 0}, {".debug_line", one, 1, 0}, {".other", two, 1, 0},
	};
	size_t n;

	s[3].name = ".shstrtab";
	assert_true(is_read(s, 4, &n));
	s[2].name = ".debug_line";
	assert_false(is_read(s, 4, &n));
	/* These it takes if there are no others. */
	s[0].name = s[2].name = ".gnu.debuglto_.debug_info";
	assert_false(is_read(s, 4, &n));
}

int main(void)
{
	const struct rlimit seconds = {20, 20};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(H14_sections_in_each_other),
		cmocka_unit_test(H14_sections_packed_often),
		cmocka_unit_test(H14_names_are_not_packed),
		cmocka_unit_test(H14_blocks_in_each_other),
		cmocka_unit_test(H14_attributes_have_a_limit),
		cmocka_unit_test(H14_names_of_others),
		cmocka_unit_test(H14_lists_of_nothing),
		cmocka_unit_test(H14_ranges_in_each_other),
		cmocka_unit_test(H14_units_share_abbreviations),
		cmocka_unit_test(H14_sections_of_one_name),
	};

	setrlimit(RLIMIT_CPU, &seconds); /* what takes far too long is ended */
	snprintf(path, sizeof(path), "/tmp/gnomon-dwarflimits.%d", getpid());
	int failed = RUN(tests, NULL, NULL);

	unlink(path);
	return failed;
}
