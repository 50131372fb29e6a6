/*
 * agent: runs /run/script, sends its output and the files named in /run/fetch to the host in
 * frames(5) over the second serial port, stores those named in /run/store in the host's folder,
 * and turns the machine off. It is what gnomon-run(1) talks to in the guest.
 * Host: no
 */
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/formats/crc32.h"
#include "userland/formats/le.h"
#include "userland/command/usage.h"
#include "userland/files/whole.h"

#define SCRIPT "/run/script"
#define FETCH "/run/fetch"
#define STORE "/run/store"
#define FOLDER "/n/remote"
#define PORT "/dev/eia1"
#define VERSION "/dev/version"
#define REBOOT "/dev/reboot"
#define KPINFO "/dev/kpinfo"

#define HEADER 16	/* bytes: "GNMF", the type, the length and the checksum */
#define PAYLOAD 65536		/* bytes in a frame, at most */
#define UNSIZED_MAX (16u << 20) /* bytes of a file that does not tell its length, at most */
#define ERROR_MAX 2048		/* bytes of a message, at most */
#define NAME_LONGEST 255	/* bytes of a name in the host's folder, at most */

static int port;			/* to the host */
static uint8_t frame[HEADER + PAYLOAD]; /* the payload is put together in its place */
static uint8_t *const payload = frame + HEADER;

/* Turn the machine off. The host sees the status, for it is that of the emulator, too. */
static void halt(int status)
{
	char message[32];

	snprintf(message, sizeof(message), "halt %d", status & 0xff);
	whole_write(REBOOT, message);
}

/* Give up: without the port there is nobody left to tell but whoever looks at the console. */
static void lost(void)
{
	warn("%s", PORT);
	halt(1);
	exit(1);
}

/* Send the n bytes at payload as a frame. */
static void send_frame(char type, size_t n)
{
	size_t done, all = HEADER + n;
	ssize_t w;

	memcpy(frame, "GNMF", 4);
	le_put32(frame + 4, (uint8_t)type);
	le_put32(frame + 8, (uint32_t)n);
	le_put32(frame + 12, crc32_add(0, payload, n));
	/* The port takes what its buffer has room for. */
	for (done = 0; done < all; done += (size_t)w) {
		w = write(port, frame + done, all - done);
		if (w <= 0)
			lost();
	}
}

/* Send 'E': why the host does not get a file, or not all of it. */
static void __attribute__((format(printf, 1, 2))) send_error(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf((char *)payload, ERROR_MAX, fmt, ap);
	va_end(ap);
	send_frame('E', n < ERROR_MAX ? (size_t)n : ERROR_MAX - 1);
}

/* Read the beginning of a file into payload, with a NUL after it. Return its length, or -1. */
static ssize_t read_start(const char *path)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, payload, PAYLOAD - 1);

	payload[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return n;
}

/* Send 'V': which kernel this is. */
static void send_version(void)
{
	ssize_t n = read_start(VERSION);

	if (n > 0)
		send_frame('V', (size_t)n);
	else
		send_error("%s: %s", VERSION, strerror(errno));
}

/* Send 'C': how the profiling clock ran. A kernel without profilers tells nothing. */
static void send_clock(void)
{
	ssize_t n = read_start(KPINFO);

	if (n > 0)
		send_frame('C', (size_t)n);
}

/* Become the shell that runs the script, with the pipe for its output and nothing to read. */
static void __attribute__((noreturn)) run_script(const int *fd)
{
	int null = open("/dev/null", O_RDONLY);

	dup2(null, 0);
	dup2(fd[1], 1);
	dup2(fd[1], 2);
	/* What the shell's children inherit is 0, 1 and 2 alone. */
	if (null > 2)
		close(null);
	close(fd[0]);
	close(fd[1]);
	execl("/bin/sh", "sh", SCRIPT, NULL);
	warn("/bin/sh");
	_exit(127);
}

