/* QEMU as a child process that never outlives us: see qemu.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/run/qemu.h"

#define MAXARG 64

/* A command line being put together. */
struct arguments {
	const char *word[MAXARG]; /* up to a NULL */
	unsigned n;
	char *append, icount[64], gdb[32]; /* words that are made here */
};

/* Add words, up to a NULL. */
static void qemu_add(struct arguments *a, const char *const *word)
{
	while (*word)
		a->word[a->n++] = *word++;
	a->word[a->n] = NULL;
}

/*
 * Put together what QEMU is called with. All that a run may see is fixed, so that equal runs
 * are equal bit by bit: time comes from the instructions executed, the calendar and the random
 * numbers from fixed seeds, and file names are the same wherever the real files are.
 */
static void qemu_arguments(struct arguments *a, const struct machine *m, const char *program)
{
	const char *sleep = ",sleep=off";

	if (*m->append)
		a->append = memory_format("exitport=0xf4 %s", m->append);
	else
		a->append = memory_format("exitport=0xf4");
	/* While gdb has stopped the machine, its time must not go on. */
	if (strcmp(m->icount, "auto") == 0 || m->gdb)
		sleep = "";
	qemu_add(a, (const char *const[]){
		program, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		"-accel", m->accel, "-cpu", m->cpu, "-smp", m->smp, "-m", m->mem,
		"-kernel", QEMU_KERNEL, "-initrd", QEMU_INITRD "," QEMU_SCRIPT,
		"-append", a->append,
		"-serial", "file:" QEMU_CONSOLE, "-serial", "file:" QEMU_DATA,
		"-device", "isa-debug-exit,iobase=0xf4,iosize=4", NULL,
	});
	if (strcmp(m->icount, "off") != 0) {
		snprintf(a->icount, sizeof(a->icount), "shift=%s%s", m->icount, sleep);
		qemu_add(a, (const char *const[]){
			"-icount", a->icount, "-rtc", "clock=vm,base=2026-01-01T00:00:00",
			"-seed", "1", NULL,
		});
	}
	if (m->gdb) {
		snprintf(a->gdb, sizeof(a->gdb), "tcp:127.0.0.1:%s", m->gdb);
		qemu_add(a, (const char *const[]){"-S", "-gdb", a->gdb, NULL});
	}
	if (m->folder)
		qemu_add(a, (const char *const[]){
			"-fsdev", "local,id=host,path=" QEMU_FOLDER
				  ",security_model=none,multidevs=remap",
			"-device", "virtio-9p-pci,fsdev=host,mount_tag=host", NULL,
		});
	if (m->sound)
		qemu_add(a, (const char *const[]){
			"-audiodev", "wav,id=sound,path=" QEMU_SOUND,
			"-device", "AC97,audiodev=sound", NULL,
		});
}

/* In the child: open the file as descriptor fd. */
static bool redirect(int fd, const char *file, int flags)
{
	int from = open(file, flags, 0666);

	if (from < 0)
		return false;
	if (dup2(from, fd) < 0)
		return false;
	if (from != fd)
		close(from);
	return true;
}

/* In the child: nothing to read, and one file for all that QEMU says. */
static bool redirect_all(void)
{
	if (!redirect(STDIN_FILENO, "/dev/null", O_RDONLY))
		return false;
	if (!redirect(STDOUT_FILENO, QEMU_MESSAGES, O_WRONLY | O_CREAT | O_APPEND))
		return false;
	return dup2(STDOUT_FILENO, STDERR_FILENO) >= 0;
}

/* In the child: become QEMU, or report errno through the pipe. */
static void qemu_child(const char **argv, const char *dir, const sigset_t *mask, pid_t parent,
		       int report)
{
	int err;

	setpgid(0, 0);
	/* The parent may have died before this call; its death would then go unseen. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	if (chdir(dir) == 0 && redirect_all()) {
		signal(SIGPIPE, SIG_DFL);
		sigprocmask(SIG_SETMASK, mask, NULL);
		execvp(argv[0], (char *const *)argv);
	}
	err = errno;
	while (write(report, &err, sizeof(err)) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Find the program's path as the child can use it in another directory. 0, or errno and why. */
static int program_path(const char *qemu, char path[static PATH_MAX], struct complaint *why)
{
	int err = 0;

	bool found;

	if (strchr(qemu, '/')) {
		found = realpath(qemu, path) != NULL;
	} else {
		found = snprintf(path, PATH_MAX, "%s", qemu) < PATH_MAX;
		errno = ENAMETOOLONG;
	}
	if (found)
		return 0;
	err = errno;
	complain_errno(why, qemu);
	return err;
}

/* Fork, and learn from a pipe whether exec worked. Return 0 or an error number. */
static int qemu_spawn(struct qemu *q, const char **argv, const char *dir, const sigset_t *mask)
{
	pid_t parent = getpid();
	int report[2], err = 0;
	ssize_t n;

	if (pipe2(report, O_CLOEXEC) < 0)
		return errno;
	q->pid = fork();
	if (q->pid == 0)
		qemu_child(argv, dir, mask, parent, report[1]);
	if (q->pid < 0)
		err = errno;
	close(report[1]);
	if (q->pid > 0) {
		setpgid(q->pid, q->pid); /* as the child does, whichever comes first */
		do
			n = read(report[0], &err, sizeof(err));
		while (n < 0 && errno == EINTR);
	}
	close(report[0]);
	if (q->pid < 0)
		q->pid = 0;
	return err;
}

/* Start QEMU. */
int qemu_start(struct qemu *q, const struct machine *m, const char *dir, const sigset_t *mask,
	       struct complaint *why)
{
	struct arguments a = {.n = 0};
	char program[PATH_MAX];
	int err;

	*q = (struct qemu){0};
	err = program_path(m->qemu, program, why);
	if (err)
		return err;
	qemu_arguments(&a, m, program);
	err = qemu_spawn(q, a.word, dir, mask);
	free(a.append);
	if (err) {
		complain(why, "%s: %s", m->qemu, strerror(err));
		qemu_kill(q);
	}
	return err;
}

/*
 * Kill the group and take the leader's status. Until the leader is
 * reaped, the group's number cannot be given to other processes.
 */
void qemu_kill(struct qemu *q)
{
	if (q->pid == 0)
		return;
	kill(-q->pid, SIGKILL);
	kill(q->pid, SIGKILL);
	while (waitpid(q->pid, &q->status, 0) < 0 && errno == EINTR)
		;
	q->pid = 0;
}

/* Whether it has ended. */
bool qemu_ended(struct qemu *q)
{
	siginfo_t info = {0};

	if (q->pid == 0)
		return true;
	if (waitid(P_PID, q->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == 0)
		return false;
	qemu_kill(q);
	return true;
}
