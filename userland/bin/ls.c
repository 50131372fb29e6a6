/* ls: lists files and directories, sorted by name. Names that begin with a dot are hidden. */
#include <sys/stat.h>
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/usage.h"
#include "userland/files/path.h"
#include "userland/text/terminal.h"

struct entry {
	const char *name;
	struct stat st; /* with -l, -R and -S only */
};

static bool all;	/* -a: hidden ones, too */
static bool as_files;	/* -d: directories like other files */
static bool details;	/* -l */
static bool units;	/* -h, after -l: sizes in K, M or G */
static bool recursive;	/* -R: what is in directories, too */
static bool reverse;	/* -r: the last comes first */
static bool largest;	/* -S: by size */
static bool stats;	/* more is to be known of a file than its name */
static bool one_column; /* -1 */

static const char synopsis[] = "ls [-1RSadr] [-l [-h]] [file ...]";

/* Format a mode as ten characters, such as -rw-r--r--, and a NUL. */
static void format_mode(unsigned mode, char *s)
{
	memcpy(s, "-rwxrwxrwx", 11);
	if (S_ISDIR(mode))
		s[0] = 'd';
	else if (S_ISLNK(mode))
		s[0] = 'l';
	else if (S_ISCHR(mode))
		s[0] = 'c';
	else if (S_ISFIFO(mode))
		s[0] = 'p';
	for (int bit = 0; bit < 9; bit++)
		if (!(mode & (0400 >> bit)))
			s[1 + bit] = '-';
}

/* Return a user's name, or the number if it is not one of the system's two: a host has more. */
static const char *format_owner(unsigned uid)
{
	static char number[12];

	if (uid <= 1)
		return uid == 0 ? "eve" : "none";
	snprintf(number, sizeof(number), "%u", uid);
	return number;
}

/* Format a size, in bytes or, with -h, so that it has at most four digits. Return its width. */
static int format_size(const struct entry *e, char text[24])
{
	static const char unit[] = " KMGTPE";
	unsigned long long n = e->st.st_size, tenths = 0;
	size_t i;

	if (!units || n < 1024)
		return snprintf(text, 24, "%llu", n);
	for (i = 0; n >= 1024; n /= 1024, i++)
		tenths = n * 10 / 1024;
	if (tenths < 100)
		return snprintf(text, 24, "%llu.%llu%c", tenths / 10, tenths % 10, unit[i]);
	return snprintf(text, 24, "%llu%c", tenths / 10, unit[i]);
}

/* Print what a symbolic link names, after its name. */
static void print_target(const char *dir, const char *name)
{
	char *path = path_join(dir, name), target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target));

	if (n > 0)
		printf(" -> %.*s", (int)n, target);
	free(path);
}

/* Print the lines of a long listing, with owners and sizes each in one column. */
static void print_details(const char *dir, const struct entry *list, size_t n)
{
	int owner_width = 4, width = 1; /* "none" has four */
	char size[24];

	for (size_t i = 0; i < n; i++) {
		int w = format_size(&list[i], size);
		int o = strlen(format_owner(list[i].st.st_uid));

		width = w > width ? w : width;
		owner_width = o > owner_width ? o : owner_width;
	}
	for (size_t i = 0; i < n; i++) {
		const struct stat *st = &list[i].st;
		time_t t = st->st_mtime;
		struct tm *tm = gmtime(&t);
		char mode[11];

		format_mode(st->st_mode, mode);
		format_size(&list[i], size);
		printf("%s %-*s %*s %04d-%02d-%02d %02d:%02d %s", mode, owner_width,
		       format_owner(st->st_uid), width, size,
		       tm->tm_year + 1900, tm->tm_mon + 1, tm->tm_mday, tm->tm_hour, tm->tm_min,
		       list[i].name);
		if (S_ISLNK(st->st_mode))
			print_target(dir, list[i].name);
		putchar('\n');
	}
}

/* Print names in columns, downwards first, as many as fit the screen. */
static void print_columns(const struct entry *list, size_t n)
{
	size_t width = 1, columns, rows, screen = terminal_columns();

	for (size_t i = 0; i < n; i++) {
		size_t w = strlen(list[i].name) + 2;

		width = w > width ? w : width;
	}
	/* Names longer than the screen have a line each. */
	columns = width < screen ? screen / width : 1;
	rows = (n + columns - 1) / columns;
	/* The last column is not filled with blanks: i + rows is past the end there. */
	for (size_t row = 0; row < rows; row++) {
		for (size_t i = row; i < n; i += rows)
			printf("%-*s", i + rows < n ? (int)width : 0, list[i].name);
		putchar('\n');
	}
}

