/*
 * userland/profile/symtab.c: the guest's programs read the symbols of files that anybody made,
 * whose names are printable, and short however many symbols share a long one (P3)
 * Links: userland/profile/symtab.c userland/files/stream.c userland/command/memory.c
 */
#include <unistd.h>
#include "tests/test.h"
#include "userland/profile/elf.h"
#include "userland/profile/symtab.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))
#define NSYMBOL 5000
#define LONG 200000 /* bytes of the one name */

/*
 * A file of three sections: symbols, and names, one of which begins at each byte of what is there,
 * and code.
 */
static struct file {
	struct elf32_head head;
	struct elf32_section section[4];
	struct elf32_symbol symbol[NSYMBOL];
	char names[LONG];
} file;

/* Make the file; every other address has two symbols. */
static void make(size_t nsymbol)
{
	file.head = (struct elf32_head){
		.ident = {.magic = ELF_MAGIC, .class = ELFCLASS32, .data = ELFDATA2LSB},
		.shoff = offsetof(struct file, section), .shentsize = sizeof(file.section[0]),
		.shnum = 4,
	};
	file.section[1] = (struct elf32_section){
		.type = SHT_SYMTAB, .offset = offsetof(struct file, symbol), .link = 2,
		.size = (uint32_t)(nsymbol * sizeof(file.symbol[0])),
		.entsize = sizeof(file.symbol[0]),
	};
	file.section[2] = (struct elf32_section){
		.offset = offsetof(struct file, names), .size = sizeof(file.names),
	};
	file.section[3] = (struct elf32_section){
		.flags = SHF_EXECINSTR, .addr = 0x100, .size = 0x100,
	};
	for (size_t i = 0; i < nsymbol; i++)
		file.symbol[i] = (struct elf32_symbol){
			.name = 1 + (uint32_t)i, .value = (uint32_t)(i / 3 * 2 + i % 3 / 2),
			.info = STT_FUNC, .shndx = 1,
		};
}

/* Store the file, and read it. */
static off_t more; /* zeros after the file */

static const char *load(struct symtab *s)
{
	FILE *f = tmpfile();
	const char *bad;
	char path[32];

	assert_non_null(f);
	assert_int_equal(fwrite(&file, sizeof(file), 1, f), 1);
	fflush(f);
	assert_int_equal(ftruncate(fileno(f), (off_t)sizeof(file) + more), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(f));
	bad = symtab_load(s, path);
	fclose(f);
	return bad;
}

static void shared(void **state)
{
	struct symtab s;
	size_t bytes = 0;

	make(NSYMBOL);
	memset(file.names + 1, 'a', sizeof(file.names) - 1); /* nothing ends it */
	assert_null(load(&s));
	for (size_t i = 0; i < s.n; i++)
		bytes += strlen(s.function[i].name);
	assert_in_range(s.n, NSYMBOL / 2, NSYMBOL);
	assert_in_range(bytes, 1, s.n * (SYMTAB_NAME - 1));
	symtab_free(&s);
}

static void shown(void **state)
{
	struct symtab s;

	make(1);
	memset(file.names, 0, sizeof(file.names));
	memcpy(file.names + 1, "a b\033[m\302\233\177\n~!", 12);
	assert_null(load(&s));
	assert_string_equal(s.function[0].name, "a?b?[m????~!");
	symtab_free(&s);
	memset(file.names + 1, 'b', SYMTAB_NAME - 1);
	assert_null(load(&s));
	assert_int_equal(strlen(s.function[0].name), SYMTAB_NAME - 1);
	symtab_free(&s);
	memset(file.names + 1, 'b', SYMTAB_NAME);
	assert_null(load(&s));
	assert_int_equal(strlen(s.function[0].name), SYMTAB_NAME - 1);
	symtab_free(&s);
}

/* A user's program may have as many as fit into a file: the owner profiles others beside it. */
static void too_many(void **state)
{
	struct symtab s;

	make(1);
	more = 2 << 20;
	file.section[1].size = (SYMTAB_MOST + 1) * sizeof(file.symbol[0]);
	assert_string_equal(load(&s), "it has too many symbols");
	assert_null(s.function);
	symtab_free(&s);
	file.section[1].size = SYMTAB_MOST * sizeof(file.symbol[0]);
	assert_null(load(&s));
	symtab_free(&s);
	more = 0;
}