/* Return whether a read would not wait, or at least not for a second. */
static bool readable(int fd)
{
	struct timeval second = {.tv_sec = 1};
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, &set, NULL, NULL, &second) != 0;
}

/*
 * Run the script and send what it prints as 'O', piece by piece as it comes, and 'B' if it has left
 * processes that go on printing. Return its exit status, or 128 and the number of the signal that
 * ended it.
 */
static int send_output(void)
{
	int fd[2], status = 0, pid;
	bool over = false;
	ssize_t n = 1;

	if (pipe(fd) < 0 || (pid = fork()) < 0) {
		send_error("%s: %s", SCRIPT, strerror(errno));
		return 126;
	}
	if (pid == 0)
		run_script(fd);
	close(fd[1]); /* or the pipe would have a writer for ever */
	/* It ends when the last process that writes to the pipe has ended. */
	while (n > 0) {
		if (over || readable(fd[0])) {
			n = read(fd[0], payload, PAYLOAD);
			if (n > 0)
				send_frame('O', (size_t)n);
		} else if (waitpid(pid, &status, WNOHANG) == pid) {
			over = true;
			send_frame('B', 0);
		}
	}
	close(fd[0]);
	if (!over && waitpid(pid, &status, 0) < 0)
		return 126;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Send 'F', a file of that size follows, or 'S', it has been stored: 8 bytes, and its path. */
static void send_begin(char type, const char *path, uint64_t size)
{
	size_t n = strlen(path);

	le_put64(payload, size);
	memcpy(payload + 8, path, n);
	send_frame(type, 8 + n);
}

/* Send a file that tells its length: so much of it, and no more should it grow meanwhile. */
static void send_sized(const char *path, int fd, uint64_t size)
{
	ssize_t n = 1;

	send_begin('F', path, size);
	for (; size > 0; size -= (uint64_t)n) {
		n = read(fd, payload, size < PAYLOAD ? size : PAYLOAD);
		if (n <= 0)
			break;
		send_frame('D', (size_t)n);
	}
	if (n < 0)
		send_error("%s: %s", path, strerror(errno));
	else if (size > 0)
		send_error("%s: it is %llu bytes shorter than it said", path,
			   (unsigned long long)size);
}

/* Send the n bytes at p as 'D', the pieces of a file. */
static void send_bytes(const uint8_t *p, size_t n)
{
	for (size_t part; n > 0; p += part, n -= part) {
		part = n < PAYLOAD ? n : PAYLOAD;
		memcpy(payload, p, part);
		send_frame('D', part);
	}
}

/*
 * Send a file whose length is 0. A device's may have content all the same, so it is read to its
 * end first, for the frame 'F' tells the length.
 */
static void send_unsized(const char *path, int fd)
{
	size_t have = 0, room = 0;
	uint8_t *all = NULL, *more;
	ssize_t n;

	do {
		if (have == room) {
			room = room ? 2 * room : 4096;
			more = room > UNSIZED_MAX ? NULL : realloc(all, room);
			if (!more) {
				send_error("%s: it is too long, or has no end", path);
				free(all);
				return;
			}
			all = more;
		}
		n = read(fd, all + have, room - have);
		have += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	if (n < 0) {
		send_error("%s: %s", path, strerror(errno));
	} else {
		send_begin('F', path, have);
		send_bytes(all, have);
	}
	free(all);
}

/* Send a file that the host asked for, or why it cannot have it. */
static void send_file(char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) < 0)
		send_error("%s: %s", path, strerror(errno));
	else if (S_ISDIR(st.st_mode))
		send_error("%s: %s", path, strerror(EISDIR));
	else if (st.st_size > 0)
		send_sized(path, fd, (uint64_t)st.st_size);
	else
		send_unsized(path, fd);
	if (fd >= 0)
		close(fd);
}

