/* gnomon top: a running guest's hottest functions and processes, read from its memory. */
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
#include "tools/build.h"
#include "tools/gnomon.h"
#include "tools/guest/inside.h"
#include "tools/moment.h"
#include "tools/option.h"
#include "tools/code/symbols.h"

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

#define MAXPROC 256
#define BAR 40
#define IDLE "cpu_idle"

struct options {
	const char *socket, *kernel;
	double delay;
	unsigned long count; /* 0: no end */
	bool batch;
};

/* What is seen of the guest at one moment. */
struct look {
	struct prof prof;
	struct inside_process process[MAXPROC];
	int nprocess;
	uint32_t khz; /* cycles a millisecond */
};

/* Ticks, or cycles, of something between two looks. */
struct row {
	const char *name;
	uint32_t pid;
	uint64_t n;
};

static struct termios before;
static volatile sig_atomic_t over;

static void on_signal(int sig)
{
	(void)sig;
	over = 1;
}

/* Say what is wrong with the command line: the exit status. */
static int wrong(const struct complaint *why)
{
	fprintf(stderr, "gnomon top: %s\nTry `gnomon top --help'.\n", why->text);
	return 2;
}

/* RIGHT, or the exit status. */
#define RIGHT (-1)
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
		if (end && (end == optarg || *end || *optarg == '-' || !(o->delay >= 0.05) ||
			    o->delay > 3600)) {
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

static int take(struct inside *in, struct look *l, struct complaint *why)
{
	l->nprocess = inside_processes(in, l->process, MAXPROC, why);
	if (l->nprocess < 0 || inside_khz(in, &l->khz, why) < 0)
		return -1;
	return inside_kprof(in, &l->prof, why);
}

/* For qsort: the most first, equal ones by name. */
static int most_first(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Ticks of one CPU in a bucket since the look before. */
static uint32_t grown(const struct look *l, const struct look *was, unsigned cpu, uint32_t i)
{
	return l->prof.kprof.cell[cpu][i] - was->prof.kprof.cell[cpu][i];
}

/* The function that a bucket belongs to; NULL: none. */
static const struct symbol *function_at(const struct look *l, const struct symbols *s, uint32_t i)
{
	return symbols_at(s, l->prof.kprof.first + ((i - KPROF_SPECIAL) << KPROF_LOG2));
}

/* What a CPU did: outside kernel text, idle, in the rest of the kernel. */
struct share {
	uint64_t outside, idle, kernel;
};

/* Adds one CPU's ticks up, also to each function's. */
static struct share add_up(const struct look *l, const struct look *was, const struct symbols *s,
			   unsigned cpu, struct row *row)
{
	struct share sum = {.outside = grown(l, was, cpu, KPROF_OUTSIDE)};
	const struct symbol *f;
	uint32_t i, n;

	for (i = KPROF_SPECIAL; i < l->prof.kprof.nbucket; i++) {
		n = grown(l, was, cpu, i);
		if (n == 0)
			continue;
		f = function_at(l, s, i);
		if (f && strcmp(f->name, IDLE) == 0)
			sum.idle += n;
		else
			sum.kernel += n;
		if (f)
			row[f - s->sym].n += n;
	}
	return sum;
}

/* A CPU's line: # kernel, = outside it, . idle. */
static void print_cpu(unsigned cpu, const struct share *s)
{
	uint64_t all = s->kernel + s->outside + s->idle;
	int kernel = all ? (int)((s->kernel * BAR + all / 2) / all) : 0;
	int outside = all ? (int)(((s->kernel + s->outside) * BAR + all / 2) / all) - kernel : 0;
	double one = all ? 100.0 / (double)all : 0;

	printf("cpu%u [%.*s%.*s%*s] kernel %5.1f %%  outside %5.1f %%  idle %5.1f %%\n", cpu,
	       kernel, "########################################", outside,
	       "========================================", BAR - kernel - outside, "",
	       (double)s->kernel * one, (double)s->outside * one, (double)s->idle * one);
}

/* The first rows that are not zero, and of what. */
static void print_rows(const char *title, struct row *row, size_t n, uint64_t all, int most)
{
	size_t i;

	qsort(row, n, sizeof(*row), most_first);
	printf("\n%s\n", title);
	for (i = 0; i < n && row[i].n > 0 && most-- > 0; i++) {
		printf("%8.1f  %10" PRIu64 "  ", all ? 100.0 * (double)row[i].n / (double)all : 0,
		       row[i].n);
		if (row[i].pid)
			printf("%5" PRIu32 " ", row[i].pid);
		printf("%s\n", row[i].name);
	}
}

/* Microseconds that each process had between the looks, of those that one CPU had. */
static void print_processes(const struct look *l, const struct look *was, uint64_t us, int most)
{
	static struct row row[MAXPROC];
	int i, k;

	for (i = 0; i < l->nprocess; i++) {
		const struct inside_process *p = &l->process[i];
		uint64_t old = 0;

		for (k = 0; k < was->nprocess; k++)
			if (was->process[k].pid == p->pid)
				old = was->process[k].time;
		row[i] = (struct row){p->name, p->pid, p->time > old ? p->time - old : 0};
		row[i].n = row[i].n * 1000 / l->khz;
	}
	print_rows("   %cpu          us    pid process", row, (size_t)l->nprocess, us, most);
}

/* Lines of the terminal. */
static int height(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

/* One table. */
static void show(const struct options *o, const struct look *l, const struct look *was,
		 const struct symbols *s)
{
	struct row *row = calloc(s->n, sizeof(*row));
	int room = (o->batch ? 24 : height()) - 6 - (int)l->prof.kprof.ncpu;
	uint64_t all = 0;
	struct share share;
	unsigned cpu;
	size_t i;

	if (!row)
		return;
	for (i = 0; i < s->n; i++)
		row[i].name = s->sym[i].name;
	printf("%sgnomon top  %s  a tick: %" PRIu32 " us\n", o->batch ? "" : "\033[H\033[J",
	       o->socket, l->prof.kprof.pace.us);
	for (cpu = 0; cpu < l->prof.kprof.ncpu; cpu++) {
		share = add_up(l, was, s, cpu, row);
		print_cpu(cpu, &share);
		all += share.kernel + share.outside + share.idle;
	}
	if (all == 0)
		printf("kprof is off: `echo start >/dev/kpctl' in the guest begins\n");
	print_rows("      %       ticks  function", row, s->n, all, room * 2 / 3);
	print_processes(l, was, all * l->prof.kprof.pace.us / l->prof.kprof.ncpu, room / 3);
	printf("%s", o->batch ? "\n" : "");
	fflush(stdout);
	free(row);
}

/* Keys come at once while this is on. */
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

/* Wait, but for the key that leaves; whether to go on. */
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

/* Look again and again. */
static int follow(const struct options *o, struct inside *in, const struct symbols *s,
		  struct complaint *why)
{
	static struct look look[2];
	unsigned long i;
	int bad = take(in, &look[0], why);

	for (i = 1; !bad && (o->count == 0 || i <= o->count) && nap(o); i++) {
		bad = take(in, &look[i % 2], why);
		if (!bad)
			show(o, &look[i % 2], &look[(i + 1) % 2], s);
	}
	inside_free(&look[0].prof);
	inside_free(&look[1].prof);
	return bad;
}

/* With the guest's memory at hand. */
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
	status = build_file(kernel, sizeof(kernel), o.kernel, "gnomon.elf", &why);
	if (!status)
		status = build_file(socket, sizeof(socket), o.socket, "qmp.sock", &why);
	o.socket = socket;
	if (!status)
		status = watch(&o, kernel, &why);
	if (status)
		fprintf(stderr, "gnomon top: %s\n", why.text);
	return status ? 1 : 0;
}
