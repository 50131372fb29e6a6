/* tools/profile/programs.c: which programs FILE.run tells of, as it is written and read. */
#include <unistd.h>
#include "tests/test.h"
#include "tools/memory.h"
#include "tools/profile/programs.h"

#define ID "0123456789abcdef0123456789abcdef01234567"

/* What is written beside a profile; the caller frees it. */
static char *written(struct programs *p, const char *profile)
{
	struct memory_stream to;

	memory_stream_open(&to);
	programs_print(p, (const uint8_t *)profile, strlen(profile), to.f);
	memory_stream_close(&to);
	return to.data;
}

/* Read a text as that of FILE.run. */
static struct programs read_text(const char *text)
{
	char path[] = "/tmp/gnomon-programs.XXXXXX.run";
	struct programs p = {.n = 0};
	int fd = mkstemps(path, 4);
	char *file = memory_string(path, strlen(path) - 4);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	programs_beside(&p, file);
	unlink(path);
	free(file);
	return p;
}

/* Those that a profile names stand beside it, with paths of any characters. */
static void both_ways(void **state)
{
	static const char path[] = "/tmp/a b%20\n\xff=";
	struct programs p = {.n = 0}, again;
	char *text;

	programs_add(&p, "/bin/sh", "12", NULL);
	programs_add(&p, path, ID, "/mnt/my own");
	programs_add(&p, "/bin/sort", ID, NULL);
	text = written(&p, "sh;[user] 1\n/a b%20\n\xff= 1\n");
	assert_string_equal(text, "program=/bin/sh id=12\n"
			    "program=/tmp/a%20b%2520%0A%FF= id=" ID " file=/mnt/my%20own\n");
	assert_true(p.program[0].named && p.program[1].named && !p.program[2].named);
	again = read_text(text);
	assert_int_equal(again.n, 2);
	assert_string_equal(again.program[1].path, path);
	assert_string_equal(again.program[1].id, ID);
	assert_string_equal(again.program[1].file, "/mnt/my own");
	assert_null(again.program[0].file);
	free(text);
	programs_free(&p);
	programs_free(&again);
}

/* A name counts only by itself. */
static void names(void **state)
{
	static const struct { const char *profile; bool there; } row[] = {
		{"sh", true}, {"a sh", true}, {"sh;x", true}, {"/bin/sh\n", true}, {"mesh", false},
		{"she", false}, {"a-sh sh.x", false}, {"", false}, {"s", false}, {"mesh sh", true},
	};
	struct programs p = {.n = 0};
	char *text;
	size_t i;

	programs_add(&p, "/bin/sh", "12", NULL);
	programs_add(&p, "/", "12", NULL);
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		text = written(&p, row[i].profile);
		assert_int_equal(*text != 0, row[i].there);
		free(text);
	}
	programs_free(&p);
}

/* A program takes the place of another one of its path; of several of one name the last counts. */
static void replacing(void **state)
{
	struct programs p = read_text("program=/bin/a id=1\nprogram=/bin/b id=2\n"
				      "program=/tmp/a id=3\nprogram=/bin/b id=4\n");

	assert_int_equal(p.n, 3);
	assert_string_equal(programs_find(&p, "a", "")->id, "3");
	assert_string_equal(programs_find(&p, "b", "")->id, "4");
	assert_null(programs_find(&p, "bin", ""));
	assert_string_equal(programs_find(&p, "a", "1")->path, "/bin/a");
	assert_null(programs_find(&p, "b", "2"));
	programs_free(&p);
}

/*
 * H14: a file that somebody made may have as many programs, of as long paths, as are read, and a
 * profile many names: they are not multiplied.
 */
static void many(void **state)
{
	struct programs p = {.n = 0};
	char path[4000], name[16];
	int i;

	alarm(60);
	memset(path, 'x', sizeof(path));
	for (i = 0; i < 4096; i++) {
		snprintf(path + sizeof(path) - 32, 32, "%06d/q%d", i, i);
		path[0] = '/';
		programs_append(&p, path, "12", NULL);
	}
	for (i = 0; i < 600000; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		assert_null(programs_find(&p, name, ""));
	}
	assert_ptr_equal(programs_find(&p, "q4095", "12"), &p.program[4095]);
	programs_add(&p, path, "13", NULL);
	assert_null(programs_find(&p, "q4095", "12"));
	assert_string_equal(programs_find(&p, "q4095", "13")->path, path);
	programs_free(&p);
	alarm(0);
}

/* H14: of a file only so many lines are read, also if they are of one program. */
static void repeated(void **state)
{
	struct memory_stream text;
	struct programs p;
	int i;

	memory_stream_open(&text);
	for (i = 0; i < 5000; i++)
		fprintf(text.f, "program=/a%d id=%x\n", i / 2, i);
	memory_stream_close(&text);
	p = read_text(text.data);
	assert_int_equal(p.n, 2048);
	assert_string_equal(p.program[2047].id, "fff");
	programs_free(&p);
	free(text.data);
}

/* Lines that make no sense are passed over, and so is what else a line has. */
static void nonsense(void **state)
{
	struct programs p = read_text("build=" ID "\nprogram=/a\nprogram=/a id=\nprogram=/a id=XY\n"
				      "program= id=12\nx program=/a id=12\n"
				      "program=/b% more id=12 file=relative cpu=1\n"
				      "profiler=any clock=pit\nprogram=/c%4 id=ab");

	assert_int_equal(p.n, 2);
	assert_string_equal(p.program[0].path, "/b%");
	assert_null(p.program[0].file);
	assert_string_equal(p.program[1].path, "/c%4");
	programs_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways), cmocka_unit_test(names), cmocka_unit_test(replacing),
		cmocka_unit_test(many), cmocka_unit_test(repeated), cmocka_unit_test(nonsense),
	};

	return RUN(tests, NULL, NULL);
}