/* Print a list, of names in a directory, in the form that was asked for. */
static void print(const char *dir, const struct entry *list, size_t n)
{
	if (details) {
		print_details(dir, list, n);
	} else if (one_column) {
		for (size_t i = 0; i < n; i++)
			puts(list[i].name);
	} else {
		print_columns(list, n);
	}
}

/* Return room for n entries and one more, so that none is no special case. */
static struct entry *new_list(size_t n)
{
	return memory(calloc(n + 1, sizeof(struct entry)));
}

/* For qsort: the order that the options ask for. */
static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = 0;

	if (largest)
		order = (x->st.st_size < y->st.st_size) - (x->st.st_size > y->st.st_size);
	if (order == 0)
		order = strcmp(x->name, y->name);
	return reverse ? -order : order;
}

static int list_dir(const char *dir);

/* With -R: list those of a directory that are directories, each below its path. */
static int list_below(const char *dir, const struct entry *list, size_t n)
{
	int failed = 0;

	for (size_t i = 0; i < n; i++) {
		char *path;

		if (!S_ISDIR(list[i].st.st_mode))
			continue;
		path = path_join(dir, list[i].name);
		printf("\n%s:\n", path);
		failed |= list_dir(path);
		free(path);
	}
	return failed;
}

/*
 * List what a directory holds. A file that has gone meanwhile is left out, with a warning. Return 1
 * after a warning, else 0.
 */
static int list_dir(const char *dir)
{
	size_t count, n = 0;
	char **names = path_names(dir, &count);
	struct entry *list;
	int failed = 0;

	fflush(stdout); /* before warnings about what is in it */
	if (!names) {
		warn("%s", dir);
		return 1;
	}
	list = new_list(count);
	for (size_t i = 0; i < count; i++) {
		char *path = path_join(dir, names[i]);

		list[n].name = names[i];
		if (!all && names[i][0] == '.') {
			/* hidden */
		} else if (stats && lstat(path, &list[n].st) < 0) {
			warn("%s", path);
			failed = 1;
		} else {
			n++;
		}
		free(path);
	}
	/* By name they are sorted. */
	if (largest || reverse)
		qsort(list, n, sizeof(*list), compare);
	print(dir, list, n);
	if (recursive)
		failed |= list_below(dir, list, n);
	free(list);
	path_names_free(names);
	return failed;
}

/* Look at an operand. A symbolic link is followed unless it is to be described itself. */
static int stat_operand(const char *name, struct stat *st)
{
	return (!details && !as_files && stat(name, st) == 0) ? 0 : lstat(name, st);
}

/* List the operands: the files first, together, then each directory below its name. */
static int list_operands(char **names, size_t count)
{
	struct entry *files = new_list(count), *dirs = new_list(count);
	size_t nfiles = 0, ndirs = 0;
	int failed = 0;

	for (size_t i = 0; i < count; i++) {
		/* A name that is not there is told and left out. */
		struct entry e = { .name = names[i] };

		if (stat_operand(e.name, &e.st) < 0) {
			warn("%s", e.name);
			failed = 1;
		} else if (S_ISDIR(e.st.st_mode) && !as_files) {
			dirs[ndirs++] = e;
		} else {
			files[nfiles++] = e;
		}
	}
	/* As POSIX has it, files and directories are sorted apart. */
	qsort(files, nfiles, sizeof(*files), compare);
	qsort(dirs, ndirs, sizeof(*dirs), compare);
	print("", files, nfiles);
	for (size_t i = 0; i < ndirs; i++) {
		if (count > 1 || recursive)
			printf("%s%s:\n", nfiles + i > 0 ? "\n" : "", dirs[i].name);
		failed |= list_dir(dirs[i].name);
	}
	free(files);
	free(dirs);
	return failed;
}

/* Set the flag of an option; what is none ends the program. */
static void set_option(int c)
{
	static const struct {
		char letter;
		bool *flag;
	} options[] = {
		{ '1', &one_column }, { 'R', &recursive }, { 'S', &largest },
		{ 'a', &all },	      { 'd', &as_files },	{ 'l', &details },
		{ 'r', &reverse },
	};

	if (c == 'h' && details) {
		units = true;
		return;
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (options[i].letter == c) {
			*options[i].flag = true;
			return;
		}
	}
	usage(c, synopsis);
}

int main(int argc, char **argv)
{
	static char *here[] = { ".", NULL };
	int c;

	one_column = !isatty(STDOUT_FILENO);
	while ((c = getopt(argc, argv, "1RSadhlr")) != -1)
		set_option(c);
	stats = details || recursive || largest;
	/* Without operands it is this directory, whose name is not printed above. */
	if (optind == argc)
		return list_operands(here, 1);
	return list_operands(argv + optind, argc - optind);
}
