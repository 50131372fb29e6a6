/* gnomon-report(1): what processes waited for, and who woke them; --wakeups. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"
#include "tools/profile/wakeups.h"
#include "tools/report/report.h"

#define NAME 16 /* columns of a process, with its number; longer names are cut */
#define SEVERAL UINT32_MAX /* in the place of a number: processes of that name */

/* What a process waited for, and by whom it was woken: the key; and how long that was. */
struct row {
	uint32_t pid, process, cause, waker, by;
	uint32_t by_pid; /* no part of the key, or a parent of many had many rows */
	uint64_t times, waited, ready;
	uint64_t longest_waited, longest_ready;
};

struct table {
	const struct report *r;
	struct row *row;
	size_t n, room;
	uint64_t total; /* of all rows */
};

/* Return for how long the process of a row did not run. */
static uint64_t row_time(const struct row *row)
{
	return row->waited + row->ready;
}

/* For qsort(): the longest first; of equal ones in the order of processes. */
static int compare_rows(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (row_time(a) != row_time(b))
		return order(row_time(b), row_time(a));
	if (a->pid != b->pid)
		return order(a->pid, b->pid);
	return memcmp(a, b, offsetof(struct row, by_pid));
}

/* Return whether --process, --pid and --mode choose it. */
static bool is_chosen(const struct report *r, const struct wakeup *one)
{
	const struct selection *s = &r->options.selection;

	if (s->process && strcmp(r->prof.name[one->process], s->process) != 0)
		return false;
	if (s->window.pid.text && s->window.pid.value != one->pid)
		return false;
	return s->mode < 0 || s->mode == one->cause;
}

/* Add it to its row. */
static void add_wakeup(struct table *t, struct distinct *known, const struct wakeup *one)
{
	struct row key = {
		.pid = one->pid, .process = one->process, .cause = one->cause,
		.waker = one->waker, .by = one->by, .by_pid = one->by_pid,
	};
	size_t i = distinct_index(known, t->row, &key, t->n);
	struct row *row;

	if (i == t->n) {
		t->row = memory_grow(t->row, &t->room, t->n + 1, sizeof(key));
		t->row[t->n++] = key;
	}
	row = &t->row[i];
	if (row->by_pid != one->by_pid)
		row->by_pid = SEVERAL;
	row->times++;
	row->waited += one->waited;
	row->ready += one->ready;
	row->longest_waited = order_max(row->longest_waited, one->waited);
	row->longest_ready = order_max(row->longest_ready, one->ready);
	t->total += one->waited + one->ready;
}

/* Make the rows, the longest first. */
static void make_table(struct table *t)
{
	struct distinct known = {.size = sizeof(struct row),
				 .key = offsetof(struct row, by_pid)};
	struct wakeup *all;
	size_t i, n;

	all = wakeups_find(&t->r->prof, &n);
	for (i = 0; i < n; i++)
		if (is_chosen(t->r, &all[i]))
			add_wakeup(t, &known, &all[i]);
	if (t->n > 0)
		qsort(t->row, t->n, sizeof(*t->row), compare_rows);
	distinct_free(&known);
	free(all);
}

/* Return a process as it is shown, "sort 12", which the caller frees. */
static char *process_text(const struct report *r, uint32_t name, uint32_t pid)
{
	char number[16], cut[NAME];

	if (pid == SEVERAL)
		strcpy(number, "(several)");
	else
		snprintf(number, sizeof(number), "%" PRIu32, pid);
	printable_cut(cut, sizeof(cut) - strlen(number) - 1, r->prof.name[name]);
	return memory_format("%s %s", cut, number);
}

/* Return who woke the process of a row, which the caller frees. */
static char *waker_text(const struct report *r, const struct row *row)
{
	static const char *const text[] = {
		[WAKER_NONE] = "", [WAKER_UNKNOWN] = "?", [WAKER_INTERRUPT] = "[interrupt]",
	};

	if (row->waker == WAKER_PROCESS)
		return process_text(r, row->by, row->by_pid);
	return memory_format("%s", text[row->waker]);
}

