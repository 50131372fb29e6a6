/* The command that starts QEMU: see command.h. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/record/command.h"

/*
 * Return what follows an option, which may have one dash or two, or NULL. Of several the first
 * counts. That a word is another option's argument is not seen.
 */
static const char *command_option(char *const *argv, const char *name)
{
	const char *word;

	for (argv++; argv[0] && argv[1]; argv++) {
		word = argv[0];
		if (strncmp(word, "--", 2) == 0)
			word++;
		if (*word == '-' && strcmp(word + 1, name) == 0)
			return argv[1];
	}
	return NULL;
}

/* Return whether some word of the command has a part. */
static bool command_has(char *const *argv, const char *part)
{
	for (argv++; *argv; argv++)
		if (strstr(*argv, part))
			return true;
	return false;
}

/*
 * Return whether the guest runs on the host's processor, where no instruction is seen. QEMU takes
 * the accelerator from -accel, from accel= of -machine, or from -enable-kvm.
 */
static bool command_is_native(char *const *argv)
{
	static const char *const accel[] = {"kvm", "hvf", "whpx", "nvmm", "xen"};
	const char *given = command_option(argv, "accel"), *machine;
	size_t i;

	machine = command_option(argv, "machine");
	if (!machine)
		machine = command_option(argv, "M");
	if (machine && !given)
		given = strstr(machine, "accel=");
	if (given && strncmp(given, "accel=", 6) == 0)
		given += 6;
	for (i = 0; given && i < sizeof(accel) / sizeof(accel[0]); i++)
		if (strncmp(given, accel[i], strlen(accel[i])) == 0)
			return true;
	return command_has(argv, "-enable-kvm");
}

const char *command_firmware(char *const *argv)
{
	return command_option(argv, "bios");
}

bool command_is_parallel(char *const *argv)
{
	const char *smp = command_option(argv, "smp");

	if (!smp || command_option(argv, "icount") || command_has(argv, "thread=single"))
		return false;
	if (strncmp(smp, "cpus=", 5) == 0)
		smp += 5;
	return strcmp(smp, "1") != 0 && strncmp(smp, "1,", 2) != 0;
}

int command_look(char *const *argv, bool exact, const char **kernel, struct complaint *why)
{
	*kernel = command_option(argv, "kernel");
	if (command_is_native(argv))
		return complain(why, "%s: instructions are seen only where QEMU executes them "
				"itself: with -accel tcg, not with KVM and its like", argv[0]);
	if (exact && command_is_parallel(argv))
		return complain(why, "%s: to count instructions one by one, processors have to "
				"take turns: add -accel tcg,thread=single, or -icount", argv[0]);
	return 0;
}

/* QEMU, while it runs; else 0. The handler of signals reads it. */
static volatile pid_t child;

/* Pass on a signal. */
static void command_end(int sig)
{
	(void)sig;
	if (child > 0)
		kill(child, SIGTERM);
}

/*
 * See to signals, all of which the child gets as they were. A key that sends SIGINT or SIGQUIT
 * sends it to QEMU, too, for it is in the same terminal; so SIGQUIT ends that alone, and we still
 * write what was counted. What we ignored from the start, as nohup has it, stays ignored.
 */
static void command_signals(sigset_t *reset)
{
	struct sigaction pass = {.sa_handler = command_end, .sa_flags = SA_RESTART};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, now;

	sigemptyset(reset);
	sigaction(SIGINT, NULL, &now);
	if (now.sa_handler != SIG_IGN)
		sigaction(SIGINT, &pass, NULL);
	sigaction(SIGQUIT, &ignore, &now);
	if (now.sa_handler != SIG_IGN)
		sigaddset(reset, SIGQUIT);
	sigaddset(reset, SIGXFSZ);
	sigaction(SIGTERM, &pass, NULL);
	sigaction(SIGHUP, &pass, NULL);
}

/* Start the command; 0 or an error number. */
static int command_start(char *const *argv, const sigset_t *reset)
{
	posix_spawnattr_t attr;
	pid_t pid = 0;
	int err;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, reset);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	err = posix_spawnp(&pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	child = pid;
	return err;
}

void command_over(void)
{
	static const int passed[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction now;
	size_t i;

	for (i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
		sigaction(passed[i], NULL, &now);
		if (now.sa_handler == command_end)
			signal(passed[i], SIG_DFL);
	}
}

/* Wait for its end. Return its exit status. */
static int command_wait(void)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	child = 0;
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

int command_run(char *const *argv, const char *what, struct complaint *why)
{
	size_t n = 0, i;
	char **with;
	sigset_t reset;
	int err;

	while (argv[n])
		n++;
	with = memory_zeroed(n + 3, sizeof(*with));
	with[0] = argv[0];
	with[1] = "-plugin";
	with[2] = (char *)what;
	for (i = 1; i < n; i++)
		with[i + 2] = argv[i];
	command_signals(&reset);
	err = command_start(with, &reset);
	free(with);
	if (err)
		return complain(why, "%s: %s", argv[0], strerror(err));
	return command_wait();
}
