/*
 * crowd: several processes at once that ask much of the kernel, and of which each does the same.
 *
 * usage: crowd pipe|fork|file|stat|fault PROCESSES TIMES
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 16 /* touched at a time */

static char block[PAGE];

static void want(int ok, const char *what)
{
	if (!ok)
		err(1, "%s", what);
}

/* Exchange bytes with a process of our own. */
static void pipes(int times)
{
	int there[2], back[2];
	char c = 'x';

	want(pipe(there) == 0 && pipe(back) == 0, "pipe");
	pid_t pid = fork();
	want(pid >= 0, "fork");
	if (pid == 0) {
		close(there[1]);
		while (read(there[0], &c, 1) == 1)
			want(write(back[1], &c, 1) == 1, "write");
		_exit(0);
	}
	while (times-- > 0)
		want(write(there[1], &c, 1) == 1 && read(back[0], &c, 1) == 1, "pipe");
	close(there[1]);
	want(waitpid(pid, NULL, 0) == pid, "wait");
}

static void forks(int times)
{
	while (times-- > 0) {
		pid_t pid = fork();
		want(pid >= 0, "fork");
		if (pid == 0)
			_exit(0);
		want(waitpid(pid, NULL, 0) == pid, "wait");
	}
}

/* Copy the beginning of a program to a file that is made and removed. */
static void files(int times)
{
	char path[32];

	snprintf(path, sizeof(path), "/tmp/crowd.%d", (int)getpid());
	while (times-- > 0) {
		int from = open("/bin/sh", O_RDONLY), to = open(path, O_WRONLY | O_CREAT, 0600);
		want(from >= 0 && to >= 0, path);
		for (int i = 0; i < 4; i++)
			want(read(from, block, PAGE) == PAGE &&
				     write(to, block, PAGE) == PAGE, path);
		close(from);
		close(to);
		want(unlink(path) == 0, path);
	}
}

/* Look for a file in a directory of our own. */
static void stats(int times)
{
	char path[48];
	struct stat st;

	snprintf(path, sizeof(path), "/tmp/stat.%d", (int)getpid());
	want(mkdir(path, 0700) == 0, path);
	while (times-- > 0)
		want(stat(path, &st) == 0, path);
	want(rmdir(path) == 0, path);
}

/* Touch pages, and give them back. */
static void faults(int times)
{
	while (times-- > 0) {
		char *p = sbrk(PAGES * PAGE);
		want(p != (char *)-1, "sbrk");
		for (int i = 0; i < PAGES; i++)
			((volatile char *)p)[i * PAGE] = 1;
		want(sbrk(-PAGES * PAGE) != (char *)-1, "sbrk");
	}
}

static const struct {
	const char *name;
	void (*run)(int times);
} kinds[] = {{"pipe", pipes}, {"fork", forks}, {"file", files}, {"stat", stats},
	     {"fault", faults}};

#define NKIND (sizeof(kinds) / sizeof(kinds[0]))

int main(int argc, char **argv)
{
	unsigned kind = 0;
	int status, bad = 0;

	while (argc == 4 && kind < NKIND && strcmp(argv[1], kinds[kind].name) != 0)
		kind++;
	if (argc != 4 || kind == NKIND)
		errx(2, "usage: crowd pipe|fork|file|stat|fault PROCESSES TIMES");
	for (int i = atoi(argv[2]); i > 0; i--) {
		pid_t pid = fork();
		want(pid >= 0, "fork");
		if (pid == 0) {
			kinds[kind].run(atoi(argv[3]));
			return 0;
		}
	}
	while (wait(&status) > 0)
		bad |= status;
	return bad != 0;
}
