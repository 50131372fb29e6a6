/* What the guest sends back, frame by frame: see fetch.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "prof/files/le.h"
#include "tools/run/fetch.h"

/* Write all n bytes. 0, or -1 with errno. */
static int write_all(int fd, const uint8_t *p, size_t n)
{
	ssize_t w;

	for (; n > 0; p += w, n -= w) {
		w = write(fd, p, n);
		if (w < 0 && errno == EINTR)
			w = 0;
		if (w < 0)
			return -1;
	}
	return 0;
}

/* Make the path of a file in x->dir; open(2) refuses one that is cut off here. */
static const char *path_of(const struct fetch *x, const char *name, const char *suffix,
			   char path[static 4096])
{
	snprintf(path, 4096, "%s/%s%s", x->dir, name, suffix);
	return path;
}

/*
 * Make or replace a file of one line. Readers see the old one or the new one, even when
 * several runs bring files into one folder.
 */
static int store_line(struct fetch *x, const char *name, const char *suffix, const char *line)
{
	char path[4096], part[4096 + 32];
	FILE *f;
	int bad;

	path_of(x, name, suffix, path);
	snprintf(part, sizeof(part), "%s.%ld.part", path, (long)getpid());
	f = fopen(part, "w");
	if (!f)
		return complain(&x->why, "%s: %s", part, strerror(errno));
	bad = fprintf(f, "%s\n", line) < 0;
	bad |= fclose(f) != 0;
	if (bad || rename(part, path) < 0)
		return complain(&x->why, "%s: %s", path, strerror(errno));
	return 0;
}

/* Whether s is n hexadecimal digits in lower case and nothing else. */
static bool is_hex(const char *s, size_t n)
{
	return strlen(s) == n && strspn(s, "0123456789abcdef") == n;
}

/* 'V': the line of /dev/version, whose third word is the build id. */
static int take_version(struct fetch *x, const struct frame *f)
{
	char id[64];

	if (f->length >= sizeof(x->version))
		return complain(&x->why, "byte %" PRIu64 ": the version line is too long",
				f->offset);
	memcpy(x->version, f->payload, f->length);
	x->version[f->length] = 0;
	x->version[strcspn(x->version, "\n")] = 0;
	if (sscanf(x->version, "%*s %*s %63s", id) == 1 && is_hex(id, BUILDID_LEN))
		strcpy(x->buildid, id);
	return x->keep_version ? store_line(x, "version", "", x->version) : 0;
}

/* 'C': the line of kpctl that says how ticks are delivered. */
static int take_clock(struct fetch *x, const struct frame *f)
{
	static const char vector[] = "clock irq";

	x->vector = f->length == strlen(vector) && memcmp(f->payload, vector, f->length) == 0;
	return 0;
}

/* Say beside a file how its ticks were delivered, if that makes it untrue. */
static int keep_clock(struct fetch *x, const char *name)
{
	char path[4096];

	if (x->vector || x->blocks)
		return store_line(x, name, ".clock",
				  !x->blocks ? "vector" : x->vector ? "vector blocks" : "blocks");
	unlink(path_of(x, name, ".clock", path));
	return 0;
}

/* Give a file that is whole its name, and put its build id and its clock beside it. */
static int keep(struct fetch *x, struct fetch_file *file)
{
	char part[4096], path[4096];

	path_of(x, file->name, ".part", part);
	path_of(x, file->name, "", path);
	if (rename(part, path) < 0)
		return complain(&x->why, "%s: %s", path, strerror(errno));
	file->done = true;
	if (keep_clock(x, file->name) < 0)
		return -1;
	if (x->buildid[0])
		return store_line(x, file->name, ".buildid", x->buildid);
	unlink(path_of(x, file->name, ".buildid", path));
	return 0;
}

/* Close a file of which everything has come. */
static int complete(struct fetch *x)
{
	struct fetch_file *file = x->now;

	x->now = NULL;
	progress_stop(x->progress);
	if (close(x->fd) < 0)
		return complain(&x->why, "%s/%s.part: %s", x->dir, file->name, strerror(errno));
	return keep(x, file);
}

/* Give up the file that is coming, if any; the part that came stays. */
static void abandon(struct fetch *x)
{
	if (!x->now)
		return;
	progress_stop(x->progress);
	fprintf(stderr,
		"gnomon run: %s: only %" PRIu64 " of %" PRIu64
		" bytes came; they are in %s/%s.part\n",
		x->now->guest, x->got, x->size, x->dir, x->now->name);
	close(x->fd);
	x->now = NULL;
}

