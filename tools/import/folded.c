/*
 * Folded stacks, as stackcollapse-*.pl and others print them: "process;function;function 12", a
 * path and a count on each line, the outermost step first.
 */
#include <string.h>
#include "tools/import/import.h"
#include "tools/profile/textline.h"

/* Take a step. stackcollapse-perf.pl --kernel marks those of the kernel. */
static void take_step(struct import *im, const char *at, size_t n, bool second)
{
	bool kernel = false;

	if (n > 4)
		kernel = memcmp(at + n - 4, "_[k]", 4) == 0;
	if (second && import_mode(im, at, n))
		return;
	if (kernel)
		n -= 4;
	import_step(im, import_name(im, at, n), kernel);
}

/* Take the path in [at, end), all but its first step, and count it. */
static int take_path(struct import *im, const char *at, const char *end, uint64_t count,
		     struct complaint *why)
{
	const char *process = at, *step;
	size_t n;

	at = memchr(at, ';', (size_t)(end - at));
	if (!at)
		at = end;
	n = (size_t)(at - process);
	import_begin(im, import_program(im, process, n));
	for (step = at; step < end; step = at) {
		at = memchr(step + 1, ';', (size_t)(end - step - 1));
		if (!at)
			at = end;
		take_step(im, step + 1, (size_t)(at - step - 1), step == process + n);
	}
	return import_count(im, count, why);
}

static int take_line(struct import *im, const struct textline *t, struct complaint *why)
{
	const char *blank = memrchr(t->line, ' ', t->n), *at, *end = t->line + t->n;
	uint64_t count;

	if (import_skips(t->line, t->n))
		return 0;
	if (!blank)
		return textline_expected(t, "a path, a blank and a count", why);
	at = blank + 1;
	if (!textline_number(&at, end, 10, UINT64_MAX, &count))
		return textline_expected(t, "a path, a blank and a count", why);
	if (at < end)
		return textline_expected(t, "a path, a blank and a count", why);
	if (count == 0)
		return 0;
	return take_path(im, t->line, blank, count, why);
}

int import_folded(struct import *im, const char *text, size_t n, struct complaint *why)
{
	struct textline t;

	textline_init(&t, text, n);
	while (textline_next(&t))
		if (take_line(im, &t, why) < 0)
			return -1;
	return 0;
}
