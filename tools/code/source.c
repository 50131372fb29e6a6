/* The lines of source files: see source.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/code/source.h"
#include "tools/memory.h"
#include "tools/printable.h"
#include "tools/slurp.h"

/* Cut a text into lines, in place. */
static void cut_lines(struct source_file *f)
{
	size_t room = 0;
	char *rest = f->text, *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (!*line && !rest)
			break; /* what follows the last newline */
		line[strcspn(line, "\r")] = 0;
		f->line = memory_grow(f->line, &room, f->n + 1, sizeof(*f->line));
		f->line[f->n++] = printable_kept(&f->shown, line);
	}
}

/* Read a file of that path, which is taken: the first one that was looked for is kept. */
static bool read_path(struct source_file *f, char *path)
{
	struct complaint none;
	uint8_t *data;
	size_t n;

	if (slurp_has(path) && slurp(path, &data, &n, &none) == 0) {
		f->text = (char *)data;
		f->found = memory_string(path, strlen(path));
		cut_lines(f);
	}
	if (f->path)
		free(path);
	else
		f->path = path;
	return f->text;
}

/* Read a file in a folder; NULL: there is none to look in. */
static bool read_in(struct source_file *f, const char *dir)
{
	if (!dir)
		return false;
	return read_path(f, memory_format("%s/%s", dir, f->name));
}

/* Read a file; unless it is absolute, its name is relative to one of several folders. */
static void read_file(const struct sources *s, struct source_file *f)
{
	bool found = false;
	size_t i;

	if (*f->name == '/') {
		read_path(f, memory_string(f->name, strlen(f->name)));
		return;
	}
	for (i = 0; i < s->ngiven && !found; i++)
		found = read_in(f, s->given[i]);
	if (!found)
		found = read_in(f, f->dir);
	if (!found)
		found = read_in(f, s->dir);
	if (!f->path)
		read_path(f, memory_string(f->name, strlen(f->name)));
}

/* Return the number of a file, which is s->n if it is new. */
static size_t number_of(struct sources *s, const char *dir, const char *name)
{
	size_t folder = 0, i;
	char *key;

	if (dir)
		folder = texts_number(&s->folders, dir, strlen(dir)) + 1;
	key = memory_format("%zu %s", folder, name);
	i = texts_number(&s->names, key, strlen(key));
	free(key);
	return i;
}

/* A file is looked for once only, whether it is there or not. */
static struct source_file *look_up(struct sources *s, const char *dir, const char *name)
{
	struct source_file *f;
	size_t i = number_of(s, dir, name);

	if (i < s->n)
		return &s->file[i];
	s->file = memory_grow(s->file, &s->room, s->n + 1, sizeof(*s->file));
	f = &s->file[s->n++];
	*f = (struct source_file){.name = memory_string(name, strlen(name)), .dir = dir};
	read_file(s, f);
	return f;
}

const struct source_file *source_file(struct sources *s, const char *dir, const char *name)
{
	return look_up(s, dir, name);
}

const char *source_line(struct sources *s, const char *dir, const char *name, unsigned line)
{
	const struct source_file *f;

	if (!name)
		return NULL;
	f = source_file(s, dir, name);
	if (line == 0)
		return NULL;
	if (line > f->n)
		return NULL;
	return f->line[line - 1];
}

size_t source_lines(struct sources *s, const char *dir, const char *name)
{
	if (!name)
		return 0;
	return source_file(s, dir, name)->n;
}

/* Return whether a file was changed after another one; false: that is not known. */
static bool is_newer(const char *path, const char *than)
{
	struct stat a, b;

	if (stat(path, &a) < 0)
		return false;
	if (stat(than, &b) < 0)
		return false;
	if (a.st_mtim.tv_sec != b.st_mtim.tv_sec)
		return a.st_mtim.tv_sec > b.st_mtim.tv_sec;
	return a.st_mtim.tv_nsec > b.st_mtim.tv_nsec;
}

void source_of(struct sources *s, const char *dir, const char *name, const struct image *program)
{
	struct source_file *f;

	if (!name)
		return;
	if (program->sources)
		return;
	f = look_up(s, dir, name);
	if (f->dated || !f->found)
		return;
	f->dated = true;
	if (!is_newer(f->found, program->path))
		return;
	if (s->nnewer++ == 0)
		s->newer = memory_format("%s is newer than %s", f->found, program->path);
}

char *sources_newer(const struct sources *s)
{
	if (s->nnewer == 0)
		return NULL;
	if (s->nnewer == 1)
		return memory_format("%s: its lines may have moved", s->newer);
	return memory_format("%s: its lines may have moved, and so may those of %zu more", s->newer,
			     s->nnewer - 1);
}

const char *sources_none(const struct sources *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->file[i].text)
			return NULL;
	if (s->n == 0)
		return NULL;
	return s->file[0].path;
}

void sources_free(struct sources *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->file[i].name);
		free(s->file[i].path);
		free(s->file[i].found);
		free(s->file[i].line);
		free(s->file[i].text);
		texts_free(&s->file[i].shown);
	}
	free(s->file);
	texts_free(&s->folders);
	texts_free(&s->names);
	free(s->newer);
	*s = (struct sources){.given = s->given, .ngiven = s->ngiven};
}
