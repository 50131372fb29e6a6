/* top: what the machine is busy with, again and again: processors, kernel functions, processes. */
#include <sys/select.h>
#include <sys/wait.h>
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/files/process.h"
#include "userland/files/stream.h"
#include "userland/profile/buildid.h"
#include "userland/profile/symtab.h"

#define CTL "/dev/kpctl"
#define DATA "/dev/kpdata"
#define STATISTICS "/dev/sysstat"
#define CONSOLE "/dev/consctl"
#define MAXCPU 64
#define BAR 40
#define TABLE_LINES 24 /* of a terminal */
#define BREAK 3	       /* ^C, as a byte */
#define MS_MAX 3600000u

/* kpdata(5)'s numbers: special ones, and buckets of text from SPECIAL on. */
enum { TOTAL, OUTSIDE, PERIOD_US, NBUCKET, SIZE, LOG2, SPECIAL };

/* What a processor has done since boot. */
struct cpu {
	uint64_t ticks, lost, outside, idle_ms;
};

/* What there is to be seen at one moment. */
struct look {
	uint64_t ms; /* since boot */
	unsigned ncpu;
	struct cpu cpu[MAXCPU];
	uint8_t *data;
	size_t ncount; /* in data */
	struct process *process;
	size_t nprocess;
};

/* A line of a table: how much more of something. */
struct row {
	const char *name;
	long pid;
	uint64_t n, kernel; /* the latter: how much of it in the kernel */
};

static const char *kernel = "/boot/gnomon";
static struct symtab symbols;
static long count; /* of tables; 0: no end */
static uint32_t delay_ms = 1000;
static bool screen, keys; /* whether each table replaces the one before; whether keys are read */
static int console = -1, keeper_pipe = -1, keeper = -1;

static const char synopsis[] = "top [-b] [-d seconds] [-k kernel] [-n count]";

/* Memory, or the end. */
static void *need(void *p)
{
	if (!p)
		err(1, "memory");
	return p;
}

/* A whole file, for free(), with a NUL behind it. */
static char *whole(const char *path, size_t *n)
{
	int fd = open(path, O_RDONLY);
	size_t room = 0;
	char *text = NULL;

	*n = 0;
	if (fd >= 0)
		text = stream_slurp(fd, NULL, n, &room);
	if (!text)
		err(1, "%s", path);
	close(fd);
	text[*n] = 0;
	return text;
}

static void write_word(const char *path, const char *word)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, word, strlen(word)) < 0)
		err(1, "%s: %s", path, word);
	close(fd);
}

/* Milliseconds out of "2", "0.5" or ".25". */
static uint32_t milliseconds(const char *text)
{
	uint32_t ms = 0, unit = 1000;
	const char *p = text;

	for (; *p >= '0' && *p <= '9' && ms <= MS_MAX; p++)
		ms = ms * 10 + (uint32_t)(*p - '0') * 1000;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++)
			ms += (uint32_t)(*p - '0') * (unit /= 10);
	if (*p || ms < 50 || ms > MS_MAX) {
		warnx("%s: not within 0.05 and 3600 seconds", text);
		usage('?', synopsis);
	}
	return ms;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint32_t)t.tv_nsec / 1000000;
}

