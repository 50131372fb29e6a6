/* Whole files, for what does not fit a stream. */
#include "userland/files/whole.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "userland/files/stream.h"

char *whole_read(const char *path, size_t *n)
{
	int fd = open(path, O_RDONLY), error;
	size_t room = 0;
	char *text;

	*n = 0;
	if (fd < 0)
		return NULL;
	text = stream_slurp(fd, NULL, n, &room);
	error = errno;
	close(fd);
	errno = error;
	if (text)
		text[*n] = '\0'; /* stream_slurp leaves a byte */
	return text;
}

char *whole_need(const char *path, size_t *n)
{
	char *text = whole_read(path, n);

	if (!text)
		err(1, "%s", path);
	return text;
}

void whole_write(const char *path, const char *message)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0)
		err(1, "%s", path);
	if (write(fd, message, strlen(message)) < 0)
		err(1, "%s: %s", path, message);
	close(fd);
}
