/*
 * userland/profile/parts.c: the lines of a module come in the order of their files' names, and a
 * user's long names do not make that slow (P11)
 * Links: userland/profile/parts.c userland/profile/lines.c userland/profile/symtab.c
 * Links: userland/files/stream.c userland/command/memory.c
 */
#include "tests/test.h"
#include "userland/profile/parts.h"

#define NFILE 20
#define LONG 1000 /* characters that all names begin with */
#define NLINE 20000

static size_t compared; /* characters */

/* In the place of the C library's. */
int strcmp(const char *a, const char *b)
{
	for (compared++; *a && *a == *b; a++, b++)
		compared++;
	return (unsigned char)*a - (unsigned char)*b;
}

/* Each instruction is in another file than the one before; two files have the same name. */
static void order(void **state)
{
	static char name[NFILE][LONG + 2];
	static const char *file[NFILE];
	static struct lines_instruction in[NLINE];
	static uint64_t count[NLINE];
	const struct parts p = {
		.lines = {.in = in, .n = NLINE, .file = file, .nfiles = NFILE}, .count = count,
	};
	struct part *part;
	size_t n;

	for (size_t i = 0; i < NFILE; i++) {
		memset(name[i], 'a', LONG);
		name[i][LONG] = (char)('z' - (i ? i : 1));
		file[i] = name[i];
	}
	for (size_t i = 0; i < NLINE; i++) {
		in[i] = (struct lines_instruction){
			.pc = (uint32_t)i, .line = (uint32_t)(i / NFILE / 2),
			.file = (uint16_t)(i % NFILE),
		};
		count[i] = 1;
	}
	compared = 0;
	part = parts_lines(&p, &n);
	assert_in_range(compared, 1, NFILE * NFILE * LONG);
	assert_int_equal(n, 1 + (NFILE - 1) * (NLINE / NFILE / 2 - 1));
	assert_string_equal(part[0].name, "?");
	assert_int_equal(part[0].c.total, 2 * NFILE);
	for (size_t i = 1; i < n; i++) {
		assert_int_equal(part[i].line, 1 + (i - 1) % (NLINE / NFILE / 2 - 1));
		if (i > 1)
			assert_true(strcmp(part[i - 1].name, part[i].name) <= 0);
		assert_int_equal(part[i].c.total, part[i].name[LONG] == 'y' ? 4 : 2);
	}
	free(part);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(order)};

	return RUN(tests, NULL, NULL);
}
