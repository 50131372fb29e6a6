/*
 * together: processes that each make and remove files, all in one folder or each in its own. Lab 6
 * compares one processor with four.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 4
#define FILES 400

/* Make and remove files in a folder. */
static void work(const char *folder, int self)
{
	char name[64];

	for (int i = 0; i < FILES; i++) {
		int fd;

		snprintf(name, sizeof(name), "%s/%d.%d", folder, self, i);
		fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (fd < 0)
			err(1, "%s", name);
		close(fd);
		unlink(name);
	}
}

int main(int argc, char **argv)
{
	int each = argc == 2 && argv[1][0] == 'e';
	char folder[32] = "/tmp/all";

	mkdir(folder, 0700);
	for (int i = 0; i < WORKERS; i++) {
		pid_t pid;

		if (each) {
			snprintf(folder, sizeof(folder), "/tmp/worker%d", i);
			mkdir(folder, 0700);
		}
		pid = fork();
		if (pid < 0)
			err(1, "fork");
		if (pid == 0) {
			work(folder, i);
			return 0;
		}
	}
	for (int i = 0; i < WORKERS; i++)
		wait(NULL);
	return 0;
}
