/*
 * What programs use of POSIX that lies below newlib, a line each: tests/e2e/sysroot.t knows what
 * it prints.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static void pieces(void)
{
	char a[4] = "", b[20] = "";
	struct iovec out[] = {{"one ", 4}, {"", 0}, {"two", 3}}, in[] = {{a, 3}, {b, 20}};
	int fd[2], n;

	pipe(fd);
	n = (int)writev(fd[1], out, 3);
	printf("%d ", n);
	n = (int)readv(fd[0], in, 2);
	printf("%d [%s][%s] %d\n", n, a, b, (int)writev(99, out, 3));
}

static void polled(void)
{
	struct pollfd fds[] = {{.events = POLLIN}, {.events = POLLOUT}, {.fd = -1}, {.fd = 60}};
	int fd[2], n;

	pipe(fd);
	fds[0].fd = fd[0];
	fds[1].fd = fd[1];
	n = poll(fds, 3, -1);
	printf("%d %d %d, ", n, fds[0].revents, fds[1].revents);
	n = poll(fds, 1, 10);
	printf("%d, ", n);
	write(fd[1], "x", 1);
	n = poll(fds, 4, 1000);
	printf("%d %d %d %d %d\n", n, fds[0].revents == POLLIN, fds[1].revents == POLLOUT,
	       fds[2].revents, fds[3].revents == POLLNVAL);
}

static void limits(void)
{
	struct rlimit files, stack, data;
	struct utsname u;
	char host[10];

	getrlimit(RLIMIT_NOFILE, &files);
	getrlimit(RLIMIT_STACK, &stack);
	getrlimit(RLIMIT_DATA, &data);
	printf("%lu %lu ", files.rlim_cur, stack.rlim_cur >> 20);
	printf("%d\n", data.rlim_cur == RLIM_INFINITY);
	uname(&u);
	gethostname(host, sizeof(host));
	printf("%s %s %d %d ", u.sysname, u.nodename, u.release[0] > 0, (int)strlen(u.version));
	printf("%s %s\n", u.machine, host);
	printf("%d %d %d\n", fsync(1), fdatasync(1), fsync(99));
}

/* Set what a file has, by descriptor and by name. */
static void attributes(void)
{
	struct utimbuf then = {.modtime = 86400};
	struct stat st;
	int fd = creat("/tmp/attributes", 0600);

	printf("%d %d ", fchmod(fd, 0640), utime("/tmp/attributes", &then));
	stat("/tmp/attributes", &st);
	printf("%o %ld ", st.st_mode & 0777, (long)st.st_mtime);
	utime("/tmp/attributes", NULL);
	fstat(fd, &st);
	printf("%d %d\n", st.st_mtime > 86400, utime("/tmp/none", NULL));
}

static void lines(void)
{
	FILE *f = fopen("/tmp/lines", "w+");
	char *line = NULL;
	size_t size = 0;
	int n;

	fputs("first\nsecond;third", f);
	rewind(f);
	n = (int)getline(&line, &size, f);
	printf("%d %.5s, ", n, line);
	n = (int)getdelim(&line, &size, ';', f);
	printf("%d %s ", n, line);
	n = (int)getline(&line, &size, f);
	printf("%d %s ", n, line);
	printf("%d\n", (int)getline(&line, &size, f));
	fclose(f);
}

static void paths(void)
{
	char made[] = "/tmp/here/dXXXXXX";
	glob_t found;
	char *p;
	size_t i;

	mkdir("/tmp/here", 0755);
	close(creat("/tmp/here/b.c", 0644));
	close(creat("/tmp/here/a.c", 0644));
	close(creat("/tmp/here/a.o", 0644));
	chdir("/tmp/here");
	p = realpath("..//./here/a.c", NULL);
	printf("%s ", p);
	free(p);
	printf("%s ", p = realpath("/tmp/../..", NULL));
	free(p);
	p = realpath("none", NULL);
	printf("%d %s\n", !p, strerror(errno));
	glob("/tmp/here/*.c", 0, NULL, &found);
	for (i = 0; i < found.gl_pathc; i++)
		printf("%s ", found.gl_pathv[i]);
	globfree(&found);
	printf("%d\n", glob("*.x", 0, NULL, &found) == GLOB_NOMATCH);
	p = mkdtemp(made);
	printf("%d ", p == made);
	printf("%d\n", rmdir(made));
}

static void users(void)
{
	struct passwd *user = getpwuid(getuid());
	int n = 0;

	printf("%s %d %s ", user->pw_name, (int)user->pw_uid, user->pw_shell);
	printf("%d %d %s ", (int)getpwnam("none")->pw_uid, !getpwnam("root"), getlogin());
	while (getpwent())
		n++;
	setpwent();
	printf("%d %s\n", n, getpwent()->pw_name);
}

static sigjmp_buf back;

static void jump(int sig)
{
	siglongjmp(back, sig);
}

static void jumps(void)
{
	volatile int times = 0;
	sigset_t mask;

	signal(SIGUSR1, jump);
	while (times < 2 && sigsetjmp(back, 1) == 0) {
		times++;
		raise(SIGUSR1);
	}
	sigprocmask(SIG_BLOCK, NULL, &mask);
	printf("%d %d\n", times, sigismember(&mask, SIGUSR1));
}

int main(void)
{
	struct tm day = {.tm_year = 100, .tm_mon = 1, .tm_mday = 30, .tm_hour = 1};
	int r;

	setvbuf(stdout, NULL, _IONBF, 0);
	pieces();
	polled();
	limits();
	attributes();
	lines();
	paths();
	users();
	jumps();
	setenv("TZ", "X-5", 1);
	r = timegm(&day) == 951872400;
	printf("%d %d %d\n", r, day.tm_mon, day.tm_mday);
	printf("%#x %#x\n", htonl(0x12345678), ntohs(0x1234));
	return 0;
}
