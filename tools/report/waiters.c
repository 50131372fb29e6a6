/* gnomon-report(1): the processes that waited longest, and for what: part of the head. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"
#include "tools/report/page/page.h"
#include "tools/report/report.h"

#define ROWS 8 /* of processes; it is a head, and the functions are to come */

/* How long the processes of a name waited, in microseconds, in all and by cause. */
struct waiter {
	const char *name;
	uint64_t all, by[PROFDATA_NMODES];
};

static bool is_wait(int mode)
{
	return PROFDATA_WAITING & 1u << mode;
}

/* For qsort(): the longest first, then by name. */
static int compare_waiters(const void *va, const void *vb)
{
	const struct waiter *a = va, *b = vb;

	if (a->all != b->all)
		return order(b->all, a->all);
	return strcmp(a->name, b->name);
}

/* Return the processes that waited, the longest first, which the caller frees; *n of them. */
static struct waiter *find_waiters(const struct profdata *p, size_t *n)
{
	struct waiter *row = memory_zeroed(p->nname + 1, sizeof(*row));
	const struct profdata_sample *s;
	size_t i;

	for (i = 0; i < p->nname; i++)
		row[i].name = p->name[i];
	for (s = p->sample; s < p->sample + p->nsample; s++) {
		if (s->process == PROFDATA_NONE || !is_wait(s->mode))
			continue;
		row[s->process].all += s->count;
		row[s->process].by[s->mode] += s->count;
	}
	qsort(row, p->nname, sizeof(*row), compare_waiters);
	for (*n = 0; *n < p->nname && row[*n].all > 0;)
		++*n;
	return row;
}

/* Print the causes that there are above their columns. */
static void print_causes(const struct profdata *p)
{
	int m;

	printf("\n  %10s", "ms in all");
	for (m = 0; m < PROFDATA_NMODES; m++)
		if (is_wait(m) && p->by_mode[m])
			printf(" %9s", profdata_mode_name[m]);
	printf("  process\n");
}

/* Print how long one waited for each of these. */
static void print_waiter(const struct profdata *p, const struct waiter *w)
{
	char *name = printable(w->name);
	int m;

	printf("  %10.3f", profdata_ms(p, w->all));
	for (m = 0; m < PROFDATA_NMODES; m++)
		if (is_wait(m) && p->by_mode[m])
			printf(" %9.3f", profdata_ms(p, w->by[m]));
	printf("  %s\n", name);
	free(name);
}

/* Of one process alone the head has all of this. */
void report_waiters(const struct report *r)
{
	const struct profdata *p = &r->prof;
	struct waiter *row;
	uint64_t rest = 0;
	size_t n, i;

	if (strcmp(p->format, "waits") != 0)
		return;
	row = find_waiters(p, &n);
	if (n > 1)
		print_causes(p);
	for (i = 0; n > 1 && i < n; i++) {
		if (i < ROWS)
			print_waiter(p, &row[i]);
		else
			rest += row[i].all;
	}
	if (n > ROWS)
		printf("  %10.3f  in %zu more; --process shows one, --format json all\n",
		       profdata_ms(p, rest), n - ROWS);
	free(row);
}

struct json_t *report_waiters_json(const struct report *r)
{
	const struct profdata *p = &r->prof;
	json_t *all = json_array(), *one;
	struct waiter *row;
	size_t n, i;
	int m;

	row = find_waiters(p, &n);
	for (i = 0; i < n; i++) {
		one = json_pack("{s: o, s: o}", "process", page_text(row[i].name), "all",
				page_count(row[i].all));
		for (m = 0; m < PROFDATA_NMODES; m++)
			if (is_wait(m))
				json_object_set_new(one, profdata_mode_name[m],
						    page_count(row[i].by[m]));
		json_array_append_new(all, one);
	}
	free(row);
	return all;
}
