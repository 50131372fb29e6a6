/* What programs make the kernel say: B13. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define LOG "/dev/log"
#define LIMIT 10     /* lines in a span of time */
#define SPAN_MS 1000 /* that span */
#define FAULTS 1000

static void fault(uintptr_t unused)
{
	(void)unused;
	*(volatile int *)NULL = 1;
}

static void fault_often(void)
{
	for (int i = 0; i < FAULTS; i++)
		must(tap_status(fault, 0) == SIGSEGV);
}

/* Begin a span of its own, in which nothing is left to be said. Return a pid that is free. */
static int begin(void)
{
	tap_sleep(SPAN_MS + 100);
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0)
		_exit(0);
	tap_join(pid);
	return pid;
}

/* Count the log's lines on processes from pid first on, and the lines that it says are left out. */
static void count(int first, int *said, int *left, int *counts)
{
	const char *line = tap_read(LOG);
	int pid;
	unsigned n;

	*said = *left = *counts = 0;
	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "messages (", 10) == 0) {
			pid = atoi(line + 10);
			*said += pid >= first;
		} else if (*said > 0 && strncmp(line, "... ", 4) == 0) {
			n = (unsigned)strtoul(line + 4, NULL, 10);
			must(strstr(line, " such lines left out\n") != NULL);
			*left += (int)n;
			++*counts;
		}
	}
}

/* Under -icount all of them are within one span; elsewhere they may take several. */
static void B13_a_thousand_faults(void)
{
	int first = begin(), said, left, counts;
	int64_t start = tap_now();

	tap_as_none(fault_often);
	int spans = (int)((tap_now() - start) / (SPAN_MS * 1000000ll)) + 1;
	count(first, &said, &left, &counts);
	must(said >= LIMIT && said <= (spans + 1) * LIMIT);
	tap_sleep(SPAN_MS + 100);
	count(first, &said, &left, &counts);
	must(said + left == FAULTS);
	must(said <= (spans + 1) * LIMIT && counts <= spans + 1);
	if (tap_processors() == 1)
		must(said == LIMIT && counts == 1);
}

/* The count does not wait for the next such line. */
static void B13_silence_is_told_too(void)
{
	int first = begin(), said, left, counts;

	tap_as_none(fault_often);
	for (int i = 0; i < 20; i++) {
		tap_sleep(100);
		count(first, &said, &left, &counts);
		if (said + left == FAULTS)
			return;
	}
	must(!"what was left out was not told");
}

static void B13_the_owner_loses_nothing(void)
{
	int first = begin(), said, left, counts;

	tap_as_none(fault_often);
	first = begin();
	for (int i = 0; i < 3 * LIMIT; i++)
		must(tap_status(fault, 0) == SIGSEGV);
	count(first, &said, &left, &counts);
	must(said == 3 * LIMIT && left == 0);
}

/* The name is a file's: with line feeds in it one message would be many lines. */
static void B13_a_name_remains_in_its_line(void)
{
	static const char name[] = "a\n\033[2J\nb";

	tap_sleep(SPAN_MS + 100);
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		tap_program((char *[]){"/bin/cp", "/tests/messages", (char *)name, NULL});
		execve(name, (char *[]){(char *)name, "fault", NULL}, NULL);
		_exit(1);
	}
	int status;
	must(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
	must(strstr(tap_read(LOG), "\na??[2J?b (") != NULL);
}

static const struct tap_case cases[] = {
	{"B13 of 1,000 faults ten lines are printed, and the rest is counted",
	 B13_a_thousand_faults},
	{"B13 what was left out is told after a second of silence", B13_silence_is_told_too},
	{"B13 the owner's programs have no limit", B13_the_owner_loses_nothing},
	{"B13 a program's name cannot begin a line", B13_a_name_remains_in_its_line},
};

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "fault") == 0)
		fault(0);
	return tap_run(cases, nelem(cases));
}
