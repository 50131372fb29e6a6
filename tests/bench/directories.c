/* Cases of bench: directories of few entries and of many, and /proc. */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/bench/bench.h"

static char place[32]; /* the directory */
static char path[64];  /* a file in it */

static void make(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0600);

	bench_want(fd >= 0, name);
	close(fd);
}

/* Make a directory with bench_size files, unless another case has done so. */
static void fill(void)
{
	snprintf(place, sizeof(place), "/tmp/%u", bench_size);
	if (mkdir(place, 0700) == 0) {
		for (unsigned i = 0; i < bench_size; i++) {
			snprintf(path, sizeof(path), "%s/f%05u", place, i);
			make(path);
		}
	}
	snprintf(path, sizeof(path), "%s/x", place);
}

static void small_start(void)
{
	strcpy(path, "/tmp/x");
}

static void creates(unsigned n)
{
	while (n-- > 0) {
		make(path);
		bench_want(unlink(path) == 0, path);
	}
}

/* Take the file that is listed last. */
static void last_start(void)
{
	struct dirent *e;
	DIR *dir;

	fill();
	dir = opendir(place);
	bench_want(dir, place);
	while ((e = readdir(dir)))
		snprintf(path, sizeof(path), "%s/%s", place, e->d_name);
	closedir(dir);
}

static void last_open(unsigned n)
{
	while (n-- > 0) {
		int fd = open(path, O_RDONLY);

		bench_want(fd >= 0, path);
		close(fd);
	}
}

static unsigned count(void)
{
	DIR *dir = opendir(place);
	unsigned n = 0;

	bench_want(dir, place);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void list(unsigned n)
{
	while (n-- > 0)
		bench_want(count() >= bench_size, place);
}

static int listing[2]; /* the directory, open */

/* Go on with both lists, in turn; the second is half a directory behind. */
static void twice(unsigned n)
{
	char entry[64];

	for (unsigned i = 0; i < n; i++)
		bench_want(sys3(SYS_getdents, listing[i % 2], (int)entry, sizeof(entry)) > 0,
			   place);
}

/* Begin to list a directory twice. */
static void twice_start(void)
{
	fill();
	for (unsigned i = 0; i < 2; i++) {
		listing[i] = open(place, O_RDONLY);
		bench_want(listing[i] >= 0, place);
	}
	for (unsigned i = 0; i < bench_size / 4; i++) /* two entries each */
		bench_want(sys3(SYS_getdents, listing[0], (int)path, sizeof(path)) > 0, place);
}

/* Fork until there are bench_size processes. */
static void proc_start(void)
{
	unsigned n;

	strcpy(place, "/proc");
	n = count();
	if (n < bench_size)
		bench_sleepers(bench_size - n);
	sched_yield(); /* now all of them wait */
}

/* List processes as ps does: with what the file status of each says. */
static void statuses(unsigned n)
{
	char text[512];

	while (n-- > 0) {
		DIR *dir = opendir(place);
		struct dirent *e;

		bench_want(dir, place);
		while ((e = readdir(dir))) {
			snprintf(path, sizeof(path), "%s/%s/status", place, e->d_name);
			int fd = open(path, O_RDONLY);

			if (fd >= 0)
				bench_want(read(fd, text, sizeof(text)) > 0, path);
			close(fd);
		}
		closedir(dir);
	}
}

const struct bench_case bench_directories[] = {
	{"create", small_start, creates, NULL, .times = 100},
	{"create", fill, creates, NULL, .times = 10, .sizes = {10, 100, 1000, 4000, 10000}},
	{"last", last_start, last_open, NULL, .times = 10, .sizes = {10, 100, 1000, 4000, 10000}},
	{"list", fill, list, NULL, .times = 3, .each = true, .sizes = {10, 100, 1000, 4000, 10000}},
	{"twice", twice_start, twice, NULL, .times = 100, .sizes = {4000}},
	{"proc", proc_start, list, bench_wake, .times = 3, .each = true, .sizes = {10, 100, 1000}},
	{"status", proc_start, statuses, bench_wake, .times = 3, .each = true,
	 .sizes = {10, 100, 1000}},
	{NULL},
};
