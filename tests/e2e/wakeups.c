/*
 * How soon processes that are woken run while other CPUs are idle (C11): three that sleep until one
 * moment, three that read from one pipe, and one that a busy process wakes again and again. And how
 * busy ones share CPUs: evenly, if they are one user's; and many of a user's do not crowd out the
 * owner's.
 * Links: tests/guest/tap.c tests/guest/modules.c
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define N 3 /* woken at once */
#define ROUNDS 100
#define CROWD 16 /* busy processes of none */
#define MS 1000000
#define SOON 1000000 /* ns: so soon they must run */
#define WORK 8000000 /* ns: so long they are busy then, in one another's way on one CPU */

static int64_t start, took[ROUNDS];

/* Be busy, but let an emulator's other CPUs have their turns. */
static void work(int64_t ns)
{
	int64_t end = tap_now() + ns;

	while (tap_now() < end)
		__asm__ volatile("pause");
}

static void sleep_until_start(int fd)
{
	int64_t rest = start - tap_now();

	(void)fd;
	nanosleep(&(struct timespec){.tv_nsec = (int32_t)rest}, NULL);
}

static void read_to_end(int fd)
{
	char c;

	must(read(fd, &c, 1) == 0);
}

/* Make N children that wait; return how long the last of them waited longer than the first. */
static int64_t spread(void (*wait)(int fd))
{
	int64_t woken, first = INT64_MAX, last = 0;
	int hold[2], answer[2];

	must(pipe(hold) == 0 && pipe(answer) == 0);
	start = tap_now() + 40 * MS;
	for (int i = 0; i < N; i++) {
		pid_t pid = fork();
		must(pid >= 0);
		if (pid > 0)
			continue;
		close(hold[1]);
		wait(hold[0]);
		woken = tap_now();
		work(WORK);
		must(write(answer[1], &woken, sizeof(woken)) == sizeof(woken));
		_exit(0);
	}
	tap_sleep(60);
	close(hold[0]);
	close(hold[1]);
	for (int i = 0; i < N; i++) {
		must(read(answer[0], &woken, sizeof(woken)) == sizeof(woken));
		first = woken < first ? woken : first;
		last = woken > last ? woken : last;
	}
	return last - first;
}

static void sleepers(void)
{
	must(spread(sleep_until_start) < SOON);
}

static void readers(void)
{
	must(spread(read_to_end) < SOON);
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Read the times of writing that come through fd, and print how much later it is by then. */
static void listen(int fd)
{
	int64_t sent;

	for (int i = 0; i < ROUNDS; i++) {
		must(read(fd, &sent, sizeof(sent)) == sizeof(sent));
		took[i] = tap_now() - sent;
	}
	qsort(took, ROUNDS, sizeof(took[0]), by_size);
	printf("# woken after %d us in the median, %d at most\n", (int)(took[ROUNDS / 2] / 1000),
	       (int)(took[ROUNDS - 1] / 1000));
	fflush(stdout);
	must(took[ROUNDS / 2] < SOON); /* in QEMU 7.2 a CPU that halts may miss some turns */
}

static void by_a_busy_one(void)
{
	int fd[2];

	must(pipe(fd) == 0);
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		listen(fd[0]);
		_exit(0);
	}
	tap_sleep(50); /* until the other CPUs are idle */
	for (int i = 0; i < ROUNDS; i++) {
		tap_spin(3);
		int64_t now = tap_now();
		must(write(fd[1], &now, sizeof(now)) == sizeof(now));
	}
	tap_join(pid);
}

/* Be busy for a second; return how much of it a CPU worked for this process, in per cent. */
static int share(void)
{
	struct tms t, before;

	times(&before);
	clock_t from = times(NULL);
	work(1000 * (int64_t)MS);
	clock_t elapsed = times(NULL) - from;
	times(&t);
	clock_t worked = t.tms_utime - before.tms_utime + t.tms_stime - before.tms_stime;
	return (int)(100 * worked / elapsed);
}

/* One process more than CPUs: each gets its part of them. */
static void even_share(uintptr_t i)
{
	int n = tap_processors(), want = 100 * n / (n + 1), got = share();

	printf("# %d: %d %% of a CPU, of %d\n", (int)i, got, want);
	fflush(stdout);
	must(got > want - 10 && got < want + 10);
}

static void one_more_than_processors(void)
{
	tap_together(tap_processors() + 1, even_share);
}

static void crowd(uintptr_t)
{
	work(2000 * (int64_t)MS);
}

static void crowd_of_none(void)
{
	tap_together(CROWD, crowd);
}

static void owner_beside_a_crowd(void)
{
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		tap_as_none(crowd_of_none);
		_exit(0);
	}
	tap_sleep(300);
	int got = share();
	printf("# the owner's process has %d %% of a CPU\n", got);
	fflush(stdout);
	must(got >= 40);
	tap_join(pid);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{"C11 a process that is woken by a busy one runs within 1 ms", by_a_busy_one},
		{"C11 busy processes share the CPUs evenly", one_more_than_processors},
		{"B4 the owner's has half a CPU beside busy ones of none", owner_beside_a_crowd},
		{"C11 sleepers that are woken together run on several CPUs at once", sleepers},
		{"C11 so do readers that are woken by one call", readers},
	};

	return tap_run(cases, tap_processors() > N ? 5 : 3);
}
