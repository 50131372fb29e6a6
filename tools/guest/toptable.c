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
	if (inside_time(in, &l->ns, &none) == 0 && inside_khz(in, &l->khz, &none) == 0)
		l->nprocess = inside_processes(in, l->process, LOOK_MAXPROC, &none);
	if (inside_clock(in, "any", &l->clock, &none) < 0)
		l->clock = (struct runinfo){.cpus = 0};
	return inside_kprof(in, &l->kprof, why);
}

/* For qsort_r: in the order that is asked for; equal ones by share, then by name and number. */
static int compare(const void *va, const void *vb, void *sort)
{
	const struct row *a = va, *b = vb;
	int by_name = strcmp(a->name, b->name);
	int by_number = (a->number > b->number) - (a->number < b->number);
	int by_share = (a->n < b->n) - (a->n > b->n);

	switch (*(enum toptable_sort *)sort) {
	case TOPTABLE_NAME:
		return by_name ? by_name : by_share ? by_share : by_number;
	case TOPTABLE_NUMBER:
		return by_number;
	default:
		return by_share ? by_share : by_name ? by_name : by_number;
	}
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
static uint64_t due(const struct share *s)
{
	return s->kernel + s->outside + s->idle + s->lost;
}

/*
 * Make shares of `all` in tenths of a per cent, which add up to 100 %: those that were cut off most
 * are rounded up.
 */
static void tenths(const uint64_t *part, int *tenth, int n, uint64_t all)
{
	int i, most, left = all ? 1000 : 0;

	for (i = 0; i < n; i++) {
		tenth[i] = all ? (int)(part[i] * 1000 / all) : 0;
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
	int kernel = (tenth[0] * width + 500) / 1000, i;
	int outside = ((tenth[0] + tenth[1]) * width + 500) / 1000;
	int lost = ((tenth[0] + tenth[1] + tenth[3]) * width + 500) / 1000;

	fputs(color ? "[" RED : "[", to);
	for (i = 0; i < width; i++) {
		if (color && i == kernel)
			fputs(GREEN, to);
		if (color && i == outside)
			fputs(PLAIN, to);
		putc(i < kernel ? '#' : i < outside ? '=' : i < lost ? '-' : ' ', to);
	}
	fputs(color ? PLAIN "] " : "] ", to);
}

/*
 * Print the line of a CPU, or of several: parts of the time in which ticks were due. Lost ones are
 * shown if there are any.
 */
static void print_cpu(FILE *to, const char *name, const struct share *s, const struct toptable *t)
{
	uint64_t part[] = {s->kernel, s->outside, s->idle, s->lost};
	int tenth[4], bar = t->columns - LINE - (int)strlen(name);
	bool wide = bar >= BAR_FEWEST;

	tenths(part, tenth, 4, due(s));
	fprintf(to, "%s ", name);
	if (wide)
		print_bar(to, tenth, bar < BAR_MOST ? bar : BAR_MOST, t->color);
	fprintf(to, wide ? "kernel %5.1f %%  outside %5.1f %%  idle %5.1f %%" :
			   "k %5.1f  o %5.1f  i %5.1f",
		tenth[0] / 10.0, tenth[1] / 10.0, tenth[2] / 10.0);
	if (s->lost)
		fprintf(to, wide ? "  lost %5.1f %%" : "  l %5.1f", tenth[3] / 10.0);
	putc('\n', to);
}

/*
 * Print the title and the rows that come first, none that is 0, with shares of `all`. Return the
 * symbol of the row to be marked, or of the last one.
 */
static const struct symbol *print_rows(FILE *to, const char *title, struct row *row, size_t n,
				       uint64_t all, int most, struct toptable *t, bool mark)
{
	const struct symbol *marked = NULL;
	int shown = 0, last = 0;
	size_t i;

	qsort_r(row, n, sizeof(*row), compare, &t->sort);
	for (i = 0; i < n; i++)
		last += row[i].n > 0 && strcasestr(row[i].name, t->filter ? t->filter : "");
	last = last < most ? last : most;
	t->row = mark && t->row >= last ? last > 0 ? last - 1 : 0 : t->row;
	fprintf(to, "\n%s\n", title);
	for (i = 0; i < n && shown < most; i++) {
		if (row[i].n == 0 || !strcasestr(row[i].name, t->filter ? t->filter : ""))
			continue;
		if (mark && shown == t->row) {
			marked = row[i].symbol;
			fputs(REVERSE, to);
		}
		fprintf(to, "%8.1f  %10" PRIu64 "  ",
			all ? 100.0 * (double)row[i].n / (double)all : 0, row[i].n);
		if (row[i].pid)
			fprintf(to, "%5" PRIu32 " ", row[i].pid);
		fprintf(to, "%s%s\n", row[i].name, mark && shown == t->row ? PLAIN : "");
		shown++;
	}
	return marked;
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
		row[i] = (struct row){
			.name = p->name, .pid = p->pid, .number = p->pid,
			.n = p->time > old ? (p->time - old) * 1000 / l->khz : 0,
		};
	}
	print_rows(to, "   %cpu          us    pid process", row, (size_t)l->nprocess, us, most,
		   t, false);
}

/* Say how many ticks were lost since the look before, if they were many. Return the lines. */
static int print_loss(FILE *to, const struct look *l, const struct look *was)
{
	struct runinfo since = l->clock;
	char *loss;

	since.all.taken -= was->clock.all.taken;
	since.all.lost -= was->clock.all.lost;
	loss = was->clock.cpus ? runinfo_loss(&since) : NULL;
	if (loss)
		fprintf(to, "%s\n", loss);
	free(loss);
	return loss ? 1 : 0;
}

/* Return the ticks that a CPU has lost since the look before. */
static uint64_t lost(const struct look *l, const struct look *was, unsigned cpu)
{
	bool known = cpu < l->clock.cpus && cpu < was->clock.cpus;
	uint64_t now = known ? l->clock.cpu[cpu].lost : 0;

	return known && now > was->clock.cpu[cpu].lost ? now - was->clock.cpu[cpu].lost : 0;
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
	unsigned cpu, ncpu = l->kprof.ncpu, own = ncpu, room = t->lines > 9 ? t->lines / 3 : 3;
	struct share rest = {.lost = 0};
	char name[32];

	if (own > room)
		own = room - 1;
	for (cpu = 0; cpu < ncpu; cpu++) {
		struct share share = add_up(l, was, s, cpu, row);

		share.lost = due(&share) ? lost(l, was, cpu) : 0;
		add_share(cpu < own ? sum : &rest, &share);
		snprintf(name, sizeof(name), "cpu%u", cpu);
		if (cpu < own)
			print_cpu(to, name, &share, t);
	}
	snprintf(name, sizeof(name), "cpu%u to %u", own, ncpu - 1);
	if (own < ncpu)
		print_cpu(to, name, &rest, t);
	add_share(sum, &rest);
	return (int)own + (own < ncpu);
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
	if (due(&sum) == 0)
		fprintf(to, "kprof is off: `echo start >/dev/kpctl' in the guest begins\n");
	t->symbol = print_rows(to, "      %       ticks  function", row, s->n, due(&sum),
			       room * 2 / 3, t, t->mark);
	if (l->nprocess >= 0)
		print_processes(to, l, was, (l->ns - was->ns) / 1000, room / 3, t);
	free(row);
}
