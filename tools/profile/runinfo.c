/* How a profile was counted: see runinfo.h. The page that describes FILE.run is gnomon-run(1). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"
#include "tools/profile/runinfo.h"
#include "tools/slurp.h"

/* The keys of FILE.run, in the order in which they are written, which is that of the fields. */
static const struct key {
	const char *name;
	size_t at; /* in struct runinfo */
	bool text; /* or else a number */
} keys[] = {
	{"build", offsetof(struct runinfo, build), true},
	{"qemu", offsetof(struct runinfo, qemu), true},
	{"accel", offsetof(struct runinfo, accel), true},
	{"model", offsetof(struct runinfo, model), true},
	{"memory_mb", offsetof(struct runinfo, memory_mb), false},
	{"weighed", offsetof(struct runinfo, weighed), false},
	{"icount", offsetof(struct runinfo, icount), true},
	{"profiler", offsetof(struct runinfo, profiler), true},
	{"clock", offsetof(struct runinfo, clock), true},
	{"delivery", offsetof(struct runinfo, delivery), true},
	{"hz", offsetof(struct runinfo, hz), false},
	{"period_us", offsetof(struct runinfo, period_us), false},
	{"cpus", offsetof(struct runinfo, cpus), false},
	{"elapsed_us", offsetof(struct runinfo, elapsed_us), false},
	{"ticks", offsetof(struct runinfo, all.taken), false},
	{"lost", offsetof(struct runinfo, all.lost), false},
};

#define UNEVEN 0.01 /* CPUs whose shares differ by more have lost unevenly */

#define NKEYS (sizeof(keys) / sizeof(keys[0]))
#define PROFILER offsetof(struct runinfo, profiler) /* from here on, it is one line */
#define CLOCK offsetof(struct runinfo, clock)	   /* from here on, kpstack has it, too */
#define TICKS offsetof(struct runinfo, elapsed_us) /* from here on, it is of one run */

/* Return where the value of a key is. */
static char *key_field(const struct runinfo *r, const struct key *k)
{
	return (char *)r + k->at;
}

/* Return its bytes. */
static size_t key_size(const struct key *k)
{
	if (k->text)
		return RUNINFO_TEXT;
	return sizeof(uint64_t);
}

/* Return whether a value is known. */
static bool key_known(const struct runinfo *r, const struct key *k)
{
	static const char nothing[RUNINFO_TEXT];

	return memcmp(key_field(r, k), nothing, key_size(k)) != 0;
}

/* Take a word that is not of a single CPU. Too long a text is cut. */
static void runinfo_take(struct runinfo *r, const struct ticks_word *w)
{
	char text[RUNINFO_TEXT];
	size_t i;

	for (i = 0; i < NKEYS; i++) {
		if (!ticks_is(w, keys[i].name))
			continue;
		ticks_copy(w, text, sizeof(text));
		if (keys[i].text)
			printable_cut(key_field(r, &keys[i]), sizeof(text), text);
		else
			ticks_number(w, (uint64_t *)key_field(r, &keys[i]));
	}
}

/* Take all words of a profiler. */
static void take_all(struct runinfo *r, const char *profiler, const char *text, size_t n)
{
	struct ticks_text t;
	struct ticks_word w;

	ticks_text_init(&t, text, n, profiler);
	while (ticks_next(&t, &w)) {
		if (w.single)
			ticks_take(r->cpu, &w);
		else
			runinfo_take(r, &w);
	}
}

/* Return whether there were ticks, taken or lost. */
static bool had_ticks(const struct ticks *t)
{
	return t->taken > 0 || t->lost > 0;
}

/* Return whether anything is known of ticks. */
static bool has_ticks(const struct runinfo *r)
{
	return had_ticks(&r->all);
}

void runinfo_words(struct runinfo *r, const char *profiler, const char *text, size_t n)
{
	take_all(r, profiler, text, n);
	if (!has_ticks(r))
		take_all(r, "any", text, n);
}

bool runinfo_beside(struct runinfo *r, const char *profiler, const char *file)
{
	char *path = memory_format("%s%s", file, RUNINFO_SUFFIX);
	struct complaint none;
	uint8_t *text;
	size_t n;
	bool there = slurp_has_small(path);

	memset(r, 0, sizeof(*r));
	if (there)
		there = slurp(path, &text, &n, &none) == 0;
	if (there) {
		runinfo_words(r, profiler, (char *)text, n);
		free(text);
	}
	free(path);
	return there;
}

void runinfo_complete(struct runinfo *r, const struct runinfo *from)
{
	bool ticks = has_ticks(r);
	size_t i;

	for (i = 0; i < NKEYS; i++) {
		bool wanted = keys[i].at < TICKS || !ticks;

		if (wanted && !key_known(r, &keys[i]))
			memcpy(key_field(r, &keys[i]), key_field(from, &keys[i]),
			       key_size(&keys[i]));
	}
	if (!ticks)
		memcpy(r->cpu, from->cpu, sizeof(r->cpu));
}

void runinfo_drop_ticks(struct runinfo *r)
{
	memset((char *)r + TICKS, 0, sizeof(*r) - TICKS);
}

/* Add ticks to others. */
static void runinfo_add_ticks(struct ticks *to, const struct ticks *n)
{
	to->taken = order_plus(to->taken, n->taken);
	to->lost = order_plus(to->lost, n->lost);
}

