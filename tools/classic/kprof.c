/*
 * kprof(1): prints what the kernel's kprof device counted, by function, as Inferno's kprof does:
 *
 *	total:                       100 ticks         50.00 ms  100.00 %
 *	in kernel text:               40 ticks         20.00 ms   40.00 %
 *	  of which idle:              10 ticks          5.00 ms   10.00 %
 *	outside kernel text:          60 ticks         30.00 ms   60.00 %
 *	one tick: 500 us; text from c0100000 to c0101000
 *
 *	          ms       %  symbol
 *	       15.00   30.00  memcpy
 *	        5.00   10.00  cpu_idle
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/symbols.h"
#include "tools/outfile.h"
#include "tools/profile/kpdata.h"
#include "tools/profile/runinfo.h"
#include "tools/slurp.h"
#include "tools/version.h"

static const char usage[] = "usage: kprof KERNEL KPDATA\n";

/* Read the data, and check that they are this kernel's. KPDATA.run tells, of gnomon-run(1). */
static int kprof_load(struct kpdata *k, const struct symbols *s, const char *kernel,
		      const char *path, const struct runinfo *run, struct complaint *why)
{
	struct complaint what;
	uint8_t *data;
	size_t n;
	int bad;

	if (*run->build && strcmp(run->build, s->buildid) != 0)
		return complain(why, "%s: from another kernel: its build id is %s, that of %s is "
				"%s", path, run->build, kernel, symbols_buildid(s));
	if (slurp(path, &data, &n, why) < 0)
		return -1;
	bad = kpdata_parse(k, data, n, &what);
	free(data);
	if (!bad && kpdata_fits(k, s, &what) < 0) {
		kpdata_free(k);
		bad = -1;
	}
	if (bad)
		return complain(why, "%s: %s", path, what.text);
	return 0;
}

/* Read the kernel's symbols, among which must be those that bound its text. */
static int load_kernel(struct symbols *s, const char *path, struct complaint *why)
{
	if (symbols_load(s, path, why) < 0)
		return -1;
	if (s->has_text && s->n > 0)
		return 0;
	symbols_free(s);
	return complain(why, "%s: no symbols ktzero and etext: not a kernel of ours", path);
}

/* Print one line of the head. */
static void print_sum(const char *what, uint32_t ticks, const struct kpdata *k)
{
	double share = 0;

	if (k->total)
		share = 100.0 * ticks / k->total;
	printf("%-21s %10" PRIu32 " ticks %13.2f ms  %6.2f %%\n", what, ticks,
	       (double)ticks * k->us / 1000, share);
}

/* Print a function's line. */
static void print_function(const struct kpdata_row *row, const struct kpdata *k)
{
	const char *name = row->name;

	if (!name)
		name = "(no symbol)";
	printf("%12.2f %7.2f  %s\n", (double)row->ticks * k->us / 1000,
	       100.0 * row->ticks / k->total, name);
}

/* Print the report. */
static void kprof_print(const struct kpdata *k, const struct symbols *s, const struct runinfo *run)
{
	char *loss = runinfo_loss(run);
	size_t i, n;
	struct kpdata_row *row = kpdata_by_symbol(k, s, &n);
	uint32_t idle = 0;

	print_sum("total:", k->total, k);
	print_sum("in kernel text:", k->total - k->outside, k);
	for (i = 0; i < n; i++)
		if (row[i].idle)
			idle += row[i].ticks;
	if (idle > 0)
		print_sum("  of which idle:", idle, k);
	print_sum("outside kernel text:", k->outside, k);
	printf("one tick: %" PRIu32 " us; text from %08" PRIx64 " to %08" PRIx64 "\n", k->us,
	       s->ktzero, s->etext);
	if (loss)
		printf("%s\n", loss);
	free(loss);
	printf("\n%12s %7s  %s\n", "ms", "%", "symbol");
	for (i = 0; i < n; i++)
		print_function(&row[i], k);
	free(row);
}

/* Exit status: 0; 1 the data cannot be read, or are another kernel's; 2 usage. */
int main(int argc, char **argv)
{
	int asked = version_asked("kprof", usage, argc, argv);
	struct complaint why;
	struct symbols s;
	struct runinfo run;
	struct kpdata k;

	if (asked >= 0)
		return asked;
	if (!version_operands(argc, argv, 2, 2)) {
		fputs(usage, stderr);
		return 2;
	}
	if (load_kernel(&s, argv[1], &why) < 0) {
		fprintf(stderr, "kprof: %s\n", why.text);
		return 1;
	}
	runinfo_beside(&run, "kprof", argv[2]);
	if (kprof_load(&k, &s, argv[1], argv[2], &run, &why) < 0) {
		fprintf(stderr, "kprof: %s\n", why.text);
		symbols_free(&s);
		return 1;
	}
	kprof_print(&k, &s, &run);
	kpdata_free(&k);
	symbols_free(&s);
	return outfile_standard("kprof", 0);
}
