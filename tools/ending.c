/* Signals that end a program, held back for a while: see ending.h. */
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "tools/ending.h"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
#define NENDING (sizeof(ending) / sizeof(ending[0]))

static unsigned holders; /* calls of ending_hold() without their ending_release() */
static sigset_t before;	 /* the mask when there were none */

/* Collect those that are not ignored: Linux keeps even an ignored signal while it is blocked. */
static void ending_collect(sigset_t *set)
{
	struct sigaction now;
	size_t i;

	sigemptyset(set);
	for (i = 0; i < NENDING; i++)
		if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(set, ending[i]);
}

void ending_hold(void)
{
	sigset_t set;

	ending_collect(&set);
	if (holders++ == 0)
		sigprocmask(SIG_BLOCK, &set, &before);
}

void ending_release(void)
{
	if (--holders == 0)
		sigprocmask(SIG_SETMASK, &before, NULL);
}

int ending_came(void)
{
	sigset_t set, pending;
	size_t i;

	ending_collect(&set);
	sigpending(&pending);
	for (i = 0; i < NENDING; i++)
		if (sigismember(&set, ending[i]) && sigismember(&pending, ending[i]))
			return ending[i];
	return 0;
}

/* A signalfd(2) can be read as soon as a signal is pending, and leaves it so until it is read. */
bool ending_wait(int fd, short events, int ms)
{
	struct pollfd p[2] = {{.fd = fd, .events = events}, {.events = POLLIN}};
	sigset_t set;
	int n;

	ending_collect(&set);
	p[1].fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	n = poll(p, 2, ms);
	close(p[1].fd);
	return n > 0 && p[0].revents != 0;
}
