/*
 * prfpr: prints where the kernel spent its time between the snapshots of a log. The report is
 * userland/formats/prfreport.c's; the program of the same name for the host prints it with it, too.
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "userland/formats/prflog.h"
#include "userland/command/usage.h"
#include "userland/files/stream.h"
#include "userland/profile/prffile.h"
#include "userland/profile/symtab.h"

#define KERNEL "/boot/gnomon" /* if the command line names no other */

static const char synopsis[] = "prfpr file [cutoff [namelist]]";

/* For the report: name the function that begins at an address. */
static const char *name(void *symtab, uint32_t address)
{
	return symtab_name(symtab, address);
}

/* For the report: print. */
static void put(void *unused, const char *text, size_t n)
{
	(void)unused;
	stream_put(text, n);
}

/* Read the whole log, or end the program. */
static void read_log(struct prflog *l, const char *path)
{
	size_t n = 0, room = 0;
	int fd = open(path, O_RDONLY);
	char *data;

	if (fd < 0)
		err(1, "%s", path);
	prffile_check(fd, path);
	data = stream_slurp(fd, NULL, &n, &room);
	if (!data)
		err(1, "%s", path);
	close(fd);
	if (prflog_open(l, data, n) < 0)
		errx(1, "%s: %s", path, l->why);
}

int main(int argc, char **argv)
{
	struct symtab symtab;
	struct prfreport report = {.name = name, .put = put, .arg = &symtab, .cutoff = 100};
	const char *file, *kernel = KERNEL;
	struct prflog log;
	int error;

	no_options(argc, argv, synopsis);
	argc -= optind;
	argv += optind;
	if (argc < 1 || argc > 3)
		usage('?', synopsis);
	file = argv[0];
	if (argc > 1 && prfreport_cutoff(argv[1], &report.cutoff) < 0)
		errx(2, "%s: not a number of per cent from 0 to 100", argv[1]);
	if (argc > 2)
		kernel = argv[2];
	read_log(&log, file);
	symtab_read(&symtab, kernel);
	/* Addresses of another kernel would get wrong names. */
	if (strcmp(symtab.buildid, log.head.buildid) != 0)
		errx(1, "%s: from another kernel: its build id is %s, that of %s is %s", file,
		     log.head.buildid, kernel, symtab.buildid);
	error = prfreport(&report, &log);
	stream_flush();
	if (error < 0)
		warnx("%s: %s%s", file, log.why, error == PRFLOG_ECUT ? "; left out" : "");
	return error < 0 && error != PRFLOG_ECUT; /* one being written may be cut */
}
