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

/* Say what is wrong with the command line. Return the exit status. */
static int wrong(const struct complaint *why)
{
	fprintf(stderr, "gnomon top: %s\nTry `gnomon top --help'.\n", why->text);
	return 2;
}

/* Whether the number in arg, which ended at `end`, is one, and the delay can be waited for. */
static bool fits(const struct options *o, const char *arg, const char *end)
{
	return end != arg && !*end && *arg != '-' && o->delay >= 0.05 && o->delay <= 3600;
}

#define RIGHT (-1)

/* Read the command line. Return RIGHT, or the exit status. */
static int parse(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{"batch", no_argument, NULL, 'b'},	{"delay", required_argument, NULL, 'd'},
		{"count", required_argument, NULL, 'n'}, {"qmp", required_argument, NULL, 'q'},
		{"kernel", required_argument, NULL, 'k'}, {"help", no_argument, NULL, 'h'},
		{0},
	};
	struct complaint why;
	char *end = NULL;
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, ":bd:n:q:k:h", longs, NULL)) != -1) {
		if (c == 'b')
			o->batch = true;
		else if (c == 'd')
			o->delay = strtod(optarg, &end);
		else if (c == 'n')
			o->count = strtoul(optarg, &end, 10);
		else if (c == 'q')
			o->socket = optarg;
		else if (c == 'k')
			o->kernel = optarg;
		else if (c == 'h')
			return fputs(usage, stdout) < 0 || fflush(stdout) != 0;
		else
			return option_wrong(c, argv, &why), wrong(&why);
		if (end && !fits(o, optarg, end)) {
			complain(&why, "%s: not a number that fits", optarg);
			return wrong(&why);
		}
		end = NULL;
	}
	if (optind == argc)
		return RIGHT;
	complain(&why, "%s: what is this for?", argv[optind]);
	return wrong(&why);
}

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
	int status = parse(&o, argc, argv);
	char kernel[4096], socket[4096];
	struct complaint why;

	if (status != RIGHT)
		return status;
	o.batch = o.batch || !isatty(STDOUT_FILENO);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	status = buildtree_file(kernel, sizeof(kernel), o.kernel, "gnomon.elf", &why);
	if (!status)
		status = buildtree_file(socket, sizeof(socket), o.socket, "qmp.sock", &why);
	o.socket = socket;
	if (!status)
		status = watch(&o, kernel, &why);
	if (status)
		fprintf(stderr, "gnomon top: %s\n", why.text);
	return status ? 1 : 0;
}
