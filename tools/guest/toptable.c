/*
 * The table of gnomon top: see toptable.h. First a line with a bar for each CPU, then the
 * functions with their ticks, then the processes with their time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/guest/toptable.h"
#include "tools/memory.h"
#include "tools/order.h"

#define BAR_MOST 40	 /* columns of a CPU's bar */
#define BAR_FEWEST 8	 /* with fewer there is none, and words are letters */
#define LINE 63		 /* columns of the rest of the line */
#define RED "\033[31m"
#define GREEN "\033[32m"
#define REVERSE "\033[7m"
#define PLAIN "\033[0m"

/*
 * A function's ticks, or a process's microseconds, between two looks. The table shows those with
 * the most.
 */
struct row {
	const char *name;
	uint32_t pid; /* 0: no process */
	uint64_t number; /* address or pid */
	const struct symbol *symbol;
	uint64_t n;
};

/*
 * Each part may be of a slightly different moment, for the guest goes on; the time is that of the
 * processes.
 */
int look_take(struct inside *in, struct look *l, struct complaint *why)
{
	struct complaint none;

	l->nprocess = -1;
	if (inside_time(in, &l->ns, &none) == 0 &&
	    inside_khz(in, &l->khz, &none) == 0)
		l->nprocess = inside_processes(in, l->process, LOOK_MAXPROC, &none);
	if (inside_clock(in, "any", &l->clock, &none) < 0)
		l->clock = (struct runinfo){.cpus = 0};
	return inside_kprof(in, &l->kprof, why);
}

/* For qsort_r: in the order that is asked for; equal ones by share, then by name and number. */
static int compare_rows(const void *va, const void *vb, void *sort)
{
	const struct row *a = va, *b = vb;
	int by_name = strcmp(a->name, b->name), by_number = order(a->number, b->number);
	int by_share = order(b->n, a->n), first = by_share, second = by_name;

	switch (*(enum toptable_sort *)sort) {
	case TOPTABLE_NUMBER:
		return by_number;
	case TOPTABLE_NAME:
		first = by_name;
		second = by_share;
		break;
	default:
		break;
	}
	if (first)
		return first;
	if (second)
		return second;
	return by_number;
}

/* Return the ticks that a bucket of one CPU has had since the look before; it may have wrapped. */
static uint32_t grown(const struct look *l, const struct look *was, unsigned cpu, uint32_t i)
{
	return l->kprof.cell[cpu][i] - was->kprof.cell[cpu][i];
}

/* Return the function that a bucket belongs to, or NULL. */
static const struct symbol *function_at(const struct look *l, const struct symbols *s, uint32_t i)
{
	code_addr off = (code_addr)(i - PROF_KPROF_SPECIAL) << l->kprof.shift;

	return symbols_at(s, l->kprof.first + off);
}

/* The ticks that were due on a CPU: outside kernel text, idle, in the rest of the kernel, lost. */
struct share {
	uint64_t outside, idle, kernel, lost;
};

/* Add up one CPU's ticks, also in the rows of the functions, which are in the symbols' order. */
static struct share add_up(const struct look *l, const struct look *was, const struct symbols *s,
			   unsigned cpu, struct row *row)
{
	struct share sum = {.outside = grown(l, was, cpu, PROF_KPROF_OUTSIDE)};
	const struct symbol *f;
	uint32_t i, n;

	for (i = PROF_KPROF_SPECIAL; i < l->kprof.nbucket; i++) {
		n = grown(l, was, cpu, i);
		if (n == 0)
			continue;
		f = function_at(l, s, i);
		if (f && strcmp(f->name, SYMBOLS_IDLE) == 0)
			sum.idle += n;
		else
			sum.kernel += n;
		if (f)
			row[f - s->sym].n += n;
	}
	return sum;
}

/* Return how many ticks were due. */
static uint64_t toptable_due(const struct share *s)
{
	return s->kernel + s->outside + s->idle + s->lost;
}

/*
 * Make shares of `all` in tenths of a per cent, which add up to 100 %: those that were cut off most
 * are rounded up. The parts of what a guest makes up may be too large, and are halved then.
 */
