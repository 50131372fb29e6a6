/*
 * gnomon-doctor(1): what this machine has of all that gnomon can use, and what each lack costs. A
 * row of the table is a thing to look for; how to find out is one of the functions before it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/gnomon.h"
#include "tools/memory.h"
#include "tools/option.h"

static const char usage[] =
	"usage: gnomon doctor [OPTION...]\n"
	"\n"
	"Says what this machine has of all that gnomon can use, what each lack costs, and how to\n"
	"get it.\n"
	"\n"
	"  -Q, --qemu PROGRAM  look at this QEMU (default: qemu-system-i386)\n"
	"  -h, --help          show this\n"
	"\n"
	"Exit status: 0; 1 a guest cannot be run; 2 usage.\n";

struct options {
	const char *qemu;
};

static const struct option_row rows[] = {
	{'Q', "qemu", option_text, offsetof(struct options, qemu)},
	{0},
};
static const struct option_table table = {
	.command = "doctor",
	.usage = usage,
	.row = rows,
	.expected = "no operand",
};

#define SECONDS "60" /* the longest that a guest may take */

struct check {
	const char *name;
	/* Return whether it is there, with what there is to tell of it, which is the caller's. */
	bool (*look)(const struct check *c, const struct options *o, char **detail);
	const char *argument; /* what to look for: of several words the first that is there */
	const char *cost;     /* of doing without */
	const char *cure;
	bool needed; /* to run a guest */
};

/* In the child: become the program, with all it says going into the pipe. */
static void become(char *const argv[], int to)
{
	dup2(to, STDOUT_FILENO);
	dup2(to, STDERR_FILENO);
	if (!freopen("/dev/null", "r", stdin))
		_exit(127);
	execvp(argv[0], argv);
	_exit(127);
}

/* Run a program. Return all it said, which the caller frees, and its status as wait(2) has it. */
static char *said(char *const argv[], int *status)
{
	struct memory_stream all;
	char buf[4096];
	ssize_t n;
	pid_t child;
	int end[2];

	*status = -1;
	memory_stream_open(&all);
	if (pipe(end) == 0) {
		fflush(NULL);
		child = fork();
		if (child == 0)
			become(argv, end[1]);
		close(end[1]);
		while ((n = read(end[0], buf, sizeof(buf))) > 0)
			fwrite(buf, 1, n, all.f);
		close(end[0]);
		if (child > 0)
			waitpid(child, status, 0);
	}
	memory_stream_close(&all);
	return all.data;
}

/* Return the rest of the line of a text that begins with those words; the caller frees it. */
static char *line_after(const char *text, const char *words)
{
	const char *at = text;

	while (at && strncmp(at, words, strlen(words)) != 0) {
		at = strchr(at, '\n');
		if (at)
			at++;
	}
	if (!at)
		return NULL;
	at += strlen(words);
	return memory_string(at, strcspn(at, "\r\n"));
}

/* Return where a program is in PATH, or NULL; the caller frees it. */
static char *in_path(const char *name, size_t n)
{
	const char *dir = getenv("PATH");
	char *path;
	size_t length;

	while (dir && *dir) {
		length = strcspn(dir, ":");
		path = memory_format("%.*s/%.*s", (int)length, dir, (int)n, name);
		if (access(path, X_OK) == 0)
			return path;
		free(path);
		dir += length;
		dir += *dir == ':';
	}
	return NULL;
}

/* A program, or the first one that is there of several. */
static bool look_program(const struct check *c, const struct options *o, char **detail)
{
	const char *name = c->argument;
	size_t n;

	(void)o;
	while (*name) {
		n = strcspn(name, " ");
		*detail = in_path(name, n);
		if (*detail)
			return true;
		name += n;
		name += strspn(name, " ");
	}
	return false;
}

/* A file that the build makes. */
static bool look_built(const struct check *c, const struct options *o, char **detail)
{
	char path[4096];
	struct complaint why;

	(void)o;
	if (buildtree_file(path, sizeof(path), NULL, c->argument, &why) < 0)
		return false;
	if (access(path, R_OK) < 0)
		return false;
	*detail = memory_format("%s", path);
	return true;
}

/* QEMU, which says its version. */
static bool look_qemu(const struct check *c, const struct options *o, char **detail)
{
	char *const argv[] = {(char *)o->qemu, "--version", NULL};
	int status;
	char *text = said(argv, &status);

	(void)c;
	*detail = line_after(text, "QEMU emulator ");
	free(text);
	return status == 0 && *detail;
}

/* TCG among its accelerators. */
static bool look_tcg(const struct check *c, const struct options *o, char **detail)
{
	char *const argv[] = {(char *)o->qemu, "-accel", "help", NULL};
	int status;
	char *text = said(argv, &status);
	bool there = strstr(text, "tcg\n") != NULL;

	(void)c;
	if (there)
		*detail = memory_string("is there", 8);
	free(text);
	return there;
}

