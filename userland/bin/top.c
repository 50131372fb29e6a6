/*
 * top: shows what the machine is busy with, again and again: processors, kernel functions,
 * processes. A table is the difference between two looks at counts since boot.
 * Host: no
 */
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/profile/activity.h"
#include "userland/profile/buildid.h"
#include "userland/profile/keeper.h"
#include "userland/profile/symtab.h"
#include "userland/text/screen.h"

#define BAR 35	       /* columns, so that the line has 79 */
#define DELAY_MIN 50   /* ms */
#define DELAY_MAX 3600000

static const char synopsis[] = "top [-b] [-d seconds] [-k kernel] [-n count]";

/* What the command line says. */
struct options {
	const char *kernel;
	uint32_t delay_ms;
	long count; /* of tables; 0: no end */
	bool batch;
};

/* What a table shows: how much more there is now than there was. */
struct view {
	const struct activity *now, *before;
	const struct symtab *symbols;
	uint64_t ms; /* between the two */
	bool keys;   /* are read */
};

/* A function's or process's line. */
struct row {
	const char *name;
	long pid;
	uint64_t n;	 /* ticks, or ms */
	uint64_t kernel; /* of these in the kernel */
};

/* Return the share of a whole in thousandths, rounded. */
static unsigned permille(uint64_t part, uint64_t all)
{
	return all == 0 ? 0 : part >= all ? 1000 : (unsigned)((part * 1000 + all / 2) / all);
}

/* Print a share as a percentage after its title. */
static void print_share(const char *title, unsigned share)
{
	printf(" %s %3u.%u%%", title, share / 10, share % 10);
}

/*
 * Print a processor's line, with a bar: # is the kernel, = programs, and blank is idle. Ticks
 * tell programs from the rest, and the idle thread's time tells the kernel's work from it; the
 * two are measured apart and may add up to more than all.
 */
static void print_cpu(const struct view *v, unsigned i)
{
	const struct activity_cpu *now = &v->now->cpu[i], *before = &v->before->cpu[i];
	unsigned user = permille(activity_grown(now->outside, before->outside),
				 activity_grown(now->ticks, before->ticks));
	unsigned idle = permille(now->idle_ms - before->idle_ms, v->ms);
	unsigned in_kernel = user + idle > 1000 ? 0 : 1000 - user - idle;
	char bar[BAR + 1];

	/* Ticks are the better witness: they are what the rest of the table is about. */
	if (user + idle > 1000)
		idle = 1000 - user;
	memset(bar, ' ', BAR);
	memset(bar, '=', ((in_kernel + user) * BAR + 500) / 1000);
	memset(bar, '#', (in_kernel * BAR + 500) / 1000);
	bar[BAR] = 0;
	printf("cpu%-2u|%s|", i, bar);
	print_share("kernel", in_kernel);
	print_share("user", user);
	print_share("idle", idle);
	screen_end_line();
}

/* For qsort: the most first; equal ones by name. */
static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Sort the rows. Return how many of the first are to be shown: those with anything, if they fit. */
static size_t rank(struct row *row, size_t n, size_t lines)
{
	size_t i = 0;

	qsort(row, n, sizeof(*row), most_first);
	while (i < n && i < lines && row[i].n > 0)
		i++;
	return i;
}

/* Add the growth of each bucket to the row of the function that it begins in. */
static void add_buckets(struct row *row, const struct view *v)
{
	const struct symtab *s = v->symbols;

	for (uint32_t i = 0; i < v->now->nbucket; i++) {
		uint32_t now = v->now->bucket[i];
		const struct symtab_function *f =
			now ? symtab_find(s, s->ktzero + (i << v->now->log2)) : NULL;

		if (f)
			row[f - s->function].n += activity_grown(now, v->before->bucket[i]);
	}
}

/* Print the kernel's functions by their ticks, on at most that number of lines. Return how many. */
static size_t print_functions(const struct view *v, uint64_t ticks, size_t lines)
{
	size_t i, n, all = v->symbols->n;
	struct row *row = memory(calloc(all, sizeof(*row)));

	for (i = 0; i < all; i++)
		row[i].name = v->symbols->function[i].name;
	add_buckets(row, v);
	n = rank(row, all, lines);
	printf("     %%      ticks  function");
	screen_end_line();
	for (i = 0; i < n; i++) {
		unsigned share = permille(row[i].n, ticks);

		printf("%4u.%u %10llu  %s", share / 10, share % 10, (unsigned long long)row[i].n,
		       row[i].name);
		screen_end_line();
	}
	free(row);
	return n;
}

/* Return the row of a process; one that is new has all of its time in it. */
static struct row process_row(const struct process *p, const struct activity *before)
{
	uint64_t user = p->user_ms, in_kernel = p->kernel_ms;

	for (size_t i = 0; i < before->nprocess; i++)
		if (before->process[i].pid == p->pid) {
			user = activity_grown(user, before->process[i].user_ms);
			in_kernel = activity_grown(in_kernel, before->process[i].kernel_ms);
		}
	/* Numbers are used again, but counts that shrink show that: see activity_grown. */
	return (struct row){p->name, p->pid, user + in_kernel, in_kernel};
}

