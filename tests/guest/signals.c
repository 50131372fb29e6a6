/* Signals, process groups, and who may send what to whom. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

static char *self; /* this program's path */

/* This program, started again by a case, raises a signal. */
static int second_life(int argc, char **argv)
{
	return argc == 3 ? raise(atoi(argv[2])) : 99;
}

static void raise_it(uintptr_t sig)
{
	raise((int)sig);
}

static void every_signal_ends(void)
{
	for (int sig = 1; sig < NSIG; sig++) {
		if (sig == SIGCHLD || (sig >= SIGCONT && sig <= SIGTSTP))
			continue; /* nothing happens, or it stops: stops.c */
		pid_t pid = tap_sleeper();
		int status;

		must(kill(pid, sig) == 0);
		must(waitpid(pid, &status, 0) == pid && WTERMSIG(status) == sig);
		must(WTERMSIG(tap_status(raise_it, (uintptr_t)sig)) == sig);
	}
}

static void kill_errors(void)
{
	pid_t pid = tap_sleeper();

	must(kill(pid, 0) == 0);
	must_fail(kill(pid, -1), EINVAL);
	must_fail(kill(pid, NSIG), EINVAL);
	must_fail(kill(-1, 0), EINVAL);
	must_fail(kill(INT32_MIN, 0), EINVAL);
	must(waitpid(pid, NULL, WNOHANG) == 0);
	tap_finish(pid);
	must_fail(kill(pid, 0), ESRCH);
	must_fail(kill(pid, SIGTERM), ESRCH);
	must_fail(kill(-pid, SIGTERM), ESRCH);
	must_fail(kill(0x7ffffff0, SIGTERM), ESRCH);
}

static void signal_words(void)
{
	must(signal(SIGTERM, SIG_IGN) == SIG_DFL);
	must(signal(SIGTERM, SIG_IGN) == SIG_IGN);
	must(raise(SIGTERM) == 0);
	must(signal(SIGTERM, SIG_DFL) == SIG_IGN);
	must(signal(SIGTERM, SIG_DFL) == SIG_DFL);
	must(signal(0, SIG_IGN) == SIG_ERR && errno == EINVAL);
	must(signal(-1, SIG_IGN) == SIG_ERR && errno == EINVAL);
	must(signal(NSIG, SIG_IGN) == SIG_ERR && errno == EINVAL);
}

static void ignore_then_raise(uintptr_t sig)
{
	signal((int)sig, SIG_IGN);
	raise((int)sig);
}

