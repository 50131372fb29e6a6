/* gnomon top: a running guest's hottest functions and processes, read from its memory. */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/gnomon.h"
#include "tools/guest/toptable.h"
#include "tools/moment.h"
#include "tools/option.h"

static const char usage[] =
	"usage: gnomon top [-b] [-d SECONDS] [-k KERNEL] [-n COUNT] [-q SOCKET]\n"
	"\n"
	"  -b, --batch          print one table after the other, and take no keys\n"
	"  -d, --delay=SECONDS  between two looks (default: 1)\n"
	"  -n, --count=COUNT    leave after so many tables\n"
	"  -q, --qmp=SOCKET     the QMP socket of the guest's QEMU (default: qmp.sock beside\n"
	"                       this program, where `make run' has it)\n"
	"  -k, --kernel=KERNEL  the kernel's image (default: gnomon.elf beside this program)\n"
	"  -h, --help           this\n"
	"\n"
	"q leaves.\n";

struct options {
	const char *socket, *kernel; /* NULL: the usual ones */
	double delay;		     /* seconds */
	unsigned long count; /* 0: no end */
	bool batch;
};

static struct termios before; /* as the terminal was */
static volatile sig_atomic_t over;

/* End the loop, so that the terminal is set back. */
static void on_signal(int sig)
{
	(void)sig;
	over = 1;
}

/* Take a number of seconds. */
static enum option_status take_delay(void *field, const char *arg, struct complaint *why)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end || *arg == '-' || !(v >= 0.05) || v > 3600) {
		complain(why, "%s: not a number that fits", arg);
		return OPTION_WRONG;
	}
	*(double *)field = v;
	return OPTION_OK;
}

/* Take a number of tables. */
static enum option_status take_count(void *field, const char *arg, struct complaint *why)
{
	char *end;
	unsigned long v = strtoul(arg, &end, 10);

	if (end == arg || *end || *arg == '-') {
		complain(why, "%s: not a number that fits", arg);
		return OPTION_WRONG;
	}
	*(unsigned long *)field = v;
	return OPTION_OK;
}

static const struct option_row rows[] = {
	{'b', "batch", option_flag, offsetof(struct options, batch)},
	{'d', "delay", take_delay, offsetof(struct options, delay)},
	{'n', "count", take_count, offsetof(struct options, count)},
	{'q', "qmp", option_text, offsetof(struct options, socket)},
	{'k', "kernel", option_text, offsetof(struct options, kernel)},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "top", .usage = usage, .row = rows, .operands = -1,
};

/* Return how many lines the terminal has. */
static int height(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

/* Print a table, which takes the place of the one before unless it is for a file. */
static void show(const struct options *o, const struct look *l, const struct look *was,
		 const struct symbols *s)
{
	printf("%sgnomon top  %s  a tick: %" PRIu32 " us\n", o->batch ? "" : "\033[H\033[J",
	       o->socket, l->prof.kprof.pace.us);
	toptable_print(l, was, s, o->batch ? 24 : height());
	printf("%s", o->batch ? "\n" : "");
	fflush(stdout);
}

/*
 * Show tables on the terminal's second screen, with keys that come at once; or go back to what
 * was there before.
 */
static void raw(const struct options *o, bool on)
{
	struct termios t;

	if (o->batch || tcgetattr(STDIN_FILENO, &t) != 0)
		return;
	if (on) {
		before = t;
		t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &t);
		printf("\033[?1049h\033[H\033[J");
	} else {
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
		printf("\033[?1049l");
	}
	fflush(stdout);
}

/* Wait for the next look, or for the key that leaves. Return whether to go on. */
static bool nap(const struct options *o)
{
	struct pollfd key = {.fd = o->batch ? -1 : STDIN_FILENO, .events = POLLIN};
	uint64_t until = moment_ns() + (uint64_t)(o->delay * 1e9), now;
	char c;

	while (!over && (now = moment_ns()) < until) {
		if (poll(&key, 1, (int)((until - now) / 1000000) + 1) <= 0)
			continue;
		if (read(STDIN_FILENO, &c, 1) != 1)
			key.fd = -1;
		else if (c == 'q')
			return false;
	}
	return !over;
}

/* Look again and again; two looks take turns in being the last. */
static int follow(const struct options *o, struct inside *in, const struct symbols *s,
		  struct complaint *why)
{
	static struct look look[2];
	unsigned long i;
	int bad = look_take(in, &look[0], why);

	for (i = 1; !bad && (o->count == 0 || i <= o->count) && nap(o); i++) {
		bad = look_take(in, &look[i % 2], why);
		if (!bad)
			show(o, &look[i % 2], &look[(i + 1) % 2], s);
	}
	inside_free(&look[0].prof);
	inside_free(&look[1].prof);
	return bad;
}

/* Open the guest's memory and follow what happens there. */
static int watch(const struct options *o, const char *kernel, struct complaint *why)
{
	struct ram *ram = ram_live(o->socket, why);
	struct symbols s;
	struct inside in;
	int bad;

	if (!ram || inside_open(&in, kernel, ram, why) < 0)
		return -1;
	bad = symbols_load(&s, kernel, why);
	if (!bad) {
		raw(o, true);
		bad = follow(o, &in, &s, why);
		raw(o, false);
		symbols_free(&s);
	}
	inside_close(&in);
	return bad;
}

/* Without a terminal to draw on, tables follow each other. */
int top_main(int argc, char **argv)
{
	struct options o = {.delay = 1};
	struct option_line line = {.table = &table, .options = &o};
	enum option_status status = option_read(&line, argc, argv);
	char kernel[4096], socket[4096];
	int bad;

	if (status == OPTION_OK && line.noperand > 0) {
		complain(&line.why, "%s: what is this for?", line.operand[0]);
		status = OPTION_WRONG;
	}
	if (status != OPTION_OK)
		return option_end(&line, status);
	o.batch = o.batch || !isatty(STDOUT_FILENO);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	bad = buildtree_file(kernel, sizeof(kernel), o.kernel, "gnomon.elf", &line.why);
	if (!bad)
		bad = buildtree_file(socket, sizeof(socket), o.socket, "qmp.sock", &line.why);
	o.socket = socket;
	if (!bad)
		bad = watch(&o, kernel, &line.why);
	return option_end(&line, bad ? OPTION_BAD : OPTION_OK);
}
