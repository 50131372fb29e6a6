/* gnomon-record(1): counts what any kernel executes in QEMU. Here is the command line. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/code/symbols.h"
#include "tools/ending.h"
#include "tools/gnomon.h"
#include "tools/memory.h"
#include "tools/option.h"
#include "tools/outfile.h"
#include "tools/record/command.h"
#include "tools/record/counted.h"
#include "tools/record/program.h"

#define DEFAULT_PATHS "record.out"

static const char usage[] =
	"usage: gnomon record [OPTION...] -- QEMU [ARGUMENT...]\n"
	"\n"
	"Runs this command of QEMU's and counts the instructions of the kernel in it, by call\n"
	"path. Neither the kernel nor its clock is changed. The file is written when QEMU ends;\n"
	"`gnomon report FILE' shows it. The exit status is the command's.\n"
	"\n"
	"  -o, --output FILE       where the call paths go (default: record.out)\n"
	"  -g, --arcs FILE         write the calls, too: a gmon.out for gprof\n"
	"  -c, --coverage FILE     write how often each instruction ran, too; implies --exact\n"
	"  -b, --from FUNCTION     count from where it begins on, each time; or 0xADDRESS\n"
	"  -e, --until FUNCTION    up to where it begins; if it is the same, each second time\n"
	"  -F, --functions FILE    write when functions were entered and left, too: kptrace\n"
	"  -p, --choose PATTERN    only functions with such names; several with commas between\n"
	"  -n, --last N            keep the last N entries and returns (default: 100000)\n"
	"  -l, --longer FUNCTION:N end them when that one has taken more than N instructions\n"
	"  -s, --sample N          take one path for each N instructions, at random distances\n"
	"  -x, --exact             count instructions one by one, not by block\n"
	"  -i, --image FILE        the kernel's ELF file (default: what follows -kernel)\n"
	"  -w, --firmware FILE     an ELF file of what runs before it (default: that of -bios)\n"
	"  -P, --program FILE      an ELF file that the guest runs; several with commas between\n"
	"  -O, --offset BYTES      the kernel runs that far above the addresses of its symbols\n"
	"  -f, --for TIME          end QEMU after so many seconds of the machine's time; or 500ms\n"
	"  -m, --most N            end QEMU after N million instructions\n"
	"  -q, --quiet             say nothing of what was counted\n"
	"  -h, --help              show this\n";

struct options {
	struct counted_files files;
	const char *image;
	code_addr offset;
	unsigned most, last;
	uint64_t time; /* nanoseconds; 0: without a limit */
	const char *from, *until, *choose, *longer;
	bool exact, quiet;
};

/* Take a number from 1 to a million. */
static bool number(unsigned *field, const char *arg)
{
	bool digits = *arg && !arg[strspn(arg, "0123456789")];
	unsigned long v = strtoul(arg, NULL, 10);

	*field = (unsigned)v;
	return digits && v > 0 && v <= 1000000;
}

/* Take a time that ends the recording: "10", "10s" or "500ms". */
static enum option_status take_time(void *field, const char *arg, struct complaint *why)
{
	size_t n = strspn(arg, "0123456789");
	const char *unit = arg + n;
	char *digits = memory_string(arg, n);
	unsigned v;
	bool good = number(&v, digits);

	free(digits);
	if (good && strcmp(unit, "ms") == 0)
		*(uint64_t *)field = v * 1000000ull;
	else if (good && (!*unit || strcmp(unit, "s") == 0))
		*(uint64_t *)field = v * 1000000000ull;
	else
		good = false;
	if (good)
		return OPTION_OK;
	complain(why, "--for %s: a number of seconds expected, such as 10, 10s or 500ms, at most "
		      "1000000", arg);
	return OPTION_WRONG;
}

/* Take how many millions of instructions end the recording. */
static enum option_status take_most(void *field, const char *arg, struct complaint *why)
{
	if (number(field, arg))
		return OPTION_OK;
	complain(why, "--most %s: a number of million instructions expected, at most 1000000", arg);
	return OPTION_WRONG;
}

/* Take how many entries and returns are kept. */
static enum option_status take_last(void *field, const char *arg, struct complaint *why)
{
	if (number(field, arg))
		return OPTION_OK;
	complain(why, "--last %s: a number of entries and returns expected, at most 1000000", arg);
	return OPTION_WRONG;
}

/* Take the mean distance of samples. */
static enum option_status take_period(void *field, const char *arg, struct complaint *why)
{
	if (number(field, arg))
		return OPTION_OK;
	complain(why, "--sample %s: a number of instructions expected, at most 1000000", arg);
	return OPTION_WRONG;
}

