/* gnomon-report(1): a time line for the terminal, a row for each CPU and each process. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"
#include "tools/report/report.h"

#define LABEL 16   /* columns for the name of a row */
#define COLUMNS 64 /* slices of the time; with the names, a terminal of 80 */
#define RULER 16   /* columns from one time to the next */

/* The letters of processes, those that ran longest first. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* A process, and how long it ran in each slice. */
struct lane {
	uint32_t pid, name; /* the key; idle is process 0, but of gnomon record all are */
	double total, ran[COLUMNS];
	double here[COLUMNS]; /* on the CPU that is being drawn, if it ran there */
	size_t on;	      /* that CPU, counted from 1; 0: none */
	char letter;
};

/* A span of time in which a process ran on a CPU. */
struct span {
	double begin, end;
};

struct slices {
	const struct profdata *p;
	double from, to;
	bool changes; /* of processes are known, not only ticks */
	uint32_t *lane_of; /* the lane of each record */
	struct lane *lane;
	size_t nlane, room;
	/* Of the CPU that is drawn: its number, its first record, and the lanes that ran there. */
	size_t cpus, first, nhere;
	uint32_t *here;
};

/* Give each record the number of its lane. */
static void find_lanes(struct slices *s)
{
	struct distinct known = {.size = sizeof(struct lane), .key = 2 * sizeof(uint32_t)};
	const struct profdata *p = s->p;
	size_t i, at;

	s->lane_of = memory_zeroed(p->nrecord + 1, sizeof(*s->lane_of));
	for (i = 0; i < p->nrecord; i++) {
		struct lane key = {.pid = p->record[i].pid, .name = p->record[i].process};

		at = distinct_index(&known, s->lane, &key, s->nlane);
		s->lane_of[i] = at;
		if (p->record[i].sample == PROFDATA_NONE)
			s->changes = true;
		if (at < s->nlane)
			continue;
		s->lane = memory_grow(s->lane, &s->room, s->nlane + 1, sizeof(key));
		s->lane[s->nlane++] = key;
	}
	distinct_free(&known);
	s->here = memory_zeroed(s->nlane + 1, sizeof(*s->here));
}

/* Find the range of time: the part that was chosen, or that of the records. */
static void find_range(struct slices *s)
{
	const struct profdata *p = s->p;
	double tick = p->us;
	size_t i;

	if (profdata_of_functions(p))
		tick = 0;
	s->from = p->record[0].us;
	s->to = 0;
	for (i = 0; i < p->nrecord; i++) {
		if (p->record[i].us < s->from)
			s->from = p->record[i].us;
		if (p->record[i].us + tick > s->to)
			s->to = p->record[i].us + tick;
	}
	if (p->has_from)
		s->from = p->from;
	if (p->has_to)
		s->to = p->to;
	if (s->to <= s->from)
		s->to = s->from + 1;
}

/*
 * Return for how long the process of a record is known to run: to the CPU's next record. Where only
 * ticks are known, two of them at most; the last one of a CPU, too.
 */
static struct span span_of(const struct slices *s, size_t i, size_t end)
{
	const struct profdata *p = s->p;
	struct span span = {p->record[i].us, s->to};
	double longest = INFINITY; /* where the length of a tick is not known */

	if (p->us > 0 && !profdata_of_functions(p))
		longest = 2 * p->us;
	if (i + 1 < end)
		span.end = p->record[i + 1].us;
	else if (profdata_of_functions(p))
		span.end = span.begin;
	if (profdata_is_off(p, &p->record[i]))
		span.end = span.begin;
	if (!s->changes)
		span.end = fmin(span.end, span.begin + longest);
	return span;
}

/* Add a span to the slices that it has a part in. */
static void add_span(const struct slices *s, double *ran, struct span span)
{
	double width = (s->to - s->from) / COLUMNS, begin, end;
	int i = 0;

	if (span.begin > s->from)
		i = (int)((span.begin - s->from) / width);
	for (; i < COLUMNS && s->from + i * width < span.end; i++) {
		begin = fmax(s->from + i * width, span.begin);
		end = fmin(s->from + (i + 1) * width, span.end);
		ran[i] += fmax(0, end - begin);
	}
}

