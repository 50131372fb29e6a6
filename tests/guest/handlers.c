/* Handlers of signals (W2): what they find, what they leave, and what they interrupt. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define BIT(sig) (1ul << (sig))

static volatile int came[NSIG]; /* how often each signal's handler was called */
static volatile int order;	/* the signals in the order of their handlers, as decimal digits */
static sigset_t inside;		/* what was blocked in the last one */
static char *self; /* this program's path */

static void note(int sig)
{
	came[sig]++;
	order = order * 100 + sig;
	sigprocmask(SIG_BLOCK, NULL, &inside);
}

static void set(int sig, sighandler_t handler, sigset_t mask, int flags)
{
	struct sigaction a = {handler, mask, flags};

	must(sigaction(sig, &a, NULL) == 0);
}

static sigset_t blocked(void)
{
	sigset_t now;

	must(sigprocmask(SIG_BLOCK, NULL, &now) == 0);
	return now;
}

static void mask(int how, sigset_t signals)
{
	must(sigprocmask(how, &signals, NULL) == 0);
}

static void actions(void)
{
	struct sigaction a = {note, BIT(SIGINT), SA_RESTART}, old;

	must(sigaction(SIGTERM, &a, &old) == 0 && old.sa_handler == SIG_DFL);
	must(sigaction(SIGTERM, NULL, &old) == 0 && old.sa_handler == note);
	must(old.sa_mask == BIT(SIGINT) && old.sa_flags == SA_RESTART);
	must(raise(SIGTERM) == 0 && came[SIGTERM] == 1);
	must(signal(SIGTERM, SIG_IGN) == note && signal(SIGTERM, note) == SIG_IGN);
	must(raise(SIGTERM) == 0 && came[SIGTERM] == 2);
	must_fail(sigaction(SIGKILL, &a, NULL), EINVAL);
	must_fail(sigaction(NSIG, &a, NULL), EINVAL);
	must_fail(sigaction(0, NULL, &old), EINVAL);
	a.sa_flags = 1 << 20;
	must_fail(sigaction(SIGTERM, &a, NULL), EINVAL);
	must(sigaction(SIGTERM, NULL, &old) == 0 && old.sa_handler == note);
}

static void masks(void)
{
	sigset_t pending, none = 0;

	set(SIGUSR1, note, BIT(SIGTERM), 0);
	set(SIGUSR2, note, 0, SA_NODEFER);
	set(SIGINT, note, 0, SA_RESETHAND);
	mask(SIG_SETMASK, BIT(SIGUSR1) | BIT(SIGUSR2) | BIT(SIGKILL));
	must(blocked() == (BIT(SIGUSR1) | BIT(SIGUSR2)));
	raise(SIGUSR2);
	raise(SIGUSR1);
	raise(SIGUSR1);
	must(order == 0 && sigpending(&pending) == 0);
	must(pending == (BIT(SIGUSR1) | BIT(SIGUSR2)));
	mask(SIG_UNBLOCK, BIT(SIGUSR1));
	must(order == SIGUSR1);
	must(inside == (BIT(SIGUSR1) | BIT(SIGUSR2) | BIT(SIGTERM)));
	must(blocked() == BIT(SIGUSR2));
	mask(SIG_SETMASK, none);
	must(order == SIGUSR1 * 100 + SIGUSR2 && inside == 0 && blocked() == 0);
	must(sigpending(&pending) == 0 && pending == 0);
	raise(SIGINT);
	must(came[SIGINT] == 1 && inside == BIT(SIGINT) && signal(SIGINT, SIG_IGN) == SIG_DFL);
	mask(SIG_BLOCK, BIT(SIGINT)); /* what is ignored is not pending either */
	raise(SIGINT);
	must(sigpending(&pending) == 0 && pending == 0);
	must_fail(sigprocmask(7, &none, NULL), EINVAL);
}

/* Two at once: the handler of the first is interrupted before it begins. */
static void nested(void)
{
	set(SIGUSR1, note, 0, 0);
	set(SIGUSR2, note, 0, 0);
	mask(SIG_BLOCK, BIT(SIGUSR1) | BIT(SIGUSR2));
	raise(SIGUSR1);
	raise(SIGUSR2);
	mask(SIG_SETMASK, 0);
	must(order == SIGUSR2 * 100 + SIGUSR1 && blocked() == 0);
}