static void tenths(uint64_t *part, int *tenth, int n, uint64_t all)
{
	int i, most, left = 1000;

	memset(tenth, 0, (size_t)n * sizeof(*tenth));
	if (all == 0)
		return;
	for (; all > UINT64_MAX / 2000; all /= 2)
		for (i = 0; i < n; i++)
			part[i] /= 2;
	for (i = 0; i < n; i++) {
		tenth[i] = (int)(part[i] * 1000 / all);
		left -= tenth[i];
	}
	for (; left > 0; left--) {
		for (most = 0, i = 1; i < n; i++)
			if (part[i] * 1000 - (uint64_t)tenth[i] * all + all >
			    part[most] * 1000 - (uint64_t)tenth[most] * all + all)
				most = i;
		tenth[most]++;
	}
}

/* Print a bar: # stands for the kernel, = for outside it, - for lost ticks, blanks for idle. */
static void print_bar(FILE *to, const int *tenth, int width, bool color)
{
	const struct {
		int tenths; /* up to its end */
		char mark;
		const char *color;
	} part[] = {
		{tenth[0], '#', RED},
		{tenth[0] + tenth[1], '=', GREEN},
		{tenth[0] + tenth[1] + tenth[3], '-', PLAIN},
		{1000, ' ', ""},
	};
	int at = 0, end;
	size_t i;

	putc('[', to);
	for (i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		if (color)
			fputs(part[i].color, to);
		end = (part[i].tenths * width + 500) / 1000;
		for (; at < end; at++)
			putc(part[i].mark, to);
	}
	if (color)
		fputs(PLAIN, to);
	fputs("] ", to);
}

/*
 * Print the line of a CPU, or of several: parts of the time in which ticks were due. Lost ones are
 * shown if there are any.
 */
static void print_cpu(FILE *to, const char *name, const struct share *s, const struct toptable *t)
{
	static const char *const wide[] = {"kernel", "outside", "idle", "lost"};
	static const char *const narrow[] = {"k", "o", "i", "l"};
	uint64_t part[] = {s->kernel, s->outside, s->idle, s->lost};
	int tenth[4], bar = t->columns - LINE - (int)strlen(name), i, n = 3;
	const char *const *names = narrow, *unit = "";

	if (s->lost)
		n = 4;
	tenths(part, tenth, 4, toptable_due(s));
	fprintf(to, "%s ", name);
	if (bar >= BAR_FEWEST) {
		names = wide;
		unit = " %";
		print_bar(to, tenth, (int)order_min((uint64_t)bar, BAR_MOST), t->color);
	}
	for (i = 0; i < n; i++) {
		if (i > 0)
			fputs("  ", to);
		fprintf(to, "%s %5.1f%s", names[i], tenth[i] / 10.0, unit);
	}
	putc('\n', to);
}

/* Leave out rows that are 0 or not of the names that are asked for. Return how many are left. */
static size_t keep_rows(struct row *row, size_t n, const char *filter)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (row[i].n == 0)
			continue;
		if (!filter || strcasestr(row[i].name, filter))
			row[kept++] = row[i];
	}
	return kept;
}

/* Print a row, but not its newline. */
static void print_row(FILE *to, const struct row *r, uint64_t all)
{
	double share = 0;

	if (all)
		share = 100.0 * (double)r->n / (double)all;
	fprintf(to, "%8.1f  %10" PRIu64 "  ", share, r->n);
	if (r->pid)
		fprintf(to, "%5" PRIu32 " ", r->pid);
	fputs(r->name, to);
}

/*
 * Print the title and the rows that come first, none that is 0, with shares of `all`. Return the
 * symbol of the row to be marked, or of the last one.
 */
static const struct symbol *print_rows(FILE *to, const char *title, struct row *row, size_t n,
				       uint64_t all, int most, struct toptable *t, bool mark)
{
	const struct symbol *symbol = NULL;
	int last = most, i;
	bool marked;

	qsort_r(row, n, sizeof(*row), compare_rows, &t->sort);
	n = keep_rows(row, n, t->filter);
	if (n < (size_t)most)
		last = (int)n;
	if (mark && t->row >= last)
		t->row = (int)order_max((uint64_t)last, 1) - 1;
	fprintf(to, "\n%s\n", title);
	for (i = 0; i < last; i++) {
		marked = mark && i == t->row;
		if (marked) {
			symbol = row[i].symbol;
			fputs(REVERSE, to);
		}
		print_row(to, &row[i], all);
		if (marked)
			fputs(PLAIN, to);
		putc('\n', to);
	}
	return symbol;
}

/* Return the cycles that a process had had at a look; 0 if it was not there. */
static uint64_t time_of(const struct look *l, uint32_t pid)
{
	int i;

	for (i = 0; i < l->nprocess; i++)
		if (l->process[i].pid == pid)
			return l->process[i].time;
	return 0;
}