/* The file that was asked for under this path and has not come. */
static struct fetch_file *find(struct fetch *x, const char *path, size_t n)
{
	unsigned i;

	for (i = 0; i < x->nfile; i++)
		if (!x->file[i].done && strlen(x->file[i].guest) == n &&
		    memcmp(x->file[i].guest, path, n) == 0)
			return &x->file[i];
	return NULL;
}

/* Find the file that a frame names after its size, and the path of its part. NULL and why. */
static struct fetch_file *named(struct fetch *x, const struct frame *f, char part[static 4096])
{
	const char *path = (const char *)f->payload + 8;
	struct fetch_file *file;

	abandon(x);
	if (f->length < 8) {
		complain(&x->why, "byte %" PRIu64 ": a file's frame is too short", f->offset);
		return NULL;
	}
	file = find(x, path, f->length - 8);
	if (!file)
		complain(&x->why, "byte %" PRIu64 ": nobody asked for the file %.*s", f->offset,
			 (int)(f->length - 8), path);
	else
		path_of(x, file->name, ".part", part);
	return file;
}

/* 'S': a file was stored in the folder that the guest shares, as NAME.part. */
static int take_stored(struct fetch *x, const struct frame *f)
{
	char part[4096];
	struct fetch_file *file = named(x, f, part);
	struct stat st;

	if (!file)
		return -1;
	if (lstat(part, &st) < 0)
		return complain(&x->why, "%s: %s", part, strerror(errno));
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size != le_get64(f->payload))
		return complain(&x->why, "%s: is not what the guest says it stored", part);
	return keep(x, file);
}

/* 'F': a file begins. */
static int take_file(struct fetch *x, const struct frame *f)
{
	char part[4096];
	struct fetch_file *file = named(x, f, part);

	if (!file)
		return -1;
	x->fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (x->fd < 0)
		return complain(&x->why, "%s: %s", part, strerror(errno));
	x->now = file;
	x->size = le_get64(f->payload);
	x->got = 0;
	progress_start(x->progress, file->name, x->size);
	return x->size ? 0 : complete(x);
}

/* 'D': a piece of the file that is coming. */
static int take_data(struct fetch *x, const struct frame *f)
{
	if (f->length == 0)
		return 0;
	if (!x->now || f->length > x->size - x->got)
		return complain(&x->why, "byte %" PRIu64 ": data that belong to no file",
				f->offset);
	if (write_all(x->fd, f->payload, f->length) < 0)
		return complain(&x->why, "%s/%s.part: %s", x->dir, x->now->name, strerror(errno));
	x->got += f->length;
	progress_add(x->progress, f->length);
	return x->got < x->size ? 0 : complete(x);
}

/* 'E': the guest says why a file does not come, or not all of it. */
static int take_error(struct fetch *x, const struct frame *f)
{
	abandon(x);
	fprintf(stderr, "gnomon run: guest: %.*s\n", (int)f->length, (const char *)f->payload);
	return 0;
}

/* 'X': the script is over. */
static int take_end(struct fetch *x, const struct frame *f)
{
	abandon(x);
	if (f->length != 4)
		return complain(&x->why, "byte %" PRIu64 ": the exit status is no 4 bytes",
				f->offset);
	x->status = (int32_t)le_get32(f->payload);
	x->ended = true;
	return 0;
}

int fetch_frame(void *fetch, const struct frame *f)
{
	struct fetch *x = fetch;

	if (x->ended)
		return complain(&x->why, "byte %" PRIu64 ": data after the end", f->offset);
	switch (f->type) {
	case 'V':
		return take_version(x, f);
	case 'C':
		return take_clock(x, f);
	case 'O':
		return x->output(x->arg, f->payload, f->length);
	case 'F':
		return take_file(x, f);
	case 'D':
		return take_data(x, f);
	case 'S':
		return take_stored(x, f);
	case 'E':
		return take_error(x, f);
	case 'X':
		return take_end(x, f);
	}
	return complain(&x->why, "byte %" PRIu64 ": a frame of unknown type '%c'", f->offset,
			f->type);
}

void fetch_finish(struct fetch *x)
{
	unsigned i;

	abandon(x);
	x->failed = 0;
	for (i = 0; i < x->nfile; i++)
		x->failed += !x->file[i].done;
}
