/*
 * What a tick interrupts and a process waits for, enum prof_cause: each list of it has all.
 */
#include "tests/test.h"
#include "prof/prof_cause.h"
#include "tools/profile/profdata.h"

/* Return the text of a file of the tree. */
static const char *contents(const char *path)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	return text;
}

static bool has(const char *text, const char *before, enum prof_cause what, const char *after)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "%s%s%s", before, prof_cause_step[what], after);
	return strstr(text, wanted);
}

/* H10: each has a step, in brackets, which no other has. */
static void H10_each_has_a_step(void **)
{
	unsigned i, j;

	for (i = 0; i < PROF_NCAUSE; i++) {
		const char *step = prof_cause_step[i];

		assert_non_null(step);
		assert_true(step[0] == '[' && step[strlen(step) - 1] == ']');
		for (j = 0; j < i; j++)
			assert_string_not_equal(step, prof_cause_step[j]);
	}
}

/* H10: the host reads each step, and takes those for waits that are. */
static void H10_the_host_reads_each(void **)
{
	unsigned waits = 0, i, j;

	for (i = 0; i < PROF_NCAUSE; i++) {
		for (j = 0; j < PROFDATA_NMODES; j++)
			if (strcmp(prof_cause_step[i], profdata_mode_step[j]) == 0)
				break;
		assert_true(j < PROFDATA_NMODES);
		assert_int_equal(PROFDATA_WAITING >> j & 1, prof_cause_waits((enum prof_cause)i));
		waits += PROFDATA_WAITING >> j & 1;
	}
	assert_int_equal(waits, __builtin_popcount(PROFDATA_WAITING));
}

/* H10: the pages of the formats explain each, and nothing else. */
static void H10_the_pages_explain_each(void **)
{
	const char *page, *at;
	unsigned i, items = 0;

	page = contents("docs/man/5/kpwait.5");
	for (i = PROF_DEVICE; i < PROF_NCAUSE; i++)
		assert_true(has(page, "\n.It Li ", (enum prof_cause)i, "\n"));
	for (at = page; (at = strstr(at, "\n.It Li [")) != NULL; at++)
		items++;
	assert_int_equal(items, PROF_NCAUSE - PROF_DEVICE);
	page = contents("docs/man/5/kpstack.5");
	for (i = 0; i < PROF_IN_USE; i++)
		assert_true(has(page, "\n.Li ", (enum prof_cause)i, ""));
	page = contents("docs/man/5/kpmem.5");
	for (i = PROF_IN_USE; i < PROF_DEVICE; i++)
		assert_true(has(page, "\n.It Li ", (enum prof_cause)i, "\n"));
}

/* H10: the page of the report has a colour for each cause of waits. */
static void H10_each_cause_has_a_colour(void **)
{
	const char *page = contents("tools/report/page/page.js");

	for (unsigned i = PROF_DEVICE; i < PROF_NCAUSE; i++)
		assert_true(has(page, "\"", (enum prof_cause)i, "\": "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(H10_each_has_a_step),
		cmocka_unit_test(H10_the_host_reads_each),
		cmocka_unit_test(H10_the_pages_explain_each),
		cmocka_unit_test(H10_each_cause_has_a_colour),
	};

	return RUN(tests, NULL, NULL);
}
