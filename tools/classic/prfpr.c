/*
 * prfpr(8) for the host: prints where a guest's kernel spent its time, from the log that prfdc(8)
 * or prfsnap(8) has written in the guest. The report is that of the guest's own prfpr, which is
 * made of the same source: userland/formats/prfreport.c.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "userland/formats/prflog.h"
#include "tools/buildtree.h"
#include "tools/code/symbols.h"
#include "tools/outfile.h"
#include "tools/slurp.h"
#include "tools/version.h"

static const char usage[] = "usage: prfpr FILE [CUTOFF [NAMELIST]]\n";

/*
 * Return the name of the function that begins at an address, or NULL: the log's counters are of
 * the functions of the kernel that wrote it.
 */
static const char *prfpr_name(void *symbols, uint32_t address)
{
	const struct symbol *s = symbols_at(symbols, address);

	if (!s)
		return NULL;
	if (s->start != address)
		return NULL;
	return s->name;
}

/* Print a part of the report. */
static void prfpr_put(void *unused, const char *text, size_t n)
{
	(void)unused;
	fwrite(text, 1, n, stdout);
}

/* Read the log, and the kernel that it is of. The caller frees the symbols, on success only. */
static int prfpr_load(struct prflog *l, struct symbols *s, const char *file, const char *kernel,
		      struct complaint *why)
{
	uint8_t *data;
	size_t n;

	if (slurp(file, &data, &n, why) < 0)
		return -1;
	if (prflog_open(l, data, n) < 0)
		return complain(why, "%s: %s", file, l->why);
	if (symbols_load(s, kernel, why) < 0)
		return -1;
	if (strcmp(s->buildid, l->head.buildid) == 0)
		return 0;
	complain(why, "%s: from another kernel: its build id is %s, that of %s is %s", file,
		 l->head.buildid, kernel, symbols_buildid(s));
	symbols_free(s);
	return -1;
}

/* Print the report, and then why it ended early, if it did. Return the exit status. */
static int prfpr_print(struct prfreport *report, struct prflog *l, const char *file)
{
	int error = prfreport(report, l);

	if (error == PRFLOG_ECUT) {
		fprintf(stderr, "prfpr: %s: %s; left out\n", file, l->why);
		error = 0;
	} else if (error < 0) {
		fprintf(stderr, "prfpr: %s: %s\n", file, l->why);
	}
	return outfile_standard("prfpr", error < 0);
}


/* Return whether an argument looks like an option; "-" is the standard input. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/*
 * CUTOFF is per cent, 1 by default: functions with more than that are printed. NAMELIST is the
 * kernel, by default that of the build tree. Exit status: 0; 1 the log cannot be read, or is
 * another kernel's; 2 usage.
 */
int main(int argc, char **argv)
{
	int status = version_asked("prfpr", usage, argc, argv);
	struct symbols s;
	struct prfreport report = {.name = prfpr_name, .put = prfpr_put, .arg = &s, .cutoff = 100};
	const char *namelist = NULL;
	char kernel[PATH_MAX];
	struct complaint why;
	struct prflog log;

	if (status >= 0)
		return status;
	if (argc < 2 || argc > 4 || is_option(argv[1])) {
		fputs(usage, stderr);
		return 2;
	}
	if (argc > 3)
		namelist = argv[3];
	if (argc > 2 && prfreport_cutoff(argv[2], &report.cutoff) < 0) {
		fprintf(stderr, "prfpr: %s: not a number of per cent from 0 to 100\n", argv[2]);
		return 2;
	}
	status = buildtree_file(kernel, sizeof(kernel), namelist, "gnomon.elf", &why);
	if (status == 0)
		status = prfpr_load(&log, &s, argv[1], kernel, &why);
	if (status < 0) {
		fprintf(stderr, "prfpr: %s\n", why.text);
		return 1;
	}
	status = prfpr_print(&report, &log, argv[1]);
	symbols_free(&s);
	return status;
}
