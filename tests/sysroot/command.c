/*
 * W4: system(3) gives the status that waitpid(2) does, and that of its own child: another's stays
 * to be waited for, and what comes meanwhile goes by.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void catch(int sig)
{
	caught = sig;
}

int main(void)
{
	pid_t other = fork();
	int status, n;

	if (other == 0)
		_exit(9);
	usleep(50000);
	signal(SIGALRM, catch);
	n = system("exit 3");
	printf("%#x ", n);
	n = waitpid(other, &status, 0) == other;
	printf("%d %#x\n", n, status);
	signal(SIGINT, catch);
	alarm(1);
	n = system("sleep 2; exit 4");
	printf("%#x %d ", n, caught == SIGALRM);
	raise(SIGINT);
	printf("%d %d\n", caught == SIGINT, system(NULL));
	return 0;
}
