/* gnomon top: a running guest's hottest functions and processes, read from its memory. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/ending.h"
#include "tools/gnomon.h"
#include "tools/guest/sockets.h"
#include "tools/guest/toptable.h"
#include "tools/memory.h"
#include "tools/moment.h"
#include "tools/option.h"

static const char usage[] =
	"usage: gnomon top [-b] [-d SECONDS] [-k KERNEL] [-n COUNT] [-q SOCKET]\n"
	"\n"
	"  -b, --batch          print one table after the other, and take no keys\n"
	"  -d, --delay=SECONDS  between two looks (default: 1)\n"
	"  -n, --count=COUNT    leave after so many tables\n"
	"  -q, --qmp=SOCKET     the QMP socket of the guest's QEMU (default: that of the\n"
	"                       guest that `make run' has started)\n"
	"  -k, --kernel=KERNEL  the kernel's image (default: gnomon.elf beside this program), or\n"
	"                       none: then addresses take the place of functions\n"
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

/* Write n bytes of a table. A signal ends the wait for a terminal or a pipe that takes no more. */
static int put(const char *text, size_t n, struct complaint *why)
{
	size_t done = 0;
	ssize_t w;

	while (done < n && !ending_came()) {
		if (!ending_wait(STDOUT_FILENO, POLLOUT, -1))
			continue;
		/* A pipe that is ready takes this much without blocking: pipe(7). */
		w = write(STDOUT_FILENO, text + done, n - done < 4096 ? n - done : 4096);
		if (w < 0 && errno != EINTR && errno != EAGAIN)
			return complain(why, "cannot write the standard output: %s",
					strerror(errno));
		done += w > 0 ? (size_t)w : 0;
	}
	return 0;
}

/* Print a table, which takes the place of the one before unless it is for a file. */
static int show(const struct options *o, const struct look *l, const struct look *was,
		const struct symbols *s, struct complaint *why)
{
	struct memory_stream to;
	int bad;

	memory_stream_open(&to);
	fprintf(to.f, "%sgnomon top  %s  a tick: %" PRIu32 " us\n", o->batch ? "" : "\033[H\033[J",
		o->socket, l->kprof.pace.us);
	toptable_print(to.f, l, was, s, o->batch ? 24 : height());
	fputs(o->batch ? "\n" : "", to.f);
	memory_stream_close(&to);
	bad = put(to.data, to.n, why);
	free(to.data);
	return bad;
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

/* Wait for the next look, or for the key or a signal that leaves. Return whether to go on. */
static bool nap(const struct options *o)
{
	uint64_t until = moment_ns() + (uint64_t)(o->delay * 1e9), now;
	int keys = o->batch ? -1 : STDIN_FILENO;
	char c;

	while (!ending_came() && (now = moment_ns()) < until) {
		if (!ending_wait(keys, POLLIN, (int)((until - now) / 1000000) + 1))
			continue;
		if (read(STDIN_FILENO, &c, 1) != 1)
			keys = -1;
		else if (c == 'q')
			return false;
	}
	return !ending_came();
}

/* Without the kernel's image, give each bucket its address for a name. */
static void name_buckets(struct symbols *s, const struct inside_kprof *k)
{
	code_addr at = k->first;
	size_t i;

	s->n = k->nbucket - PROF_KPROF_SPECIAL;
	s->sym = memory_zeroed(s->n, sizeof(*s->sym));
	for (i = 0; i < s->n; i++, at += 1ull << k->shift)
		s->sym[i] = (struct symbol){
			.start = at, .end = at + (1ull << k->shift),
			.name = memory_format("%" CODE_ADDR, at),
		};
}

/* Free them, for which nobody else is responsible. */
static void free_names(struct symbols *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free((char *)s->sym[i].name);
	free(s->sym);
}

/* Look again and again; two looks take turns in being the last. */
static int follow(const struct options *o, struct inside *in, struct complaint *why)
{
	static struct look look[2];
	struct symbols *s = &in->symbols;
	unsigned long i;
	int bad = look_take(in, &look[0], why);

	if (!bad && !in->kernel)
		name_buckets(s, &look[0].kprof);

	for (i = 1; !bad && (o->count == 0 || i <= o->count) && nap(o); i++) {
		bad = look_take(in, &look[i % 2], why);
		if (!bad)
			bad = show(o, &look[i % 2], &look[(i + 1) % 2], s, why);
	}
	inside_free(&look[0].kprof);
	inside_free(&look[1].kprof);
	if (!in->kernel)
		free_names(s);
	return bad;
}

/* Open the guest's memory and follow what happens there. */
static int watch(const struct options *o, const char *kernel, struct complaint *why)
{
	struct ram *ram = ram_live(o->socket, why);
	struct inside in;
	int bad;

	if (!ram || inside_open(&in, kernel, ram, why) < 0)
		return -1;
	raw(o, true);
	bad = follow(o, &in, why);
	raw(o, false);
	inside_close(&in);
	return bad;
}

/*
 * Let the signals come that were held back. SIGINT and SIGTERM are ways to leave like the key, and
 * have done their work; others end the program now. Return whether there was one, which may have
 * cut short what was done when it came.
 */
static bool let_come(void)
{
	bool came = ending_came() != 0;
	sigset_t leave;

	sigemptyset(&leave);
	sigaddset(&leave, SIGINT);
	sigaddset(&leave, SIGTERM);
	while (came && sigtimedwait(&leave, NULL, &(struct timespec){0}) > 0)
		;
	ending_release();
	return came;
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
	ending_hold();
	bad = sockets_find(socket, sizeof(socket), o.socket, &line.why);
	o.socket = socket;
	if (!bad)
		bad = watch(&o, inside_kernel(o.kernel, kernel, sizeof(kernel)), &line.why);
	if (let_come())
		bad = 0;
	return option_end(&line, bad ? OPTION_BAD : OPTION_OK);
}