static void waits_in_suspend(void)
{
	sigset_t none = 0;

	set(SIGUSR1, note, 0, SA_RESTART);
	mask(SIG_SETMASK, BIT(SIGUSR1) | BIT(SIGUSR2));
	raise(SIGUSR1);
	must_fail(sigsuspend(&none), EINTR);
	must(came[SIGUSR1] == 1 && inside == BIT(SIGUSR1));
	must(blocked() == (BIT(SIGUSR1) | BIT(SIGUSR2)));
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		tap_sleep(50);
		_exit(kill(parent, SIGUSR1));
	}
	must_fail(sigsuspend(&none), EINTR);
	must(came[SIGUSR1] == 2);
	tap_join(child);
}

/* Send signals, some ms from now, to the process that calls. */
static pid_t later(int sig, int ms)
{
	pid_t parent = getpid(), child = fork();

	must(child >= 0);
	if (child == 0) {
		tap_sleep(ms);
		_exit(kill(parent, sig));
	}
	return child;
}

/* Calls that wait: again after a handler with SA_RESTART, EINTR after another. */
static void restarts(void)
{
	int fd[2], status;
	char c = 0;
	pid_t child;

	must(pipe(fd) == 0);
	set(SIGUSR1, note, 0, 0);
	child = later(SIGUSR1, 50);
	must_fail(read(fd[0], &c, 1), EINTR);
	tap_join(child);
	set(SIGUSR1, note, 0, SA_RESTART);
	child = fork();
	if (child == 0) {
		tap_sleep(50);
		kill(getppid(), SIGUSR1);
		tap_sleep(50);
		_exit(write(fd[1], "x", 1) != 1);
	}
	must(read(fd[0], &c, 1) == 1 && c == 'x' && came[SIGUSR1] == 2);
	tap_join(child);
	pid_t sleeper = tap_sleeper();
	set(SIGUSR1, note, 0, 0);
	child = later(SIGUSR1, 50);
	must_fail(waitpid(sleeper, &status, 0), EINTR);
	set(SIGUSR1, note, 0, SA_RESTART);
	tap_join(child);
	child = later(SIGUSR1, 50);
	must(waitpid(child, &status, 0) == child && came[SIGUSR1] == 4);
	tap_finish(sleeper);
}

/* Sleeping and select are never made again: POSIX, nanosleep() and select(). */
static void never_restarts(void)
{
	struct timespec ts = {100, 0}, left;
	fd_set set_of;
	int fd[2];

	must(pipe(fd) == 0);
	set(SIGUSR1, note, 0, SA_RESTART);
	pid_t child = later(SIGUSR1, 50);
	must_fail(nanosleep(&ts, &left), EINTR);
	must(left.tv_sec >= 90 && came[SIGUSR1] == 1);
	tap_join(child);
	child = later(SIGUSR1, 50);
	FD_ZERO(&set_of);
	FD_SET(fd[0], &set_of);
	must_fail(select(fd[0] + 1, &set_of, NULL, NULL, NULL), EINTR);
	tap_join(child);
	child = later(SIGUSR1, 50);
	must_fail(pause(), EINTR);
	tap_join(child);
}

/* What is blocked or ignored ends no wait. */
static void blocked_do_not_wake(void)
{
	int fd[2];
	char c;

	must(pipe(fd) == 0);
	mask(SIG_SETMASK, BIT(SIGUSR1));
	pid_t child = fork();
	if (child == 0) {
		tap_sleep(50);
		kill(getppid(), SIGUSR1);
		kill(getppid(), SIGCHLD); /* ignored, unless there is a handler */
		tap_sleep(50);
		_exit(write(fd[1], "x", 1) != 1);
	}
	must(read(fd[0], &c, 1) == 1);
	tap_join(child);
}

static void child_signal(void)
{
	sigset_t none = 0;

	mask(SIG_SETMASK, BIT(SIGCHLD));
	set(SIGCHLD, note, 0, 0);
	pid_t child = tap_sleeper();
	kill(child, SIGTERM);
	must_fail(sigsuspend(&none), EINTR);
	must(came[SIGCHLD] == 1 && waitpid(child, NULL, WNOHANG) == child);
	must(signal(SIGCHLD, SIG_DFL) == note && signal(SIGCHLD, SIG_DFL) == SIG_DFL);
}

/* ---- time */

static void alarms(void)
{
	struct itimerval every = {{0, 50000}, {0, 100000}}, old, off = {{0, 0}, {0, 0}};
	int64_t begin = tap_now();

	set(SIGALRM, note, 0, 0);
	must(setitimer(ITIMER_REAL, &every, NULL) == 0);
	for (int i = 1; i <= 5; i++) {
		must_fail(pause(), EINTR);
		must(came[SIGALRM] == i);
	}
	must(tap_now() - begin >= 300000000);
	must(setitimer(ITIMER_REAL, &off, &old) == 0);
	must(old.it_interval.tv_usec == 50000 && old.it_value.tv_usec <= 50000);
	must(alarm(100) == 0);
	must(alarm(200) == 100);
	pid_t child = fork(); /* which has no alarm */
	if (child == 0)
		_exit((int)alarm(0));
	tap_join(child);
	must(alarm(0) == 200 && alarm(0) == 0);
	tap_sleep(100);
	must(came[SIGALRM] == 5);
	must_fail(setitimer(1, &off, NULL), EINVAL);
	off.it_value.tv_usec = 1000000;
	must_fail(setitimer(ITIMER_REAL, &off, NULL), EINVAL);
}