/* Return what is wrong with a file that ended after n bytes, or NULL. Size 0 is unknown. */
static const char *check_length(uint64_t n, uint64_t size)
{
	/* One that has no end is given up. */
	if (size == 0)
		return n > UNSIZED_MAX ? "it is too long, or has no end" : NULL;
	return n < size ? "it is shorter than it said" : NULL;
}

/*
 * Copy a file of that size, or with size 0 up to its end, in the pieces that come. Return its
 * length, or -1 after telling the host why.
 */
static int64_t copy(int in, const char *from, uint64_t size, int out, const char *to)
{
	/* A byte more than is allowed shows that a file is too long. */
	uint64_t done = 0, most = size ? size : UNSIZED_MAX + 1;
	const char *wrong;
	ssize_t n = 1;

	while (n > 0 && done < most) {
		n = read(in, payload, most - done < PAYLOAD ? (size_t)(most - done) : PAYLOAD);
		if (n < 0) {
			send_error("%s: %s", from, strerror(errno));
			return -1;
		}
		/* A short write has no errno; the host's disk is full. */
		if (write(out, payload, (size_t)n) != n) {
			send_error("%s: %s", to, strerror(errno ? errno : ENOSPC));
			return -1;
		}
		done += (uint64_t)n;
	}
	wrong = check_length(done, size);
	if (wrong)
		send_error("%s: %s", from, wrong);
	return wrong ? -1 : (int64_t)done;
}

/* Store an open file in the host's folder, under its name with .part after it: frames(5). */
static void store_open(const char *path, int in, const char *name)
{
	char to[sizeof(FOLDER) + NAME_LONGEST + 8];
	struct stat st;
	int64_t size;
	int out;

	snprintf(to, sizeof(to), FOLDER "/%s.part", name);
	if (fstat(in, &st) < 0 || S_ISDIR(st.st_mode)) {
		send_error("%s: %s", path, strerror(EISDIR));
		return;
	}
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (out < 0) {
		send_error("%s: %s", to, strerror(errno));
		return;
	}
	size = copy(in, path, (uint64_t)st.st_size, out, to);
	close(out);
	/* What there is of a file that failed keeps that name. */
	if (size >= 0)
		send_begin('S', path, (uint64_t)size);
}

/* Store the file of a line NAME:PATH in the host's folder, or tell the host why it cannot be. */
static void store_file(char *line)
{
	char *path = strchr(line, ':');
	int in;

	if (!path || path - line > NAME_LONGEST) {
		send_error("%s: should be NAME:PATH", line);
		return;
	}
	*path++ = '\0';
	in = open(path, O_RDONLY);
	if (in < 0) {
		send_error("%s: %s", path, strerror(errno));
		return;
	}
	store_open(path, in, line);
	close(in);
}

/* Call fn for each file of a list, one a line. That there is no list is no error. */
static void each_file(const char *list, void (*fn)(char *line))
{
	FILE *f = fopen(list, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t n;

	if (!f) {
		if (errno != ENOENT)
			send_error("%s: %s", list, strerror(errno));
		return;
	}
	while ((n = getline(&line, &size, f)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		/* A path must fit a frame, among others. */
		if (strlen(line) >= PATH_MAX)
			send_error("%s: %s", line, strerror(ENAMETOOLONG));
		else if (line[0] != '\0')
			fn(line);
	}
	free(line);
	fclose(f);
}

/* Send everything, in the order that frames(5) gives. */
int main(int argc, char **argv)
{
	int status;

	no_options(argc, argv, "agent");
	if (optind < argc)
		usage('?', "agent");
	/* The script does not inherit it: what it writes must come in frames. */
	port = open(PORT, O_WRONLY | O_CLOEXEC);
	if (port < 0)
		lost();
	send_version();
	status = send_output();
	send_clock();
	each_file(FETCH, send_file);
	each_file(STORE, store_file);
	le_put32(payload, (uint32_t)status);
	send_frame('X', 4);
	halt(status);
	return 0;
}
