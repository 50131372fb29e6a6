/* Cases of bench: system calls on a file, by its descriptor or its name. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/bench/bench.h"

#define PAGE 4096
#define LARGE (10 << 20) /* bytes of the large file */
#define DEEPER 6 /* callers that make a path of 16 addresses of a process that gives way */

static char block[PAGE];
static const char *path;
static int fd;

static void getpids(unsigned n)
{
	while (n-- > 0)
		getpid();
}

static void clocks(unsigned n)
{
	struct timespec ts;

	while (n-- > 0)
		clock_gettime(CLOCK_MONOTONIC, &ts);
}

static void naps_of(unsigned n, int32_t ns)
{
	const struct timespec ts = {.tv_nsec = ns};

	while (n-- > 0)
		nanosleep(&ts, NULL);
}

static void naps_of_none(unsigned n)
{
	naps_of(n, 0);
}

static void naps(unsigned n)
{
	naps_of(n, 1000000);
}

/* Make a file, or one that is below a few directories, with a page in it. */
static void make(const char *name)
{
	path = name;
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	bench_want(fd >= 0 && write(fd, block, PAGE) == PAGE, name);
}

static void make_here(void)
{
	make("/tmp/f");
}

static void make_deep(void)
{
	static const char deep[] = "/tmp/d/d/d/f";
	char part[sizeof(deep)];

	for (unsigned i = 5; deep[i]; i++) {
		if (deep[i] != '/')
			continue;
		memcpy(part, deep, i);
		part[i] = 0;
		mkdir(part, 0700);
	}
	make(deep);
}

static void removed(void)
{
	bench_want(unlink(path) == 0, path);
}

/* Read bench_size bytes at the beginning of a file. */
static void reads(unsigned n)
{
	while (n-- > 0) {
		lseek(fd, 0, SEEK_SET);
		read(fd, block, bench_size);
	}
}

static void opens(unsigned n)
{
	while (n-- > 0)
		close(open(path, O_RDONLY));
}

static void stats(unsigned n)
{
	struct stat st;

	while (n-- > 0)
		stat(path, &st);
}

/* Go to a directory that lies 20 deep; path becomes that of the one bench_size above. */
static void climb_start(void)
{
	static char up[3 * 16 + 1];

	bench_want(chdir("/tmp") == 0, "/tmp");
	for (unsigned i = 0; i < 19; i++) {
		mkdir("d", 0700);
		bench_want(chdir("d") == 0, "d");
	}
	for (unsigned i = 0; i < bench_size; i++)
		memcpy(up + 3 * i, "../", 4);
	path = up;
}

/* Write a large file from its beginning, a page a time; so does large_read read it. */
static void large_write(unsigned n)
{
	bench_want(lseek(fd, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0, path);
	while (n-- > 0)
		bench_want(write(fd, block, PAGE) == PAGE, path);
}

static void large_make(void)
{
	make_here();
	large_write(LARGE / PAGE);
}

static void large_read(unsigned n)
{
	bench_want(lseek(fd, 0, SEEK_SET) == 0, path);
	while (n-- > 0)
		bench_want(read(fd, block, PAGE) == PAGE, path);
}

/* Make a file of which no page was ever written. */
static void hole_make(void)
{
	make_here();
	bench_want(ftruncate(fd, 0) == 0 && ftruncate(fd, LARGE) == 0, path);
}

static void zero_open(void)
{
	fd = open("/dev/zero", O_RDONLY);
	bench_want(fd >= 0, "/dev/zero");
}

/* Read pages of zeros. */
static void zeros_read(unsigned n)
{
	while (n-- > 0)
		bench_want(read(fd, block, PAGE) == PAGE, "zeros");
}

static pid_t yielder;

static void yield_start(void)
{
	yielder = fork();
	while (yielder == 0)
		sched_yield();
}

static void yields(unsigned n)
{
	while (n-- > 0)
		sched_yield();
}

/* Do so n times, or for ever if that is 0, below `deeper' callers more. */
static __attribute__((noinline)) void deep_yields(unsigned deeper, unsigned n)
{
	if (deeper > 0)
		deep_yields(deeper - 1, n);
	else
		do
			sched_yield();
		while (--n > 0);
	__asm__ volatile("");
}

static void deep_start(void)
{
	yielder = fork();
	if (yielder == 0)
		deep_yields(DEEPER, 0);
}

static void say(const char *words)
{
	int to = open("/dev/kpctl", O_WRONLY);

	bench_want(to >= 0 && write(to, words, strlen(words)) > 0, words);
	close(to);
}

/* With waits counted; the clock ticks as seldom as can be. */
static void waits_start(void)
{
	say("hz 10");
	say("waits on");
	say("startclr");
	deep_start();
}

static void waits_yields(unsigned n)
{
	deep_yields(DEEPER, n);
}

static void yield_end(void)
{
	kill(yielder, SIGKILL);
	waitpid(yielder, NULL, 0);
}

static void waits_end(void)
{
	say("stop");
	say("waits off");
	say("hz 1000");
	yield_end();
}

static void console_open(void)
{
	fd = open("/dev/cons", O_WRONLY);
	bench_want(fd >= 0, "/dev/cons");
}

/* Write lines of 80 characters, which fill a row of the text screen. */
static void lines(unsigned n)
{
	char line[81];

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\n';
	while (n-- > 0)
		write(fd, line, sizeof(line));
}

const struct bench_case bench_calls[] = {
	{"getpid", NULL, getpids, NULL, .times = 1000},
	{"clock", NULL, clocks, NULL, .times = 1000},
	{"nap0", NULL, naps_of_none, NULL, .times = 20},
	{"nap1", NULL, naps, NULL, .times = 20},
	{"read", make_here, reads, removed, .times = 100, .sizes = {1, PAGE}},
	{"open", make_here, opens, removed, .times = 100},
	{"stat", make_here, stats, removed, .times = 100},
	{"deepstat", make_deep, stats, removed, .times = 100},
	{"climb", climb_start, stats, NULL, .times = 100, .sizes = {1, 16}},
	{"writelarge", make_here, large_write, removed, .times = LARGE / PAGE, .per = PAGE / 1024},
	{"readlarge", large_make, large_read, removed, .times = LARGE / PAGE, .per = PAGE / 1024},
	{"hole", hole_make, zeros_read, removed, .times = 100, .per = PAGE / 1024},
	{"zero", zero_open, zeros_read, NULL, .times = 100, .per = PAGE / 1024},
	{"yield", yield_start, yields, yield_end, .times = 1000},
	{"yieldoff", deep_start, waits_yields, yield_end, .times = 1000},
	{"yieldwaits", waits_start, waits_yields, waits_end, .times = 1000},
	{"line", console_open, lines, NULL, .times = 100},
	{NULL},
};
