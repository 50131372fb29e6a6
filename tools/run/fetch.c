/* What the guest sends back, frame by frame: see fetch.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/formats/le.h"
#include "tools/memory.h"
#include "tools/printable.h"
#include "tools/profile/profread.h"
#include "tools/profile/textline.h"
#include "tools/run/fetch.h"

#define LOCK_TRIES 2000
#define LOCK_US 1000 /* between two tries */

/* Make the path of a file in x->dir; open(2) refuses one that is cut off here. */
static const char *path_of(const struct fetch *x, const char *name, const char *suffix,
			   char path[static 4096])
{
	snprintf(path, 4096, "%s/%s%s", x->dir, name, suffix);
	return path;
}

/* Make or replace a file. */
static int fetch_store(struct fetch *x, const char *path, const char *text, size_t n)
{
	struct outfile o;

	if (outfile_open_new(&o, path, &x->why) < 0)
		return -1;
	if (outfile_write(&o, text, n, &x->why) == 0)
		return outfile_close(&o, &x->why);
	outfile_drop(&o);
	return -1;
}

/* Make or replace the file that holds the kernel's version. */
static int store_version(struct fetch *x)
{
	char path[4096], line[sizeof(x->version) + 1];

	snprintf(line, sizeof(line), "%s\n", x->version);
	return fetch_store(x, path_of(x, "version", "", path), line, strlen(line));
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
		strcpy(x->run.build, id);
	if (!x->keep_version)
		return 0;
	return store_version(x);
}

/* Keep a line about the clock, if there is room, as it stands beside files. */
static void keep_line(struct fetch *x, const char *line, size_t n)
{
	size_t have = strlen(x->clock), i;

	if (n >= sizeof(x->clock) - 1 - have)
		return;
	for (i = 0; i < n; i++) {
		char c = line[i];

		if ((unsigned char)c < ' ')
			c = '_';
		x->clock[have++] = c;
	}
	strcpy(x->clock + have, "\n");
}

/* 'C': /dev/kpinfo, comments of words KEY=VALUE. Those about profilers and CPUs are kept. */
static int take_clock(struct fetch *x, const struct frame *f)
{
	struct textline t;

	textline_init(&t, f->payload, f->length);
	while (textline_next(&t))
		if (textline_begins(&t, "# profiler=") || textline_begins(&t, "# cpu="))
			keep_line(x, t.line + 2, t.n - 2);
	return 0;
}

/*
 * Keep other runs from giving a file its name while we do, so that what stands beside it is
 * of the same run. They need a moment; who holds the lock for longer is no run. Return the lock's
 * descriptor, which is to be closed; a file system that knows no locks has none.
 */
static int lock_names(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	unsigned i;

	for (i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			break;
		usleep(LOCK_US);
	}
	return fd;
}

/* Write which of the machine's programs a file names, if it is a profile. */
static void print_programs(struct fetch *x, const char *name, FILE *to)
{
	struct complaint none;
	char path[4096];
	uint8_t *data;
	size_t n;

	if (x->programs.n == 0)
		return;
	if (profread_bytes(path_of(x, name, "", path), &data, &n, &none) < 0)
		return;
	programs_print(&x->programs, data, n, to);
	free(data);
}

/* Write beside a file how it was counted; if nothing is known, nothing old stays. */
static int keep_beside(struct fetch *x, const char *name)
{
	struct memory_stream text;
	char path[4096];
	int bad = 0;

	path_of(x, name, RUNINFO_SUFFIX, path);
	memory_stream_open(&text);
	runinfo_print(&x->run, text.f);
	print_programs(x, name, text.f);
	fputs(x->clock, text.f);
	memory_stream_close(&text);
	if (text.n)
		bad = fetch_store(x, path, text.data, text.n);
	else
		unlink(path);
	free(text.data);
	return bad;
}

/* Give a file that is whole its name: it is the one that comes now, or was stored in `from`. */
static int fetch_keep(struct fetch *x, struct fetch_file *file, const char *from)
{
	char path[4096];
	int lock = lock_names(x->dir), bad = 0;

	path_of(x, file->name, "", path);
	if (!from)
		bad = outfile_close(&x->out, &x->why);
	else if (rename(from, path) < 0)
		bad = complain(&x->why, "cannot write %s: %s", path, strerror(errno));
	file->done = !bad;
	if (!bad)
		bad = keep_beside(x, file->name);
	close(lock);
	return bad;
}

/* Close a file of which everything has come. */
static int fetch_complete(struct fetch *x)
{
	struct fetch_file *file = x->now;

	x->now = NULL;
	progress_stop(x->progress);
	return fetch_keep(x, file, NULL);
}

/* Call what came of a file NAME.part. Return whether it could be done. */
static bool set_aside(struct fetch *x, const char *temp, const char *name)
{
	char part[4096];

	return rename(temp, path_of(x, name, ".part", part)) == 0;
}

/* Give up the file that is coming, if any; the part that came stays. */
static void fetch_abandon(struct fetch *x)
{
	bool kept;

	if (!x->now)
		return;
	progress_stop(x->progress);
	kept = x->got > 0 && set_aside(x, x->out.temp, x->now->name);
	fprintf(stderr, "gnomon run: %s: only %" PRIu64 " of %" PRIu64 " bytes came", x->now->guest,
		x->got, x->size);
	if (kept)
		fprintf(stderr, "; they are in %s/%s.part", x->dir, x->now->name);
	fputc('\n', stderr);
	outfile_drop(&x->out);
	x->now = NULL;
}

