/* The programs of a machine, and what tells them apart: see programs.h. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/programs.h"
#include "tools/profile/runinfo.h"
#include "tools/profile/textline.h"
#include "tools/slurp.h"

#define MOST 4096 /* lines of programs that a file may have; the rest is passed over */

/* Free the texts of one. */
static void program_free(struct program *p)
{
	free(p->path);
	free(p->file);
}

/* Forget by what programs_find() knows them. */
static void forget_keys(struct programs *p)
{
	texts_free(&p->key);
	free(p->last);
	p->last = NULL;
	p->nknown = p->room_last = 0;
}

/* Remove the program of a path, if there is one. */
static void remove_path(struct programs *p, const char *path)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (strcmp(p->program[i].path, path) != 0)
			continue;
		program_free(&p->program[i]);
		p->n--;
		memmove(&p->program[i], &p->program[i + 1], (p->n - i) * sizeof(*p->program));
		forget_keys(p);
	}
}

void programs_append(struct programs *p, const char *path, const char *id, const char *file)
{
	struct program *to;

	p->program = memory_grow(p->program, &p->room, p->n + 1, sizeof(*p->program));
	to = &p->program[p->n++];
	*to = (struct program){.path = memory_string(path, strlen(path))};
	snprintf(to->id, sizeof(to->id), "%s", id);
	if (file)
		to->file = memory_string(file, strlen(file));
}

void programs_add(struct programs *p, const char *path, const char *id, const char *file)
{
	remove_path(p, path);
	programs_append(p, path, id, file);
}

void programs_free(struct programs *p)
{
	while (p->n > 0)
		program_free(&p->program[--p->n]);
	free(p->program);
	forget_keys(p);
	*p = (struct programs){.n = 0};
}

/* Return where the last program of a name and a build is noted; "" is any build. */
static size_t *last_of(struct programs *p, const char *name, const char *id)
{
	char *key = memory_format("%s/%s", name, id);
	size_t i = texts_number(&p->key, key, strlen(key));

	free(key);
	p->last = memory_grow_zeroed(p->last, &p->room_last, i + 1, sizeof(*p->last));
	return &p->last[i];
}

/* A profile may have many names, so that each has to be found without a look at all programs. */
const struct program *programs_find(struct programs *p, const char *name, const char *id)
{
	const struct program *one;
	size_t last;

	while (p->nknown < p->n) {
		one = &p->program[p->nknown++];
		*last_of(p, basename(one->path), "") = p->nknown;
		*last_of(p, basename(one->path), one->id) = p->nknown;
	}
	last = *last_of(p, name, id);
	if (last == 0)
		return NULL;
	return &p->program[last - 1];
}

/* Return whether a character may be of a name: before and after one, it makes it another. */
static bool of_name(uint8_t c)
{
	return isalnum(c) || memchr("_-.+", c, 4);
}

/* Return whether a name ends before one place of [data, end), and begins after another. */
static bool stands_alone(const uint8_t *data, const uint8_t *end, const uint8_t *at,
			 const uint8_t *after)
{
	if (at > data && of_name(at[-1]))
		return false;
	return after == end || !of_name(*after);
}

/* Return whether a name is in so many bytes, by itself. */
static bool has_name(const uint8_t *data, size_t n, const char *name)
{
	const uint8_t *at = data, *end = data + n;
	size_t length = strlen(name);

	if (length == 0)
		return false;
	while ((at = memmem(at, (size_t)(end - at), name, length)) != NULL) {
		if (stands_alone(data, end, at, at + length))
			return true;
		at++;
	}
	return false;
}

/* Write a key and a path, in which what is no word's is written as %XX. */
static void print_path(const char *key, const char *path, FILE *to)
{
	fprintf(to, "%s=", key);
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (isgraph(c) && c != '%')
			putc(c, to);
		else
			fprintf(to, "%%%02X", c);
	}
}

void programs_print(struct programs *p, const uint8_t *data, size_t n, FILE *to)
{
	struct program *one;

	for (one = p->program; one < p->program + p->n; one++) {
		if (data && !has_name(data, n, basename(one->path)))
			continue;
		one->named = true;
		print_path("program", one->path, to);
		fprintf(to, " id=%s", one->id);
		if (one->file)
			print_path(" file", one->file, to);
		putc('\n', to);
	}
}

static const char digits[] = "0123456789ABCDEF";

/* Return the value of a hexadecimal digit. */
static int digit_value(char c)
{
	return (int)(strchr(digits, c) - digits);
}

/* Put back the characters that are written as %XX; a NUL among them ends the text. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++, to++) {
		*to = *s;
		if (*s != '%')
			continue;
		if (strspn(s + 1, digits) < 2)
			continue;
		*to = (char)(16 * digit_value(s[1]) + digit_value(s[2]));
		s += 2;
	}
	*to = 0;
}

/* Copy a word's value if it is the one of that key. */
static void take_word(const struct ticks_word *w, const char *key, char *to, size_t size)
{
	if (!ticks_is(w, key))
		return;
	ticks_copy(w, to, size);
	unescape(to);
}

/* Return whether a text is an id: hexadecimal digits, and some. */
static bool is_id(const char *id)
{
	if (!*id)
		return false;
	return !id[strspn(id, "0123456789abcdef")];
}

/* Take a line about a program. */
static void take_line(struct programs *p, const char *line, size_t n)
{
	char path[PATH_MAX] = "", id[BUILDID_SIZE] = "", file[PATH_MAX] = "";
	const char *of = NULL;
	struct ticks_text t;
	struct ticks_word w;

	ticks_text_init(&t, line, n, "");
	while (ticks_next(&t, &w)) {
		take_word(&w, "program", path, sizeof(path));
		take_word(&w, "id", id, sizeof(id));
		take_word(&w, "file", file, sizeof(file));
	}
	if (*file == '/')
		of = file;
	if (*path && is_id(id))
		programs_add(p, path, id, of);
}

void programs_beside(struct programs *p, const char *file)
{
	char *path = memory_format("%s%s", file, RUNINFO_SUFFIX);
	struct complaint none;
	struct textline t;
	uint8_t *text;
	size_t n, left = MOST;

	if (slurp(path, &text, &n, &none) == 0) {
		textline_init(&t, text, n);
		while (left > 0 && textline_next(&t)) {
			if (!textline_begins(&t, "program="))
				continue;
			take_line(p, t.line, t.n);
			left--;
		}
		free(text);
	}
	free(path);
}