/* A device is not read, and a large file does not take all memory. */
/* A file that is asked for again is not read again: a thousand modules may have it. */
static void kept(void **state)
{
	const struct symtab *s;
	FILE *f = tmpfile();
	char path[32];

	make(3);
	assert_non_null(f);
	assert_int_equal(fwrite(&file, sizeof(file), 1, f), 1);
	fflush(f);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(f));
	assert_null(symtab_keep(&s, path));
	assert_int_equal(s->n, 2);
	assert_int_equal(ftruncate(fileno(f), 0), 0);
	assert_null(symtab_keep(&s, path));
	assert_int_equal(s->n, 2);
	assert_string_equal(symtab_keep(&s, "/dev/null"), "not a file of at most 16 MB");
	assert_int_equal(s->n, 0);
	assert_string_equal(symtab_keep(&s, "/dev/null"), "not a file of at most 16 MB");
	assert_string_equal(symtab_keep(&s, path), "not a 32-bit ELF file");
	fclose(f);
}

static void other_files(void **state)
{
	FILE *f = tmpfile();
	struct symtab s;
	char path[32];

	assert_string_equal(symtab_load(&s, "/dev/null"), "not a file of at most 16 MB");
	assert_string_equal(symtab_load(&s, "/tmp"), "not a file of at most 16 MB");
	assert_null(s.image);
	assert_non_null(f);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(f));
	assert_int_equal(ftruncate(fileno(f), SYMTAB_FILE + 1), 0);
	assert_string_equal(symtab_load(&s, path), "not a file of at most 16 MB");
	assert_null(s.image);
	assert_int_equal(ftruncate(fileno(f), SYMTAB_FILE), 0);
	assert_string_equal(symtab_load(&s, path), "not a 32-bit ELF file");
	symtab_free(&s);
	fclose(f);
}

/* Of symbols of one address the name that is first by the alphabet is kept. */
static void same_address(void **state)
{
	struct symtab s;

	make(2);
	memset(file.names, 0, sizeof(file.names));
	memcpy(file.names, "\0ba", 3); /* they are called ba and a */
	assert_null(load(&s));
	assert_int_equal(s.n, 1);
	assert_string_equal(s.function[0].name, "a");
	symtab_free(&s);
}

/* Symbols without a type are functions where there is code, unless they stand in one. */
static void labels(void **state)
{
	static const struct {
		uint32_t at, size, type, section;
		const char *name;
	} put[] = {
		{0x100, 0, STT_NOTYPE, 3, "aaaa"}, {0x100, 16, STT_FUNC, 3, "func"},
		{0x108, 0, STT_NOTYPE, 3, "loop"}, {0x110, 0, STT_NOTYPE, 3, "next"},
		{0x118, 0, STT_NOTYPE, 3, "ne.t"}, {0x120, 0, STT_NOTYPE, 1, "data"},
		{0x128, 4, STT_OBJECT, 3, "vars"}, {0x130, 0, STT_FUNC, 3, "open"},
		{0x140, 0, STT_NOTYPE, 3, "again"}, {0x200, 0, STT_NOTYPE, 3, "over"},
	};
	struct symtab s;

	make(nelem(put));
	for (size_t i = 0; i < nelem(put); i++) {
		file.symbol[i] = (struct elf32_symbol){
			.name = (uint32_t)(8 * i), .value = put[i].at, .size = put[i].size,
			.info = (uint8_t)(put[i].type),
			.shndx = (uint16_t)put[i].section,
		};
		snprintf(file.names + 8 * i, 8, "%s", put[i].name);
	}
	assert_null(load(&s));
	assert_int_equal(s.n, 3);
	assert_string_equal(s.function[0].name, "func");
	assert_string_equal(s.function[1].name, "next");
	assert_string_equal(s.function[2].name, "open");
	symtab_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared), cmocka_unit_test(shown),
		cmocka_unit_test(too_many),
		cmocka_unit_test(kept), cmocka_unit_test(other_files),
		cmocka_unit_test(same_address), cmocka_unit_test(labels),
	};

	return RUN(tests, NULL, NULL);
}
