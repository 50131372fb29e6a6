/*
 * kill: sends a signal to processes; a negative number means a process group: kill(2). Options are
 * not taken by getopt, for -9 is a signal here and -12 may be a group.
 */
#include <ctype.h>
#include <err.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "userland/command/usage.h"

/* The signals that can be named; others have a number only. */
static const struct {
	const char *name;
	int number;
} signals[] = {
	{ "HUP", SIGHUP },   { "INT", SIGINT },	  { "QUIT", SIGQUIT }, { "ILL", SIGILL },
	{ "TRAP", SIGTRAP }, { "ABRT", SIGABRT }, { "BUS", SIGBUS },   { "FPE", SIGFPE },
	{ "KILL", SIGKILL }, { "SEGV", SIGSEGV }, { "PIPE", SIGPIPE }, { "ALRM", SIGALRM },
	{ "TERM", SIGTERM }, { "CONT", SIGCONT }, { "STOP", SIGSTOP }, { "TSTP", SIGTSTP },
};

#define NSIGNALS (sizeof(signals) / sizeof(signals[0]))
#define HIGHEST 31 /* signal; 0 sends nothing, but says whether one could be sent */

static const char synopsis[] =
	"kill [-signal] pid ...\n"
	"       kill -l";

/* Print the signals and end the program. */
static void list(void)
{
	for (size_t i = 0; i < NSIGNALS; i++)
		printf("%2d %s\n", signals[i].number, signals[i].name);
	exit(0);
}

/* Read a whole number within bounds. Return 0 when the text is anything else. */
static int parse(const char *text, long low, long high, long *value)
{
	char *end;

	*value = strtol(text, &end, 10);
	return end != text && *end == '\0' && *value >= low && *value <= high;
}

/* Return the number of a signal given as 9, KILL or SIGKILL, in either case. */
static int signal_number(const char *text)
{
	long n;

	if (isdigit((unsigned char)text[0]) && parse(text, 0, HIGHEST, &n))
		return n;
	if (strncasecmp(text, "SIG", 3) == 0)
		text += 3;
	for (size_t i = 0; i < NSIGNALS; i++)
		if (strcasecmp(text, signals[i].name) == 0)
			return signals[i].number;
	warnx("%s: no such signal (kill -l lists them)", text);
	usage('?', synopsis);
}

int main(int argc, char **argv)
{
	int sig = SIGTERM, first = 1, failed = 0;

	if (argc > 1 && strcmp(argv[1], "-h") == 0)
		usage('h', synopsis);
	if (argc == 2 && strcmp(argv[1], "-l") == 0)
		list();
	if (argc > 2 && strcmp(argv[1], "-l") == 0)
		usage('?', synopsis);
	/* Only the first argument can be a signal; -- before a group lets the signal out. */
	if (argc > 1 && strcmp(argv[1], "--") == 0) {
		first = 2;
	} else if (argc > 1 && argv[1][0] == '-') {
		sig = signal_number(argv[1] + 1);
		first = 2;
	}
	if (first >= argc)
		usage('?', synopsis);
	for (int i = first; i < argc; i++) {
		long pid;

		/* A failure is told, and the others get the signal all the same. */
		if (!parse(argv[i], INT_MIN, INT_MAX, &pid)) {
			warnx("%s: not a process id", argv[i]);
			failed = 1;
		} else if (kill(pid, sig) < 0) {
			warn("%s", argv[i]);
			failed = 1;
		}
	}
	return failed;
}
