/* Processes that signals stop and have go on (W2), and what their parents are told of that. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define BIT(sig) (1ul << (sig))

static volatile int came[NSIG]; /* how often each signal's handler was called */

static void note(int sig)
{
	came[sig]++;
}

static void mask(int how, sigset_t signals)
{
	must(sigprocmask(how, &signals, NULL) == 0);
}

/* Return how a child has ended or stopped, which it has to. */
static int told(pid_t child)
{
	int status = -1;

	must(waitpid(child, &status, WUNTRACED) == child);
	return status;
}

/* Return whether there is nothing to be told of a child. */
static bool untold(pid_t child)
{
	return waitpid(child, NULL, WUNTRACED | WNOHANG) == 0;
}

static void stop(pid_t child, int sig)
{
	must(kill(child, sig) == 0);
	int status = told(child);
	must(WIFSTOPPED(status) && WSTOPSIG(status) == sig);
	must(!WIFEXITED(status) && !WIFSIGNALED(status));
}

static void told_once(void)
{
	pid_t child = tap_sleeper();

	stop(child, SIGSTOP);
	must(untold(child) && waitpid(-1, NULL, WUNTRACED | WNOHANG) == 0);
	must(kill(child, SIGCONT) == 0);
	stop(child, SIGTSTP);
	must(kill(child, SIGCONT) == 0);
	must(kill(child, SIGSTOP) == 0);
	tap_sleep(20);
	must(waitpid(child, NULL, WNOHANG) == 0); /* who does not ask is not told */
	must(kill(child, SIGCONT) == 0);
	tap_sleep(20);
	must(untold(child)); /* it goes on, and that it had stopped is over */
	tap_finish(child);
}

/* All signals but two wait until it goes on. */
static void ended_while_stopped(void)
{
	pid_t child = tap_sleeper();

	stop(child, SIGSTOP);
	must(kill(child, SIGTERM) == 0 && kill(child, SIGSTOP) == 0);
	tap_sleep(20);
	must(untold(child));
	must(kill(child, SIGCONT) == 0);
	must(WTERMSIG(told(child)) == SIGTERM);

	child = tap_sleeper();
	stop(child, SIGTSTP);
	must(kill(child, SIGKILL) == 0);
	must(WTERMSIG(told(child)) == SIGKILL);
}

/* Read what there is. Return how many bytes that was. */
static int drain(int fd)
{
	struct timeval none = {0, 0};
	char bytes[512];
	fd_set set;
	int all = 0;

	for (;;) {
		FD_ZERO(&set);
		FD_SET(fd, &set);
		if (select(fd + 1, &set, NULL, NULL, &none) == 0)
			return all;
		all += (int)read(fd, bytes, sizeof(bytes));
	}
}

static void stands_still(void)
{
	int fd[2];

	must(pipe(fd) == 0);
	pid_t child = fork();
	if (child == 0)
		for (;;)
			write(fd[1], "x", 1);
	stop(child, SIGSTOP);
	drain(fd[0]);
	tap_sleep(50);
	must(drain(fd[0]) == 0);
	must(kill(child, SIGCONT) == 0);
	tap_sleep(50);
	must(drain(fd[0]) > 0);
	tap_finish(child);
}

static void undone(void)
{
	sigset_t pending;

	mask(SIG_BLOCK, BIT(SIGTSTP));
	must(raise(SIGTSTP) == 0 && sigpending(&pending) == 0 && pending == BIT(SIGTSTP));
	must(raise(SIGCONT) == 0 && sigpending(&pending) == 0 && pending == 0);
	mask(SIG_UNBLOCK, BIT(SIGTSTP)); /* or nothing would go on here */
	signal(SIGTSTP, SIG_IGN);
	must(raise(SIGTSTP) == 0);
	signal(SIGTSTP, note);
	must(raise(SIGTSTP) == 0 && came[SIGTSTP] == 1);
	must(signal(SIGSTOP, SIG_IGN) == SIG_ERR && errno == EINVAL);
	mask(SIG_BLOCK, BIT(SIGSTOP));
	sigset_t now;
	must(sigprocmask(SIG_BLOCK, NULL, &now) == 0 && now == 0);
}

/* A SIGCONT from before is none for a stop that comes later. */
static void stale(void)
{
	pid_t child = fork();

	if (child == 0) {
		signal(SIGCONT, note);
		mask(SIG_BLOCK, BIT(SIGCONT));
		raise(SIGCONT);
		raise(SIGSTOP);
		_exit(0);
	}
	must(WIFSTOPPED(told(child)));
	must(kill(child, SIGCONT) == 0);
	tap_join(child);
}

/* What is suspended until a signal comes stays so, with that mask, over a stop. */
static void suspended(void)
{
	sigset_t none = 0, now;

	pid_t child = fork();
	if (child == 0) {
		mask(SIG_SETMASK, BIT(SIGUSR1));
		signal(SIGUSR2, note);
		must_fail(sigsuspend(&none), EINTR);
		must(came[SIGUSR2] == 1);
		must(sigprocmask(SIG_BLOCK, NULL, &now) == 0 && now == BIT(SIGUSR1));
		_exit(0);
	}
	tap_sleep(20);
	stop(child, SIGTSTP);
	must(kill(child, SIGCONT) == 0);
	tap_sleep(20);
	must(untold(child) && kill(child, SIGUSR2) == 0);
	tap_join(child);
}

