/*
 * Completion of the word before the cursor: command names where a command stands, file names
 * elsewhere.
 */
#include "userland/sh/sh.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The word before the cursor, and the names found for it. */
struct partial {
	struct arena *mem;
	size_t start;	  /* in the line */
	struct text word; /* without its quotes */
	bool command;	  /* it stands where a command does */
	struct list *names;
};

/* Begin a new word after the character at `at'. */
static void word_begin(struct partial *p, size_t at, bool command)
{
	p->start = at + 1;
	p->word.len = 0;
	p->command = command;
}

/*
 * Find the word before the cursor. This reads the line roughly as the parser would; it does
 * not know keywords, nor that a quote may be doubled.
 */
static void find_word(struct partial *p, const char *line, size_t at)
{
	bool quoted = false;
	size_t i;

	p->command = true;
	for (i = 0; i < at; i++) {
		if (line[i] == '\'')
			quoted = !quoted;
		else if (quoted)
			text_char(&p->word, line[i]);
		else if (strchr(" \t", line[i]))
			word_begin(p, i, p->command && p->word.len == 0);
		else if (strchr("|;&{(`!@", line[i]))
			word_begin(p, i, true);
		else if (strchr("<>)}^=", line[i]))
			word_begin(p, i, false);
		else
			text_char(&p->word, line[i]);
	}
	text_add(&p->word, ""); /* so that it ends with NUL even where nothing was put */
}

/* Insert a name into the sorted list if it begins like the word and is not there yet. */
static void add_name(const char *name, void *arg)
{
	struct partial *p = arg;
	struct list **l = &p->names, *one;

	if (strncmp(name, p->word.text, p->word.len) != 0)
		return;
	while (*l && strcmp((*l)->s, name) < 0)
		l = &(*l)->next;
	if (*l && strcmp((*l)->s, name) == 0)
		return;
	one = list_new(p->mem, arena_text(p->mem, name, strlen(name)));
	one->next = *l;
	*l = one;
}

/* Add a file's path, with a slash if it is a directory. */
static void add_file(struct partial *p, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		path = arena_join(p->mem, path, "/");
	add_name(path, p);
}

/*
 * Add the names in `dir', each prefixed with `before' if they are files. Hidden names are
 * added only if the word's last part begins with a dot.
 */
static void add_directory(struct partial *p, const char *dir, const char *before, bool files)
{
	DIR *d = opendir(dir);
	bool hidden = p->word.text[strlen(before)] == '.';
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (e->d_name[0] == '.' && !hidden)
			continue;
		if (strncmp(e->d_name, p->word.text + strlen(before),
			    p->word.len - strlen(before)) != 0)
			continue;
		if (files)
			add_file(p, arena_join(p->mem, before, e->d_name));
		else
			add_name(e->d_name, p);
	}
	closedir(d);
}

/* Add what can be run: builtins, functions, and programs along $path. */
static void add_commands(struct partial *p)
{
	struct list *dir;

	builtin_each(add_name, p);
	function_each(add_name, p);
	for (dir = var_get(p->mem, "path"); dir; dir = dir->next)
		add_directory(p, dir->s, "", false);
}

/* Add the files of the directory that the word names up to its last slash. */
static void add_files(struct partial *p)
{
	const char *slash = strrchr(p->word.text, '/');
	size_t n = slash ? (size_t)(slash - p->word.text) + 1 : 0;
	char *dir = arena_text(p->mem, p->word.text, n);

	add_directory(p, n > 0 ? dir : ".", dir, true);
}

/* Return how many leading characters all names have in common. There is at least one name. */
static size_t common_length(const struct list *names)
{
	size_t n = strlen(names->s), i;
	const struct list *l;

	for (l = names->next; l; l = l->next) {
		for (i = 0; i < n && l->s[i] == names->s[i]; i++)
			;
		n = i;
	}
	return n;
}

/*
 * Find what the word before line[at] could become. The result lives in the arena. A unique
 * file or command is followed by a blank, a directory by its slash alone.
 */
void complete(struct arena *a, const char *line, size_t at, struct completion *out)
{
	struct partial p = {.mem = a};
	struct text t = {NULL, 0, 0};
	size_t n;

	memset(out, 0, sizeof(*out));
	find_word(&p, line, at);
	if (p.command && !strchr(p.word.text, '/'))
		add_commands(&p);
	else
		add_files(&p);
	out->start = p.start;
	out->names = p.names;
	if (p.names) {
		n = common_length(p.names);
		out->unique = !p.names->next;
		text_quoted(&t, p.names->s, n);
		if (out->unique && p.names->s[n - 1] != '/')
			text_char(&t, ' ');
		if (n > p.word.len || out->unique)
			out->insert = text_take(a, &t);
	}
	free(t.text);
	free(p.word.text);
}
