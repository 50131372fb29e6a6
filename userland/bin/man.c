/* man: shows manual pages, which are plain text under /man/SECTION/NAME. */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/path.h"
#include "userland/files/stream.h"
#include "userland/text/page.h"
#include "userland/text/pager.h"

#define CONSOLE "/dev/cons"

static const char synopsis[] =
	"man [section] name\n"
	"       man -l [file ...]\n"
	"       man -k word";

/* Return the names in a directory of pages, or end the program. */
static char **list(const char *dir)
{
	char **names = path_names(dir, NULL);

	if (!names)
		err(1, "%s", dir);
	return names;
}

/* Return whether name is one of those in a page's NAME section, as in "cat, kitten - ...". */
static bool is_about(const char *section, const char *file, const char *name)
{
	size_t n;
	char *page = page_read(section, file, &n), *names, *about, *one;
	bool found = false;

	if (page && page_summary(page, &names, &about))
		/* ", " ends a name twice, so that empty ones come in between; name is not empty. */
		while (!found && (one = strsep(&names, ", ")) != NULL)
			found = strcmp(one, name) == 0;
	free(page);
	return found;
}

/* Return the first page of a section that has the name in its NAME section, or NULL. */
static char *page_about(const char *section, const char *name, size_t *len)
{
	char *dir = path_join(PAGE_DIR, section), **files = list(dir), *page = NULL;

	for (char **f = files; *f && !page; f++)
		if (is_about(section, *f, name))
			page = page_read(section, *f, len);
	path_names_free(files);
	free(dir);
	return page;
}

/*
 * Show the page of that name, in a section or in the first that has it. The names of files are
 * tried first, then those that the pages give. Return an exit status.
 */
static int show_page(const char *section, const char *name)
{
	char **sections = list(PAGE_DIR), *page = NULL; /* sections are sorted: 1 is the first */
	size_t len;

	for (char **s = sections; *s && !page; s++)
		if (!section || strcmp(section, *s) == 0)
			page = page_read(*s, name, &len);
	/* An empty name would be found in each page. */
	for (char **s = sections; *s && !page && *name; s++)
		if (!section || strcmp(section, *s) == 0)
			page = page_about(*s, name, &len);
	if (!page)
		warnx("no page %s%s%s (man -k WORD searches)", name, section ? " in section " : "",
		      section ? section : "");
	else
		pager_show(page, len, STDIN_FILENO);
	free(page);
	path_names_free(sections);
	return page ? 0 : 1;
}

/* Return whether a word is in a text, whichever case its letters have. */
static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (; *text; text++)
		if (strncasecmp(text, word, n) == 0)
			return true;
	return n == 0;
}

/* Print the summary of one page if the word is in it. Return whether it is. */
static bool search_page(const char *section, const char *name, const char *word)
{
	size_t n;
	char *page = page_read(section, name, &n), *names, *about;
	bool match = page && page_summary(page, &names, &about) &&
		     (has_word(names, word) || has_word(about, word));

	if (match)
		printf("%s(%s) - %s\n", names, section, about);
	free(page);
	return match;
}

/* Print the summaries of all pages in which a word is. Return an exit status. */
static int search(const char *word)
{
	char **sections = list(PAGE_DIR);
	bool found = false;

	for (char **s = sections; *s; s++) {
		char *dir = path_join(PAGE_DIR, *s), **names = list(dir);

		for (char **n = names; *n; n++)
			found |= search_page(*s, *n, word);
		path_names_free(names);
		free(dir);
	}
	path_names_free(sections);
	if (!found)
		warnx("nothing about %s", word);
	return found ? 0 : 1;
}

/* The files that -l shows, one after the other. */
static char *text;
static size_t text_len, text_size;

/* Add a file to them. Return 1 after a warning, else 0. */
static int add_file(int fd, const char *name)
{
	text = stream_slurp(fd, text, &text_len, &text_size);
	if (!text)
		err(1, "%s", name);
	return 0;
}

/* Show files, or standard input; the keys are the console's then. Return an exit status. */
static int show_files(char **names)
{
	int failed = stream_each(names, add_file);

	if (text)
		pager_show(text, text_len,
			   isatty(STDIN_FILENO) ? STDIN_FILENO : open(CONSOLE, O_RDONLY));
	return failed;
}

int main(int argc, char **argv)
{
	const char *word = NULL;
	bool files = false;
	int c, rest;

	while ((c = getopt(argc, argv, "hk:l")) != -1) {
		if (c == 'k')
			word = optarg;
		else if (c == 'l')
			files = true;
		else
			usage(c, synopsis);
	}
	rest = argc - optind;
	argv += optind;
	if (files && !word)
		return show_files(argv);
	if (word ? rest != 0 : rest < 1 || rest > 2)
		usage('?', synopsis);
	if (word)
		return search(word);
	return rest == 2 ? show_page(argv[0], argv[1]) : show_page(NULL, argv[0]);
}