/* Add up how long each process ran on one CPU, in `here`. */
static void add_cpu(struct slices *s, size_t first, size_t end)
{
	struct lane *lane;
	size_t i;

	s->cpus++;
	s->nhere = 0;
	for (i = first; i < end; i++) {
		lane = &s->lane[s->lane_of[i]];
		if (lane->on != s->cpus) {
			lane->on = s->cpus;
			memset(lane->here, 0, sizeof(lane->here));
			s->here[s->nhere++] = s->lane_of[i];
		}
		add_span(s, lane->here, span_of(s, i, end));
	}
}

/* Add up how long each process ran on all CPUs. */
static void add_all(struct slices *s)
{
	size_t first, end, i;
	int c;

	for (first = 0; first < s->p->nrecord; first = end) {
		end = profdata_cpu_end(s->p, first);
		for (i = first; i < end; i++)
			add_span(s, s->lane[s->lane_of[i]].ran, span_of(s, i, end));
	}
	for (i = 0; i < s->nlane; i++)
		for (c = 0; c < COLUMNS; c++)
			s->lane[i].total += s->lane[i].ran[c];
}

/* For qsort(): the longest first, then by number. */
static int compare_lanes(const void *va, const void *vb)
{
	const struct lane *a = *(struct lane *const *)va, *b = *(struct lane *const *)vb;
	int by_time = order_real(b->total, a->total);

	if (by_time)
		return by_time;
	return order(a->pid, b->pid);
}

/* Return whether a lane has a row: idle has none, nor others beside the process that was chosen. */
static bool has_row(const struct slices *s, const struct window *w, const struct lane *lane)
{
	if (lane->pid == 0 && s->p->unit != PROFDATA_EXECUTED)
		return false;
	return !w->pid.text || lane->pid == w->pid.value;
}

/* Return the lanes that have rows in the order of their time, with their letters; *n of them. */
static struct lane **sort_lanes(struct slices *s, const struct window *w, size_t *n)
{
	struct lane **sorted = memory_zeroed(s->nlane + 1, sizeof(struct lane *));
	size_t i;

	*n = 0;
	for (i = 0; i < s->nlane; i++) {
		s->lane[i].letter = '.';
		if (has_row(s, w, &s->lane[i]))
			sorted[(*n)++] = &s->lane[i];
	}
	qsort(sorted, *n, sizeof(struct lane *), compare_lanes);
	for (i = 0; i < *n; i++) {
		sorted[i]->letter = '*';
		if (i < sizeof(letters) - 1)
			sorted[i]->letter = letters[i];
	}
	return sorted;
}

/* Return the letter of who ran longest in a slice of a CPU; a blank if nothing is known. */
static char longest_in(const struct slices *s, int column)
{
	const struct lane *lane;
	double most = 0;
	char letter = ' ';
	size_t i;

	for (i = 0; i < s->nhere; i++) {
		lane = &s->lane[s->here[i]];
		if (lane->here[column] <= most)
			continue;
		most = lane->here[column];
		letter = lane->letter;
	}
	return letter;
}

/* Print a row, without blanks at its end. */
static void print_row(const char *label, const char *column)
{
	int n = COLUMNS;

	while (n > 0 && column[n - 1] == ' ')
		n--;
	printf("%-*.*s%.*s\n", LABEL, LABEL - 1, label, n, column);
}

/* Print the row of a CPU. Before its first record its ring may have had others. */
static void print_cpu(struct slices *s, const struct profdata_cpu *cpu)
{
	double width = (s->to - s->from) / COLUMNS, lost = s->from;
	char label[LABEL], column[COLUMNS];
	size_t first = s->first, end = first;
	int i;

	if (first < s->p->nrecord && s->p->record[first].cpu == cpu->cpu)
		end = profdata_cpu_end(s->p, first);
	s->first = end;
	if (cpu->overwritten > 0)
		lost = cpu->since;
	add_cpu(s, first, end);
	for (i = 0; i < COLUMNS; i++) {
		column[i] = longest_in(s, i);
		if (s->from + (i + 1) * width <= lost)
			column[i] = '/';
	}
	snprintf(label, sizeof(label), "cpu%" PRIu32, cpu->cpu);
	print_row(label, column);
}

