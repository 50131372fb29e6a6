/* The byte streams that commands work on. Not to be mixed with stdio's stdout. */
#include "userland/files/stream.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_NAMED 60 /* characters, at most, of a line that is told when it is refused */

static char out[STREAM_BUF];
static size_t out_len;

/*
 * Calls f for each input: the NULL-ended names, of which "-" is standard input, or
 * standard input alone when there is none. f returns 0, or 1 when it has warned.
 * Goes on after a failure; returns whether there was one.
 */
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

/* Reads until n bytes or the end of the file; returns the bytes, or -1 with errno. */
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

/*
 * Appends the rest of a file to the heap buffer buf (NULL at first) of *size bytes, *len
 * of them in use, with at least one byte to spare after it. Returns where the buffer is
 * now, or NULL with errno, when the buffer is freed.
 */
char *stream_slurp(int fd, char *buf, size_t *len, size_t *size)
{
	ssize_t got;

	do {
		if (*size - *len <= STREAM_BUF / 2) {
			size_t more = *size ? *size * 2 : STREAM_BUF;
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

/* Ends the program; what a device has refused is named, if it was one line. */
static void refused(const char *data, size_t n)
{
	const char *end = memchr(data, '\n', n);
	size_t len = end ? (size_t)(end - data) : n;

	if (len == 0 || len > LINE_NAMED || len + 1 < n)
		err(1, "standard output");
	err(1, "standard output refuses \"%.*s\"", (int)len, data);
}

/* Writes everything or ends the program. */
static void write_all(const char *data, size_t n)
{
	while (n > 0) {
		ssize_t put = write(STDOUT_FILENO, data, n);

		if (put < 0)
			refused(data, n);
		data += put;
		n -= put;
	}
}

/* Adds to standard output, which is written when the buffer is full or flushed. */
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

/* Writes what stream_put has gathered; a failure ends the program. */
void stream_flush(void)
{
	size_t n = out_len;

	out_len = 0;
	write_all(out, n);
}

/* Puts a file's name above what is shown of it, with an empty line before all but the first. */
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