/* Take how far a kernel has moved, which may be below 0 or hexadecimal. */
static enum option_status take_offset(void *field, const char *arg, struct complaint *why)
{
	char *end;

	*(code_addr *)field = (code_addr)strtoll(arg, &end, 0);
	if (end != arg && !*end)
		return OPTION_OK;
	complain(why, "--offset %s: a number of bytes expected", arg);
	return OPTION_WRONG;
}

static const struct option_row rows[] = {
	{'o', "output", option_text, offsetof(struct options, files.paths)},
	{'g', "arcs", option_text, offsetof(struct options, files.arcs)},
	{'c', "coverage", option_text, offsetof(struct options, files.coverage)},
	{'b', "from", option_text, offsetof(struct options, from)},
	{'e', "until", option_text, offsetof(struct options, until)},
	{'s', "sample", take_period, offsetof(struct options, files.period)},
	{'x', "exact", option_flag, offsetof(struct options, exact)},
	{'F', "functions", option_text, offsetof(struct options, files.trace)},
	{'p', "choose", option_text, offsetof(struct options, choose)},
	{'n', "last", take_last, offsetof(struct options, last)},
	{'l', "longer", option_text, offsetof(struct options, longer)},
	{'i', "image", option_text, offsetof(struct options, image)},
	{'w', "firmware", option_text, offsetof(struct options, files.firmware)},
	{'P', "program", option_text, offsetof(struct options, files.programs)},
	{'O', "offset", take_offset, offsetof(struct options, offset)},
	{'f', "for", take_time, offsetof(struct options, time)},
	{'m', "most", take_most, offsetof(struct options, most)},
	{'q', "quiet", option_flag, offsetof(struct options, quiet)},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "record", .usage = usage, .row = rows, .operands = -1,
};

/* What a recording is made with. */
struct recording {
	const struct options *options;
	struct kernel kernel;
	char *firmware; /* absolute; NULL: none is known */
	char raw[sizeof("/tmp/gnomon-record-XXXXXX")];
	bool turns; /* processors run one after the other */
	int status; /* of QEMU */
};

/* Return whether instructions are counted one by one. */
static bool record_exact(const struct options *o)
{
	return o->exact || o->files.coverage;
}

/*
 * Find the firmware's file, which has to have symbols if it was named. What follows -bios may be
 * just an image, or QEMU's own.
 */
static int record_firmware(struct recording *r, char *const *argv, struct complaint *why)
{
	const char *path = r->options->files.firmware;
	struct complaint none;
	struct symbols s;

	if (path && symbols_load(&s, path, why) < 0)
		return -1;
	if (!path) {
		path = command_firmware(argv);
		if (!path || symbols_load(&s, path, &none) < 0)
			return 0;
	}
	symbols_free(&s);
	r->firmware = realpath(path, NULL);
	return r->firmware ? 0 : complain_errno(why, path);
}

/* Find the kernel's file and read it. */
static int record_kernel(struct recording *r, char *const *argv, struct complaint *why)
{
	struct complaint what;
	const char *path;

	if (command_look(argv, record_exact(r->options), &path, why) < 0)
		return -1;
	if (r->options->image)
		path = r->options->image;
	if (!path)
		return complain(why, "%s: its arguments have no -kernel: name the kernel's ELF "
				"file with --image", argv[0]);
	if (kernel_read(&r->kernel, path, &what) < 0)
		return complain(why, "%s%s", what.text, r->options->image ? "" :
				"; --image names the kernel's ELF file if that is another one");
	r->turns = !command_is_parallel(argv);
	r->kernel.offset = r->options->offset;
	return 0;
}

/* Say where the kernel ran, unless it was where its file has it. */
static void record_tell_moved(const struct recording *r, const struct counted_sums *sums)
{
	int64_t by = (int64_t)(sums->moved + r->kernel.offset);
	const char *sign = "";

	if (!sums->moved)
		by = (int64_t)(sums->elsewhere + r->kernel.offset);
	if (by < 0) {
		sign = "-";
		by = -by;
	}
	if (sums->moved)
		fprintf(stderr, "gnomon record: %s runs elsewhere, which was found: as with "
				"--offset=%s0x%" PRIx64 "\n", r->kernel.path, sign, (uint64_t)by);
	else if (sums->elsewhere)
		fprintf(stderr, "gnomon record: functions of %s ran elsewhere, too: to count those "
				"instead, add --offset=%s0x%" PRIx64 "\n", r->kernel.path, sign,
				(uint64_t)by);
}

