/*
 * grep: prints the lines that match a pattern. Its status is 0 if a line was selected, 1 if none
 * was, and 2 after an error, as POSIX has it.
 * Optimize: speed.
 */
#include <sys/stat.h>
#include <ctype.h>
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/files/path.h"
#include "userland/files/stream.h"
#include "userland/text/pattern.h"

static bool fixed, extended;	    /* -F and -E: what kind of pattern it is */
static bool fold, invert;	    /* -i: case does not matter; -v: lines that do not match */
static bool numbers;		    /* -n: a line's number is before it */
static bool only_count, only_names; /* -c and -l: in place of lines */
static bool only_matches;	    /* -o: of a line what matches, a line each */
static long context;		    /* -A: lines that are printed after one */
static bool quiet;		    /* -q: only the status tells */
static bool recursive;		    /* -r: what is in directories, too */
static bool names;		    /* a file's name is before its lines: there are several */
static bool found;		    /* a line was selected */

static struct pattern *pattern;
static const char *literal; /* in place of a pattern that has nothing special in it */
static size_t literal_len;

static const char synopsis[] = "grep [-EFcilnoqrv] [-A lines] pattern [file ...]";

/* Return a copy of a line in small letters. It is valid until the next. */
static const char *small_letters(const char *line, size_t n)
{
	static char *copy, small[256];
	static size_t size;

	if (n >= size) {
		for (int c = 0; c < 256; c++)
			small[c] = (char)tolower(c);
		size = 2 * n + 256;
		free(copy);
		copy = malloc(size);
		if (!copy)
			err(2, "memory");
	}
#pragma GCC unroll 8
	for (size_t i = 0; i < n; i++)
		copy[i] = small[(unsigned char)line[i]];
	return copy;
}

/* Return whether the literal is in a line. With -i it is one of small letters. */
static bool has_literal(const char *line, size_t n)
{
	if (fold)
		line = small_letters(line, n);
	return memmem(line, n, literal, literal_len) != NULL;
}

/* Print a line with what the options want before it, each with a mark after it. */
static void print(const char *name, unsigned long number, const char *mark, const char *line,
		  size_t n)
{
	char text[24];

	if (names) {
		stream_put(name, strlen(name));
		stream_put(mark, 1);
	}
	if (numbers)
		stream_put(text, snprintf(text, sizeof(text), "%lu%s", number, mark));
	stream_put(line, n);
	stream_put("\n", 1);
}

/* What is known of the file being searched. */
struct search {
	const char *name;
	unsigned long number, matches; /* of lines: all so far, and the selected ones */
	unsigned long printed; /* the last line that was */
	long after;	       /* so many of the next are printed, too */
	bool done; /* nothing more can change what will be printed */
};

/* Return whether there is a match at byte *at of a line or after it; *len are its bytes. */
static bool find(const char *line, size_t n, size_t *at, size_t *len)
{
	const char *text = line, *match;

	if (!literal)
		return pattern_find(pattern, line, n, at, len);
	if (fold)
		text = small_letters(line, n);
	match = memmem(text + *at, n - *at, literal, literal_len);
	if (!match || literal_len == 0)
		return false;
	*at = match - text;
	*len = literal_len;
	return true;
}

/* Print a line that was selected, or with -o what was found in it. */
static void print_selected(struct search *s, const char *line, size_t n)
{
	size_t at = 0, len;

	if (!only_matches) {
		if (context > 0 && s->printed > 0 && s->number > s->printed + 1)
			stream_put("--\n", 3);
		print(s->name, s->number, ":", line, n);
	}
	for (; only_matches && find(line, n, &at, &len); at += len)
		print(s->name, s->number, ":", line + at, len);
	s->printed = s->number;
	s->after = context;
}

/* Look at one line and do what the options say about it. */
static void search_line(struct search *s, const char *line, size_t n)
{
	bool match = literal ? has_literal(line, n) : pattern_match(pattern, line, n);

	s->number++;
	if (match == invert) {
		if (s->after > 0) {
			print(s->name, s->number, "-", line, n);
			s->printed = s->number;
			s->after--;
		}
		return;
	}
	s->matches++;
	if (quiet || only_names)
		s->done = true;
	else if (!only_count)
		print_selected(s, line, n);
}

/* Search the whole lines at the start of a piece of a file. Return how many bytes they are. */
static size_t search_piece(struct search *s, const char *text, size_t n)
{
	const char *p = text, *end = text + n, *newline;

	while (!s->done && (newline = memchr(p, '\n', end - p))) {
		search_line(s, p, newline - p);
		p = newline + 1;
	}
	stream_flush();
	return p - text;
}