/* Return a time of the time line in milliseconds. */
static double in_ms(const struct report *r, uint64_t time)
{
	if (r->prof.unit == PROFDATA_NANOSECONDS)
		return (double)time / 1e6;
	return (double)time / 1e3;
}

/* Print a row. */
static void print_row(const struct report *r, const struct row *row)
{
	char *process = process_text(r, row->process, row->pid), *waker = waker_text(r, row);

	printf("%7" PRIu64 " %11.3f %9.3f", row->times, in_ms(r, row->waited),
	       in_ms(r, row->longest_waited));
	printf(" %11.3f %9.3f  %-*s", in_ms(r, row->ready), in_ms(r, row->longest_ready), NAME,
	       process);
	if (*waker)
		printf(" %-7s %s", profdata_mode_name[row->cause], waker);
	else
		printf(" %s", profdata_mode_name[row->cause]);
	putchar('\n');
	free(process);
	free(waker);
}

/* Return whether a row is shown when so many are above it. */
static bool is_shown(const struct table *t, size_t above, const struct row *row)
{
	return report_shows(t->r, above, 100 * (double)row_time(row) / (double)t->total);
}

/* Print the table. */
static void print_table(const struct table *t)
{
	size_t i, left_out = 0;
	char text[128];

	report_head(t->r);
	printf("  how long processes waited until they were woken, and then were ready, but did "
	       "not run\n\n");
	snprintf(text, sizeof(text), "%7s %11s %9s %11s %9s  %-*s %-7s %s", "times",
		 "waited ms", "longest", "ready ms", "longest", NAME, "process", "for",
		 "woken by");
	report_titles(t->r, text);
	putchar('\n');
	for (i = 0; i < t->n; i++) {
		if (is_shown(t, i, &t->row[i]))
			print_row(t->r, &t->row[i]);
		else
			left_out++;
	}
	report_left_out(left_out);
}

/* Write a row as data. */
static void write_row(struct sheet *s, const struct row *row)
{
	const struct report *r = s->r;
	bool woken = row->waker == WAKER_PROCESS;

	sheet_text(s, r->prof.name[row->process]);
	sheet_count(s, row->pid);
	sheet_text(s, profdata_mode_name[row->cause]);
	if (woken)
		sheet_text(s, r->prof.name[row->by]);
	else if (row->waker == WAKER_INTERRUPT)
		sheet_text(s, "[interrupt]");
	else
		sheet_unknown(s);
	sheet_count_if(s, woken && row->by_pid != SEVERAL, row->by_pid);
	sheet_count(s, row->times);
	sheet_number(s, in_ms(r, row->waited));
	sheet_number(s, in_ms(r, row->longest_waited));
	sheet_number(s, in_ms(r, row->ready));
	sheet_number(s, in_ms(r, row->longest_ready));
}

/* Write the table as data. */
static void write_table(const struct table *t)
{
	static const char *const column[] = {
		"process", "pid", "cause", "woken_by", "woken_by_pid", "times", "waited_ms",
		"longest_waited_ms", "ready_ms", "longest_ready_ms", NULL,
	};
	size_t i, left_out = 0;
	struct sheet s;

	sheet_begin(&s, t->r, column);
	for (i = 0; i < t->n; i++) {
		if (is_shown(t, i, &t->row[i]))
			write_row(&s, &t->row[i]);
		else
			left_out++;
	}
	sheet_end(&s, "wakeups", left_out);
}

bool report_has_wakeups(const struct profdata *p)
{
	size_t i;

	if (p->nwoken > 0)
		return true;
	for (i = 0; i < p->nrecord; i++)
		if (PROFDATA_WAITING & 1u << p->record[i].wait)
			return true;
	return false;
}

int report_wakeups(struct report *r, struct complaint *why)
{
	struct table t = {.r = r};

	if (!report_has_wakeups(&r->prof))
		return complain(why, "%s: it does not tell who woke whom; kptrace does after "
				"'stacks on', 'waits on' and 'trace 10000 switches'", r->file);
	make_table(&t);
	if (t.n == 0)
		return complain(why, "%s: no process waited, or none that was chosen", r->file);
	if (r->options.format == SHEET_TEXT)
		print_table(&t);
	else
		write_table(&t);
	free(t.row);
	return 0;
}
