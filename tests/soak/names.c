/* Namespaces: files made, mounted, renamed and removed by processes that share them or do not. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/soak/soak.h"

static char buf[8192];

/* Open a file, and do to it what can be done. */
static void use(const char *path)
{
	int fd = open(path, (int)pick(4) | (chance(4) ? O_APPEND : 0));
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (chance(3))
			remove(path);
		read(fd, buf, pick(sizeof(buf)));
		lseek(fd, (off_t)pick(10000) - 100, (int)pick(4));
		if (st.st_size < 100000)
			write(fd, buf, pick(sizeof(buf)));
	}
	close(fd);
}

static void list(const char *path)
{
	DIR *dir = opendir(path);

	for (int i = 0; dir && i < 40 && readdir(dir); i++)
		;
	if (dir)
		closedir(dir);
}

/* Make a file or a directory. */
static void make(void)
{
	const char *path = soak_path(true);
	int fd;

	if (chance(2)) {
		mkdir(path, chance(10) ? pick(0777) : 0777);
		return;
	}
	fd = open(path, O_CREAT | O_RDWR | (chance(3) ? O_TRUNC : 0) | (chance(6) ? O_EXCL : 0),
		  chance(10) ? pick(0777) : 0666);
	if (fd >= 0) {
		write(fd, buf, pick(5000));
		close(fd);
	}
}

/* Mount: mostly something that is there on a directory of ours, or on itself. */
static void mount(void)
{
	const char *old = soak_path(true), *name = chance(6) ? old : soak_path(false);

	bind(name, old, (int)pick(8));
}

static void execute(void)
{
	const char *path = soak_path(false);
	pid_t pid = fork();

	if (pid == 0) {
		execl(path, path, "-x", NULL);
		_exit(1);
	}
	if (pid > 0)
		soak_wait(pid, 20000000);
}

static void step(unsigned *n);

/* Go on in a child, in this namespace or in one of its own. */
static void branch(void)
{
	pid_t pid;

	if (soak_child)
		return;
	pid = fork();
	if (pid == 0) {
		unsigned n = 0;

		soak_child = true;
		if (chance(2))
			rfork(chance(8) ? RFCNAMEG : RFNAMEG);
		for (int i = 0; i < 30; i++)
			step(&n);
		_exit(0);
	}
	if (pid > 0 && chance(2))
		soak_wait(pid, 20000000);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void step(unsigned *n)
{
	switch (pick(24)) {
	case 0:
	case 1:
	case 2:
	case 3:
		make();
		break;
	case 4:
	case 5:
	case 6:
		mount();
		break;
	case 7:
	case 8:
		unmount(chance(2) ? NULL : soak_path(false), soak_path(true));
		break;
	case 9:
	case 10:
	case 11:
		use(soak_path(!chance(2)));
		break;
	case 12:
	case 13:
		rename(soak_path(true), soak_path(true));
		break;
	case 14:
	case 15:
		remove(soak_path(true));
		break;
	case 16:
	case 17:
		list(soak_path(false));
		break;
	case 18:
		/* What is mounted there may be the root, which others need. */
		chmod(soak_path(true), pick(01000) | (soak_owner ? 0755 : 0));
		break;
	case 19:
		chdir(chance(4) ? soak_path(false) : soak_path(true));
		break;
	case 20:
		getcwd(buf, pick(300));
		break;
	case 21:
		if (chance(8))
			rfork((int)pick(4));
		break;
	case 22:
		if (chance(4))
			execute();
		break;
	default:
		if (chance(4))
			branch();
	}
	if (!soak_child)
		soak_counted(n);
}

void soak_names(unsigned calls)
{
	char home[64];

	if (!getcwd(home, sizeof(home)))
		_exit(1);
	for (unsigned n = 0; n < calls;) {
		if (chance(20))
			chdir(home);
		step(&n);
	}
}