/*
 * Search a file, by pieces that hold at least one line: the buffer grows if a line needs it. Return
 * -1 with errno when reading fails.
 */
static int search_file(struct search *s, int fd)
{
	size_t size = STREAM_BUF, len = 0; /* of the buffer, and of what is in it */
	char *buf = malloc(size);
	ssize_t n = 0;

	while (buf && !s->done && (n = read(fd, buf + len, size - len)) > 0) {
		size_t used = search_piece(s, buf, len + n);

		len = len + n - used;
		memmove(buf, buf + used, len);
		if (len > size / 2) {
			size *= 2;
			buf = realloc(buf, size);
		}
	}
	if (!buf)
		err(2, "memory");
	/* A last line without a newline is a line, too. */
	if (len > 0 && !s->done)
		search_line(s, buf, len);
	free(buf);
	return n < 0 ? -1 : 0;
}

/* Search one file, and print what is known only at its end. Return 1 after a warning, else 0. */
static int search(int fd, const char *name)
{
	struct search s = { .name = fd == STDIN_FILENO ? "(standard input)" : name };
	char text[24];
	bool failed;

	if (quiet && found)
		return 0;
	failed = search_file(&s, fd) < 0;
	if (failed)
		warn("%s", name);
	found |= s.matches > 0;
	if (only_count && !quiet && !only_names) {
		numbers = false;
		print(s.name, 0, ":", text, snprintf(text, sizeof(text), "%lu", s.matches));
	}
	if (only_names && !quiet && s.matches > 0) {
		stream_put(s.name, strlen(s.name));
		stream_put("\n", 1);
	}
	stream_flush();
	return failed;
}

/*
 * Search a file, or all that is in a directory, by name. A symbolic link in a directory is not
 * followed. Return 1 after a warning, else 0.
 */
static int search_below(const char *path, bool given)
{
	char **list, *one[] = { (char *)path, NULL };
	struct stat st;
	int failed = 0;

	if ((given ? stat(path, &st) : lstat(path, &st)) == 0 && !S_ISDIR(st.st_mode))
		/* A device that was not asked for by its name may have no end. */
		return given || S_ISREG(st.st_mode) ? stream_each(one, search) : 0;
	list = path_names(path, NULL);
	if (!list) {
		warn("%s", path);
		return 1;
	}
	for (char **name = list; *name; name++) {
		char *below = path_join(path, *name);

		failed |= search_below(below, false);
		free(below);
	}
	path_names_free(list);
	return failed;
}

/* Search the operands with all that is in them, or else the current directory. */
static int search_all(char **name)
{
	int failed = *name ? 0 : search_below(".", true);

	for (; *name; name++)
		failed |= search_below(*name, true);
	return failed;
}

/* Set the flag of an option; what is none ends the program. */
static void set_option(int c)
{
	static const struct {
		char letter;
		bool *flag;
	} options[] = {
		{ 'E', &extended },   { 'F', &fixed },	 { 'c', &only_count },
		{ 'i', &fold },	      { 'n', &numbers }, { 'l', &only_names },
		{ 'v', &invert },     { 'q', &quiet },
		{ 'r', &recursive }, { 'o', &only_matches },
	};

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
	const char *text, *error;
	int c, failed;

	while ((c = getopt(argc, argv, "A:EFchilnoqrv")) != -1) {
		if (c == 'A')
			context = number(optarg, 0, LONG_MAX);
		else
			set_option(c);
	}
	if (optind == argc)
		usage('?', synopsis);
	text = argv[optind++];
	/* A search for bytes is many times as fast as threads, and most patterns are only that. */
	if (fixed || !strpbrk(text, extended ? "\\[.*^$()|+?{" : "\\[.*^$")) {
		literal_len = strlen(text);
		literal = fold ? strdup(small_letters(text, literal_len + 1)) : text;
		if (!literal)
			err(2, "memory");
	} else {
		pattern = pattern_compile(text, extended, fold, &error);
		if (!pattern)
			errx(2, "%s: %s", text, error);
	}
	names = argc - optind > 1 || recursive;
	if (only_matches)
		context = 0; /* of lines, and none is printed as a whole */
	failed = recursive ? search_all(argv + optind) : stream_each(argv + optind, search);
	if (pattern)
		pattern_free(pattern);
	/* As POSIX has it, with -q a match wins over an error. */
	if (failed && !(quiet && found))
		return 2;
	return found ? 0 : 1;
}
