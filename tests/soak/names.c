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

/* Run what is there, if that can be. */
static void execute(void)
{
	if (!chance(4))
		return;
	const char *path = soak_path(false);
	pid_t pid = fork();

	if (pid == 0) {
		execl(path, path, "-x", NULL);
		_exit(1);
	}
	if (pid > 0)
		soak_wait(pid, 20000000);
}

/* Use a file, of ours or not. */
static void use_any(void)
{
	use(soak_path(!chance(2)));
}

static void list_any(void)
{
	list(soak_path(false));
}

static void unmake(void)
{
	unmount(chance(2) ? NULL : soak_path(false), soak_path(true));
}

static void move(void)
{
	rename(soak_path(true), soak_path(true));
}

static void drop(void)
{
	remove(soak_path(true));
}

/* Change the mode of what may be the root, mounted there, which others need. */
static void change_mode(void)
{
	chmod(soak_path(true), pick(01000) | (soak_owner ? 0755 : 0));
}

static void go(void)
{
	chdir(soak_path(!chance(4)));
	if (chance(2))
		getcwd(buf, pick(300));
}

/* Leave the namespace for a copy, or for one with nothing but the root. */
static void leave(void)
{
	if (chance(8))
		rfork((int)pick(4));
}

static void branch(void);

/* The frequent ones stand here more than once. */
static void (*const actions[])(void) = {
	make,	 make,	  make,	   make,     mount,    mount,  mount,	    unmake,
	unmake,	 use_any, use_any, use_any,  move,     move,   drop,	    drop,
	execute, go,	  go,	   list_any, list_any, branch, change_mode, leave,
};

/* Go on in a child, in this namespace or in one of its own. */
static void branch(void)
{
	pid_t pid;

	if (soak_child || !chance(4))
		return;
	pid = fork();
	if (pid == 0) {
		soak_child = true;
		if (chance(2))
			rfork(chance(8) ? RFCNAMEG : RFNAMEG);
		for (int i = 0; i < 30; i++)
			actions[pick(nelem(actions))]();
		_exit(0);
	}
	if (pid > 0 && chance(2))
		soak_wait(pid, 20000000);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

void soak_names(unsigned calls)
{
	char home[64];

	if (!getcwd(home, sizeof(home)))
		_exit(1);
	for (unsigned n = 0; n < calls;) {
		if (chance(20))
			chdir(home);
		actions[pick(nelem(actions))]();
		soak_counted(&n);
	}
}
