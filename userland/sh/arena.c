/*
 * The shell's memory: arenas, which are released back to a mark, growing strings, and lists
 * of words.
 */
#include "userland/sh/sh.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A chunk's usual size; with its header it stays below a page. */
#define CHUNK 4000

struct chunk {
	struct chunk *older;
	size_t size, used;
	long long data[]; /* so that it is aligned for anything */
};

/*
 * Return p unless it is NULL. Then memory has run out, and the shell ends with status 1:
 * that is its one policy, so nothing else in it checks an allocation.
 */
void *need(void *p)
{
	static const char msg[] = "sh: out of memory\n";

	if (!p) {
		if (write(2, msg, sizeof(msg) - 1) < 0)
			_exit(2);
		_exit(1);
	}
	return p;
}

/*
 * Make a chunk with room for n bytes the newest one. What is left of the older one stays
 * unused.
 */
static void arena_grow(struct arena *a, size_t n)
{
	size_t size = n > CHUNK ? n : CHUNK;
	struct chunk *c = need(malloc(sizeof(*c) + size));

	c->older = a->newest;
	c->size = size;
	c->used = 0;
	a->newest = c;
}

/*
 * Return n zeroed bytes, aligned for any type, which last until the arena is released to an
 * earlier mark.
 */
void *arena_alloc(struct arena *a, size_t n)
{
	void *p;

	n = (n + 7) & ~(size_t)7;
	if (!a->newest || a->newest->size - a->newest->used < n)
		arena_grow(a, n);
	p = (char *)a->newest->data + a->newest->used;
	a->newest->used += n;
	return memset(p, 0, n);
}

/* Return a copy of n characters, ended with NUL. */
char *arena_text(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	return p;
}

/* Return x followed by y. */
char *arena_join(struct arena *a, const char *x, const char *y)
{
	size_t nx = strlen(x), ny = strlen(y);
	char *p = arena_alloc(a, nx + ny + 1);

	memcpy(p, x, nx);
	memcpy(p + nx, y, ny);
	return p;
}

/* Return the mark that arena_release() needs to drop all that is allocated from now on. */
struct mark arena_mark(const struct arena *a)
{
	return (struct mark){a->newest, a->newest ? a->newest->used : 0};
}

/*
 * Release everything allocated since the mark. Marks are released in the reverse order of
 * their making.
 */
void arena_release(struct arena *a, struct mark m)
{
	struct chunk *c;

	while (a->newest != m.chunk) {
		c = a->newest;
		a->newest = c->older;
		free(c);
	}
	if (a->newest)
		a->newest->used = m.used;
}

/* Release everything. */
void arena_free(struct arena *a)
{
	arena_release(a, (struct mark){NULL, 0});
}

/*
 * Append n characters. The size doubles, so that a long text is copied few times; NUL always
 * follows.
 */
void text_put(struct text *t, const char *s, size_t n)
{
	if (t->size - t->len <= n) {
		t->size = (t->len + n + 1) * 2;
		t->text = need(realloc(t->text, t->size));
	}
	memcpy(t->text + t->len, s, n);
	t->len += n;
	t->text[t->len] = '\0';
}

/* Append a string. */
void text_add(struct text *t, const char *s)
{
	text_put(t, s, strlen(s));
}

/* Append one character, which may be NUL. */
void text_char(struct text *t, char c)
{
	text_put(t, &c, 1);
}

/* Append a string as a word that the shell would read back, in quotes if it needs them. */
void text_quoted(struct text *t, const char *s, size_t n)
{
	bool plain = n > 0;
	size_t i;

	for (i = 0; i < n; i++)
		plain &= is_word_char((unsigned char)s[i]) && !strchr("*?[#", s[i]);
	if (plain) {
		text_put(t, s, n);
		return;
	}
	text_char(t, '\'');
	for (i = 0; i < n; i++) {
		if (s[i] == '\'')
			text_char(t, '\'');
		text_char(t, s[i]);
	}
	text_char(t, '\'');
}

/* Append everything that can still be read from fd. Return false if an error ended it. */
bool text_read(struct text *t, int fd)
{
	char buf[2048];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		text_put(t, buf, (size_t)n);
	return n == 0;
}

/* Move the text into the arena and return it there; t is empty afterwards. */
char *text_take(struct arena *a, struct text *t)
{
	char *s = arena_text(a, t->text ? t->text : "", t->len);

	free(t->text);
	*t = (struct text){NULL, 0, 0};
	return s;
}

/* Return a list of one word, which is not copied. */
struct list *list_new(struct arena *a, char *s)
{
	struct list *l = arena_alloc(a, sizeof(*l));

	l->s = s;
	return l;
}

/* Put l, which may be empty, at the tail of a list. Return the new tail. */
struct list **list_append(struct list **tail, struct list *l)
{
	for (*tail = l; *tail; tail = &(*tail)->next)
		;
	return tail;
}

/* Return the number of words. */
unsigned list_length(const struct list *l)
{
	unsigned n = 0;

	for (; l; l = l->next)
		n++;
	return n;
}

/* Return the list as the array, ended with NULL, that execve(2) takes. */
char **list_argv(struct arena *a, const struct list *l)
{
	char **argv = arena_alloc(a, (list_length(l) + 1) * sizeof(*argv));
	unsigned i = 0;

	for (; l; l = l->next)
		argv[i++] = l->s;
	return argv;
}
