/* The byte streams that commands work on. */
#include "userland/files/stream.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_NAMED 60 /* characters of a refused line that a message names, at most */

static char out[STREAM_BUF]; /* what stream_put has gathered */
static size_t out_len;

int stream_each(char **names, int (*f)(int fd, const char *name))
{
	static char *standard[] = { "-", NULL };
	int failed = 0;

	if (!*names)
		names = standard;
	for (; *names; names++) {
		int fd = strcmp(*names, "-") == 0 ? STDIN_FILENO : open(*names, O_RDONLY);

		if (fd < 0) {
			warn("%s", *names);
			failed = 1;
			continue;
		}
		failed |= f(fd, *names);
		if (fd != STDIN_FILENO)
			close(fd);
	}
	return failed;
}

ssize_t stream_fill(int fd, void *buf, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = read(fd, (char *)buf + done, n - done);

		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += got;
	}
	return done;
}

/* Return the size for a buffer into which a file is read: its own, if it has one, and a read's. */
static size_t first_size(int fd)
{
	struct stat st;

	return STREAM_BUF + (fstat(fd, &st) == 0 ? (size_t)st.st_size : 0);
}

/* The buffer doubles when half of a read's size is left, so that reads stay large. */
char *stream_slurp(int fd, char *buf, size_t *len, size_t *size)
{
	ssize_t got;

	do {
		if (*size - *len <= STREAM_BUF / 2) {
			size_t more = *size ? *size * 2 : first_size(fd);
			char *bigger = more > *size ? realloc(buf, more) : NULL;

			if (!bigger) {
				free(buf);
				errno = ENOMEM;
				return NULL;
			}
			buf = bigger;
			*size = more;
		}
		got = read(fd, buf + *len, *size - *len - 1);
		if (got < 0) {
			free(buf);
			return NULL;
		}
		*len += got;
	} while (got > 0);
	return buf;
}

int stream_write(int fd, const void *data, size_t n)
{
	ssize_t put;

	for (const char *p = data; n > 0; p += put, n -= put) {
		put = write(fd, p, n);
		if (put < 0)
			return -1;
	}
	return 0;
}

/*
 * End the program: output was refused. If it is one line, it is named, for a control file's errno
 * does not say which message was wrong.
 */
static void refused(const char *data, size_t n)
{
	const char *end = memchr(data, '\n', n);
	size_t len = end ? (size_t)(end - data) : n;

	if (len == 0 || len > LINE_NAMED || len + 1 < n)
		err(1, "standard output");
	err(1, "standard output refuses \"%.*s\"", (int)len, data);
}

/* Write to standard output, or end the program. */
static void write_all(const char *data, size_t n)
{
	if (stream_write(STDOUT_FILENO, data, n) < 0)
		refused(data, n);
}

void stream_put(const void *data, size_t n)
{
	if (n > sizeof(out) - out_len)
		stream_flush();
	if (n >= sizeof(out)) {
		write_all(data, n);
		return;
	}
	memcpy(out + out_len, data, n);
	out_len += n;
}

void stream_flush(void)
{
	size_t n = out_len;

	out_len = 0;
	write_all(out, n);
}

void stream_title(const char *name)
{
	static bool again;

	if (again)
		stream_put("\n", 1);
	stream_put("==> ", 4);
	stream_put(name, strlen(name));
	stream_put(" <==\n", 5);
	again = true;
}
