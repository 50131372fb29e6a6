/* The time line of each processor, by kpctl and kptrace: kprof(3), kptrace(5). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define TRACE "/dev/kptrace"
#define TEXT_SIZE (1u << 20)

static char *text;
/* In the file that was checked last. */
static unsigned long ticks, switches, offs, overwritten, waits, woken, marks;

/*
 * Load the file. Records ascend in time, are as many as is said, and once a change of process was
 * seen every tick is of the process that it told, if no changes of others are lost.
 */
static void check(void)
{
	int running = -1, cpu = -1;
	unsigned long left = 0, last = 0;
	char *s;

	text = text ? text : malloc(TEXT_SIZE);
	tap_load(TRACE, text, TEXT_SIZE);
	must(strncmp(text, "# kptrace version=1 build=", 26) == 0 && strstr(text, " cpus="));
	ticks = switches = offs = overwritten = waits = woken = marks = 0;
	for (s = strchr(text, '\n') + 1; *s; s = strchr(s, '\n') + 1) {
		if (strncmp(s, "# wait=[pipe]\n", 14) == 0) {
			waits++;
			continue;
		}
		if (strncmp(s, "# woken=", 8) == 0) {
			must(strtol(s + 8, &s, 10) > 0 && strncmp(s, " us=", 4) == 0);
			must(strtoul(s + 4, &s, 10) >= last);
			woken++;
			continue;
		}
		if (strncmp(s, "# mark=", 7) == 0) {
			marks++;
			continue;
		}
		if (strncmp(s, "# wait=[", 8) == 0)
			continue;
		if (*s == '#') {
			must(left == 0 && strtol(s + 6, &s, 10) == ++cpu);
			must(strncmp(s, " records=", 9) == 0);
			left = strtoul(s + 9, &s, 10);
			must(strncmp(s, " overwritten=", 13) == 0);
			overwritten += strtoul(s + 13, &s, 10);
			last = 0;
			running = -1;
			continue;
		}
		unsigned long us = strtoul(s, &s, 10);
		must(us >= last && strtol(s, &s, 10) == cpu && left-- > 0);
		last = us;
		int pid = strtol(s, &s, 10);
		if (strncmp(s, " off;[switch]\n", 14) == 0) {
			running = -1;
			offs++;
			continue;
		}
		char *path = strchr(s, ';');
		if (strncmp(path, ";[switch]\n", 10) == 0) {
			running = pid;
			switches++;
		} else {
			must(running < 0 || running == pid || overwritten > 0);
			must(strstr(path, ";0x") && strstr(path, ";0x") < strchr(path, '\n'));
			ticks++;
		}
	}
	must(left == 0 && cpu + 1 == tap_processors());
}

static void end(void)
{
	must(kpctl("stop") == 0 && kpctl("trace off") == 0 && kpctl("waits off") == 0);
	must(kpctl("stacks off") == 0);
}

static void words(void)
{
	end();
	must_fail(kpctl("trace 10"), ENOTSUP);
	must(kpctl("stacks on") == 0);
	must_fail(kpctl("trace 10 switches"), ENOTSUP);
	must_fail(kpctl("trace"), EINVAL);
	must_fail(kpctl("trace 0"), EINVAL);
	must_fail(kpctl("trace 1048577"), EINVAL);
	must(kpctl("trace 1048576") == 0 || errno == ENOMEM);
	must(kpctl("trace off") == 0);
	must_fail(kpctl("trace 10 all"), EINVAL);
	must_fail(kpctl("trace off switches"), EINVAL);
	must(strstr(tap_read("/dev/kpctl"), "\ntrace off\n"));
	must(kpctl("trace 10") == 0 && strstr(tap_read("/dev/kpctl"), "\ntrace 16\n"));
	must(kpctl("waits on") == 0 && kpctl("trace 16 switches") == 0);
	must(strstr(tap_read("/dev/kpctl"), "\ntrace 16 switches\n"));
	must_fail(tap_say(TRACE, "x"), EPERM);
	must(kpctl("waits off") == 0 && strstr(tap_read("/dev/kpctl"), "\ntrace off\n"));
	must(kpctl("trace 10") == 0 && kpctl("stacks off") == 0);
	must(strstr(tap_read("/dev/kpctl"), "\ntrace off\n"));
	check();
	must(ticks == 0 && overwritten == 0);
}

/* Every tick is kept, or counted as overwritten. */
static void H9_the_last_ticks_are_kept(void)
{
	must(kpctl("stacks on") == 0 && kpctl("trace 64") == 0 && kpctl("startclr") == 0);
	do { /* where the host decides when ticks come, and on which of the processors */
		must(kpctl("start") == 0);
		tap_call(50);
		must(kpctl("stop") == 0);
		check();
	} while (overwritten == 0 || !strstr(text, " trace;[kernel];0x00400"));
	must(switches == 0 && ticks >= 64);
	must(kpctl("startclr") == 0);
	tap_call(30);
	must(kpctl("stop") == 0);
	check();
	must(ticks + overwritten == kpdata_head(0));
	end();
}