static void kill_is_final(void)
{
	must(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
	must(WTERMSIG(tap_status(ignore_then_raise, SIGKILL)) == SIGKILL);
	must(tap_status(ignore_then_raise, SIGTERM) == 0);
}

static void exec_raise(uintptr_t sig)
{
	char number[12];
	char *const list[] = { self, "raise", number, NULL };

	snprintf(number, sizeof(number), "%u", (unsigned)sig);
	execv(self, list);
	_exit(98);
}

static void ignoring_is_inherited(void)
{
	signal(SIGTERM, SIG_IGN);
	must(tap_status(raise_it, SIGTERM) == 0);
	must(tap_status(exec_raise, SIGTERM) == 0);
	must(WTERMSIG(tap_status(exec_raise, SIGINT)) == SIGINT);
	signal(SIGTERM, SIG_DFL);
	must(WTERMSIG(tap_status(exec_raise, SIGTERM)) == SIGTERM);
}

/* A signal also kills a process that only computes. */
static void busy_process_ends(void)
{
	pid_t pid = fork();
	int status;

	must(pid >= 0);
	while (pid == 0)
		;
	tap_sleep(50);
	must(kill(pid, SIGTERM) == 0);
	must(waitpid(pid, &status, 0) == pid && WTERMSIG(status) == SIGTERM);
}

static void groups(void)
{
	pid_t a = tap_sleeper(), b = tap_sleeper(), c = tap_sleeper();
	int status;

	must(setpgid(a, 0) == 0);
	must(setpgid(b, a) == 0);
	must(kill(-a, 0) == 0);
	must(kill(-a, SIGTERM) == 0);
	must(waitpid(a, &status, 0) == a && WTERMSIG(status) == SIGTERM);
	must(waitpid(b, &status, 0) == b && WTERMSIG(status) == SIGTERM);
	must(waitpid(c, &status, WNOHANG) == 0);
	must_fail(kill(-a, SIGTERM), ESRCH);
	must_fail(setpgid(0, -5), EINVAL);
	must_fail(setpgid(-5, 0), EINVAL);
	must_fail(setpgid(1, 0), ESRCH);
	must_fail(setpgid(0x7ffffff0, 0), ESRCH);
	tap_finish(c);
}

/* A group is its members, in any number and among others', whether its leader lives or not. */
static void group_without_leader(void)
{
	pid_t leader = tap_sleeper(), pid[12];
	int status;

	must(setpgid(leader, 0) == 0);
	for (size_t i = 0; i < nelem(pid); i++) {
		pid[i] = tap_sleeper();
		must(setpgid(pid[i], i % 3 == 1 ? leader : i % 3 == 2 ? pid[1] : 0) == 0);
	}
	tap_finish(leader);
	must(setpgid(pid[4], 0) == 0); /* it leaves, and another comes */
	must(setpgid(pid[3], leader) == 0);
	must(kill(-leader, SIGTERM) == 0);
	for (size_t i = 0; i < nelem(pid); i++)
		if (i == 3 || (i % 3 == 1 && i != 4))
			must(waitpid(pid[i], &status, 0) == pid[i] && WTERMSIG(status) == SIGTERM);
	must_fail(kill(-leader, 0), ESRCH);
	must(waitpid(-1, &status, WNOHANG) == 0);
	must(kill(-pid[1], SIGTERM) == 0); /* that leader is gone as well */
	for (size_t i = 2; i < nelem(pid); i += 3)
		must(waitpid(pid[i], &status, 0) == pid[i] && WTERMSIG(status) == SIGTERM);
	tap_finish(pid[0]);
	tap_finish(pid[4]);
	tap_finish(pid[6]);
	tap_finish(pid[9]);
}

/* To pid 0 means to the caller's own group, which has the children in it. */
static void own_group(void)
{
	pid_t other = fork();
	int status;

	must(other >= 0);
	if (other == 0) {
		must(setpgid(0, 0) == 0);
		if (fork() == 0)
			tap_sleep(20000);
		kill(0, SIGTERM);
		_exit(1);
	}
	must(waitpid(other, &status, 0) == other && WTERMSIG(status) == SIGTERM);
}

/* The first process cannot be killed by anybody. */
static void first_process_stays(void)
{
	kill(1, SIGTERM);
	kill(1, SIGKILL);
	tap_sleep(50);
	must(kill(1, 0) == 0);
}

/* ---- users */

static void none_kills(void)
{
	pid_t child;

	must(getuid() == UID_NONE);
	must_fail(kill(getppid(), SIGTERM), EPERM);
	must_fail(kill(getppid(), 0), EPERM);
	must_fail(kill(1, SIGKILL), EPERM);
	child = tap_sleeper();
	tap_finish(child);
}

static void none_stays_none(void)
{
	must(setuid(UID_NONE) == 0);
	must_fail(setuid(UID_EVE), EPERM);
	must_fail(setuid(7), EINVAL);
	must(getuid() == UID_NONE);
	if (fork() == 0)
		must(getuid() == UID_NONE);
}

/* The text was opened with the owner's rights, which are gone. */
static void none_has_no_text(void)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/text", getpid());
	must(open(path, O_RDONLY) < 0);
}

static void users(void)
{
	must(getuid() == UID_EVE);
	must_fail(setuid(2), EINVAL);
	must_fail(setuid((uid_t)-1), EINVAL);
	must(setuid(UID_EVE) == 0);
	tap_as_none(none_kills);
	tap_as_none(none_stays_none);
	tap_as_none(none_has_no_text);
}

static const struct tap_case cases[] = {
	{ "every signal ends a process", every_signal_ends },
	{ "kill's errors", kill_errors },
	{ "signal ignores, or does not", signal_words },
	{ "SIGKILL cannot be ignored", kill_is_final },
	{ "ignoring is inherited over fork and exec", ignoring_is_inherited },
	{ "a busy process can be killed", busy_process_ends },
	{ "process groups", groups },
	{ "a group whose leader has ended", group_without_leader },
	{ "signals to the caller's own group", own_group },
	{ "users and their rights", users },
	{ "the first process cannot be killed", first_process_stays },
};

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1)
		return second_life(argc, argv);
	return tap_run(cases, nelem(cases));
}
