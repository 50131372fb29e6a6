/*
 * need: runs a command three times, without its output, and prints how many seconds it computed,
 * user's and system's, in the run with the fewest, and how many kilobytes it had in memory at
 * most.
 *
 * usage: need COMMAND [ARGUMENT...]
 * World: host
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS 3

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Run the command, which must succeed. */
static void run(char **command, struct rusage *usage)
{
	int status, null = open("/dev/null", O_WRONLY);
	pid_t pid = fork();

	if (pid == 0) {
		dup2(null, STDOUT_FILENO);
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	if (null < 0 || pid < 0 || wait4(pid, &status, 0, usage) != pid)
		err(2, "%s", command[0]);
	if (status != 0)
		errx(1, "%s: status %x", command[0], status);
	close(null);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double least = 0;
	long most = 0;

	if (argc < 2)
		errx(2, "usage: need COMMAND [ARGUMENT...]");
	for (int i = 0; i < RUNS; i++) {
		run(argv + 1, &usage);
		double s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
		if (i == 0 || s < least)
			least = s;
		if (usage.ru_maxrss > most)
			most = usage.ru_maxrss;
	}
	printf("%.2f %ld\n", least, most);
	return 0;
}
