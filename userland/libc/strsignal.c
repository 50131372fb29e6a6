/* What the signals mean, in words. */
#include <signal.h>
#include <string.h>

static const char *const text[NSIG] = {
	[SIGHUP] = "Hangup",	   [SIGINT] = "Interrupt",
	[SIGQUIT] = "Quit",	   [SIGILL] = "Illegal instruction",
	[SIGTRAP] = "Trap",	   [SIGABRT] = "Aborted",
	[SIGBUS] = "Bus error",	   [SIGFPE] = "Arithmetic exception",
	[SIGKILL] = "Killed",	   [SIGSEGV] = "Segmentation fault",
	[SIGPIPE] = "Broken pipe", [SIGALRM] = "Alarm clock",
	[SIGTERM] = "Terminated",   [SIGUSR1] = "User signal 1",
	[SIGUSR2] = "User signal 2", [SIGCHLD] = "Child ended",
	[SIGCONT] = "Continued",	   [SIGSTOP] = "Stopped (signal)",
	[SIGTSTP] = "Stopped",
};

/* Return the meaning of a signal, never NULL. */
char *strsignal(int sig)
{
	if (sig < 0 || sig >= NSIG || !text[sig])
		return "Unknown signal";
	return (char *)text[sig];
}