/* Number i of kpdata. */
static uint32_t number_at(const struct look *l, size_t i)
{
	const uint8_t *p = l->data + 4 * i;

	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The lines "cpuN ..." of a text: each processor's numbers behind its name, to be taken. */
static void each_cpu(struct look *l, const char *path, void (*take)(struct cpu *c, char *line))
{
	size_t n;
	char *text = whole(path, &n), *line, *rest = text;

	while ((line = strsep(&rest, "\n")) != NULL) {
		unsigned long cpu;

		if (strncmp(line, "cpu", 3) != 0)
			continue;
		cpu = strtoul(line + 3, &line, 10);
		if (cpu >= MAXCPU)
			continue;
		take(&l->cpu[cpu], line);
		if (cpu >= l->ncpu)
			l->ncpu = (unsigned)cpu + 1;
	}
	free(text);
}

/* The number behind a word; 0 without it. */
static uint64_t after(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* A line of kpctl: "ticks N lost N outside N". */
static void take_ticks(struct cpu *c, char *line)
{
	c->ticks = after(line, " ticks ");
	c->lost = after(line, " lost ");
	c->outside = after(line, " outside ");
}

/* A line of sysstat, whose fifth number it is. */
static void take_idle(struct cpu *c, char *line)
{
	for (int i = 0; i < 5; i++)
		c->idle_ms = strtoull(line, &line, 10);
}

static void look(struct look *l)
{
	size_t n;

	free(l->data);
	free(l->process);
	memset(l, 0, sizeof(*l));
	l->ms = now_ms();
	each_cpu(l, CTL, take_ticks);
	each_cpu(l, STATISTICS, take_idle);
	l->data = (uint8_t *)whole(DATA, &n);
	l->ncount = n / 4;
	if (l->ncount < SPECIAL || l->ncount != number_at(l, NBUCKET))
		errx(1, "%s: not as kpdata(5) has it", DATA);
	l->process = process_list(&l->nprocess);
}

/* How much more it is than it was; counts that were zeroed meanwhile are all new. */
static uint64_t grown(uint64_t now, uint64_t was)
{
	return now < was ? now : now - was;
}

/* The share of a whole, of a thousand. */
static unsigned permille(uint64_t part, uint64_t all)
{
	return all == 0 ? 0 : part >= all ? 1000 : (unsigned)((part * 1000 + all / 2) / all);
}

/* Ends a line; on a screen, so does what an earlier table left of it. */
static void end_line(void)
{
	printf(screen ? "\033[K\n" : "\n");
}

/* A share with a title, as percent. */
static void print_share(const char *title, unsigned share)
{
	printf(" %s %3u.%u%%", title, share / 10, share % 10);
}

/* A processor's line: # the kernel, = programs, and blank: idle. */
static void print_cpu(unsigned i, const struct cpu *now, const struct cpu *was, uint64_t ms)
{
	unsigned user = permille(grown(now->outside, was->outside), grown(now->ticks, was->ticks));
	unsigned idle = permille(now->idle_ms - was->idle_ms, ms);
	unsigned in_kernel = user + idle > 1000 ? 0 : 1000 - user - idle;
	char bar[BAR + 1];
	size_t hash = (in_kernel * BAR + 500) / 1000;
	size_t both = ((in_kernel + user) * BAR + 500) / 1000;

	if (user + idle > 1000)
		idle = 1000 - user;
	memset(bar, ' ', BAR);
	memset(bar, '=', both);
	memset(bar, '#', hash);
	bar[BAR] = 0;
	printf("cpu%-2u|%s|", i, bar);
	print_share("kernel", in_kernel);
	print_share("user", user);
	print_share("idle", idle);
	end_line();
}

/* The most first; equal ones by name. */
static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Sorts the rows: how many of the first are to be shown, at most lines. */
static size_t shown(struct row *row, size_t n, size_t lines)
{
	size_t i = 0;

	qsort(row, n, sizeof(*row), most_first);
	while (i < n && i < lines && row[i].n > 0)
		i++;
	return i;
}

/* Where a bucket begins. */
static uint32_t bucket_address(const struct look *l, size_t i)
{
	return symbols.ktzero + ((uint32_t)i << number_at(l, LOG2));
}

/* The kernel's functions by their ticks, of so many: how many lines. */
static size_t print_functions(const struct look *l, const struct look *was, uint64_t ticks,
			      size_t lines)
{
	struct row *row = need(calloc(symbols.n, sizeof(*row)));
	size_t i, n;

	for (i = 0; i < symbols.n; i++)
		row[i].name = symbols.function[i].name;
	for (i = SPECIAL; i < l->ncount; i++) {
		uint32_t now = number_at(l, i);
		const struct symtab_function *f =
			now ? symtab_find(&symbols, bucket_address(l, i)) : NULL;

		if (f)
			row[f - symbols.function].n += grown(now, number_at(was, i));
	}
	n = shown(row, symbols.n, lines);
	printf("     %%      ticks  function");
	end_line();
	for (i = 0; i < n; i++) {
		unsigned share = permille(row[i].n, ticks);

		printf("%4u.%u %10llu  %s", share / 10, share % 10, (unsigned long long)row[i].n,
		       row[i].name);
		end_line();
	}
	free(row);
	return n;
}

/* A process's time between the looks; one that was not there has all of its own. */
static struct row process_row(const struct process *p, const struct look *was)
{
	uint64_t user = p->user_ms, in_kernel = p->kernel_ms;
	size_t i;

	for (i = 0; i < was->nprocess; i++)
		if (was->process[i].pid == p->pid) {
			user = grown(user, was->process[i].user_ms);
			in_kernel = grown(in_kernel, was->process[i].kernel_ms);
		}
	return (struct row){p->name, p->pid, user + in_kernel, in_kernel};
}

static void print_processes(const struct look *l, const struct look *was, size_t lines)
{
	struct row *row = need(calloc(l->nprocess + 1, sizeof(*row)));
	size_t i, n;

	for (i = 0; i < l->nprocess; i++)
		row[i] = process_row(&l->process[i], was);
	n = shown(row, l->nprocess, lines);
	printf("  %%cpu    user ms  kernel ms    pid  process");
	end_line();
	for (i = 0; i < n; i++) {
		unsigned share = permille(row[i].n, grown(l->ms, was->ms));

		printf("%4u.%u %10llu %10llu %6ld  %s", share / 10, share % 10,
		       (unsigned long long)(row[i].n - row[i].kernel),
		       (unsigned long long)row[i].kernel, row[i].pid, row[i].name);
		end_line();
	}
	free(row);
}

/* The ticks that were due since the look before, and never came, on all processors. */
static uint64_t lost_since(const struct look *l, const struct look *was)
{
	uint64_t lost = 0;

	for (unsigned i = 0; i < l->ncpu; i++)
		lost += l->cpu[i].lost - was->cpu[i].lost;
	return lost;
}

/* One table: what is more than at the look before. */
static void print(const struct look *l, const struct look *was)
{
	size_t lines = TABLE_LINES - 6 - (l->ncpu < 8 ? l->ncpu : 8), used;
	uint64_t ticks = grown(number_at(l, TOTAL), number_at(was, TOTAL));
	uint64_t lost = lost_since(l, was);
	unsigned i;

	printf("%s%llu ms, %llu ticks of %u us", screen ? "\033[H" : "",
	       (unsigned long long)(l->ms - was->ms), (unsigned long long)ticks,
	       (unsigned)number_at(l, PERIOD_US));
	if (lost)
		printf(", %llu lost", (unsigned long long)lost);
	if (keys)
		printf("; q leaves");
	end_line();
	for (i = 0; i < l->ncpu; i++)
		print_cpu(i, &l->cpu[i], &was->cpu[i], l->ms - was->ms);
	end_line();
	used = print_functions(l, was, ticks, lines * 2 / 3);
	end_line();
	print_processes(l, was, lines - used);
	if (screen)
		printf("\033[J");
	else
		printf("\n");
	fflush(stdout);
}

/* Waits until then, or for a key that leaves: whether to go on. */
static bool wait_for(uint64_t until)
{
	uint64_t now;

	while ((now = now_ms()) < until) {
		struct timeval left = {.tv_sec = (int64_t)((until - now) / 1000),
				       .tv_usec = (int32_t)((until - now) % 1000) * 1000};
		fd_set set;
		char c;

		FD_ZERO(&set);
		if (keys)
			FD_SET(0, &set);
		if (select(keys ? 1 : 0, &set, NULL, NULL, &left) <= 0)
			continue;
		if (read(0, &c, 1) != 1)
			keys = false;
		else if (c == 'q' || c == BREAK)
			return false;
	}
	return true;
}

static void watch(void)
{
	static struct look looks[2];
	long i;

	look(&looks[0]);
	for (i = 1; count == 0 || i <= count; i++) {
		if (!wait_for(looks[(i - 1) % 2].ms + delay_ms))
			break;
		look(&looks[i % 2]);
		print(&looks[i % 2], &looks[(i - 1) % 2]);
	}
}

/*
 * Kprof counts from here on. If it was off, a process of its own stops it when this one has
 * ended, however it ends: then the pipe between them has no writer any more.
 */
static void start(void)
{
	size_t n;
	char *state = whole(CTL, &n), c;
	bool on = strncmp(state, "start\n", 6) == 0;
	int end[2];

	free(state);
	if (on)
		return;
	if (pipe(end) < 0 || (keeper = fork()) < 0)
		err(1, "fork");
	if (keeper == 0) {
		signal(SIGINT, SIG_IGN);
		setpgid(0, 0);
		close(end[1]);
		close(0);
		close(1);
		while (read(end[0], &c, 1) > 0)
			;
		write_word(CTL, "stop");
		_exit(0);
	}
	close(end[0]);
	keeper_pipe = end[1];
	write_word(CTL, "start");
}

/* At the end: the console, and then kprof, as they were. */
static void leave(void)
{
	if (screen)
		printf("\033[?1049l");
	fflush(stdout);
	close(console);
	if (keeper < 0)
		return;
	close(keeper_pipe);
	waitpid(keeper, NULL, 0);
}

/* A screen of its own, and keys one by one: that ends when the file is closed, by whatever end. */
static void take_console(void)
{
	setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
	if (keys) {
		console = open(CONSOLE, O_WRONLY);
		if (console < 0 || write(console, "rawon", 5) < 0)
			err(1, "%s", CONSOLE);
	}
	printf("\033[?1049h\033[H\033[J");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	bool batch = false;
	int c;

	while ((c = getopt(argc, argv, "bd:hk:n:")) != -1) {
		if (c == 'b')
			batch = true;
		else if (c == 'd')
			delay_ms = milliseconds(optarg);
		else if (c == 'k')
			kernel = optarg;
		else if (c == 'n')
			count = number(optarg, 1, INT32_MAX);
		else
			usage(c, synopsis);
	}
	if (optind < argc)
		usage('?', synopsis);
	symtab_read(&symbols, kernel);
	buildid_check(&symbols, kernel);
	screen = !batch && isatty(1);
	keys = screen && isatty(0);
	start();
	atexit(leave);
	if (screen)
		take_console();
	watch();
	return 0;
}
