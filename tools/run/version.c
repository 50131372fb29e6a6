/* Which version of QEMU a program is: see version.h. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/moment.h"
#include "tools/run/version.h"

#define PATIENCE_NS 10000000000u /* what is not said by then is not known */

extern char **environ;

/*
 * Start `PROGRAM --version`, in a process group of its own, so that a script that stands in QEMU's
 * place can be killed with what it has started. Return 0 if it cannot be.
 */
static pid_t start(const char *program, int output)
{
	char *argv[] = {(char *)program, "--version", NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	pid_t pid = 0;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &none);
	if (posix_spawnp(&pid, program, &files, &attr, argv, environ) != 0)
		pid = 0;
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

/* Read the first line, as far as it fits and comes in time. */
static void read_line(int fd, char *line, size_t n)
{
	uint64_t until = moment_ns() + PATIENCE_NS, now;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t have = 0;
	ssize_t got;

	while (have < n - 1 && !memchr(line, '\n', have)) {
		now = moment_ns();
		if (now >= until)
			break;
		if (poll(&p, 1, (int)((until - now) / 1000000) + 1) < 1)
			continue;
		got = read(fd, line + have, n - 1 - have);
		if (got <= 0)
			break;
		have += (size_t)got;
	}
	line[have] = 0;
}

/* The line is "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7)". */
void qemu_version(const char *program, char *to, size_t n)
{
	static const char word[] = "version ";
	char line[256], *at;
	int fd[2];
	pid_t pid;

	*to = 0;
	if (pipe2(fd, O_CLOEXEC) < 0)
		return;
	pid = start(program, fd[1]);
	close(fd[1]);
	if (pid) {
		read_line(fd[0], line, sizeof(line));
		kill(-pid, SIGKILL);
		waitpid(pid, NULL, 0);
		at = strstr(line, word);
		if (at)
			snprintf(to, n, "%.*s", (int)strcspn(at + sizeof(word) - 1, " \n"),
				 at + sizeof(word) - 1);
	}
	close(fd[0]);
}

void version_mention_turns(const struct machine *m)
{
	char version[32];
	int major = 9, minor = 0; /* unless it says otherwise */

	if (atoi(m->smp) == 1)
		return;
	if (strcmp(m->icount, "off") == 0)
		return;
	qemu_version(m->qemu, version, sizeof(version));
	sscanf(version, "%d.%d", &major, &minor);
	if (100 * major + minor < 801)
		fprintf(stderr, "gnomon run: QEMU %d.%d lets processors take uneven turns under "
				"--icount: profiles of\nseveral are less true, and more ticks are "
				"lost, than with QEMU 8.1 or --icount off\n",
			major, minor);
}

void version_note_machine(struct runinfo *run, const struct machine *m)
{
	qemu_version(m->qemu, run->qemu, sizeof(run->qemu));
	snprintf(run->accel, sizeof(run->accel), "%s", m->accel);
	snprintf(run->model, sizeof(run->model), "%s", m->cpu);
	snprintf(run->icount, sizeof(run->icount), "%s", m->icount);
	run->memory_mb = strtoul(m->mem, NULL, 10);
	run->cpus = strtoul(m->smp, NULL, 10);
}
