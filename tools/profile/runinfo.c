/* How a profile was counted: see runinfo.h. The page that describes FILE.run is gnomon-run(1). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/runinfo.h"
#include "tools/profile/textline.h"
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

#define LOSS 1	    /* per cent of the ticks: what is above is told */
#define ADVICE 128  /* bytes of it */

#define NKEYS (sizeof(keys) / sizeof(keys[0]))
#define PROFILER offsetof(struct runinfo, profiler) /* from here on, it is one line */
#define CLOCK offsetof(struct runinfo, clock)	   /* from here on, kpstack has it, too */
#define TICKS offsetof(struct runinfo, elapsed_us) /* from here on, it is of one run */

/* Return where the value of a key is. */
static char *field(const struct runinfo *r, const struct key *k)
{
	return (char *)r + k->at;
}

/* Return its bytes. */
static size_t size(const struct key *k)
{
	return k->text ? RUNINFO_TEXT : sizeof(uint64_t);
}

/* Return whether a value is known. */
static bool known(const struct runinfo *r, const struct key *k)
{
	static const char nothing[RUNINFO_TEXT];

	return memcmp(field(r, k), nothing, size(k)) != 0;
}

/* A word KEY=VALUE; all three point into a text. */
struct word {
	const char *key, *equals, *end;
};

/* Find the next word from `at` on, in a line that ends at `end`. */
static bool next_word(struct word *w, const char *at, const char *end)
{
	while (at < end) {
		while (at < end && (*at == ' ' || *at == '#'))
			at++;
		w->key = at;
		w->equals = NULL;
		for (; at < end && *at != ' '; at++)
			if (*at == '=' && !w->equals)
				w->equals = at;
		w->end = at;
		if (w->equals)
			return true;
	}
	return false;
}

/* Return whether the key of a word is this one. */
static bool is(const struct word *w, const char *key)
{
	size_t n = strlen(key);

	return (size_t)(w->equals - w->key) == n && memcmp(w->key, key, n) == 0;
}

/* Read a number that is all of a word's value; any other leaves *v. */
static void number(const struct word *w, uint64_t *v)
{
	const char *at = w->equals + 1;
	uint64_t n;

	if (textline_number(&at, w->end, 10, UINT64_MAX, &n) && at == w->end)
		*v = n;
}

/* Take a word that is not of a single CPU. Too long a text is cut. */
static void take(struct runinfo *r, const struct word *w)
{
	size_t i, n = w->end - w->equals - 1;

	n = n < RUNINFO_TEXT ? n : RUNINFO_TEXT - 1;
	for (i = 0; i < NKEYS; i++) {
		if (!is(w, keys[i].name))
			continue;
		if (keys[i].text) {
			memset(field(r, &keys[i]), 0, RUNINFO_TEXT);
			memcpy(field(r, &keys[i]), w->equals + 1, n);
		} else {
			number(w, (uint64_t *)field(r, &keys[i]));
		}
	}
}

/* Take the words of a line, or leave those of a profiler that is not wanted. */
static void take_line(struct runinfo *r, const struct textline *t, const char *wanted, bool *skip)
{
	const char *end = t->line + t->n;
	struct runinfo_ticks beyond = {0}, *cpu = NULL;
	struct word w = {.end = t->line};
	uint64_t n = RUNINFO_MAXCPU;

	while (next_word(&w, w.end, end)) {
		if (is(&w, "profiler"))
			*skip = (size_t)(w.end - w.equals - 1) != strlen(wanted) ||
				memcmp(w.equals + 1, wanted, strlen(wanted)) != 0;
		if (*skip)
			continue;
		if (is(&w, "cpu")) {
			number(&w, &n);
			cpu = n < RUNINFO_MAXCPU ? &r->cpu[n] : &beyond;
		} else if (!cpu) {
			take(r, &w);
		} else if (is(&w, "ticks")) {
			number(&w, &cpu->taken);
		} else if (is(&w, "lost")) {
			number(&w, &cpu->lost);
		}
	}
}

/* Take all lines. */
static void take_lines(struct runinfo *r, const char *wanted, const char *text, size_t n)
{
	struct textline t;
	bool skip = false;

	textline_init(&t, text, n);
	while (textline_next(&t))
		take_line(r, &t, wanted, &skip);
}

/* Return whether anything is known of ticks. */
static bool has_ticks(const struct runinfo *r)
{
	return r->all.taken > 0 || r->all.lost > 0;
}

void runinfo_words(struct runinfo *r, const char *profiler, const char *text, size_t n)
{
	take_lines(r, profiler, text, n);
	if (!has_ticks(r))
		take_lines(r, "any", text, n);
}

bool runinfo_beside(struct runinfo *r, const char *profiler, const char *file)
{
	char *path = memory_format("%s%s", file, RUNINFO_SUFFIX);
	struct complaint none;
	uint8_t *text;
	size_t n;
	bool there = slurp(path, &text, &n, &none) == 0;

	memset(r, 0, sizeof(*r));
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

	for (i = 0; i < NKEYS; i++)
		if (!known(r, &keys[i]) && (keys[i].at < TICKS || !ticks))
			memcpy(field(r, &keys[i]), field(from, &keys[i]), size(&keys[i]));
	if (!ticks)
		memcpy(r->cpu, from->cpu, sizeof(r->cpu));
}

void runinfo_drop_ticks(struct runinfo *r)
{
	memset((char *)r + TICKS, 0, sizeof(*r) - TICKS);
}

