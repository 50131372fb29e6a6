/* A part of a time line: see window.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/profile/reach.h"
#include "tools/profile/window.h"
#include "tools/profile/windowmark.h"

const char window_empty[] =
	"no records: they are made after 'echo stacks on', 'echo trace 10000' and 'echo start', "
	"each with >/dev/kpctl";

/* Return whether it is a kernel's time line without records. */
static bool is_empty(const struct profdata *p)
{
	if (p->nrecord > 0 || p->unit != PROFDATA_TICKS)
		return false;
	return strcmp(p->format, "trace") == 0;
}

int window_lack(const struct profdata *p, struct complaint *why)
{
	if (is_empty(p))
		return complain(why, "%s", window_empty);
	return complain(why, "it has no times; only kptrace and gnomon record --functions have");
}

/* The units that a moment can have, in nanoseconds. */
static const struct {
	const char *name;
	double ns;
} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};

/* Return the nanoseconds of a unit; 0: there is no such unit. */
static double unit_ns(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].ns;
	return 0;
}

/* Read digits alone; a number that is too large is none. */
static bool take_digits(const char *arg, uint64_t most, uint64_t *v)
{
	char *end;

	if (!isdigit((unsigned char)*arg))
		return false;
	errno = 0;
	*v = strtoull(arg, &end, 10);
	return !*end && !errno && *v <= most;
}

bool window_take_time(const char *arg, struct window_bound *to)
{
	const char *unit = arg + strspn(arg, "0123456789.");
	char *end;
	double ns;

	if (!isdigit((unsigned char)*arg) || unit_ns(unit) == 0)
		return false;
	ns = strtod(arg, &end) * unit_ns(unit);
	if (end != unit || ns >= 0x1p62)
		return false;
	to->value = (uint64_t)round(ns) / 1000;
	to->ns = (unsigned)((uint64_t)round(ns) % 1000);
	return true;
}

/* Take a moment. What is no time is taken for a mark's text. */
static enum option_status take_moment(struct window_bound *to, const char *arg)
{
	*to = (struct window_bound){.text = arg};
	if (take_digits(arg, UINT64_MAX, &to->value))
		return OPTION_OK;
	to->has_unit = window_take_time(arg, to);
	to->is_mark = !to->has_unit;
	return OPTION_OK;
}

enum option_status window_from(void *field, const char *arg, struct complaint *why)
{
	(void)why;
	return take_moment(field, arg);
}

enum option_status window_to(void *field, const char *arg, struct complaint *why)
{
	(void)why;
	return take_moment(field, arg);
}

/* Take a number of a CPU or process. */
static enum option_status take_number(const char *option, struct window_bound *to, const char *arg,
				      struct complaint *why)
{
	*to = (struct window_bound){.text = arg};
	if (take_digits(arg, UINT32_MAX, &to->value))
		return OPTION_OK;
	complain(why, "--%s %s: a number expected", option, arg);
	return OPTION_WRONG;
}

enum option_status window_cpu(void *field, const char *arg, struct complaint *why)
{
	return take_number("cpu", field, arg, why);
}

enum option_status window_pid(void *field, const char *arg, struct complaint *why)
{
	return take_number("pid", field, arg, why);
}

/* Return the moment at which the window ends. */
static uint64_t window_end(const struct window *w)
{
	if (w->to.text)
		return w->to.value;
	return UINT64_MAX;
}

/* Complain that the window is empty. Without --from it begins at 0, before which nothing is. */
static int no_length(const struct window *w, struct complaint *why)
{
	if (!w->from.text)
		return complain(why, "--to %s: there is nothing before that", w->to.text);
	return complain(why, "--from %s --to %s: the end is not after the beginning", w->from.text,
			w->to.text);
}

/* Return whether a moment is before another one, as the options give them. */
static bool is_before(const struct window_bound *a, const struct window_bound *b)
{
	if (a->value != b->value)
		return a->value < b->value;
	return a->ns < b->ns;
}

void window_bind(struct window_bound *b, const struct profdata *p)
{
	if (b->is_mark)
		return;
	if (p->unit != PROFDATA_NANOSECONDS)
		b->value += b->ns >= 500;
	else if (b->value > UINT64_MAX / 1000 - 1)
		b->value = UINT64_MAX;
	else
		b->value = 1000 * b->value + b->ns;
}

