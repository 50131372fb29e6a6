/* Output files that appear whole or not at all: see outfile.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/ending.h"
#include "tools/memory.h"
#include "tools/moment.h"
#include "tools/order.h"
#include "tools/outfile.h"
#include "tools/printable.h"

#define NAME_MOST 200	/* bytes of a name that its temporary file's takes over */
#define LINKS_MOST 40	/* as many as the kernel follows */
#define PIECE 65536	/* bytes between two looks at the signals */
#define STANDARD "the standard output"

/* Say that a file cannot be written, by errno. */
static int outfile_fail(const struct outfile *o, struct complaint *why)
{
	return complain(why, "cannot write %s: %s", o->path, strerror(errno));
}

void outfile_nonce(char nonce[static OUTFILE_NONCE + 1])
{
	uint64_t n;

	if (getentropy(&n, sizeof(n)) < 0)
		n = moment_ns() << 20 ^ (uint64_t)getpid();
	snprintf(nonce, OUTFILE_NONCE + 1, "%016" PRIx64, n);
}

/* Return what a relative link in a file's folder, or an absolute one, stands for. */
static char *link_target(const char *file, const char *link)
{
	const char *slash = strrchr(file, '/');

	if (*link == '/' || !slash)
		return memory_string(link, strlen(link));
	return memory_format("%.*s/%s", (int)(slash - file), file, link);
}

/*
 * Follow symbolic links to the file that they stand for, which need not exist; the caller frees the
 * path. NULL: there is no end, or it is a file that a process has open, which /proc shows as a
 * link, but which another file cannot replace.
 */
static char *follow_links(const char *path)
{
	char *at = memory_string(path, strlen(path)), *next, link[PATH_MAX];
	unsigned i;
	ssize_t n;

	for (i = 0; i < LINKS_MOST && strncmp(at, "/proc/", 6) != 0; i++) {
		n = readlink(at, link, sizeof(link) - 1);
		if (n < 0)
			return at;
		link[n] = 0;
		next = link_target(at, link);
		free(at);
		at = next;
	}
	free(at);
	return NULL;
}