bool runinfo_add(struct runinfo *r, const struct runinfo *of)
{
	bool ticks = has_ticks(r) && has_ticks(of);
	size_t i;

	for (i = 0; i < NKEYS && keys[i].at < TICKS; i++)
		if (memcmp(key_field(r, &keys[i]), key_field(of, &keys[i]), key_size(&keys[i])) !=
		    0)
			memset(key_field(r, &keys[i]), 0, key_size(&keys[i]));
	if (!ticks) {
		runinfo_drop_ticks(r);
		return false;
	}
	r->elapsed_us = order_plus(r->elapsed_us, of->elapsed_us);
	runinfo_add_ticks(&r->all, &of->all);
	for (i = 0; i < TICKS_MAXCPU; i++)
		runinfo_add_ticks(&r->cpu[i], &of->cpu[i]);
	return true;
}

/* Write a word. What would end it, in a text, is written as "_". */
static void print_word(const struct runinfo *r, const struct key *k, FILE *to)
{
	const char *p = key_field(r, k);

	fprintf(to, "%s=", k->name);
	if (!k->text) {
		fprintf(to, "%" PRIu64, *(const uint64_t *)p);
		return;
	}
	for (; *p; p++) {
		char c = *p;

		if ((unsigned char)c <= ' ')
			c = '_';
		putc(c, to);
	}
}

/* Return whether a word is worth writing: no loss is, if there were ticks. */
static bool is_worth(const struct runinfo *r, const struct key *k)
{
	if (k->at > TICKS && has_ticks(r))
		return true;
	return key_known(r, k);
}

/*
 * Write the keys from one on as a line, with that before it, and lines for the CPUs, also for those
 * that had no ticks.
 */
static void print_line(const struct runinfo *r, size_t from, const char *before, FILE *to)
{
	unsigned cpu, n = runinfo_ncpu(r);
	const char *blank = before;
	size_t i;

	for (i = 0; i < NKEYS; i++) {
		if (keys[i].at < from || !is_worth(r, &keys[i]))
			continue;
		fputs(blank, to);
		print_word(r, &keys[i], to);
		blank = " ";
	}
	if (blank != before)
		putc('\n', to);
	if (n > 0 && r->cpus <= TICKS_MAXCPU)
		n = (unsigned)order_max(n, r->cpus);
	for (cpu = 0; cpu < n; cpu++)
		fprintf(to, "%scpu=%u ticks=%" PRIu64 " lost=%" PRIu64 "\n", before, cpu,
			r->cpu[cpu].taken, r->cpu[cpu].lost);
}

void runinfo_print(const struct runinfo *r, FILE *to)
{
	size_t i;

	for (i = 0; keys[i].at < PROFILER; i++) {
		if (!key_known(r, &keys[i]))
			continue;
		print_word(r, &keys[i], to);
		putc('\n', to);
	}
	print_line(r, PROFILER, "", to);
}

void runinfo_print_clock(const struct runinfo *r, FILE *to)
{
	if (has_ticks(r))
		print_line(r, CLOCK, "# ", to);
}

unsigned runinfo_ncpu(const struct runinfo *r)
{
	unsigned n = TICKS_MAXCPU;

	while (n > 0 && !had_ticks(&r->cpu[n - 1]))
		n--;
	return n;
}

/* Damaged numbers may be of any size, so they are added as fractions. */
double runinfo_percent(const struct ticks *t)
{
	double due = (double)t->taken + (double)t->lost;

	if (due == 0)
		return 0;
	return 100.0 * (double)t->lost / due;
}

/* Return whether QEMU gives CPUs uneven turns under -icount: before version 8.1, or unknown. */
static bool uneven_turns(const struct runinfo *r)
{
	unsigned major, minor;

	if (r->cpus == 1 || strcmp(r->icount, "off") == 0)
		return false;
	if (sscanf(r->qemu, "%u.%u", &major, &minor) < 2 || major < 8)
		return true;
	return major == 8 && minor < 1;
}

/* Return whether the guest's time was its instructions alone: sleep=off in tools/run/qemu.c. */
static bool counts_alone(const struct runinfo *r)
{
	return *r->icount && strcmp(r->icount, "off") != 0 && strcmp(r->icount, "auto") != 0;
}

/* Return what loses fewer ticks, without what is already so and what is known to have no effect. */
static unsigned runinfo_helps(const struct runinfo *r)
{
	bool tcg = !*r->accel || strncmp(r->accel, "tcg", 3) == 0;
	unsigned helps = ticks_helps(r->clock, r->cpus);

	if (!tcg || counts_alone(r))
		helps &= ~TICKS_ICOUNT;
	if (!tcg || !uneven_turns(r))
		helps &= ~(TICKS_TURNS | TICKS_QEMU);
	else if (counts_alone(r))
		helps &= ~TICKS_RATE;
	return helps;
}

char *runinfo_loss(const struct runinfo *r)
{
	char line[TICKS_LINE];

	if (!*ticks_lost(&r->all, "times", r->period_us, runinfo_helps(r), line))
		return NULL;
	return memory_string(line, strlen(line));
}

/* What a CPU's ticks count for is due / taken. */
bool runinfo_uneven(const struct runinfo *r)
{
	double least = 1, most = 0, share;
	unsigned i;

	for (i = 0; i < TICKS_MAXCPU; i++) {
		if (!had_ticks(&r->cpu[i]))
			continue;
		share = 1 - runinfo_percent(&r->cpu[i]) / 100;
		least = fmin(share, least);
		most = fmax(share, most);
	}
	return least < most * (1 - UNEVEN);
}