/* Print how many microseconds each process had between the looks; a CPU had `us` of them. */
static void print_processes(FILE *to, const struct look *l, const struct look *was, uint64_t us,
			    int most, struct toptable *t)
{
	static struct row row[LOOK_MAXPROC];
	const struct inside_process *p;
	uint64_t old;
	int i;

	for (i = 0; i < l->nprocess; i++) {
		p = &l->process[i];
		old = time_of(was, p->pid);
		row[i] = (struct row){.name = p->name, .pid = p->pid, .number = p->pid};
		if (p->time > old)
			row[i].n = (p->time - old) * 1000 / l->khz;
	}
	print_rows(to, "   %cpu          us    pid process", row, (size_t)l->nprocess, us, most,
		   t, false);
}

/* Say how many ticks were lost since the look before, if they were many. Return the lines. */
static int print_loss(FILE *to, const struct look *l, const struct look *was)
{
	struct runinfo since = l->clock;
	char *loss;

	if (was->clock.cpus == 0)
		return 0;
	since.all.taken -= was->clock.all.taken;
	since.all.lost -= was->clock.all.lost;
	loss = runinfo_loss(&since);
	if (!loss)
		return 0;
	fprintf(to, "%s\n", loss);
	free(loss);
	return 1;
}

/* Return the ticks that a CPU has lost since the look before. */
static uint64_t toptable_lost(const struct look *l, const struct look *was, unsigned cpu)
{
	uint64_t now, then;

	if (cpu >= l->clock.cpus)
		return 0;
	if (cpu >= was->clock.cpus)
		return 0;
	now = l->clock.cpu[cpu].lost;
	then = was->clock.cpu[cpu].lost;
	return order_min(now - order_min(now, then), UINT32_MAX); /* no more than a bucket has */
}

/* Add the ticks of one CPU to those of several. */
static void add_share(struct share *to, const struct share *s)
{
	to->kernel += s->kernel;
	to->outside += s->outside;
	to->idle += s->idle;
	to->lost += s->lost;
}

/*
 * Print a line for each CPU, as far as a third of the lines goes, and one for all others. Return
 * how many lines there are; all of the ticks are in *sum.
 */
static int print_cpus(FILE *to, const struct look *l, const struct look *was,
		      const struct symbols *s, struct row *row, struct toptable *t,
		      struct share *sum)
{
	unsigned cpu, ncpu = l->kprof.ncpu, own = ncpu;
	unsigned room = (unsigned)order_max((uint64_t)t->lines / 3, 3);
	struct share rest = {.lost = 0};
	char name[32];

	if (own > room)
		own = room - 1;
	for (cpu = 0; cpu < ncpu; cpu++) {
		struct share share = add_up(l, was, s, cpu, row);

		share.lost = 0;
		if (toptable_due(&share))
			share.lost = toptable_lost(l, was, cpu);
		add_share(sum, &share);
		if (cpu >= own) {
			add_share(&rest, &share);
			continue;
		}
		snprintf(name, sizeof(name), "cpu%u", cpu);
		print_cpu(to, name, &share, t);
	}
	if (own == ncpu)
		return (int)own;
	snprintf(name, sizeof(name), "cpu%u to %u", own, ncpu - 1);
	print_cpu(to, name, &rest, t);
	return (int)own + 1;
}

/*
 * A row a function, in the symbols' order until they are sorted for printing. Of the lines that are
 * left without titles and a last one, functions have two thirds and processes one.
 */
void toptable_print(FILE *to, const struct look *l, const struct look *was,
		    const struct symbols *s, struct toptable *t)
{
	struct row *row = memory_zeroed(s->n, sizeof(*row));
	struct share sum = {.lost = 0};
	int room;
	size_t i;

	for (i = 0; i < s->n; i++)
		row[i] = (struct row){
			.name = s->sym[i].name, .symbol = &s->sym[i], .number = s->sym[i].start,
		};
	room = t->lines - 6 - print_cpus(to, l, was, s, row, t, &sum);
	room -= print_loss(to, l, was);
	if (toptable_due(&sum) == 0)
		fprintf(to, "kprof is off: `echo start >/dev/kpctl' in the guest begins\n");
	t->symbol = print_rows(to, "      %       ticks  function", row, s->n, toptable_due(&sum),
			       room * 2 / 3, t, t->mark);
	if (l->nprocess >= 0)
		print_processes(to, l, was, (l->ns - was->ns) / 1000, room / 3, t);
	free(row);
}
