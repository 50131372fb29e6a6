/* gnomon-report(1): the head, and how rows, names and shares are printed: see report.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tools/report/report.h"

/* Everything is a share of the profile's total, including idle time and what ran outside. */
double report_percent(const struct report *r, double count)
{
	if (!r->prof.total)
		return 0;
	return 100 * count / r->prof.total;
}

/* Coverage of programs counts instructions, that of the kernel calls. */
bool report_is_coverage(const struct report *r)
{
	return r->prof.unit == PROFDATA_INSTRUCTIONS || r->prof.unit == PROFDATA_CALLS;
}

/* Of a kernel's files gnomon record counts each instruction, too; paths are of what follows it. */
bool report_has_runs(const struct report *r)
{
	if (r->prof.unit == PROFDATA_INSTRUCTIONS)
		return true;
	if (r->prof.unit != PROFDATA_EXECUTED || r->prof.period)
		return false;
	return strcmp(r->prof.format, "modules") == 0;
}

bool report_shows(const struct report *r, size_t above, double percent)
{
	return above < r->options.limit.rows && percent >= r->options.limit.percent;
}

void report_left_out(size_t rows)
{
	if (rows)
		printf("%zu more; --limit 0 shows all\n", rows);
}

/* Return the colour of a share, as perf has it: 5 % is red, half a per cent green; or NULL. */
static const char *share_color(double percent)
{
	if (percent >= 5)
		return "\033[31m";
	if (percent >= 0.5)
		return "\033[32m";
	return NULL;
}

void report_share(const struct report *r, int width, double percent)
{
	const char *color = share_color(percent);

	if (color && r->options.terminal.color)
		printf(" %s%*.2f\033[m", color, width - 1, percent);
	else
		printf(" %*.2f", width - 1, percent);
}

void report_titles(const struct report *r, const char *text)
{
	if (r->options.terminal.color)
		printf("\033[1m%s\033[m", text);
	else
		fputs(text, stdout);
}

const char *report_module(const struct report *r, uint32_t function)
{
	uint32_t image = r->functions.function[function].image;

	if (image == PROFDATA_NONE)
		return NULL;
	return r->prof.image[image].name;
}

const char *report_name(const struct report *r, uint32_t function, char *buf, size_t n)
{
	const struct function *f = &r->functions.function[function];
	const char *module = profdata_image_name(&r->prof, f->image), *colon = ":", *inlined = "";

	if (f->image == PROFDATA_NONE || r->prof.nimage == 1)
		module = colon = "";
	if (f->inlined)
		inlined = " (inlined)";
	snprintf(buf, n, "%s%s%s%s", module, colon, f->name, inlined);
	return buf;
}

/* Return whether `wanted' is a name, with or without its module. */
static bool is_name(const char *wanted, const char *module, const char *function)
{
	size_t n = strlen(module);

	if (strcmp(wanted, function) == 0)
		return true;
	if (strncmp(wanted, module, n) != 0)
		return false;
	if (wanted[n] != ':')
		return false;
	return strcmp(wanted + n + 1, function) == 0;
}

bool report_means(const char *wanted, const char *module, const char *name, const char *plain)
{
	if (is_name(wanted, module, name))
		return true;
	return is_name(wanted, module, plain);
}

bool report_matches(const struct report *r, uint32_t function, const char *wanted)
{
	const struct function *f = &r->functions.function[function];

	return report_means(wanted, profdata_image_name(&r->prof, f->image), f->name,
			    f->plain);
}

int report_no_calls(const struct report *r, struct complaint *why)
{
	const char *hint = "";

	if (r->prof.unit == PROFDATA_BYTES)
		hint = "; paths of memory are in /dev/kpmem, after 'echo startmp paths >/prof/ctl'";
	return complain(why, "%s: it has no calls: neither paths nor arcs%s", r->file, hint);
}

/*
 * Say how much was lost. Where CPUs lost different shares, say which, for what ran on one that
 * lost more has too small a share of the sum.
 */
static void print_loss(const struct report *r)
{
	const struct runinfo *run = &r->prof.run;
	unsigned i, n = runinfo_ncpu(run);

	if (r->loss)
		printf("  %s\n", r->loss);
	if (r->prof.unit != PROFDATA_TICKS)
		return;
	if (!runinfo_uneven(run))
		return;
	for (i = 0; i < n; i++)
		printf("  cpu%-7u %12" PRIu64 " ticks, %" PRIu64 " lost: %.2f %%\n", i,
		       run->cpu[i].taken, run->cpu[i].lost, runinfo_percent(&run->cpu[i]));
	printf("  what ran on CPUs that lost more has too small a share; `gnomon merge --weigh' "
	       "adds up files of single CPUs (kgmon -c all) by what was due\n");
}

/* Say which paths were left out by patterns. */
static void print_patterns(const struct report *r)
{
	const struct sieve *s = &r->options.sieve;

	if (!sieve_given(s))
		return;
	printf("  of %" PRIu64 " %s in all:", r->before, profdata_unit_name[r->prof.unit]);
	if (s->focus.text)
		printf(" --focus %s", s->focus.text);
	if (s->ignore.text)
		printf(" --ignore %s", s->ignore.text);
	if (s->hide.text)
		printf(" --hide %s", s->hide.text);
	putchar('\n');
}

/* Say how many runs there were. */
static void print_runs(const struct report *r)
{
	if (r->repeats.n > 1 && r->varies)
		printf("  %zu runs, added up; +- is the standard error of a share, estimated "
		       "from how much the runs vary\n", r->repeats.n);
	else if (r->repeats.n > 1)
		printf("  %zu runs, added up\n", r->repeats.n);
	else if (r->repeats.same)
		printf("  one of %zu identical runs\n", r->repeats.same);
}

/* Say how much was counted in each mode. */
static void print_modes(const struct report *r)
{
	const uint64_t *count = r->prof.by_mode;
	int i;

	for (i = 0; i < PROFDATA_NMODES; i++)
		if (count[i])
			printf("  %-10s %12" PRIu64 "  %6.2f %%\n", profdata_mode_name[i],
			       count[i], report_percent(r, count[i]));
}

/*
 * kpdata: kpdata, 100 ticks of 500 us, 50.00 ms
 *   kernel               40   40.00 %
 *   outside              60   60.00 %
 */
void report_head(const struct report *r)
{
	const struct profdata *p = &r->prof;
	int i;

	profdata_print(p, r->file);
	putchar('\n');
	print_runs(r);
	print_patterns(r);
	if (p->calls)
		printf("  kernel     %" PRIu64 " calls of its functions are not in this; "
		       "--module kernel shows them\n", p->calls);
	if (profdata_is_time(p) || p->by_mode[PROFDATA_IN_USE] + p->by_mode[PROFDATA_FREED] > 0)
		print_modes(r);
	for (i = 0; i < REPORT_CAUTIONS && r->caution[i]; i++)
		printf("  %s\n", r->caution[i]);
	if (r->memory)
		printf("  %s\n", r->memory);
	print_loss(r);
}

void report_shared(const struct report *r)
{
	const struct profdata_frame *leaf;
	uint32_t most = 1;
	size_t i;

	for (i = 0; i < r->prof.nsample; i++) {
		leaf = profdata_leaf(&r->prof, &r->prof.sample[i]);
		if (leaf && leaf->span > most)
			most = leaf->span;
	}
	if (most == 1)
		return;
	printf("  %c: a count is of up to %" PRIu32 " bytes of text: some belongs to what follows",
	       REPORT_SHARED, most);
	if (strcmp(r->prof.format, "kpdata") == 0)
		fputs("; kpstack is exact", stdout);
	putchar('\n');
}