enum option_status window_check(const struct window *w, struct complaint *why)
{
	if (!w->to.text || is_before(&w->from, &w->to))
		return OPTION_OK;
	if (w->from.is_mark || w->to.is_mark)
		return OPTION_OK;
	no_length(w, why);
	return OPTION_WRONG;
}

/* Find the times of the marks that bound the window; it ends at one after its beginning. */
static int find_marks(struct window *w, struct profdata *p, struct complaint *why)
{
	uint64_t first = 0;

	if (windowmark_find("from", &w->from, p, 0, why) < 0)
		return -1;
	if (w->from.text)
		first = w->from.value + 1;
	if (windowmark_find("to", &w->to, p, first, why) < 0)
		return -1;
	if (!w->to.text || w->from.value < w->to.value)
		return 0;
	return no_length(w, why);
}

void window_moment(const struct profdata *p, double time, char *to, size_t n)
{
	if (p->unit == PROFDATA_EXECUTED)
		snprintf(to, n, "%.0f", time);
	else if (p->unit == PROFDATA_NANOSECONDS)
		snprintf(to, n, "%.9fs", time / 1e9);
	else
		snprintf(to, n, "%.6fs", time / 1e6);
}

/* Complain that the window is not in the recording, which is from `first` to `last`. */
static int outside(const struct window *w, const struct profdata *p, uint64_t first, uint64_t last,
		   struct complaint *why)
{
	const char *option = "to", *given = w->to.text, *words = "";
	char begin[32], end[32];

	if (window_end(w) > first) {
		option = "from";
		given = w->from.text;
	}
	window_moment(p, (double)first, begin, sizeof(begin));
	window_moment(p, (double)last, end, sizeof(end));
	if (p->unit == PROFDATA_EXECUTED)
		words = " instructions";
	return complain(why, "--%s %s is outside of the recording, which is from %s to %s%s",
			option, given, begin, end, words);
}

/*
 * Check that the window and the recording have a moment in common, and a unit, and note when that
 * ends.
 */
static int check_moments(const struct window *w, struct profdata *p, struct complaint *why)
{
	uint64_t first = UINT64_MAX, last = 0;
	size_t i;

	if (p->unit == PROFDATA_EXECUTED && w->from.has_unit + w->to.has_unit)
		return complain(why, "its times are instructions: --from and --to take them "
				     "without a unit");
	for (i = 0; i < p->nrecord; i++) {
		if (p->record[i].us < first)
			first = p->record[i].us;
		if (p->record[i].us > last)
			last = p->record[i].us;
	}
	if (window_end(w) <= first || w->from.value > last)
		return outside(w, p, first, last, why);
	p->last = last;
	return 0;
}

/* Check that the CPU is one of the recording. */
static int check_cpu(const struct window *w, const struct profdata *p, struct complaint *why)
{
	size_t i;

	if (!w->cpu.text)
		return 0;
	for (i = 0; i < p->non; i++)
		if (p->on[i].cpu == w->cpu.value)
			return 0;
	return complain(why, "--cpu %s: it has %zu CPUs, up to cpu%" PRIu32, w->cpu.text, p->non,
			p->on[p->non - 1].cpu);
}

/* Check that the process is one of the recording. */
static int check_pid(const struct window *w, const struct profdata *p, struct complaint *why)
{
	size_t i;

	if (!w->pid.text)
		return 0;
	for (i = 0; i < p->nrecord; i++)
		if (p->record[i].pid == w->pid.value)
			return 0;
	return complain(why, "--pid %s: no record is of that process", w->pid.text);
}

/* Return whether a record is before the window. */
static bool before(const struct window *w, const struct profdata_record *r)
{
	return r->us < w->from.value;
}

/* Return whether a record is after the window. */
static bool after(const struct window *w, const struct profdata_record *r)
{
	return r->us >= window_end(w);
}

/* Return whether the changes of process are known; else there are only ticks. */
static bool has_changes(const struct profdata *p)
{
	size_t i;

	for (i = 0; i < p->nrecord; i++)
		if (p->record[i].sample == PROFDATA_NONE)
			return true;
	return false;
}