/* Print the processes by their time, on at most that number of lines. */
static void print_processes(const struct view *v, size_t lines)
{
	size_t i, n, all = v->now->nprocess;
	struct row *row = memory(calloc(all + 1, sizeof(*row)));

	for (i = 0; i < all; i++)
		row[i] = process_row(&v->now->process[i], v->before);
	n = rank(row, all, lines);
	printf("  %%cpu    user ms  kernel ms    pid  process");
	screen_end_line();
	for (i = 0; i < n; i++) {
		unsigned share = permille(row[i].n, v->ms);

		printf("%4u.%u %10llu %10llu %6ld  %s", share / 10, share % 10,
		       (unsigned long long)(row[i].n - row[i].kernel),
		       (unsigned long long)row[i].kernel, row[i].pid, row[i].name);
		screen_end_line();
	}
	free(row);
}

/*
 * Print what the table is about and the ticks that never came, and in a second line, if these are
 * many, what can be done about it. Return the number of lines.
 */
static size_t print_head(const struct view *v, uint64_t ticks)
{
	struct loss loss = v->now->loss;
	char advice[TICKS_ADVICE];
	unsigned permille;
	uint64_t lost;

	loss_since(&loss, &v->before->loss);
	lost = loss.all.lost;
	printf("%llu ms, %llu ticks of %u us", (unsigned long long)v->ms,
	       (unsigned long long)ticks, (unsigned)v->now->period_us);
	if (lost)
		printf(", %llu lost", (unsigned long long)lost);
	if (v->keys)
		printf("; q leaves");
	screen_end_line();
	permille = ticks_permille(&loss.all);
	if (!permille)
		return 1;
	printf("%u.%u %% lost; fewer %s", permille / 10, permille % 10,
	       ticks_advice(ticks_helps(loss.clock, loss.ncpu), advice));
	screen_end_line();
	return 2;
}

/* Print one table. Functions have two thirds of the lines that the processors leave, at most. */
static void print(const struct view *v)
{
	unsigned ncpu = v->now->ncpu;
	/* Five: two empty lines, two titles, and the line of the cursor. */
	size_t lines = screen_lines() - 5 - (ncpu < 8 ? ncpu : 8), used;
	uint64_t ticks = activity_grown(v->now->ticks, v->before->ticks);

	screen_begin();
	lines -= print_head(v, ticks);
	for (unsigned i = 0; i < ncpu; i++)
		print_cpu(v, i);
	screen_end_line();
	used = print_functions(v, ticks, lines * 2 / 3);
	screen_end_line();
	print_processes(v, lines - used);
	screen_end();
}

/* Wait until then, or for a key that leaves. Return whether to go on. */
static bool wait_until(uint64_t until)
{
	uint64_t now;

	while ((now = activity_clock()) < until)
		if (!screen_wait(until - now))
			return false;
	return true;
}

/* Look, wait, look again, and show what is between the two, over and over. */
static void watch(const struct options *o, const struct symtab *symbols, bool keys)
{
	static struct activity looks[2]; /* in turn: the new one, and the one before */

	activity_read(&looks[0]);
	for (long i = 1; o->count == 0 || i <= o->count; i++) {
		struct activity *now = &looks[i % 2], *before = &looks[(i - 1) % 2];

		if (!wait_until(before->ms + o->delay_ms))
			break;
		activity_free(now);
		activity_read(now);
		print(&(struct view){now, before, symbols, now->ms - before->ms, keys});
	}
}

/* Return a number of seconds in milliseconds. */
static uint32_t milliseconds(const char *text)
{
	struct timespec t;
	uint64_t ms = 0;

	if (number_seconds(text, &t))
		ms = (uint64_t)t.tv_sec * 1000 + (uint32_t)t.tv_nsec / 1000000;
	if (ms < DELAY_MIN || ms > DELAY_MAX) {
		warnx("%s: not within 0.05 and 3600 seconds", text);
		usage('?', synopsis);
	}
	return (uint32_t)ms;
}

/* At the end: the console, and then kprof, as they were. */
static void leave(void)
{
	screen_close();
	keeper_end();
}

int main(int argc, char **argv)
{
	struct options o = {.kernel = "/boot/gnomon", .delay_ms = 1000};
	struct symtab symbols;
	int c;

	while ((c = getopt(argc, argv, "bd:hk:n:")) != -1) {
		if (c == 'b')
			o.batch = true;
		else if (c == 'd')
			o.delay_ms = milliseconds(optarg);
		else if (c == 'k')
			o.kernel = optarg;
		else if (c == 'n')
			o.count = number(optarg, 1, INT32_MAX);
		else
			usage(c, synopsis);
	}
	if (optind < argc)
		usage('?', synopsis);
	/* All that can fail on its own comes before kprof is started. */
	symtab_read(&symbols, o.kernel);
	buildid_check(&symbols, o.kernel);
	keeper_start();
	atexit(leave);
	watch(&o, &symbols, !o.batch && screen_open());
	return 0;
}