/* Say how many calls did not return, if all were counted, and returns are of the kernel alone. */
static void record_tell_open(const struct options *o, const struct counted_sums *sums)
{
	uint64_t back = sums->returns - sums->begun - sums->jumps - sums->unmatched;

	if (o->from || o->until || o->files.programs)
		return;
	if (back > sums->calls)
		return;
	fprintf(stderr, "gnomon record: of %" PRIu64 " calls, %" PRIu64 " did not return\n",
		sums->calls, sums->calls - back);
}

/* Say what was counted. */
static void record_tell(const struct recording *r, const struct counted_sums *sums)
{
	if (!sums->kernel)
		fprintf(stderr, "gnomon record: nothing of the text of %s ran: another kernel "
				"did, or it moved itself: see --offset\n", r->kernel.path);
	if (r->options->longer && !sums->late)
		fprintf(stderr, "gnomon record: --longer %s: no call took longer, so the entries "
				"and returns are the last of the whole run\n", r->options->longer);
	if (sums->kept)
		fprintf(stderr, "gnomon record: there were more than %" PRIu64 " call paths: what "
				"ran on others counts for shorter ones\n", sums->kept);
	if (r->options->quiet)
		return;
	record_tell_moved(r, sums);
	fprintf(stderr, "gnomon record: %s: %" PRIu64 " instructions, %" PRIu64 " calls\n",
		r->options->files.paths, sums->instructions, sums->calls);
	fprintf(stderr, "gnomon record: of %" PRIu64 " returns, %" PRIu64 " began a thread, "
		"%" PRIu64 " were jumps, %" PRIu64 " went to no known call\n", sums->returns,
		sums->begun, sums->jumps, sums->unmatched);
	record_tell_open(r->options, sums);
}

/* Print ",NAME=ADDRESS" of a place that may be given. */
static int record_mark(const struct recording *r, FILE *to, const char *name, const char *given,
		       struct complaint *why)
{
	code_addr at;

	if (!given)
		return 0;
	if (kernel_address(&r->kernel, given, &at, why) < 0)
		return -1;
	fprintf(to, ",%s=%" PRIx64, name, kernel_runs(&r->kernel, at));
	return 0;
}

/* Print what a time line of functions wants. */
static int record_trace(const struct recording *r, FILE *to, struct complaint *why)
{
	const struct options *o = r->options;
	const char *limit;
	uint64_t n;
	char *name;
	int bad;

	if (!o->files.trace)
		return 0;
	fprintf(to, ",trace=%u", o->last);
	if (!o->longer)
		return 0;
	limit = strrchr(o->longer, ':');
	n = limit ? strtoull(limit + 1, NULL, 10) : 0;
	if (!n)
		return complain(why, "--longer %s: FUNCTION:INSTRUCTIONS expected", o->longer);
	name = memory_string(o->longer, (size_t)(limit - o->longer));
	bad = record_mark(r, to, "slow", name, why);
	free(name);
	if (!bad)
		fprintf(to, ":%" PRIu64, n);
	return bad;
}

/* Print what the plugin has to know of the kernel and of programs. */
static int record_lines(const struct recording *r, FILE *to, struct complaint *why)
{
	const struct options *o = r->options;

	if (kernel_print_code(&r->kernel, to, why) < 0)
		return -1;
	if (o->choose) {
		if (kernel_print(&r->kernel, o->choose, to, why) < 0)
			return -1;
	}
	if (o->files.programs)
		return program_print(o->files.programs, to, why);
	return 0;
}

/* Leave that where the plugin looks for it. */
static int record_chosen(const struct recording *r, struct complaint *why)
{
	struct memory_stream s;
	int bad;

	memory_stream_open(&s);
	bad = record_lines(r, s.f, why);
	memory_stream_close(&s);
	if (!bad)
		bad = outfile_store(r->raw, s.data, s.n, why);
	free(s.data);
	return bad;
}

