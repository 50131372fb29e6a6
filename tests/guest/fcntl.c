/* fcntl(2) and umask(2). */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/guest/tap.h"

/* The number is the lowest that is free from the value on, and the two share the offset. */
static void duplicates_upwards(void)
{
	int fd = open("f", O_RDWR | O_CREAT, 0644);
	char c;

	must(write(fd, "abc", 3) == 3 && lseek(fd, 0, SEEK_SET) == 0);
	must(fcntl(fd, F_DUPFD, 10) == 10 && fcntl(fd, F_DUPFD, 10) == 11);
	must(fcntl(fd, F_DUPFD, 63) == 63);
	must(close(10) == 0 && fcntl(11, F_DUPFD, 9) == 9 && fcntl(11, F_DUPFD, 9) == 10);
	must(read(9, &c, 1) == 1 && read(63, &c, 1) == 1 && c == 'b');
	must_fail(fcntl(fd, F_DUPFD, 63), EMFILE);
	must_fail(fcntl(fd, F_DUPFD, 64), EINVAL);
	must_fail(fcntl(fd, F_DUPFD, -1), EINVAL);
	must_fail(fcntl(40, F_DUPFD, 0), EBADF);
	must_fail(fcntl(-1, F_GETFD), EBADF);
	must_fail(fcntl(64, F_GETFD), EBADF);
	must_fail(fcntl(fd, 99, 0), EINVAL);
}

static void dup2_replaces(void)
{
	int fd = open("f", O_RDWR | O_CREAT, 0644), other = open("g", O_RDWR | O_CREAT, 0644);
	struct stat f, g;

	must(fcntl(other, F_SETFD, FD_CLOEXEC) == 0);
	must(dup2(fd, other) == other && fcntl(other, F_GETFD) == 0);
	must(fstat(fd, &f) == 0 && fstat(other, &g) == 0 && f.st_ino == g.st_ino);
	must(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && dup2(fd, fd) == fd);
	must(fcntl(fd, F_GETFD) == FD_CLOEXEC);
	must_fail(dup2(fd, 64), EBADF);
	must_fail(dup2(50, other), EBADF);
}

/* A descriptor's own mark decides whether a program gets it. */
static void exec_closes_what_is_marked(void)
{
	char *argv[] = {"/bin/sh", "-c", "echo x >[1=20] && ! echo x >[1=21] && ! echo x >[1=22]",
			NULL};
	int fd = open("f", O_RDWR | O_CREAT, 0644);

	must(fcntl(fd, F_DUPFD_CLOEXEC, 20) == 20 && fcntl(20, F_GETFD) == FD_CLOEXEC);
	must(fcntl(20, F_SETFD, 0) == 0 && fcntl(20, F_GETFD) == 0);
	must(fcntl(fd, F_DUPFD, 21) == 21 && fcntl(21, F_GETFD) == 0);
	must(fcntl(21, F_SETFD, FD_CLOEXEC) == 0 && fcntl(21, F_GETFD) == FD_CLOEXEC);
	must(fcntl(fd, F_DUPFD_CLOEXEC, 22) == 22 && fcntl(fd, F_GETFD) == 0);
	tap_program(argv);
}

static void appending_can_be_switched(void)
{
	int fd = open("f", O_WRONLY | O_CREAT, 0644), end[2];

	must(fcntl(fd, F_GETFL) == O_WRONLY);
	must(write(fd, "abc", 3) == 3 && lseek(fd, 0, SEEK_SET) == 0);
	must(fcntl(dup(fd), F_SETFL, O_APPEND | O_RDWR | O_CREAT) == 0);
	must(fcntl(fd, F_GETFL) == (O_WRONLY | O_APPEND));
	must(write(fd, "d", 1) == 1);
	must(fcntl(fd, F_SETFL, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 && write(fd, "A", 1) == 1);
	must(strcmp(tap_read("f"), "Abcd") == 0);
	must_fail(fcntl(fd, F_SETFL, O_NONBLOCK), EINVAL);
	must(pipe(end) == 0 && fcntl(end[0], F_GETFL) == O_RDONLY);
	must(fcntl(end[1], F_GETFL) == O_WRONLY);
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	must(stat(name, &st) == 0);
	return st.st_mode & 0777;
}

static void in_child(uintptr_t old)
{
	must(umask(0) == old);
	must(close(creat("child", 0666)) == 0 && mode_of("child") == 0666);
}

/* The mask is the process's own, and its children have a copy. */
static void umask_takes_permissions(void)
{
	must(umask(027) == 0);
	must(close(creat("f", 0777)) == 0 && mode_of("f") == 0750);
	must(mkdir("d", 0775) == 0 && mode_of("d") == 0750);
	must(chmod("f", 0666) == 0 && mode_of("f") == 0666);
	must(close(creat("f", 0777)) == 0 && mode_of("f") == 0666);
	must(tap_status(in_child, 027) == 0 && umask(0170077) == 027);
	must(umask(0) == 077);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{"W3 fcntl gives the lowest free number from there on", duplicates_upwards},
		{"W3 dup2 closes what the number was, and keeps no mark", dup2_replaces},
		{"W3 exec closes what FD_CLOEXEC marks", exec_closes_what_is_marked},
		{"W3 O_APPEND can be set, O_NONBLOCK not", appending_can_be_switched},
		{"W3 umask takes permissions from new files", umask_takes_permissions},
	};

	return tap_run(cases, nelem(cases));
}