/* Hand a byte to another process and take it back, n times. Return its number; it goes on. */
static pid_t hand_over(unsigned n, int to[2], int from[2])
{
	char c = 0;

	must(pipe(to) == 0 && pipe(from) == 0);
	pid_t other = fork();
	if (other == 0)
		for (;;)
			must(read(to[0], &c, 1) == 1 && write(from[1], &c, 1) == 1);
	while (n-- > 0)
		must(write(to[1], &c, 1) == 1 && read(from[0], &c, 1) == 1);
	return other;
}

/* Who runs is told whenever it changes. */
static void H9_changes_of_process_are_told(void)
{
	int a[2], b[2];
	char c = 0;

	must(kpctl("stacks on") == 0 && kpctl("waits on") == 0);
	must(kpctl("trace 4096 switches") == 0 && kpctl("startclr") == 0);
	pid_t other = hand_over(100, a, b);
	must(kpctl("stop") == 0);
	check();
	must(switches >= 100 && overwritten == 0);
	must(waits >= 100 && woken >= waits);
	must(offs == (unsigned)tap_processors());
	must(kpctl("stop") == 0 && kpctl("start") == 0);
	must(write(a[1], &c, 1) == 1 && read(b[0], &c, 1) == 1);
	must(kpctl("stop") == 0);
	tap_finish(other);
	check();
	must(offs == 2u * (unsigned)tap_processors());
	must(kpctl("start") == 0);
	check(); /* while the file is open, nothing is recorded, and it says so */
	must(offs == 3u * (unsigned)tap_processors());
	end();
}

/* Have n processes, one after the other: each comes to a CPU and leaves it, whatever else runs. */
static void come_and_go(unsigned n)
{
	while (n-- > 0) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		must(waitpid(pid, NULL, 0) == pid);
	}
}

static void users_change(void)
{
	come_and_go(1500);
}

/* A user's changes of process, however many, take no room of the owner's. */
static void B16_the_owners_changes_stay(void)
{
	char change[40];
	unsigned kept = 0;

	must(kpctl("stacks on") == 0 && kpctl("waits on") == 0);
	must(kpctl("trace 512 switches") == 0); /* our parent, which looks every 10 ms, has some */
	must(kpctl("hz 10") == 0); /* ticks of idle processors take room, too */
	must(kpctl("startclr") == 0);
	pid_t other = fork();
	if (other == 0) {
		for (unsigned i = 0; i < 20; i++)
			tap_sleep(1);
		_exit(0);
	}
	must(waitpid(other, NULL, 0) == other);
	tap_as_none(users_change);
	must(kpctl("stop") == 0);
	check();
	snprintf(change, sizeof(change), " %d trace;[switch]\n", other);
	for (const char *s = text; (s = strstr(s, change)) != NULL; s++)
		kept++;
	must(overwritten >= 1000);
	must(kept >= 20);
	must(kpctl("hz 1000") == 0);
	end();
}

/* A mark as a user. Return whether it was taken. */
static bool user_marks(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		must(setuid(UID_NONE) == 0);
		exit(tap_say("/dev/kpmark", "theirs") == 0 ? 0 : 1);
	}
	must(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status) == 0;
}

/* Anybody may give a moment a name; those of users have a room of their own, and a pace. */
static void H13_marks(void)
{
	char line[40];
	unsigned taken = 0;

	end();
	must(tap_say("/dev/kpmark", "nobody traces") == 0);
	must(kpctl("stacks on") == 0 && kpctl("trace 64") == 0 && kpctl("startclr") == 0);
	must(tap_say("/dev/kpmark", "first\n") == 0);
	must(tap_say("/dev/kpmark", "a \033[2J\303\251") == 0);
	must_fail(tap_say("/dev/kpmark", "\n"), EINVAL);
	must(tap_say("/dev/kpmark", "123456789012345678901234567890123456789") == 0);
	must_fail(tap_say("/dev/kpmark", "1234567890123456789012345678901234567890"), EINVAL);
	must(open("/dev/kpmark", O_RDONLY) < 0 && errno == EACCES);
	while (taken < 3)
		taken += user_marks();
	check();
	snprintf(line, sizeof(line), "\n# mark=%d cpu=", getpid());
	must(marks == 6 && strstr(text, line) && !strstr(text, "nobody"));
	must(strstr(text, " first\n") && strstr(text, " a ?[2J??\n") && strstr(text, " theirs\n"));
	for (int i = 0; i < 130; i++)
		must(tap_say("/dev/kpmark", "mine") == 0);
	check();
	must(marks == 128 + 3 && !strstr(text, " first\n") && strstr(text, " theirs\n"));
	end();
}

/* Records that 16 MB have room for in one piece, whatever ran before. */
static void memory_comes_back(void)
{
	size_t before;

	end();
	before = tap_memory_left();
	must(kpctl("stacks on") == 0 && kpctl("trace 8192") == 0);
	must(before - tap_memory_left() > 256u << 10 >> 12);
	end();
	must(tap_memory_back(before, 0));
}

static const struct tap_case cases[] = {
	{"valid and invalid words", words},
	{"H9 the last ticks are kept", H9_the_last_ticks_are_kept},
	{"H9 changes of process are told", H9_changes_of_process_are_told},
	{"B16 the owner's changes of process stay", B16_the_owners_changes_stay},
	{"H13 B16 marks", H13_marks},
	{"trace off gives the memory back", memory_comes_back},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
