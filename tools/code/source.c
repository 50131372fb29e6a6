/* The lines of source files: see source.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

/* Read a file; its name is relative to the folder of the sources, or absolute. */
static void read_file(const struct sources *s, struct source_file *f)
{
	struct complaint none;
	uint8_t *data;
	char *path;
	size_t n;

	if (*f->name == '/' || !s->dir)
		path = memory_string(f->name, strlen(f->name));
	else
		path = memory_format("%s/%s", s->dir, f->name);
	if (slurp_has(path) && slurp(path, &data, &n, &none) == 0) {
		f->text = (char *)data;
		cut_lines(f);
	}
	free(path);
}

/* A file is looked for once only, whether it is there or not. */
const struct source_file *source_file(struct sources *s, const char *name)
{
	struct source_file *f;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (strcmp(s->file[i].name, name) == 0)
			return &s->file[i];
	s->file = memory_grow(s->file, &s->room, s->n + 1, sizeof(*s->file));
	f = &s->file[s->n++];
	*f = (struct source_file){.name = memory_string(name, strlen(name))};
	read_file(s, f);
	return f;
}

const char *source_line(struct sources *s, const char *name, unsigned line)
{
	const struct source_file *f;

	if (!name)
		return NULL;
	f = source_file(s, name);
	if (line == 0)
		return NULL;
	if (line > f->n)
		return NULL;
	return f->line[line - 1];
}

size_t source_lines(struct sources *s, const char *name)
{
	if (!name)
		return 0;
	return source_file(s, name)->n;
}

void sources_free(struct sources *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->file[i].name);
		free(s->file[i].line);
		free(s->file[i].text);
		texts_free(&s->file[i].shown);
	}
	free(s->file);
	*s = (struct sources){.dir = s->dir};
}