/*
 * Put what the last record before the window tells at its beginning: in a time line of functions
 * where the CPU was, else who ran there. Return how many records there are then.
 */
static size_t keep_before(const struct window *w, struct profdata *p, struct profdata_record r,
			  bool changes, size_t n)
{
	bool functions = profdata_of_functions(p);

	if (!functions) {
		if (!changes)
			return n;
		r.sample = PROFDATA_NONE;
	}
	r.us = w->from.value;
	p->record[n] = r;
	return n + 1;
}

/*
 * Of the records [first, end) of a CPU keep those in the window, from p->record[n] on; return how
 * many there are then. In a time line of functions the first one after the window ends what ran.
 */
static size_t keep_cpu(const struct window *w, struct profdata *p, size_t first, size_t end,
		       bool changes, size_t n)
{
	size_t i = first;

	while (i < end && before(w, &p->record[i]))
		i++;
	if (i > first)
		n = keep_before(w, p, p->record[i - 1], changes, n);
	for (; i < end && !after(w, &p->record[i]); i++)
		p->record[n++] = p->record[i];
	if (i < end && profdata_of_functions(p)) {
		p->record[n] = p->record[i];
		p->record[n].us = w->to.value;
		p->record[n++].sample = PROFDATA_NONE;
	}
	return n;
}

/* Keep the records of the window's time and CPU. Return how many. */
static size_t keep_moments(const struct window *w, struct profdata *p)
{
	bool changes = has_changes(p);
	size_t first, end, n = 0;

	for (first = 0; first < p->nrecord; first = end) {
		end = profdata_cpu_end(p, first);
		if (!w->cpu.text || p->record[first].cpu == w->cpu.value)
			n = keep_cpu(w, p, first, end, changes, n);
	}
	return n;
}

/* Of other processes only the changes to them stay, for these tell until when this one ran. */
static size_t keep_pid(const struct window *w, struct profdata *p, size_t n)
{
	bool ticks = !profdata_of_functions(p);
	size_t i, kept = 0, reach = 0;

	for (i = 0; i < n; i++) {
		struct profdata_record r = p->record[i];

		if (r.pid != w->pid.value) {
			if (ticks && r.sample != PROFDATA_NONE)
				continue;
			r.sample = PROFDATA_NONE;
		}
		p->record[kept++] = r;
	}
	for (i = 0; i < p->nreach; i++)
		if (p->reach[i].pid == w->pid.value)
			p->reach[reach++] = p->reach[i];
	p->nreach = reach;
	return kept;
}

/* Keep the marks of the window's time. */
static void keep_marks(const struct window *w, struct profdata *p)
{
	size_t i, n = 0;

	for (i = 0; i < p->nmark; i++) {
		if (p->mark[i].us >= w->from.value && p->mark[i].us < window_end(w))
			p->mark[n++] = p->mark[i];
		else
			free(p->mark[i].text);
	}
	p->nmark = n;
}

/* Return whether any of the options was given. */
static bool window_given(const struct window *w)
{
	const struct window_bound *bound[] = {&w->from, &w->to, &w->cpu, &w->pid};
	size_t i;

	for (i = 0; i < sizeof(bound) / sizeof(bound[0]); i++)
		if (bound[i]->text)
			return true;
	return false;
}

int window_apply(const struct window *given, struct profdata *p, struct complaint *why)
{
	struct window found = *given, *w = &found;
	size_t n;

	if (!window_given(w))
		return 0;
	if (p->nrecord == 0)
		return window_lack(p, why);
	window_bind(&w->from, p);
	window_bind(&w->to, p);
	if (find_marks(w, p, why) < 0)
		return -1;
	if (check_moments(w, p, why) < 0)
		return -1;
	if (check_cpu(w, p, why) < 0)
		return -1;
	if (check_pid(w, p, why) < 0)
		return -1;
	if (!w->cpu.text)
		reach_find(p, w->from.value, window_end(w));
	n = keep_moments(w, p);
	p->from = w->from.value;
	p->to = w->to.value;
	p->has_from = w->from.text;
	p->has_to = w->to.text;
	if (w->pid.text)
		n = keep_pid(w, p, n);
	keep_marks(w, p);
	profdata_recount(p, n);
	return 0;
}