/* Print the row of a process: how much of each slice it ran. */
static void print_lane(const struct slices *s, const struct lane *lane)
{
	double width = (s->to - s->from) / COLUMNS;
	char label[LABEL + 32], number[16], column[COLUMNS], name[LABEL];
	int i;

	for (i = 0; i < COLUMNS; i++) {
		column[i] = ' ';
		if (lane->ran[i] > 0)
			column[i] = '-';
		if (lane->ran[i] >= width / 10)
			column[i] = '+';
		if (lane->ran[i] >= width / 2)
			column[i] = '#';
	}
	snprintf(number, sizeof(number), "%" PRIu32, lane->pid);
	printable_cut(name, sizeof(name) - strlen(number) - 3, s->p->name[lane->name]);
	snprintf(label, sizeof(label), "%c %s %s", lane->letter, name, number);
	print_row(label, column);
}

/* Print a moment as --from takes it, in a field of n characters. */
static void print_moment(const struct slices *s, int n, double time)
{
	char text[32];

	window_moment(s->p, time, text, sizeof(text));
	printf("%-*s", n, text);
}

/* Print the ruler, and what the signs mean. */
static void print_ruler(const struct slices *s, const struct window *w)
{
	double width = (s->to - s->from) / COLUMNS;
	int i;

	if (!w->pid.text)
		printf("\n  a letter: who ran longest in that time; . idle / lost, "
		       "blank not known");
	printf("\n  a process ran # half of that time or more, + a tenth or more, - less\n");
	if (report_has_wakeups(s->p))
		printf("  --wakeups tells what processes waited for, and who woke them\n");
	putchar('\n');
	printf("%*s", LABEL, "");
	for (i = 0; i < COLUMNS; i += RULER)
		print_moment(s, RULER * (i + RULER < COLUMNS), s->from + i * width);
	printf("\n%*s", LABEL, "");
	for (i = 0; i < COLUMNS; i += RULER)
		printf("|%*s", (RULER - 1) * (i + RULER < COLUMNS), "");
	printf("\n");
}

/* Print where a mark is: ^ there, or < or > at an edge if it is before the records or after. */
static void print_place(const struct slices *s, double time)
{
	double width = (s->to - s->from) / COLUMNS;
	int at = (int)((time - s->from) / width);
	const char *sign = "^";

	if (time < s->from) {
		sign = "<";
		at = 0;
	} else if (time >= s->to) {
		sign = ">";
		at = COLUMNS - 1;
	}
	printf("%*s", at + 1, sign);
}

/* Print the marks of the part that was chosen: a row each. */
static void print_marks(const struct slices *s)
{
	const struct profdata_mark *m;
	size_t i;

	for (i = 0; i < s->p->nmark; i++) {
		m = &s->p->mark[i];
		print_moment(s, LABEL, m->us);
		print_place(s, m->us);
		printf(" %s (process %" PRIu32 ")\n", m->text, m->pid);
	}
}

/* Print the rows of the CPUs that were chosen; of one process alone there is none. */
static void print_cpus(struct slices *s, const struct window *w)
{
	size_t i;

	if (w->pid.text)
		return;
	for (i = 0; i < s->p->non; i++)
		if (!w->cpu.text || s->p->on[i].cpu == w->cpu.value)
			print_cpu(s, &s->p->on[i]);
}

/* Print all rows. */
static void print_rows(struct slices *s, const struct report *r)
{
	size_t i, n, left = 0;
	struct lane **sorted = sort_lanes(s, &r->options.selection.window, &n);

	print_cpus(s, &r->options.selection.window);
	for (i = 0; i < n; i++) {
		if (report_shows(r, i, 100 * sorted[i]->total / (s->to - s->from)))
			print_lane(s, sorted[i]);
		else
			left++;
	}
	report_left_out(left);
	free(sorted);
}

int report_slices(struct report *r, struct complaint *why)
{
	struct slices s = {.p = &r->prof};
	struct complaint lack;

	if (r->prof.nrecord == 0) {
		window_lack(&r->prof, &lack);
		return complain(why, "%s: %s", r->file, lack.text);
	}
	find_lanes(&s);
	find_range(&s);
	add_all(&s);
	report_head(r);
	print_ruler(&s, &r->options.selection.window);
	print_marks(&s);
	print_rows(&s, r);
	free(s.lane_of);
	free(s.here);
	free(s.lane);
	return 0;
}
