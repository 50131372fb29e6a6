/* Cases of bench: processes that begin and end, beside few others and beside many. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kernel/abi/elf.h"
#include "tests/bench/bench.h"

#define DIRTY (4 << 20) /* bytes that a process has written before it forks */

static int hold[2]; /* a pipe from which sleepers wait to read */
static pid_t sleeper; /* the one that came last; they have one pid after another */

void bench_sleepers(unsigned n)
{
	char c;

	bench_want(pipe(hold) == 0, "pipe");
	while (n-- > 0) {
		pid_t pid = fork();

		bench_want(pid >= 0, "fork");
		sleeper = pid;
		if (pid > 0)
			continue;
		close(hold[1]);
		read(hold[0], &c, 1);
		_exit(0);
	}
}

void bench_wake(void)
{
	close(hold[1]);
	while (wait(NULL) > 0)
		;
}

static void beside(void)
{
	bench_sleepers(bench_size);
}

static void beside_asleep(void)
{
	beside();
	sched_yield(); /* now all of them wait */
}

/* End those that came last. */
static void ends(unsigned n)
{
	while (n-- > 0) {
		kill(sleeper, SIGKILL);
		bench_want(waitpid(sleeper--, NULL, 0) > 0, "wait");
	}
}

/* Be a process that sleeps for so many seconds. */
static pid_t asleep(unsigned seconds)
{
	pid_t pid = fork();

	bench_want(pid >= 0, "fork");
	if (pid > 0)
		return pid;
	sleep(seconds);
	_exit(0);
}

/* Have bench_size processes that sleep, with different times. */
static void asleep_start(void)
{
	for (unsigned i = 0; i < bench_size; i++)
		sleeper = asleep(10000 + i);
	sched_yield();
}

static void asleep_end(void)
{
	for (unsigned i = 0; i < bench_size; i++)
		kill(sleeper - (pid_t)i, SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* Begin to sleep, longer than all others, and be ended. */
static void sleeps(unsigned n)
{
	while (n-- > 0) {
		pid_t pid = asleep(20000);

		sched_yield();
		kill(pid, SIGKILL);
		bench_want(waitpid(pid, NULL, 0) == pid, "wait");
	}
}

static void forks(unsigned n)
{
	while (n-- > 0) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

/* Run a program. */
static void execs(const char *path, unsigned n)
{
	char *const argv[] = {(char *)path, NULL};

	while (n-- > 0) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			execve(path, argv, NULL);
			_exit(127);
		}
		waitpid(pid, &status, 0);
		bench_want(status == 0, path);
	}
}

static void exec_tiny(unsigned n)
{
	execs("/tmp/tiny", n);
}

static void exec_true(unsigned n)
{
	execs("/bin/true", n);
}

/* Make an executable file of bench_size bytes, all of which are its text; it ends at once. */
static void text_write(void)
{
	static struct {
		struct elf32_head head;
		struct elf32_segment segment;
		uint8_t code[9];
	} first = {
		.head = {
			.ident = {.magic = ELF_MAGIC, .class = ELFCLASS32, .data = ELFDATA2LSB},
			.type = ET_EXEC, .machine = EM_386,
			.entry = 0x400000 + sizeof(first.head) + sizeof(first.segment),
			.phoff = sizeof(struct elf32_head),
			.phentsize = sizeof(struct elf32_segment), .phnum = 1,
		},
		.segment = {.type = PT_LOAD, .vaddr = 0x400000, .flags = PF_R | PF_X},
		.code = {0x31, 0xdb, 0xb8, 1, 0, 0, 0, 0xcd, 0x80}, /* exit(0) */
	};
	static const char rest[4096];
	int fd = open("/tmp/text", O_WRONLY | O_CREAT | O_TRUNC, 0755);

	first.segment.filesz = first.segment.memsz = bench_size;
	bench_want(write(fd, &first, sizeof(first)) == sizeof(first), "write");
	for (unsigned n = sizeof(first); n < bench_size; n += sizeof(rest))
		bench_want(write(fd, rest, sizeof(rest)) == sizeof(rest), "write");
	close(fd);
}

static void text_remove(void)
{
	unlink("/tmp/text");
}

static void exec_text(unsigned n)
{
	execs("/tmp/text", n);
}

static void dirty(void)
{
	char *p = sbrk(DIRTY);

	bench_want(p != (char *)-1, "sbrk");
	memset(p, 1, DIRTY);
}

const struct bench_case bench_processes[] = {
	{"fork", NULL, forks, NULL, .times = 50},
	{"fork", beside, forks, bench_wake, .times = 50, .sizes = {10, 100, 1000}},
	{"ends", beside_asleep, ends, bench_wake, .times = 5, .sizes = {10, 100, 1000}},
	{"sleeps", asleep_start, sleeps, asleep_end, .times = 20, .sizes = {10, 100, 1000}},
	{"exec", NULL, exec_tiny, NULL, .times = 50},
	{"exectrue", NULL, exec_true, NULL, .times = 50},
	{"exec", text_write, exec_text, text_remove, .times = 20,
	 .sizes = {1 << 19, 1 << 22}},
	{"forkdirty", dirty, forks, NULL, .times = 20},
	{NULL},
};
