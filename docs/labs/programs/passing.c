/*
 * passing: two processes pass a byte to and fro, so that the kernel changes from one to the other
 * all the time. Lab 2 looks at that with two clocks.
 */
#include <err.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 20000

/* Read a byte here and write it there, as often as there are rounds. */
static void pass(int from, int to)
{
	char c;

	for (int i = 0; i < ROUNDS; i++)
		if (read(from, &c, 1) != 1 || write(to, &c, 1) != 1)
			err(1, "pipe");
}

int main(void)
{
	int there[2], back[2];
	pid_t pid;

	if (pipe(there) < 0 || pipe(back) < 0)
		err(1, "pipe");
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		pass(there[0], back[1]);
		return 0;
	}
	if (write(there[1], "x", 1) != 1)
		err(1, "pipe");
	pass(back[0], there[1]);
	waitpid(pid, NULL, 0);
	return 0;
}