/* Print the plugin and its arguments, as QEMU wants them. */
static int record_plugin(const struct recording *r, FILE *to, struct complaint *why)
{
	const struct options *o = r->options;
	char plugin[PATH_MAX];

	if (buildtree_file(plugin, sizeof(plugin), NULL, "record.so", why) < 0)
		return -1;
	if (access(plugin, R_OK) < 0)
		return complain(why, "%s: %s: `make' makes it", plugin, strerror(errno));
	fprintf(to, "%s,out=%s,text=%" PRIx64 ":%" PRIx64, plugin, r->raw,
		kernel_runs(&r->kernel, r->kernel.lo),
		kernel_runs(&r->kernel, r->kernel.hi));
	if (record_exact(o))
		fputs(",exact=on", to);
	if (r->turns)
		fputs(",turns=on", to);
	if (o->files.period)
		fprintf(to, ",period=%u", o->files.period);
	if (o->most)
		fprintf(to, ",most=%u000000", o->most);
	if (o->time)
		fprintf(to, ",for=%" PRIu64, o->time);
	if (record_trace(r, to, why) < 0)
		return -1;
	if (record_mark(r, to, "from", o->from, why) < 0)
		return -1;
	return record_mark(r, to, "until", o->until, why);
}

/* Write what the plugin has counted. */
static int record_write(struct recording *r, struct complaint *why)
{
	struct counted_files files = r->options->files;
	struct counted_sums sums;

	files.firmware = r->firmware;
	if (counted_write(r->raw, &r->kernel, &files, &sums, why) < 0)
		return -1;
	record_tell(r, &sums);
	return 0;
}

/*
 * Run QEMU, and write what was counted. A signal that comes when QEMU has ended does not end us
 * before the plugin's file is removed.
 */
static int record_run(struct recording *r, char *const *argv, struct complaint *why)
{
	struct memory_stream what;
	int bad;

	memory_stream_open(&what);
	bad = record_chosen(r, why) < 0 || record_plugin(r, what.f, why) < 0;
	memory_stream_close(&what);
	if (!bad)
		r->status = command_run(argv, what.data, why);
	free(what.data);
	if (bad)
		return -1;
	ending_hold();
	command_over();
	bad = r->status < 0 || record_write(r, why) < 0;
	unlink(r->raw);
	ending_release();
	return -bad;
}

/* Find out whether the files can be written, before QEMU has run in vain. */
static int record_can_write(const struct counted_files *f, struct complaint *why)
{
	const char *const path[] = {f->paths, f->arcs, f->coverage, f->trace};

	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		if (!path[i])
			continue;
		if (outfile_try(path[i], why) < 0)
			return -1;
	}
	return 0;
}

/* Record into files. The plugin's own is removed in the end. */
static enum option_status record(struct recording *r, char *const *argv, struct complaint *why)
{
	int fd, bad;

	if (r->options->files.period && record_exact(r->options)) {
		complain(why, "--sample excludes --exact and --coverage");
		return OPTION_WRONG;
	}
	if (r->options->files.coverage && (r->options->from || r->options->until)) {
		complain(why, "--coverage is of the whole run: it excludes --from and --until");
		return OPTION_WRONG;
	}
	if (!r->options->files.trace && (r->options->choose || r->options->longer)) {
		complain(why, "--choose and --longer are of --functions");
		return OPTION_WRONG;
	}
	if (record_kernel(r, argv, why) < 0 || record_firmware(r, argv, why) < 0)
		return OPTION_BAD;
	if (record_can_write(&r->options->files, why) < 0)
		return OPTION_BAD;
	strcpy(r->raw, "/tmp/gnomon-record-XXXXXX");
	fd = mkstemp(r->raw);
	if (fd < 0) {
		complain_errno(why, r->raw);
		return OPTION_BAD;
	}
	close(fd);
	bad = record_run(r, argv, why);
	unlink(r->raw);
	if (bad)
		return OPTION_BAD;
	return OPTION_OK;
}

/* Say that QEMU's own options have to stand after --, if there is none. */
static void record_tell_dashes(char *const *argv)
{
	while (*argv && strcmp(*argv, "--") != 0)
		argv++;
	if (!*argv)
		fputs("gnomon record: the command of QEMU's stands after --\n", stderr);
}

/* gnomon record */
int record_main(int argc, char **argv)
{
	struct options options = {.files.paths = DEFAULT_PATHS, .last = 100000};
	struct option_line line = {.table = &table, .options = &options};
	struct recording r = {.options = &options};
	enum option_status status;
	int code;

	status = option_read(&line, argc, argv);
	if (status == OPTION_WRONG)
		record_tell_dashes(argv);
	if (status == OPTION_OK && line.noperand == 0) {
		complain(&line.why, "a command of QEMU's expected after --");
		status = OPTION_WRONG;
	}
	if (status == OPTION_OK)
		status = record(&r, line.operand, &line.why);
	free(r.kernel.path);
	free(r.firmware);
	code = option_end(&line, status);
	if (code == 0 || r.status > 0)
		return r.status;
	return code;
}