/* Make the new file beside the one that it will replace. */
static int make_temp(struct outfile *o, struct complaint *why)
{
	const char *slash = strrchr(o->to, '/'), *name = o->to;
	char nonce[OUTFILE_NONCE + 1];

	if (slash)
		name = slash + 1;
	ending_hold();
	do {
		free(o->temp);
		outfile_nonce(nonce);
		o->temp = memory_format("%.*s%.*s.%s.part", (int)(name - o->to), o->to, NAME_MOST,
					name, nonce);
		o->fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (o->fd < 0 && errno == EEXIST);
	if (o->fd >= 0)
		return 0;
	outfile_fail(o, why);
	outfile_drop(o);
	return -1;
}

/* Write to what is no regular file. What was printed before comes first on the standard output. */
static int open_in_place(struct outfile *o, bool standard, struct complaint *why)
{
	if (standard) {
		o->path = STANDARD;
		o->fd = STDOUT_FILENO;
		o->seen = isatty(STDOUT_FILENO);
		if (fflush(stdout) != 0)
			return outfile_fail(o, why);
		return 0;
	}
	o->fd = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (o->fd < 0)
		return outfile_fail(o, why);
	return 0;
}

/* A file that may not be written may not be replaced either, whatever its folder allows. */
int outfile_open(struct outfile *o, const char *path, struct complaint *why)
{
	bool standard = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
	bool regular = false;
	struct stat st;

	*o = (struct outfile){.path = path, .fd = -1};
	if (standard)
		return open_in_place(o, true, why);
	if (stat(path, &st) == 0)
		regular = S_ISREG(st.st_mode);
	else if (errno == ENOENT)
		o->to = follow_links(path);
	if (regular && access(path, W_OK) < 0)
		return outfile_fail(o, why);
	if (regular)
		o->to = follow_links(path);
	if (o->to)
		return make_temp(o, why);
	return open_in_place(o, false, why);
}

int outfile_open_new(struct outfile *o, const char *path, struct complaint *why)
{
	*o = (struct outfile){.path = path, .fd = -1, .to = memory_string(path, strlen(path))};
	return make_temp(o, why);
}

int outfile_try(const char *path, struct complaint *why)
{
	struct outfile o;
	struct stat st;

	if (strcmp(path, "-") == 0)
		return 0;
	st.st_mode = S_IFREG;
	stat(path, &st);
	if (!S_ISREG(st.st_mode))
		return 0;
	if (outfile_open(&o, path, why) < 0)
		return -1;
	outfile_drop(&o);
	return 0;
}

static int outfile_put(struct outfile *o, const void *data, size_t n, struct complaint *why)
{
	const char *p = data;
	ssize_t w;

	for (; n > 0; p += w, n -= (size_t)w) {
		if (o->temp && ending_came()) {
			errno = EINTR;
			return outfile_fail(o, why);
		}
		w = write(o->fd, p, order_min(n, PIECE));
		if (w < 0 && errno == EINTR)
			w = 0;
		if (w < 0)
			return outfile_fail(o, why);
	}
	return 0;
}

int outfile_write(struct outfile *o, const void *data, size_t n, struct complaint *why)
{
	char *text, *shown;
	int bad;

	if (!o->seen)
		return outfile_put(o, data, n, why);
	text = memory_string(data, n);
	shown = printable_text(text);
	bad = outfile_put(o, shown, strlen(shown), why);
	free(shown);
	free(text);
	return bad;
}

/* Forget the file, and let signals come. */
static void outfile_release(struct outfile *o)
{
	bool held = o->temp != NULL;

	free(o->temp);
	free(o->to);
	o->temp = o->to = NULL;
	o->fd = -1;
	if (held)
		ending_release();
}

/* Return whether there is an open file which is ours to close: the standard output is not. */
static bool is_ours(const struct outfile *o)
{
	return o->fd >= 0 && o->fd != STDOUT_FILENO;
}

/* The standard output stays open for outfile_standard(). */
int outfile_written(struct outfile *o, struct complaint *why)
{
	bool ours = is_ours(o);
	int fd = o->fd;

	o->fd = -1;
	if (!ours || close(fd) == 0)
		return 0;
	outfile_fail(o, why);
	outfile_drop(o);
	return -1;
}

int outfile_close(struct outfile *o, struct complaint *why)
{
	if (outfile_written(o, why) < 0)
		return -1;
	if (o->temp && rename(o->temp, o->to) < 0) {
		outfile_fail(o, why);
		outfile_drop(o);
		return -1;
	}
	outfile_release(o);
	return 0;
}

void outfile_drop(struct outfile *o)
{
	if (is_ours(o))
		close(o->fd);
	if (o->temp)
		unlink(o->temp);
	outfile_release(o);
}

int outfile_store(const char *path, const void *data, size_t n, struct complaint *why)
{
	struct outfile o;

	if (outfile_open(&o, path, why) < 0)
		return -1;
	if (outfile_write(&o, data, n, why) == 0)
		return outfile_close(&o, why);
	outfile_drop(&o);
	return -1;
}

/* For fopencookie: after a failure the rest is dropped, so that whoever prints need not look. */
static ssize_t stream_write(void *stream, const char *data, size_t n)
{
	struct outfile_stream *s = stream;

	if (!s->bad)
		s->bad = outfile_write(s->o, data, n, &s->why) < 0;
	return (ssize_t)n;
}

void outfile_stream_open(struct outfile_stream *s, struct outfile *o)
{
	*s = (struct outfile_stream){.o = o};
	s->f = fopencookie(s, "w", (cookie_io_functions_t){.write = stream_write});
	if (!s->f || setvbuf(s->f, NULL, _IOFBF, PIECE) != 0)
		memory_out();
}

int outfile_stream_close(struct outfile_stream *s, struct complaint *why)
{
	fclose(s->f);
	if (!s->bad)
		return 0;
	*why = s->why;
	return -1;
}

/* An output that was closed from the start is no error as long as nothing is written to it. */
int outfile_standard(const char *program, int status)
{
	bool bad;

	errno = 0;
	bad = fflush(stdout) != 0 || ferror(stdout);
	if (!bad && close(STDOUT_FILENO) < 0)
		bad = errno != EBADF;
	if (!bad)
		return status;
	if (errno == 0)
		errno = EIO;
	fprintf(stderr, "%s: cannot write %s: %s\n", program, STANDARD, strerror(errno));
	if (status == 0)
		return 1;
	return status;
}
