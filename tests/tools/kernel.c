/*
 * tools/record/kernel.c: the first bytes of functions, by which the plugin of gnomon-record(1)
 * finds a kernel that was moved (R9); and files whose segments are not where they claim to be.
 */
#include <elf.h>
#include <unistd.h>
#include "tests/test.h"
#include "tools/record/kernel.h"

#define AT 0xffffffff81000000u
#define NCODE 64

/* A kernel with a segment, its code, and the two functions that cover that. */
struct file {
	Elf64_Ehdr head;
	Elf64_Phdr segment;
	unsigned char code[NCODE];
	Elf64_Sym symbol[3];
	char string[16];
	Elf64_Shdr section[3];
};

static void setup(struct file *f)
{
	size_t i;

	*f = (struct file){
		.head = {
			.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_phoff = offsetof(struct file, segment),
			.e_shoff = offsetof(struct file, section),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
			.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3,
		},
		.segment = {
			.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = AT,
			.p_offset = offsetof(struct file, code),
			.p_filesz = NCODE, .p_memsz = NCODE,
		},
		.symbol = {
			{.st_name = 0},
			{1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_ABS, AT, 32},
			{3, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_ABS, AT + 32, 32},
		},
		.string = "\0a\0b",
		.section = {
			{.sh_type = SHT_NULL},
			{
				.sh_type = SHT_SYMTAB, .sh_link = 2, .sh_info = 1,
				.sh_offset = offsetof(struct file, symbol),
				.sh_size = sizeof(f->symbol), .sh_entsize = sizeof(Elf64_Sym),
			},
			{
				.sh_type = SHT_STRTAB,
				.sh_offset = offsetof(struct file, string),
				.sh_size = sizeof(f->string),
			},
		},
	};
	for (i = 0; i < NCODE; i++)
		f->code[i] = i;
}

/* H14: the symbols are gone through for each segment, so these have a bound. */
static void too_many_segments(void **state)
{
	static struct {
		struct file f;
		Elf64_Phdr more[1001];
	} all;
	char path[] = "/tmp/test-kernel-XXXXXX";
	struct complaint why;
	struct kernel k;
	int fd = mkstemp(path);

	setup(&all.f);
	all.f.head.e_phoff = sizeof(all.f);
	all.f.head.e_phnum = 1001;
	assert_int_equal(write(fd, &all, sizeof(all)), sizeof(all));
	close(fd);
	assert_int_equal(kernel_read(&k, path, &why), -1);
	assert_non_null(strstr(why.text, "more than 1000 segments"));
	unlink(path);
}

/* Compare what is printed of the code of a kernel in such a file. */
static void expect(const struct file *f, const char *lines)
{
	char path[] = "/tmp/test-kernel-XXXXXX", *text = NULL;
	struct complaint why;
	struct kernel k;
	size_t n = 0;
	int fd = mkstemp(path);
	FILE *to = open_memstream(&text, &n);

	assert_int_equal(write(fd, f, sizeof(*f)), sizeof(*f));
	close(fd);
	assert_int_equal(kernel_read(&k, path, &why), 0);
	assert_int_equal(kernel_print_code(&k, to, &why), 0);
	fclose(to);
	assert_string_equal(text, lines);
	free(text);
	free(k.path);
	unlink(path);
}

#define A "code ffffffff81000000 000102030405060708090a0b0c0d0e0f\n"
#define B "code ffffffff81000020 202122232425262728292a2b2c2d2e2f\n"

/* R9: 16 bytes of each function, if the segment has as many. */
static void first_bytes(void **state)
{
	struct file f;

	setup(&f);
	expect(&f, A B);
	f.segment.p_filesz = 48;
	expect(&f, A B);
	f.segment.p_filesz = 47;
	expect(&f, A);
	f.segment.p_filesz = 15;
	expect(&f, "");
}

/* R9: what lies just before a segment, or beyond the end of the file, is no code of it. */
static void outside(void **state)
{
	static const struct {
		uint64_t at, offset, n; /* of the segment */
		const char *lines;
	} cases[] = {
		{AT + 1, offsetof(struct file, code), NCODE,
		 "code ffffffff81000020 1f202122232425262728292a2b2c2d2e\n"},
		{AT, sizeof(struct file) - 15, NCODE, ""},
		{AT, UINT64_MAX - 999, 1100, ""},
	};
	struct file f;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(&f);
		f.segment.p_vaddr = cases[i].at;
		f.segment.p_offset = cases[i].offset;
		f.segment.p_filesz = cases[i].n;
		expect(&f, cases[i].lines);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_segments), cmocka_unit_test(first_bytes),
		cmocka_unit_test(outside),
	};

	return RUN(tests, NULL, NULL);
}
