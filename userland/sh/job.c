/*
 * Processes: starting them, waiting for them, and remembering those in the background, and those
 * that have been stopped by ^Z. What the shell waits for is in the shell's process group. When some
 * of it stops, that keeps the group, and the shell goes to another one: so ^C is not for it, and fg
 * can make it the console's again.
 */
#include "userland/sh/sh.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How many finished jobs are kept for a wait that may never come. */
#define FINISHED_MAX 32

struct job {
	struct job *next;
	int pid, group;
	bool done, stopped;
	int status;
	char *name; /* of its command */
};

static struct job *jobs; /* the latest first */
static const struct job *parents; /* in a child: those of its parent, which it only shows */
static int last;
static int foreground; /* the group of what fg goes on with; 0: the shell's own */
static int sentry;	  /* the sentry's process, 0 if there is none */
static unsigned sentries; /* loops that want it */

static const char *const signals[] = {
	[SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",   [SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",
	[SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT", [SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",
	[SIGKILL] = "SIGKILL", [SIGSEGV] = "SIGSEGV", [SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM",
	[SIGTERM] = "SIGTERM",
};

/*
 * Make a child something other than an interactive shell: ^C ends it, and what the parent
 * keeps open or remembers is not its own. The memory of the parent's jobs is not freed: that would
 * copy the pages that it is in, and most children become a program at once.
 */
static void child_begin(void)
{
	if (sh.interactive) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTSTP, SIG_DFL);
	}
	sh.interactive = false;
	sentry = 0;
	sentries = 0;
	redir_forget();
	console_forget();
	if (jobs)
		parents = jobs;
	jobs = NULL;
}

/* Fork as fork(2) does, with a message on failure and the child made ready to run(). */
int job_fork(void)
{
	int pid = fork();

	if (pid < 0)
		sh_errno("fork");
	if (pid == 0)
		child_begin();
	return pid;
}

/*
 * Report the signal that ended a process. SIGPIPE and SIGINT are how pipelines and people
 * end commands: they need no message.
 */
static void say_signal(int pid, const char *name, int sig)
{
	if (sig == SIGPIPE || sig == SIGINT)
		return;
	if (sig < (int)(sizeof(signals) / sizeof(signals[0])) && signals[sig])
		sh_warn("%d: %s: killed: %s", pid, name, signals[sig]);
	else
		sh_warn("%d: %s: killed: signal %d", pid, name, sig);
}

/* Return a wait status as $status has it: the exit status, or 128 plus the signal. */
static int decode(int w)
{
	return WIFSIGNALED(w) ? 128 + WTERMSIG(w) : WEXITSTATUS(w);
}

/* Give up whatever the shell is doing, as far as the prompt, because of a ^C. */
static void interrupt(void)
{
	sh.flow = FLOW_INTERRUPT;
	sh.status = 128 + SIGINT;
}

void job_unstoppable(void)
{
	signal(SIGTSTP, SIG_IGN);
}

/* Remember a process. */
static struct job *job_add(int pid, const char *name, int group)
{
	struct job *j = need(malloc(sizeof(*j)));

	*j = (struct job){.next = jobs, .pid = pid, .group = group, .name = need(strdup(name))};
	jobs = j;
	last = pid;
	return j;
}

/* A process in the foreground has stopped: the shell gives up the rest of the line. */
static int job_stopped(int pid, const char *name, int sig)
{
	job_add(pid, name, foreground ? foreground : console_group())->stopped = true;
	sh_warn("%d: %s: stopped (fg goes on with it)", pid, name);
	sh.flow = FLOW_INTERRUPT;
	sh.status = 128 + sig;
	return sh.status;
}

/*
 * Wait for a child in the foreground and return its status. If ^C ended it, the shell gives
 * up the rest of the line. Only who types ^Z wants to know what stops.
 */
int job_wait(int pid, const char *name)
{
	int w = 0, r;

	do
		r = waitpid(pid, &w, sh.interactive ? WUNTRACED : 0);
	while (r < 0 && errno == EINTR);
	if (r < 0) {
		sh_errno("wait");
		return 1;
	}
	if (WIFSTOPPED(w))
		return job_stopped(pid, name, WSTOPSIG(w));
	if (WIFSIGNALED(w)) {
		say_signal(pid, name, WTERMSIG(w));
		if (WTERMSIG(w) == SIGINT && sh.interactive)
			interrupt();
	}
	return decode(w);
}

/* Remember a child in the background, and show its number to a person. */
void job_background(int pid, const char *name)
{
	job_reap();
	job_add(pid, name, pid);
	if (sh.interactive)
		dprintf(2, "%d\n", pid);
}

/*
 * Take standard input from /dev/null, so that a background process does not take what is
 * typed.
 */
void job_no_input(void)
{
	int fd = open("/dev/null", O_RDONLY);

	if (fd < 0)
		close(0);
	else
		fd_move(fd, 0);
}

/* Return the process that was last put into the background, or 0. */
int job_last(void)
{
	return last;
}

/* Forget the finished jobs but for the latest FINISHED_MAX. */
static void job_trim(void)
{
	struct job **p = &jobs, *j;
	unsigned done = 0;

	while ((j = *p)) {
		if (j->done && ++done > FINISHED_MAX) {
			*p = j->next;
			free(j->name);
			free(j);
		} else {
			p = &j->next;
		}
	}
}

/* Note that a child ended, if it is a job. */
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

/* Note which jobs have ended or stopped, without waiting. */
void job_reap(void)
{
	struct job *j;
	int w;

	for (j = jobs; j; j = j->next) {
		if (j->done || waitpid(j->pid, &w, WNOHANG | WUNTRACED) != j->pid)
			continue;
		if (WIFSTOPPED(w))
			j->stopped = true;
		else
			job_ended(j->pid, w);
	}
	job_trim();
}

/* Return the job of that process, or NULL. For 0, return any that runs. */
static struct job *job_find(int pid)
{
	struct job *j;

	for (j = jobs; j; j = j->next)
		if (pid == 0 ? !j->done && !j->stopped : j->pid == pid)
			return j;
	return NULL;
}

/* Return the job to go on with: that process's, or the latest stopped one, or any. */
static struct job *job_chosen(const char *who, int pid)
{
	struct job *j = jobs;

	job_reap();
	while (pid == 0 && j && !j->stopped)
		j = j->next;
	if (pid != 0 || !j)
		j = job_find(pid);
	if (j && !j->done)
		return j;
	if (pid != 0)
		sh_warn("%s: %d is not a process that this shell has stopped or started", who, pid);
	else
		sh_warn("%s: nothing has stopped", who);
	return NULL;
}

/* Go on with all processes of a group. */
static void job_continue(int group)
{
	struct job *j;

	for (j = jobs; j; j = j->next)
		if (j->group == group)
			j->stopped = false;
	kill(-group, SIGCONT);
}

/* Wait for a job in the foreground, as for a process that was never anything else. */
static int job_wait_again(struct job *j)
{
	struct job **p = &jobs;
	int status;

	while (*p != j)
		p = &(*p)->next;
	*p = j->next;
	status = job_wait(j->pid, j->name);
	free(j->name);
	free(j);
	return status;
}

/* Return the latest job in that group that runs, or NULL. */
static struct job *job_running(int group)
{
	struct job *j;

	for (j = jobs; j; j = j->next)
		if (j->group == group && !j->stopped && !j->done)
			return j;
	return NULL;
}

/* The status is that of the latest, which was the last of its pipeline. */
int job_foreground(int pid)
{
	struct job *j = job_chosen("fg", pid);
	int status;

	if (!j)
		return 1;
	foreground = j->group;
	console_give(foreground);
	job_continue(foreground);
	dprintf(2, "%s\n", j->name);
	status = job_wait_again(job_running(foreground));
	while ((j = job_running(foreground)) != NULL)
		job_wait_again(j);
	console_give(console_group());
	foreground = 0;
	return status;
}

int job_go_on(int pid)
{
	struct job *j = job_chosen("bg", pid);

	if (!j)
		return 1;
	job_continue(j->group);
	dprintf(2, "%d\n", j->pid);
	return 0;
}

/* In a pipeline this is a child. */
int job_show(void)
{
	const struct job *j;

	job_reap();
	for (j = jobs ? jobs : parents; j; j = j->next)
		if (!j->done)
			dprintf(1, "%d %s %s\n", j->pid, j->stopped ? "stopped" : "running",
				j->name);
	return 0;
}

void job_prompt(void)
{
	struct job *j = jobs;

	while (j && !(j->stopped && j->group == console_group()))
		j = j->next;
	if (j)
		console_leave(j->pid);
	else
		console_give(console_group()); /* another shell may have had it */
}

/* Wait until job `pid', or all if it is 0, have ended. Return false if ^C came first. */
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

/* Wait until nothing runs in the background. Return $status. */
int job_wait_all(void)
{
	return job_wait_until(0) ? 0 : 128 + SIGINT;
}

/* Wait for one job and return its status, or 127 if there is no such job. */
int job_wait_for(int pid)
{
	struct job *j = job_find(pid);

	if (!j) {
		sh_warn("wait: %d is not a background process of this shell", pid);
		return 127;
	}
	if (!job_wait_until(pid))
		return 128 + SIGINT;
	return j->status;
}

/*
 * Start the sentry, a child that lives only to be ended by ^C. The shell itself ignores SIGINT and
 * there are no signal handlers, so a loop that runs no other command looks at this child to learn
 * of a ^C. Inner loops share it with outer ones. It ends by itself if the shell does not end it.
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

/* Return whether ^C has ended the sentry; then the shell gives up what it is doing. */
bool job_interrupted(void)
{
	int w;

	if (sentry <= 0 || waitpid(sentry, &w, WNOHANG) != sentry)
		return false;
	sentry = 0;
	interrupt();
	return true;
}

/* Count one loop less. The last one ends the sentry. */
void job_sentry_end(void)
{
	int w;

	if (--sentries > 0 || sentry <= 0)
		return;
	kill(sentry, SIGKILL);
	waitpid(sentry, &w, 0);
	sentry = 0;
}