static void goes_on_with_a_handler(uintptr_t how)
{
	signal(SIGCONT, how ? note : SIG_IGN);
	mask(SIG_BLOCK, BIT(SIGCONT));
	raise(SIGSTOP);
	must(came[SIGCONT] == 0);
	mask(SIG_UNBLOCK, BIT(SIGCONT));
	_exit(came[SIGCONT] == (int)how ? 0 : 1);
}

/* SIGCONT has a process go on whatever is done about it, and then that is done, too. */
static void continued(void)
{
	for (uintptr_t how = 0; how < 2; how++) {
		pid_t child = fork();
		if (child == 0)
			goes_on_with_a_handler(how);
		must(WSTOPSIG(told(child)) == SIGSTOP);
		must(kill(child, SIGCONT) == 0);
		tap_join(child);
	}
}

/* A call that waits is made again: nobody had a handler that it would have to end for. */
static void calls_go_on(void)
{
	int fd[2];
	char c;

	must(pipe(fd) == 0);
	pid_t child = fork();
	if (child == 0) {
		close(fd[1]);
		_exit(read(fd[0], &c, 1) == 1 ? 0 : 1);
	}
	tap_sleep(20);
	stop(child, SIGTSTP);
	must(write(fd[1], "x", 1) == 1);
	tap_sleep(20);
	must(untold(child));
	must(kill(child, SIGCONT) == 0);
	tap_join(child);

	child = fork();
	if (child == 0) {
		tap_sleep(20);
		kill(getppid(), SIGCONT); /* what has not stopped does not wake */
		tap_sleep(20);
		_exit(write(fd[1], "y", 1) != 1);
	}
	must(read(fd[0], &c, 1) == 1 && c == 'y');
	tap_join(child);
}

/* A sleep goes on to its end: neither is it longer, nor has it ended. */
static void sleeps_go_on(void)
{
	pid_t child = fork();

	if (child == 0) {
		int64_t begin = tap_now();
		tap_sleep(300);
		_exit(tap_now() - begin < 450000000 ? 0 : 1);
	}
	tap_sleep(100);
	stop(child, SIGSTOP);
	tap_sleep(100);
	must(kill(child, SIGCONT) == 0);
	tap_sleep(20);
	must(untold(child));
	tap_join(child);
}

static void groups(void)
{
	pid_t a = tap_sleeper(), b = tap_sleeper();

	must(setpgid(a, a) == 0 && setpgid(b, a) == 0);
	must(kill(-a, SIGTSTP) == 0);
	int sum = waitpid(-1, NULL, WUNTRACED) + waitpid(-1, NULL, WUNTRACED);
	must(sum == a + b);
	must(kill(-a, SIGCONT) == 0 && kill(-a, SIGTERM) == 0);
	must(WTERMSIG(told(a)) == SIGTERM && WTERMSIG(told(b)) == SIGTERM);
}

static void parents_have_a_signal(void)
{
	sigset_t none = 0;

	mask(SIG_SETMASK, BIT(SIGCHLD));
	signal(SIGCHLD, note);
	pid_t child = tap_sleeper();
	must(kill(child, SIGSTOP) == 0);
	must_fail(sigsuspend(&none), EINTR);
	must(came[SIGCHLD] == 1 && WSTOPSIG(told(child)) == SIGSTOP);
	tap_finish(child);
}

/* What has stopped gets a hangup when its parent ends, and goes on. */
static void orphans(void)
{
	int fd[2];
	char c;

	must(pipe(fd) == 0);
	pid_t child = fork();
	if (child == 0) {
		pid_t one = fork();
		if (one == 0) {
			raise(SIGSTOP);
			_exit(write(fd[1], "x", 1) != 1); /* the hangup has come before */
		}
		pid_t other = fork();
		if (other == 0) {
			signal(SIGHUP, SIG_IGN);
			raise(SIGTSTP);
			_exit(write(fd[1], "y", 1) != 1);
		}
		must(WIFSTOPPED(told(one)) && WIFSTOPPED(told(other)));
		_exit(0);
	}
	close(fd[1]);
	tap_join(child);
	must(read(fd[0], &c, 1) == 1 && c == 'y');
	must(read(fd[0], &c, 1) == 0);
}

/* However a stop and the end of it meet, none lasts. */
static void no_end_is_missed(void)
{
	int rounds = 0;
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < 300; i++)
			raise(i % 2 ? SIGTSTP : SIGSTOP);
		_exit(0);
	}
	for (; waitpid(child, NULL, WNOHANG) == 0; rounds++) {
		must(kill(child, SIGCONT) == 0 || errno == ESRCH);
		sched_yield();
	}
	must(rounds > 0);
}

static const struct tap_case cases[] = {
	{"W2 a stop is told once", told_once},
	{"W2 what ends a stopped process", ended_while_stopped},
	{"W2 a stopped process does nothing", stands_still},
	{"W2 SIGCONT undoes a stop to come", undone},
	{"W2 a stop undoes SIGCONT", stale},
	{"W2 sigsuspend goes on after a stop", suspended},
	{"W2 SIGCONT with a handler, or ignored", continued},
	{"W2 a call goes on after a stop", calls_go_on},
	{"W2 a sleep goes on after a stop", sleeps_go_on},
	{"W2 a group stops", groups},
	{"W2 SIGCHLD for a stop", parents_have_a_signal},
	{"W2 what has stopped, and loses its parent", orphans},
	{"W2 no SIGCONT is missed", no_end_is_missed},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
