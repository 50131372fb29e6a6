/* Bounds of a window that are marks, or near some: see windowmark.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/windowmark.h"

/* Complain that a bound is neither a time nor a mark of the recording, of which name a few. */
static int no_mark(const char *option, const struct window_bound *b, const struct profdata *p,
		   uint64_t first, struct complaint *why)
{
	char known[100] = "it has no marks";
	const char *later = "";
	size_t i, n = 0;

	if (first > 0)
		later = " after the beginning";
	for (i = 0; i < p->nmark && n < sizeof(known); i++)
		n += snprintf(known + n, sizeof(known) - n, "%s%s", i ? ", " : "its marks are ",
			      p->mark[i].text);
	return complain(why,
			"--%s %s: neither a time, such as 5012345, 5012.345ms or 5.012345s, "
			"nor a mark, nor such as MARK-5ms%s; %s",
			option, b->text, later, known);
}

/*
 * Take a time before or after a mark, such as ready-5ms: the length of the mark's text, and by how
 * much, in the unit of the file's times. Return false if that is none: instructions have no units.
 */
static bool take_offset(const char *text, const struct profdata *p, size_t *n, int64_t *by)
{
	struct window_bound offset = {.text = text};
	const char *sign = NULL, *at;

	for (at = text; (at = strpbrk(at, "+-")) != NULL; at++)
		sign = at;
	if (!sign)
		return false;
	if (p->unit == PROFDATA_EXECUTED)
		return false;
	if (!window_take_time(sign + 1, &offset))
		return false;
	window_bind(&offset, p);
	*n = (size_t)(sign - text);
	*by = (int64_t)offset.value;
	if (*sign == '-')
		*by = -*by;
	return true;
}

/* Return a moment that is so much later; 0 for what would be before the machine's start. */
static uint64_t later_by(uint64_t time, int64_t by)
{
	if (by >= 0)
		return time + (uint64_t)by;
	return time > (uint64_t)-by ? time - (uint64_t)-by : 0;
}

/*
 * Find the first mark whose text is those n characters and whose time, so much later, is not before
 * `first`.
 */
static bool find_text(const struct profdata *p, const char *text, size_t n, int64_t by,
		      uint64_t first, uint64_t *value)
{
	size_t i;

	for (i = 0; i < p->nmark; i++) {
		*value = later_by(p->mark[i].us, by);
		if (*value < first)
			continue;
		if (strlen(p->mark[i].text) != n)
			continue;
		if (strncmp(p->mark[i].text, text, n) == 0)
			return true;
	}
	return false;
}

/* Note that several marks have the text that was found first, and how to choose another. */
static void note_several(const char *option, const struct window_bound *b, struct profdata *p,
			 size_t n)
{
	char time[32], *note;
	const char *before = "", *between = "";
	size_t i, marks = 0;

	for (i = 0; i < p->nmark; i++)
		if (strlen(p->mark[i].text) == n && strncmp(p->mark[i].text, b->text, n) == 0)
			marks++;
	if (marks < 2)
		return;
	if (p->ambiguous) {
		before = p->ambiguous;
		between = "; ";
	}
	window_moment(p, (double)b->value, time, sizeof(time));
	note = memory_format("%s%s--%s %s is %s, by the first that fits of %zu marks `%.*s'; for "
			     "another, give its time, which --timeline shows",
			     before, between, option, b->text, time, marks, (int)n, b->text);
	free(p->ambiguous);
	p->ambiguous = note;
}

int windowmark_find(const char *option, struct window_bound *b, struct profdata *p,
		    uint64_t first, struct complaint *why)
{
	int64_t by = 0;
	size_t n;

	if (!b->is_mark)
		return 0;
	n = strlen(b->text);
	if (find_text(p, b->text, n, 0, first, &b->value)) {
		note_several(option, b, p, n);
		return 0;
	}
	if (!take_offset(b->text, p, &n, &by))
		return no_mark(option, b, p, first, why);
	if (n == 0 && strcmp(option, "to") == 0) {
		b->value = later_by(first ? first - 1 : 0, by);
		return 0;
	}
	if (find_text(p, b->text, n, by, first, &b->value)) {
		note_several(option, b, p, n);
		return 0;
	}
	return no_mark(option, b, p, first, why);
}
