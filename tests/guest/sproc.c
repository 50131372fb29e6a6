/* sproc(2): memory and files that processes share, on several processors too. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define NPROC 4

static volatile int shared;
static volatile uint32_t counter;

static void store(void *arg)
{
	shared = (int)(intptr_t)arg;
}

static void memory_is_shared(void)
{
	shared = 0;
	tap_join(sproc(store, PR_SADDR, (void *)42));
	must(shared == 42);
}

static void memory_is_copied(void)
{
	shared = 7;
	tap_join(sproc(store, 0, (void *)42));
	must(shared == 7);
}

static void add(void *arg)
{
	(void)arg;
	for (int i = 0; i < 100000; i++)
		__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
}

static void all_count(void)
{
	pid_t pid[NPROC];

	counter = 0;
	for (int i = 0; i < NPROC; i++)
		pid[i] = sproc(add, PR_SALL, NULL);
	for (int i = 0; i < NPROC; i++)
		tap_join(pid[i]);
	must(counter == NPROC * 100000);
}

static int opened;

static void open_null(void *arg)
{
	(void)arg;
	opened = open("/dev/null", O_RDWR);
}

static void files_are_shared(void)
{
	tap_join(sproc(open_null, PR_SALL, NULL));
	must(opened > 2 && write(opened, "x", 1) == 1);
	tap_join(sproc(open_null, PR_SADDR, NULL));
	must_fail(write(opened, "x", 1), EBADF);
}

static int ends[2];

static void select_and_close(void *arg)
{
	struct timeval zero = {0, 0};
	fd_set out;

	(void)arg;
	FD_ZERO(&out);
	FD_SET(ends[1], &out);
	must(select(ends[1] + 1, NULL, &out, NULL, &zero) == 1);
	close(ends[1]);
}

/* Where files are shared, select holds them while it looks: no longer, or the pipe has no end. */
static void select_lets_go(void)
{
	char c;

	must(pipe(ends) == 0);
	tap_join(sproc(select_and_close, PR_SALL, NULL));
	must(read(ends[0], &c, 1) == 0);
	close(ends[0]);
}

static volatile bool done;

static void open_and_close(void *arg)
{
	(void)arg;
	while (!done) {
		int fd = open("/bin/true", O_RDONLY);

		if (fd < 0 || close(fd) != 0)
			_exit(1);
	}
}

/* A file that is closed while another process looks at it is that file, or none. */
static void files_close_while_used(void)
{
	int fd = open("/dev/null", O_RDONLY);
	pid_t pid[2];
	struct stat st;

	must(fd > 0 && close(fd) == 0);
	done = false;
	for (int i = 0; i < 2; i++)
		pid[i] = sproc(open_and_close, PR_SALL, NULL);
	for (int i = 0; i < 200000; i++)
		must(fstat(fd, &st) == 0 ? S_ISREG(st.st_mode) : errno == EBADF);
	done = true;
	for (int i = 0; i < 2; i++)
		tap_join(pid[i]);
	must_fail(fstat(fd, &st), EBADF);
}

/* Touch fresh pages over and over, and give them back. */
static void grow(void *arg)
{
	volatile char *page = arg;

	for (int i = 0; i < 200; i++)
		page[i % 64 * 4096]++;
}

static void pages_come_once(void)
{
	char *block = sbrk(64 * 4096);
	pid_t pid[NPROC];

	must(block != (void *)-1);
	for (int i = 0; i < NPROC; i++)
		pid[i] = sproc(grow, PR_SADDR, block);
	for (int i = 0; i < NPROC; i++)
		tap_join(pid[i]);
	must(sbrk(-64 * 4096) != (void *)-1);
}

/* Wait for the heap to reach into the next gigabyte, and write there. */
static void write_beyond(void *arg)
{
	volatile int *at = arg;

	while (!shared)
		sched_yield();
	*at = 42;
}

/* B19: A page directory that is made new is seen by all who run there: tests.mk has the address. */
static void directories_come_once(void)
{
	static int *const next = (int *)0x40000000;
	pid_t pid[NPROC];

	shared = 0;
	for (int i = 0; i < NPROC; i++)
		pid[i] = sproc(write_beyond, PR_SADDR, next + i);
	tap_sleep(50);
	must((int *)sbrk(0) < next && brk(next + 1024) == 0);
	shared = 1;
	for (int i = 0; i < NPROC; i++)
		tap_join(pid[i]);
	for (int i = 0; i < NPROC; i++)
		must(next[i] == 42);
}

/* What readers look at: a page that is copied when it is written, and one that is not any more. */
static struct {
	volatile int copied;
	char rest[4096 - sizeof(int)];
	volatile int done;
	volatile uint32_t turns; /* of the reader's loop */
} *pages;

/* Look at the first page until the second says that it was written. */
static void look(void *arg)
{
	(void)arg;
	while (!pages->done) {
		must(pages->copied < 2);
		pages->turns++;
	}
	must(pages->copied == 1);
}

/* B15: when a page is copied for its writer, other processors must leave the one before. */
static void copies_are_seen(void)
{
	size_t room = sizeof(*pages) + 4096;
	uintptr_t block = (uintptr_t)sbrk((intptr_t)room);

	must(block != (uintptr_t)-1);
	pages = (void *)((block + 4095) & ~4095u);
	for (int i = 0; i < 20; i++) {
		pages->copied = pages->done = 0;
		pid_t child = tap_sleeper(); /* has both pages, too */
		pages->turns = 0;
		pid_t pid = sproc(look, PR_SADDR, NULL);
		while (pages->turns < 1000)
			sched_yield();
		pages->copied = 1;
		pages->done = 1;
		tap_join(pid);
		tap_finish(child);
	}
	must(sbrk(-(intptr_t)room) != (void *)-1);
}

/* While others write shared memory, a forked child must keep an unchanging copy. */
static void write_forever(void *arg)
{
	(void)arg;
	for (;;)
		counter++;
}

static void fork_freezes(void)
{
	pid_t writer = sproc(write_forever, PR_SADDR, NULL);

	must(writer > 0);
	for (int i = 0; i < 8; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			uint32_t seen = counter;
			for (int k = 0; k < 10; k++) {
				sched_yield();
				must(counter == seen);
			}
			_exit(0);
		}
		tap_join(pid);
	}
	uint32_t now = counter;
	for (int i = 0; i < 100 && counter == now; i++)
		usleep(10000);
	must(counter != now); /* the writer still writes our memory */
	kill(writer, SIGKILL);
	must(waitpid(writer, NULL, 0) == writer);
}

static void exec_true(void *arg)
{
	static char *argv[] = {"true", NULL};

	(void)arg;
	execve("/bin/true", argv, NULL);
	_exit(1);
}

static void exec_leaves(void)
{
	shared = 5;
	tap_join(sproc(exec_true, PR_SALL, NULL));
	must(shared == 5);
}

static const struct tap_case cases[] = {
	{"memory is shared", memory_is_shared},
	{"or memory is copied", memory_is_copied},
	{"what several add at the same time adds up", all_count},
	{"files are shared or copied", files_are_shared},
	{"select in shared files keeps none open", select_lets_go},
	{"a file is closed while another process uses it", files_close_while_used},
	{"a page that several touch comes once", pages_come_once},
	{"B19 new page directories are seen by all", directories_come_once},
	{"B15 a page that is copied for its writer is seen by all", copies_are_seen},
	{"a fork's child keeps its picture while others write", fork_freezes},
	{"exec leaves the shared memory", exec_leaves},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
