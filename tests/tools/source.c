/* tools/code/source.c: files are told apart by their folder and name, also very many (H14). */
#include <sys/resource.h>
#include "tests/test.h"
#include "tools/code/source.h"

static void folders_and_names(void **state)
{
	struct sources s = {.dir = NULL};
	const char *none, *one, *two;

	none = source_file(&s, NULL, "no such/b.c")->path;
	one = source_file(&s, "no such", "b.c")->path;
	two = source_file(&s, "no such/b.c", "b.c")->path;
	assert_string_equal(none, "no such/b.c");
	assert_string_equal(one, "no such/b.c");
	assert_string_equal(two, "no such/b.c/b.c");
	assert_int_equal(s.n, 3);
	assert_ptr_equal(source_file(&s, "no such/b.c", "b.c")->path, two);
	assert_ptr_equal(source_file(&s, "no such", "b.c")->path, one);
	assert_ptr_equal(source_file(&s, NULL, "no such/b.c")->path, none);
	assert_int_equal(s.n, 3);
	sources_free(&s);
	assert_int_equal(source_lines(&s, NULL, "no such/b.c"), 0);
	sources_free(&s);
}

static void H14_very_many_files(void **state)
{
	struct sources s = {.dir = NULL};
	char name[32];
	size_t i;

	for (i = 0; i < 200000; i++) {
		snprintf(name, sizeof(name), "no such/%zu.c", i);
		assert_null(source_line(&s, "/no/such", name, 1));
	}
	assert_int_equal(s.n, 200000);
	sources_free(&s);
}

int main(void)
{
	const struct rlimit seconds = {20, 20};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_and_names),
		cmocka_unit_test(H14_very_many_files),
	};

	setrlimit(RLIMIT_CPU, &seconds); /* what takes far too long is ended */
	return RUN(tests, NULL, NULL);
}