/* Add ticks to others. */
static void add(struct runinfo_ticks *to, const struct runinfo_ticks *n)
{
	to->taken += n->taken;
	to->lost += n->lost;
}

bool runinfo_add(struct runinfo *r, const struct runinfo *of)
{
	bool ticks = has_ticks(r) && has_ticks(of);
	size_t i;

	for (i = 0; i < NKEYS && keys[i].at < TICKS; i++)
		if (memcmp(field(r, &keys[i]), field(of, &keys[i]), size(&keys[i])) != 0)
			memset(field(r, &keys[i]), 0, size(&keys[i]));
	if (!ticks) {
		runinfo_drop_ticks(r);
		return false;
	}
	r->elapsed_us += of->elapsed_us;
	add(&r->all, &of->all);
	for (i = 0; i < RUNINFO_MAXCPU; i++)
		add(&r->cpu[i], &of->cpu[i]);
	return true;
}

/* Write a word. What would end it, in a text, is written as "_". */
static void print_word(const struct runinfo *r, const struct key *k, FILE *to)
{
	const char *p = field(r, k);

	fprintf(to, "%s=", k->name);
	if (!k->text)
		fprintf(to, "%" PRIu64, *(const uint64_t *)p);
	for (; k->text && *p; p++)
		putc((unsigned char)*p <= ' ' ? '_' : *p, to);
}

/*
 * Write the keys from one on as a line, with that before it, and lines for the CPUs, also for those
 * that had no ticks. No loss is worth a word, if there were ticks.
 */
static void print_line(const struct runinfo *r, size_t from, const char *before, FILE *to)
{
	unsigned cpu, n = runinfo_ncpu(r);
	const char *blank = before;
	size_t i;

	for (i = 0; i < NKEYS; i++) {
		if (keys[i].at < from ||
		    (!known(r, &keys[i]) && !(has_ticks(r) && keys[i].at > TICKS)))
			continue;
		fputs(blank, to);
		print_word(r, &keys[i], to);
		blank = " ";
	}
	if (blank != before)
		putc('\n', to);
	if (n > 0 && n < r->cpus && r->cpus <= RUNINFO_MAXCPU)
		n = (unsigned)r->cpus;
	for (cpu = 0; cpu < n; cpu++)
		fprintf(to, "%scpu=%u ticks=%" PRIu64 " lost=%" PRIu64 "\n", before, cpu,
			r->cpu[cpu].taken, r->cpu[cpu].lost);
}

void runinfo_print(const struct runinfo *r, FILE *to)
{
	size_t i;

	for (i = 0; keys[i].at < PROFILER; i++) {
		if (!known(r, &keys[i]))
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
	unsigned n = RUNINFO_MAXCPU;

	while (n > 0 && r->cpu[n - 1].taken == 0 && r->cpu[n - 1].lost == 0)
		n--;
	return n;
}

/* Damaged numbers may be of any size, so they are added as fractions. */
double runinfo_percent(const struct runinfo_ticks *t)
{
	double due = (double)t->taken + (double)t->lost;

	return due > 0 ? 100.0 * (double)t->lost / due : 0;
}

/* Return whether QEMU gives CPUs uneven turns under -icount: before version 8.1, or unknown. */
static bool uneven_turns(const struct runinfo *r)
{
	unsigned major, minor;

	if (r->cpus == 1 || strcmp(r->icount, "off") == 0)
		return false;
	return sscanf(r->qemu, "%u.%u", &major, &minor) < 2 || major < 8 ||
	       (major == 8 && minor < 1);
}

/*
 * Say what loses fewer ticks. What is already so, and what is known to have no effect, is not
 * proposed.
 */
static const char *advice(const struct runinfo *r, char buf[static ADVICE])
{
	bool tcg = !*r->accel || strncmp(r->accel, "tcg", 3) == 0;
	const char *clock = strcmp(r->clock, "lapic") != 0 && r->cpus != 1 ?
			    "with profclock=lapic, " : "";
	const char *count = tcg && (!*r->icount || strcmp(r->icount, "off") == 0) ?
			    "with --icount, " : "";
	const char *newer = tcg && uneven_turns(r) ? "by QEMU 8.1 or later, " : "";

	snprintf(buf, ADVICE, "%s%s%s%sat a lower rate", clock, count, newer,
		 *clock || *count || *newer ? "or " : "");
	return buf;
}

char *runinfo_loss(const struct runinfo *r)
{
	double due = (double)r->all.taken + (double)r->all.lost, second = r->period_us / 1e6;
	char times[64] = "", buf[ADVICE];

	if (runinfo_percent(&r->all) <= LOSS)
		return NULL;
	if (r->period_us)
		snprintf(times, sizeof(times), ", %.2f s of %.2f s",
			 (double)r->all.taken * second, due * second);
	return memory_format("lost: %.1f %% of the ticks that were due, %" PRIu64 " of %.0f; times "
			     "are of the %" PRIu64 " taken%s; fewer are lost %s",
			     runinfo_percent(&r->all), r->all.lost, due, r->all.taken, times,
			     advice(r, buf));
}

/* What a CPU's ticks count for is due / taken. */
bool runinfo_uneven(const struct runinfo *r)
{
	double least = 1, most = 0, share;
	unsigned i;

	for (i = 0; i < RUNINFO_MAXCPU; i++) {
		if (r->cpu[i].taken == 0 && r->cpu[i].lost == 0)
			continue;
		share = 1 - runinfo_percent(&r->cpu[i]) / 100;
		least = share < least ? share : least;
		most = share > most ? share : most;
	}
	return least < most * (1 - LOSS / 100.0);
}