/* Plugins: asked for one that is not there, a QEMU that knows them says that it is not there. */
static bool look_plugins(const struct check *c, const struct options *o, char **detail)
{
	char *const argv[] = {(char *)o->qemu,	  "-M", "none", "-display", "none", "-plugin",
			      "/nowhere/none.so", NULL};
	int status;
	char *text = said(argv, &status);
	bool known = strstr(text, "/nowhere/none.so") != NULL;

	(void)c;
	if (known)
		*detail = memory_string("are taken", 9);
	free(text);
	return known;
}

/* A guest that boots, and its profiling clock. */
static bool look_guest(const struct check *c, const struct options *o, char **detail)
{
	char *const argv[] = {"/proc/self/exe", "run", "-t", SECONDS, "--qemu", (char *)o->qemu,
			      "cat /dev/kpctl", NULL};
	int status;
	char *text = said(argv, &status), *timer = line_after(text, "source ");
	char *delivery = line_after(text, "clock ");

	(void)c;
	if (timer && delivery)
		*detail = memory_format("profiling clock: %s, by %s", timer, delivery);
	else
		*detail = memory_string(text, strcspn(text, "\n"));
	free(text);
	free(delivery);
	free(timer);
	return status == 0;
}

static const struct check checks[] = {
	{"QEMU", look_qemu, NULL, "no guest can be run", "tools/setup profile", true},
	{"  its TCG", look_tcg, NULL, "no guest can be run: KVM cannot take its place",
	 "another QEMU", true},
	{"  its plugins", look_plugins, NULL, "gnomon record cannot count",
	 "QEMU 7.2 or newer, built "
	 "with them",
	 false},
	{"kernel", look_built, "gnomon.elf", "no guest can be run", "make", true},
	{"initrd", look_built, "initrd.cpio", "a guest has no files", "make", true},
	{"a guest", look_guest, NULL, "it cannot be run", "what gnomon run says", true},
	{"record's plugin", look_built, "record.so", "gnomon record cannot count", "make", false},
	{"cross compiler", look_program, "i686-linux-gnu-gcc",
	 "neither the kernel nor C programs "
	 "for it can be compiled",
	 "tools/setup build", false},
	{"assembler", look_program, "nasm", "the kernel cannot be built", "tools/setup build",
	 false},
	{"debugger", look_program, "gdb", "make gdb does not work", "tools/setup debug", false},
	{"gprof", look_program, "gprof i686-linux-gnu-gprof",
	 "gmon.out is read by gnomon report alone", "tools/setup profile", false},
	{"page viewer", look_program, "xdg-open chromium firefox google-chrome",
	 "the page of gnomon "
	 "report --html has to be opened elsewhere",
	 "tools/setup test", false},
	{"perf", look_program, "perf", "nothing opens the export perf.data", "tools/setup test",
	 false},
	{"trace-cmd", look_program, "trace-cmd kernelshark", "nothing opens the export trace.dat",
	 "tools/setup test", false},
	{"callgrind_annotate", look_program, "callgrind_annotate kcachegrind",
	 "nothing opens the export "
	 "callgrind",
	 "tools/setup test", false},
	{"dot", look_program, "dot", "call graphs and diagrams cannot be drawn", "tools/setup docs",
	 false},
	{"curl", look_program, "curl", "gnomon-push cannot send", "tools/setup test", false},
};

/* Look for one thing, and print what came of it. Return whether all is well without it. */
static bool examine(const struct check *c, const struct options *o)
{
	char *detail = NULL;
	bool there = c->look(c, o, &detail);

	if (there)
		printf("ok       %-18s %s\n", c->name, detail);
	else if (detail && *detail)
		printf("missing  %-18s %s: %s\n", c->name, c->cost, detail);
	else
		printf("missing  %-18s %s; get it by: %s\n", c->name, c->cost, c->cure);
	free(detail);
	return there || !c->needed;
}

/* Look for everything. Return whether a guest can be run. */
static bool examine_all(const struct options *o)
{
	bool well = true;
	size_t i;

	for (i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		well &= examine(&checks[i], o);
	return well;
}

int doctor_main(int argc, char **argv)
{
	struct options o = {.qemu = "qemu-system-i386"};
	struct option_line line = {.table = &table, .options = &o};
	enum option_status status = option_read(&line, argc, argv);

	if (status != OPTION_OK)
		return option_end(&line, status);
	if (!examine_all(&o)) {
		puts("A guest cannot be run.");
		return OPTION_BAD;
	}
	return OPTION_OK;
}
