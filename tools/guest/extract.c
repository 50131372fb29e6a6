/* gnomon extract: takes what the profilers have counted out of a guest's memory. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/folder.h"
#include "tools/gnomon.h"
#include "tools/guest/inside.h"
#include "tools/memory.h"
#include "tools/option.h"
#include "tools/outfile.h"

static const char usage[] =
	"usage: gnomon extract [-k KERNEL] [-o FOLDER] (-c CORE | -q SOCKET) [FILE ...]\n"
	"\n"
	"  -c, --core=CORE      memory as QEMU's dump-guest-memory wrote it\n"
	"  -q, --qmp=SOCKET     memory of a running guest, by its QEMU's QMP socket\n"
	"  -k, --kernel=KERNEL  the kernel's image (default: gnomon.elf beside this program), or\n"
	"                       none, if there is no image of it\n"
	"  -o, --output=FOLDER  where the files go, made if need be (default: here)\n"
	"  -h, --help           this\n";

/* The files that can be extracted. */
static const struct {
	const char *name;
	int (*write)(struct inside *in, FILE *to, struct complaint *why);
	const char *profiler; /* whose ticks it has; NULL: none */
} part[] = {
	{"kpdata", inside_kpdata, "kprof"},
	{"gmon.out", inside_gmon, "gmon"},
	{"kpstack", inside_stacks, "kprof"},
	{"kptrace", inside_trace, "kprof"},
	{"console.log", inside_log, NULL},
};

#define NPART (sizeof(part) / sizeof(part[0]))

struct options {
	const char *core, *socket; /* one of them is NULL */
	const char *kernel, *dir;  /* NULL: the built one; here */
	char **wanted;
	int nwanted; /* 0: everything */
};

static const struct option_row rows[] = {
	{'c', "core", option_text, offsetof(struct options, core)},
	{'q', "qmp", option_text, offsetof(struct options, socket)},
	{'k', "kernel", option_text, offsetof(struct options, kernel)},
	{'o', "output", option_text, offsetof(struct options, dir)},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "extract", .usage = usage, .row = rows, .operands = -1,
};

/* Whether the user wants that file: all are wanted when none is named. */
static bool wanted(const struct options *o, const char *name)
{
	int i;

	for (i = 0; i < o->nwanted; i++)
		if (strcmp(o->wanted[i], name) == 0)
			return true;
	return o->nwanted == 0;
}

/* Return whether there is a file of that name. */
static bool is_part(const char *name)
{
	size_t k;

	for (k = 0; k < NPART; k++)
		if (strcmp(name, part[k].name) == 0)
			return true;
	return false;
}

/* Check that each file asked for is one that there is. 0, or -1 and why. */
static int check_names(const struct options *o, struct complaint *why)
{
	int i;

	for (i = 0; i < o->nwanted; i++)
		if (!is_part(o->wanted[i]))
			return complain(why, "%s: no such file in a guest's memory: it has "
					"kpdata, gmon.out, kpstack, kptrace, "
					"console.log", o->wanted[i]);
	return 0;
}

/* Write beside a file how it was counted, as far as the guest knows. Return 0, or -1 and why. */
static int write_beside(struct inside *in, const char *path, const char *profiler,
			struct complaint *why)
{
	char *beside = memory_format("%s%s", path, RUNINFO_SUFFIX);
	struct memory_stream to;
	struct complaint none;
	struct runinfo run;
	int bad = 0;

	if (inside_clock(in, profiler, &run, &none) < 0)
		run = (struct runinfo){.cpus = 0};
	snprintf(run.build, sizeof(run.build), "%s", in->build);
	memory_stream_open(&to);
	runinfo_print(&run, to.f);
	memory_stream_close(&to);
	if (*run.build || run.cpus > 0)
		bad = outfile_store(beside, to.data, to.n, why);
	else
		unlink(beside); /* of another profile by that name */
	free(to.data);
	free(beside);
	return bad;
}

/*
 * Write one file, and print a line about it. Return 0, -1 and why, or 1 and why: the guest does
 * not have it.
 */
static int extract(const struct options *o, struct inside *in, size_t k, struct complaint *why)
{
	struct memory_stream to;
	struct complaint inner;
	const char *dir = ".";
	char *path;
	int bad;

	if (o->dir)
		dir = o->dir;
	path = memory_format("%s/%s", dir, part[k].name);
	memory_stream_open(&to);
	bad = part[k].write(in, to.f, &inner);
	memory_stream_close(&to);
	if (bad)
		complain(why, "%s: %s", path, inner.text);
	else
		bad = outfile_store(path, to.data, to.n, why);
	if (!bad && part[k].profiler)
		bad = write_beside(in, path, part[k].profiler, why);
	if (!bad)
		printf("%s: %zu bytes\n", path, to.n);
	free(to.data);
	free(path);
	return bad;
}

/* Write all files that are wanted, even when one of them fails. Return the exit status. */
static int extract_all(const struct options *o, struct inside *in)
{
	struct complaint why;
	int status = 0, bad;
	size_t k;

	for (k = 0; k < NPART; k++) {
		if (!wanted(o, part[k].name))
			continue;
		bad = extract(o, in, k, &why);
		if (!bad)
			continue;
		fprintf(stderr, "gnomon extract: %s\n", why.text);
		if (bad < 0 || o->nwanted > 0)
			status = 1;
	}
	return status;
}

/*
 * Open the memory that is asked for. Names are checked before that, which may take a while. Return
 * 0, or -1 and why.
 */
static int extract_open(struct inside *in, const struct options *o, struct complaint *why)
{
	char kernel[4096];
	struct ram *ram;

	if (check_names(o, why) < 0)
		return -1;
	if (o->core)
		ram = ram_core(o->core, why);
	else
		ram = ram_live(o->socket, why);
	if (!ram)
		return -1;
	return inside_open(in, inside_kernel(o->kernel, kernel, sizeof(kernel)), ram, why);
}

int extract_main(int argc, char **argv)
{
	struct options o = {0};
	struct option_line line = {.table = &table, .options = &o};
	enum option_status status = option_read(&line, argc, argv);
	struct inside in;

	if (status == OPTION_OK && !o.core == !o.socket) {
		complain(&line.why, "either --core or --qmp is needed");
		status = OPTION_WRONG;
	}
	if (status != OPTION_OK)
		return option_end(&line, status);
	o.wanted = line.operand;
	o.nwanted = line.noperand;
	if (extract_open(&in, &o, &line.why) < 0)
		return option_end(&line, OPTION_BAD);
	if (o.dir && folder_make(o.dir, &line.why) < 0)
		status = option_end(&line, OPTION_BAD);
	else
		status = extract_all(&o, &in);
	inside_close(&in);
	return status;
}