/* The file that was asked for under this path and has not come. */
static struct fetch_file *fetch_find(struct fetch *x, const char *path, size_t n)
{
	unsigned i;

	for (i = 0; i < x->nfile; i++) {
		struct fetch_file *file = &x->file[i];

		if (file->done)
			continue;
		if (strlen(file->guest) != n)
			continue;
		if (memcmp(file->guest, path, n) == 0)
			return file;
	}
	return NULL;
}

/* Find the file that a frame names after its size. NULL and why. */
static struct fetch_file *fetch_named(struct fetch *x, const struct frame *f)
{
	const char *path = (const char *)f->payload + 8;
	struct fetch_file *file;

	fetch_abandon(x);
	if (f->length < 8) {
		complain(&x->why, "byte %" PRIu64 ": a file's frame is too short", f->offset);
		return NULL;
	}
	file = fetch_find(x, path, f->length - 8);
	if (!file)
		complain(&x->why, "byte %" PRIu64 ": nobody asked for the file %.*s", f->offset,
			 (int)(f->length - 8), path);
	return file;
}

/* Make the path of the file in which the guest stores one. */
static const char *stored_path(const struct fetch *x, const struct fetch_file *file,
			       char path[static 4096])
{
	char suffix[sizeof(file->nonce) + 8];

	snprintf(suffix, sizeof(suffix), ".%s.part", file->nonce);
	return path_of(x, file->name, suffix, path);
}

/*
 * 'S': a file was stored in the folder that the guest shares. Nobody else knows its name there, so
 * it is this guest's.
 */
static int take_stored(struct fetch *x, const struct frame *f)
{
	char path[4096];
	struct fetch_file *file = fetch_named(x, f);
	struct stat st;

	if (!file)
		return -1;
	if (lstat(stored_path(x, file, path), &st) < 0)
		return complain_errno(&x->why, path);
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size != le_get64(f->payload))
		return complain(&x->why, "%s: is not what the guest says it stored", path);
	return fetch_keep(x, file, path);
}

/* 'F': a file begins. The fetch has its path, for the file outlives this call. */
static int take_file(struct fetch *x, const struct frame *f)
{
	struct fetch_file *file = fetch_named(x, f);

	if (!file)
		return -1;
	path_of(x, file->name, "", x->path);
	if (outfile_open_new(&x->out, x->path, &x->why) < 0)
		return -1;
	x->now = file;
	x->size = le_get64(f->payload);
	x->got = 0;
	progress_start(x->progress, file->name, x->size);
	if (x->size > 0)
		return 0;
	return fetch_complete(x);
}

/* Drop a file that cannot be written; no part of it stays, for what it needs may be room. */
static int give_up(struct fetch *x)
{
	progress_stop(x->progress);
	outfile_drop(&x->out);
	x->now = NULL;
	return -1;
}

/* 'D': a piece of the file that is coming. */
static int take_data(struct fetch *x, const struct frame *f)
{
	if (f->length == 0)
		return 0;
	if (!x->now || f->length > x->size - x->got)
		return complain(&x->why, "byte %" PRIu64 ": data that belong to no file",
				f->offset);
	if (outfile_write(&x->out, f->payload, f->length, &x->why) < 0)
		return give_up(x);
	x->got += f->length;
	progress_add(x->progress, f->length);
	if (x->got < x->size)
		return 0;
	return fetch_complete(x);
}

/* 'E': the guest says why a file does not come, or not all of it. */
static int take_error(struct fetch *x, const struct frame *f)
{
	char *said = memory_string((const char *)f->payload, f->length), *shown = printable(said);

	fetch_abandon(x);
	fprintf(stderr, "gnomon run: guest: %s\n", shown);
	free(shown);
	free(said);
	return 0;
}

/* 'X': the script is over. */
static int take_end(struct fetch *x, const struct frame *f)
{
	fetch_abandon(x);
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
	case 'B':
		x->left = true;
		return 0;
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

/*
 * Put away what the guest has stored of a file that is not whole. It stays if the guest had no
 * chance to end; one that had has told why the file is not whole.
 */
static void fetch_clear(struct fetch *x, const struct fetch_file *file)
{
	char path[4096];
	struct stat st;
	bool worth;

	if (lstat(stored_path(x, file, path), &st) < 0)
		return;
	worth = !x->ended && S_ISREG(st.st_mode) && st.st_size > 0;
	if (!worth || !set_aside(x, path, file->name)) {
		unlink(path);
		return;
	}
	fprintf(stderr, "gnomon run: %s: only %lld bytes came; they are in %s/%s.part\n",
		file->guest, (long long)st.st_size, x->dir, file->name);
}

void fetch_finish(struct fetch *x)
{
	unsigned i;

	fetch_abandon(x);
	x->failed = 0;
	for (i = 0; i < x->nfile; i++) {
		if (x->file[i].done)
			continue;
		fetch_clear(x, &x->file[i]);
		x->failed++;
	}
}
