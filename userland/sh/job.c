/* Processes: starting them, waiting for them, remembering those in the background. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define FINISHED_MAX 32 /* so many are kept for a wait that may never come */

struct job {
	struct job *next;
	int pid;
	bool done;
	int status;
};

static struct job *jobs; /* the latest first */
static int last;
static int sentry;	  /* its process, 0 if there is none */
static unsigned sentries; /* how many loops want it */

static const char *const signals[] = {
	[SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",   [SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",
	[SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT", [SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",
	[SIGKILL] = "SIGKILL", [SIGSEGV] = "SIGSEGV", [SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM",
	[SIGTERM] = "SIGTERM",
};

/* A child is no interactive shell: ^C ends it, and what the parent keeps open is not its own. */
static void child_begin(void)
{
	struct job *j;

	if (sh.interactive)
		signal(SIGINT, SIG_DFL);
	sh.interactive = false;
	sentry = 0;
	sentries = 0;
	redir_forget();
	console_forget();
	while ((j = jobs)) {
		jobs = j->next;
		free(j);
	}
}

/* fork(2), with a message when it fails, and the child made ready. */
int job_fork(void)
{
	int pid = fork();

	if (pid < 0)
		sh_errno("fork");
	if (pid == 0)
		child_begin();
	return pid;
}

/* What ended a process, if that is worth a line. */
static void say_signal(int pid, const char *name, int sig)
{
	if (sig == SIGPIPE || sig == SIGINT)
		return;
	if (sig < (int)(sizeof(signals) / sizeof(signals[0])) && signals[sig])
		sh_warn("%d: %s: killed: %s", pid, name, signals[sig]);
	else
		sh_warn("%d: %s: killed: signal %d", pid, name, sig);
}

/* A wait status as $status has it: the exit status, or 128 and the signal. */
static int decode(int w)
{
	return WIFSIGNALED(w) ? 128 + WTERMSIG(w) : WEXITSTATUS(w);
}

/* A ^C came: whatever the shell is doing is given up, back to the prompt. */
static void interrupt(void)
{
	sh.flow = FLOW_INTERRUPT;
	sh.status = 128 + SIGINT;
}

/* Waits for a child that runs in the foreground; ^C gives up what the shell was doing. */
int job_wait(int pid, const char *name)
{
	int w = 0, r;

	do
		r = waitpid(pid, &w, 0);
	while (r < 0 && errno == EINTR);
	if (r < 0) {
		sh_errno("wait");
		return 1;
	}
	if (WIFSIGNALED(w)) {
		say_signal(pid, name, WTERMSIG(w));
		if (WTERMSIG(w) == SIGINT && sh.interactive)
			interrupt();
	}
	return decode(w);
}

/* Remembers a child in the background. */
void job_background(int pid)
{
	struct job *j = need(malloc(sizeof(*j)));

	job_reap();
	*j = (struct job){jobs, pid, false, 0};
	jobs = j;
	last = pid;
	if (sh.interactive)
		dprintf(2, "%d\n", pid);
}

/* A child in the background does not read what is typed. */
void job_no_input(void)
{
	int fd = open("/dev/null", O_RDONLY);

	if (fd < 0)
		close(0);
	else
		fd_move(fd, 0);
}

/* The process that was last put into the background. */
int job_last(void)
{
	return last;
}

/* Forgets all jobs that ended but the latest few. */
static void job_trim(void)
{
	struct job **p = &jobs, *j;
	unsigned done = 0;

	while ((j = *p)) {
		if (j->done && ++done > FINISHED_MAX) {
			*p = j->next;
			free(j);
		} else {
			p = &j->next;
		}
	}
}

/* Notes that a child ended, if it is one of the background. */
static void job_ended(int pid, int w)
{
	struct job *j;

	for (j = jobs; j; j = j->next) {
		if (j->pid == pid && !j->done) {
			j->done = true;
			j->status = decode(w);
		}
	}
}

/* Collects those in the background that ended. */
void job_reap(void)
{
	struct job *j;
	int w;

	for (j = jobs; j; j = j->next)
		if (!j->done && waitpid(j->pid, &w, WNOHANG) == j->pid)
			job_ended(j->pid, w);
	job_trim();
}

/* The job, if there is one; pid 0: any that runs. */
static struct job *job_find(int pid)
{
	struct job *j;

	for (j = jobs; j; j = j->next)
		if (pid == 0 ? !j->done : j->pid == pid)
			return j;
	return NULL;
}

/* Waits until job `pid', or with 0 all of them, have ended. False: ^C came first. */
static bool job_wait_until(int pid)
{
	struct job *j;
	int got, w;

	job_sentry_begin();
	while ((j = job_find(pid)) && !j->done) {
		got = waitpid(-1, &w, 0);
		if (got < 0 && errno != EINTR)
			break;
		if (got > 0 && got == sentry) {
			sentry = 0;
			interrupt();
			break;
		}
		if (got > 0)
			job_ended(got, w);
	}
	job_sentry_end();
	return sh.flow != FLOW_INTERRUPT;
}

/* wait: until nothing runs in the background. */
int job_wait_all(void)
{
	return job_wait_until(0) ? 0 : 128 + SIGINT;
}

/* wait PID: its status; 127 if there is no such job. */
int job_wait_for(int pid)
{
	struct job *j = job_find(pid);

	if (!j) {
		sh_warn("wait: %d is not in the background of this shell", pid);
		return 127;
	}
	if (!job_wait_until(pid))
		return 128 + SIGINT;
	return j->status;
}

/*
 * A child that lives only to be ended by ^C: the shell itself ignores SIGINT, has no
 * handlers, and looks at the child to learn of it. Inner loops share it with outer ones.
 */
void job_sentry_begin(void)
{
	int parent = getpid();

	if (sentries++ > 0 || !sh.interactive)
		return;
	sentry = fork();
	if (sentry == 0) {
		signal(SIGINT, SIG_DFL);
		while (getppid() == parent)
			sleep(1);
		_exit(0);
	}
}

/* Whether it was ended; what the shell does is given up then. */
bool job_interrupted(void)
{
	int w;

	if (sentry <= 0 || waitpid(sentry, &w, WNOHANG) != sentry)
		return false;
	sentry = 0;
	interrupt();
	return true;
}

/* One loop less; with the last one the sentry goes. */
void job_sentry_end(void)
{
	int w;

	if (--sentries > 0 || sentry <= 0)
		return;
	kill(sentry, SIGKILL);
	waitpid(sentry, &w, 0);
	sentry = 0;
}
