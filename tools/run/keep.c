/* Keeping what ran beside the profiles of it: see keep.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/code/symbols.h"
#include "tools/folder.h"
#include "tools/memory.h"
#include "tools/outfile.h"
#include "tools/run/given.h"
#include "tools/run/keep.h"
#include "tools/run/qemu.h"
#include "tools/slurp.h"

/* Write a file, in the place of whatever has its name: the guest may have left a link there. */
static int keep_data(const char *dir, const char *name, const uint8_t *data, size_t n,
		     struct complaint *why)
{
	char *path = memory_format("%s/%s", dir, name);
	struct outfile o;
	int bad = outfile_open_new(&o, path, why);

	if (!bad && outfile_write(&o, data, n, why) < 0) {
		outfile_drop(&o);
		bad = -1;
	} else if (!bad) {
		bad = outfile_close(&o, why);
	}
	free(path);
	return bad;
}

/* Give a copy the time of its file, with which those of its sources are compared. */
static void keep_time(const char *dir, const char *name, const char *from)
{
	char *path = memory_format("%s/%s", dir, name);
	struct timespec times[2] = {{.tv_nsec = UTIME_NOW}};
	struct stat st;

	if (stat(from, &st) == 0) {
		times[1] = st.st_mtim;
		utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
	}
	free(path);
}

/* Copy a file. */
static int keep_file(const char *dir, const char *name, const char *from, struct complaint *why)
{
	uint8_t *data;
	size_t n;
	int bad;

	if (slurp(from, &data, &n, why) < 0)
		return -1;
	bad = keep_data(dir, name, data, n, why);
	if (!bad)
		keep_time(dir, name, from);
	free(data);
	return bad;
}

/* Return whether a file is there, and is still the program that ran. */
static bool is_program(const char *path, const struct program *p)
{
	struct complaint none;
	struct symbols s;
	bool same;

	if (!slurp_has(path))
		return false;
	if (symbols_load(&s, path, &none) < 0)
		return false;
	same = symbols_are(&s, p->id);
	symbols_free(&s);
	return same;
}

/* Copy a program as it came to the machine. */
static int keep_given(const char *dir, const char *name, const struct workdir *work,
		      const struct program *p, struct complaint *why)
{
	uint8_t *data;
	size_t n;
	int bad;

	if (given_data(work, p->path, &data, &n) < 0)
		return complain(why, "%s: it cannot be kept", p->path);
	bad = keep_data(dir, name, data, n, why);
	free(data);
	return bad;
}

/* Copy a program. */
static int keep_program(const char *dir, const struct workdir *work, const char *build,
			const struct program *p, struct complaint *why)
{
	const char *name = basename(p->path);
	char *from = memory_format("%s/bin/%s", build, name);
	int bad;

	if (p->file) {
		free(from);
		from = memory_string(p->file, strlen(p->file));
	}
	if (is_program(from, p))
		bad = keep_file(dir, name, from, why);
	else
		bad = keep_given(dir, name, work, p, why);
	free(from);
	return bad;
}

/* Make a folder in that of the guest, which may have left a link to elsewhere in its place. */
static int keep_folder(const char *path, struct complaint *why)
{
	struct stat st;

	if (folder_make(path, why) < 0)
		return -1;
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return 0;
	return complain(why, "%s: no folder, but a link to one", path);
}

int keep_files(const char *dir, const struct workdir *work, const char *build,
	       const struct programs *programs, struct complaint *why)
{
	char *kernel = memory_format("%s/" QEMU_KERNEL, work->path);
	char *bin = memory_format("%s/bin", dir);
	int bad = keep_file(dir, QEMU_KERNEL, kernel, why);
	size_t i;

	for (i = 0; i < programs->n && !bad; i++) {
		if (!programs->program[i].named)
			continue;
		bad = keep_folder(bin, why);
		if (!bad)
			bad = keep_program(bin, work, build, &programs->program[i], why);
	}
	free(kernel);
	free(bin);
	return bad;
}
