/*
 * The table of gnomon top: see toptable.h. First a line with a bar for each CPU, then the
 * functions with the most ticks, then the processes with the most time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/guest/toptable.h"
#include "tools/memory.h"

#define BAR 40

/*
 * A function's ticks, or a process's microseconds, between two looks. The table shows those with
 * the most.
 */
struct row {
	const char *name;
	uint32_t pid; /* 0: no process */
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

/* For qsort: compare rows, the largest first, equal ones by name. */
static int most_first(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return strcmp(a->name, b->name);
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

/* The ticks of a CPU: outside kernel text, idle, in the rest of the kernel. */
struct share {
	uint64_t outside, idle, kernel;
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

/* Print a CPU's line, with a bar: # stands for the kernel, = for outside it, blanks for idle. */
static void print_cpu(FILE *to, unsigned cpu, const struct share *s)
{
	uint64_t all = s->kernel + s->outside + s->idle;
	int kernel = all ? (int)((s->kernel * BAR + all / 2) / all) : 0;
	int outside = all ? (int)(((s->kernel + s->outside) * BAR + all / 2) / all) - kernel : 0;
	double one = all ? 100.0 / (double)all : 0;

	fprintf(to, "cpu%u [%.*s%.*s%*s] kernel %5.1f %%  outside %5.1f %%  idle %5.1f %%\n", cpu,
		kernel, "########################################", outside,
		"========================================", BAR - kernel - outside, "",
		(double)s->kernel * one, (double)s->outside * one, (double)s->idle * one);
}

/* Print the title and the largest rows, none that is 0, with shares of `all`. */
static void print_rows(FILE *to, const char *title, struct row *row, size_t n, uint64_t all,
		       int most)
{
	size_t i;

	qsort(row, n, sizeof(*row), most_first);
	fprintf(to, "\n%s\n", title);
	for (i = 0; i < n && row[i].n > 0 && most-- > 0; i++) {
		fprintf(to, "%8.1f  %10" PRIu64 "  ",
			all ? 100.0 * (double)row[i].n / (double)all : 0, row[i].n);
		if (row[i].pid)
			fprintf(to, "%5" PRIu32 " ", row[i].pid);
		fprintf(to, "%s\n", row[i].name);
	}
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
			    int most)
{
	static struct row row[LOOK_MAXPROC];
	const struct inside_process *p;
	uint64_t old;
	int i;

	for (i = 0; i < l->nprocess; i++) {
		p = &l->process[i];
		old = time_of(was, p->pid);
		row[i] = (struct row){p->name, p->pid,
				      p->time > old ? (p->time - old) * 1000 / l->khz : 0};
	}
	print_rows(to, "   %cpu          us    pid process", row, (size_t)l->nprocess, us, most);
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

/* A row a function, in the symbols' order until they are sorted for printing. */
void toptable_print(FILE *to, const struct look *l, const struct look *was,
		    const struct symbols *s, int lines)
{
	const struct inside_kprof *k = &l->kprof;
	struct row *row = memory_zeroed(s->n, sizeof(*row));
	int room = lines - 6 - (int)k->ncpu; /* without titles: 2/3 functions, 1/3 processes */
	struct share share;
	uint64_t all = 0;
	unsigned cpu;
	size_t i;

	for (i = 0; i < s->n; i++)
		row[i].name = s->sym[i].name;
	for (cpu = 0; cpu < k->ncpu; cpu++) {
		share = add_up(l, was, s, cpu, row);
		print_cpu(to, cpu, &share);
		all += share.kernel + share.outside + share.idle;
	}
	room -= print_loss(to, l, was);
	if (all == 0)
		fprintf(to, "kprof is off: `echo start >/dev/kpctl' in the guest begins\n");
	print_rows(to, "      %       ticks  function", row, s->n, all, room * 2 / 3);
	if (l->nprocess >= 0)
		print_processes(to, l, was, (l->ns - was->ns) / 1000, room / 3);
	free(row);
}