static void wait_for_alarm(uintptr_t spins)
{
	alarm(1);
	while (spins)
		;
	tap_sleep(20000);
}

/* Whether the process computes or waits; and many alarms at once, some of which never come. */
static void alarms_of_many(void)
{
	pid_t pid[20];
	int status;

	must(WTERMSIG(tap_status(wait_for_alarm, 0)) == SIGALRM);
	must(WTERMSIG(tap_status(wait_for_alarm, 1)) == SIGALRM);
	for (size_t i = 0; i < nelem(pid); i++) {
		struct itimerval t = {{0, 0}, {0, 100000 + (int)(i * 37 % 20) * 10000}};

		pid[i] = fork();
		if (pid[i] == 0) {
			setitimer(ITIMER_REAL, &t, NULL);
			if (i % 3 == 0)
				_exit(0);
			tap_sleep(20000);
		}
	}
	for (size_t i = 0; i < nelem(pid); i++) {
		must(waitpid(pid[i], &status, 0) == pid[i]);
		must(i % 3 == 0 ? status == 0 : WTERMSIG(status) == SIGALRM);
	}
}

/* Return how long some work takes. */
static int64_t work(void)
{
	int64_t begin = tap_now();

	for (int i = 0; i < 20000; i++)
		getppid();
	return tap_now() - begin;
}

/* B16: alarms that are always late are looked at once a tick, not once for each other one. */
static void late_alarms_of_many(void)
{
	struct itimerval every = {{0, 1}, {0, 1}};
	pid_t pid[120];
	int64_t alone, beside;

	tap_exact();
	if (tap_memory_left() < 20 * nelem(pid))
		tap_skip("too little memory");
	alone = work();
	for (size_t i = 0; i < nelem(pid); i++) {
		pid[i] = fork();
		if (pid[i] != 0)
			continue;
		signal(SIGALRM, SIG_IGN);
		setitimer(ITIMER_REAL, &every, NULL);
		for (;;)
			tap_sleep(20000);
	}
	tap_sleep(100);
	beside = work();
	printf("# %lld ns alone, %lld beside the alarms\n", alone, beside);
	for (size_t i = 0; i < nelem(pid); i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	must(beside < 2 * alone);
}

/* ---- inheritance */

static void second_life(void)
{
	struct sigaction now;
	sigset_t pending;

	must(sigaction(SIGUSR1, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
	must(sigaction(SIGUSR2, NULL, &now) == 0 && now.sa_handler == SIG_IGN);
	must(blocked() == BIT(SIGTERM) && sigpending(&pending) == 0 && pending == BIT(SIGTERM));
	must(alarm(0) > 90);
	raise(SIGUSR1);
}

static void become_second(uintptr_t)
{
	must(came[SIGUSR1] == 0);
	raise(SIGUSR1); /* the handler came with fork */
	must(came[SIGUSR1] == 1 && blocked() == BIT(SIGTERM));
	sigset_t pending;
	must(sigpending(&pending) == 0 && pending == 0);
	raise(SIGTERM);
	alarm(100);
	execl(self, self, "second", NULL);
}

static void inheritance(void)
{
	set(SIGUSR1, note, 0, 0);
	signal(SIGUSR2, SIG_IGN);
	mask(SIG_SETMASK, BIT(SIGTERM));
	raise(SIGTERM);
	must(WTERMSIG(tap_status(become_second, 0)) == SIGUSR1);
}

static const struct tap_case cases[] = {
	{"W2 sigaction", actions},
	{"W2 what is blocked, and what is pending", masks},
	{"W2 two signals at once", nested},
	{"W2 sigsuspend", waits_in_suspend},
	{"W2 SA_RESTART and EINTR", restarts},
	{"W2 calls that are never restarted", never_restarts},
	{"W2 blocked and ignored signals end no wait", blocked_do_not_wake},
	{"W2 SIGCHLD", child_signal},
	{"W2 alarm and setitimer", alarms},
	{"W2 alarms of many processes", alarms_of_many},
	{"B16 late alarms of many processes", late_alarms_of_many},
	{"W2 fork and exec", inheritance},
};

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1)
		second_life();
	return tap_run(cases, nelem(cases));
}
