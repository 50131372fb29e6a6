/* An answer to lab 5: a child that does not sleep between its numbers. */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBERS 20

static void make_numbers(int to)
{
	for (unsigned i = 0; i < NUMBERS; i++) {
		if (write(to, &i, sizeof(i)) != sizeof(i))
			err(1, "pipe");
	}
}

int main(void)
{
	unsigned number, sum = 0;
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		err(1, "pipe");
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		close(ends[0]);
		make_numbers(ends[1]);
		return 0;
	}
	close(ends[1]);
	while (read(ends[0], &number, sizeof(number)) == sizeof(number))
		sum += number;
	waitpid(pid, NULL, 0);
	printf("%u\n", sum);
	return 0;
}
