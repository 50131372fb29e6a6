/*
 * Patterns, matched against strings and against the names of files.
 *
 * A pattern is a string in which GLOB_MARK precedes each * ? [ that is special, so that one in
 * quotes, or out of a variable, stands for itself. A GLOB_MARK that stands for itself is doubled.
 */
#include "userland/sh/sh.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Match c against the character class whose text begins at p, after its [. Set *end to what
 * follows the ], or to NULL if there is none. ^, ~ and ! negate; a ] that comes first is a
 * member.
 */
static bool match_class(const char *p, int c, const char **end)
{
	bool negated = *p == '^' || *p == '~' || *p == '!', found = false;
	const char *first;
	int lo, hi;

	if (negated)
		p++;
	for (first = p; *p != '\0' && (*p != ']' || p == first); p++) {
		if (*p == GLOB_MARK)
			p++;
		lo = hi = (unsigned char)*p;
		if (p[0] != '\0' && p[1] == '-' && p[2] != '\0' && p[2] != ']') {
			hi = (unsigned char)p[2];
			p += 2;
		}
		found |= lo <= c && c <= hi;
		if (*p == '\0')
			break;
	}
	*end = *p == ']' ? p + 1 : NULL;
	return found != negated;
}

/*
 * Match the pattern's next item against the character c. Return what follows the item, or
 * NULL if it does not match.
 */
static const char *match_item(const char *p, char c)
{
	const char *end;

	if (c == '\0')
		return NULL;
	if (*p != GLOB_MARK)
		return *p == c ? p + 1 : NULL;
	p++;
	if (*p == '?')
		return p + 1;
	if (*p != '[')
		return *p == c ? p + 1 : NULL;
	if (match_class(p + 1, (unsigned char)c, &end) && end)
		return end;
	return !end && c == '[' ? p + 1 : NULL; /* a [ that is never closed is a [ */
}

/*
 * Return whether all of s matches. On a mismatch the latest * matches one more character;
 * earlier ones need never be tried again, so the time is at most the product of the lengths.
 */
bool glob_match(const char *p, const char *s)
{
	const char *star = NULL, *star_s = NULL, *after;

	/* What comes before the first mark stands for itself. */
	for (; *p != GLOB_MARK; p++, s++) {
		if (*p != *s)
			return false;
		if (*p == '\0')
			return true;
	}
	for (;;) {
		if (p[0] == GLOB_MARK && p[1] == '*') {
			star = p += 2;
			star_s = s;
			continue;
		}
		if (*p == '\0' && *s == '\0')
			return true;
		after = *p != '\0' ? match_item(p, *s) : NULL;
		if (after) {
			p = after;
			s++;
			continue;
		}
		if (!star || *star_s == '\0')
			return false;
		p = star;
		s = ++star_s;
	}
}

/* Return whether the string has a special character. */
static bool is_pattern(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s == GLOB_MARK && *++s != GLOB_MARK)
			return true;
	return false;
}

/* Return a copy without the marks. */
char *glob_unmark(struct arena *a, const char *pattern)
{
	char *out = arena_text(a, pattern, strlen(pattern)), *to = out;

	for (; *pattern != '\0'; pattern++) {
		if (*pattern == GLOB_MARK)
			pattern++;
		*to++ = *pattern;
	}
	*to = '\0';
	return out;
}

/* Return a pattern that matches only s; that is s itself unless it has a GLOB_MARK. */
char *glob_literal(struct arena *a, const char *s)
{
	struct text t = {NULL, 0, 0};

	if (!strchr(s, GLOB_MARK))
		return (char *)s;
	for (; *s != '\0'; s++) {
		if (*s == GLOB_MARK)
			text_char(&t, GLOB_MARK);
		text_char(&t, *s);
	}
	return text_take(a, &t);
}

/* Order two list cells by the bytes of their names, for qsort(). */
static int compare(const void *a, const void *b)
{
	return strcmp(((const struct list *const *)a)[0]->s, ((const struct list *const *)b)[0]->s);
}

/* Sort a list and return its new head. */
static struct list *list_sort(struct list *l)
{
	unsigned n = list_length(l), i;
	struct list **v = arena_alloc(&sh.mem, (n + 1) * sizeof(*v));

	for (i = 0; i < n; i++, l = l->next)
		v[i] = l;
	qsort(v, n, sizeof(*v), compare);
	for (i = 0; i < n; i++)
		v[i]->next = v[i + 1]; /* the last cell is NULL */
	return v[0];
}

/*
 * Return whether a pattern may match a name at all: . and .. never, hidden ones only if it
 * begins with a dot.
 */
static bool is_visible(const char *pattern, const char *name)
{
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	return name[0] != '.' || pattern[0] == '.';
}

/* This and glob_dir() call each other: one for each part of the path. */
static struct list *glob_rest(char *dir, const char *pattern);

/*
 * Return the names in dir ("" is the current one) that match `part', each followed by what
 * matches `rest'. What the directory lists is there, so if nothing follows it is not asked for.
 */
static struct list *glob_dir(const char *dir, const char *part, const char *rest)
{
	struct list *l = NULL, **tail = &l;
	DIR *d = opendir(*dir ? dir : ".");
	struct dirent *e;
	char *path;

	if (!d)
		return NULL;
	while ((e = readdir(d))) {
		if (!is_visible(part, e->d_name) || !glob_match(part, e->d_name))
			continue;
		path = arena_join(&sh.mem, dir, e->d_name);
		tail = list_append(tail, *rest ? glob_rest(path, rest) : list_new(&sh.mem, path));
	}
	closedir(d);
	return l;
}

/*
 * Return the paths that begin with dir and go on as the pattern. The pattern begins with
 * slashes, or is empty: then dir is the whole path.
 */
static struct list *glob_rest(char *dir, const char *pattern)
{
	struct stat st;
	char *part;
	size_t n;

	if (*pattern == '\0')
		return stat(dir, &st) == 0 ? list_new(&sh.mem, dir) : NULL;
	for (; *pattern == '/'; pattern++)
		dir = arena_join(&sh.mem, dir, "/");
	n = strcspn(pattern, "/");
	part = arena_text(&sh.mem, pattern, n);
	if (is_pattern(part))
		return glob_dir(dir, part, pattern + n);
	return glob_rest(arena_join(&sh.mem, dir, glob_unmark(&sh.mem, part)), pattern + n);
}

/*
 * Return the files that match, sorted, or the pattern itself, without marks, if there are
 * none.
 */
struct list *glob_files(const char *pattern)
{
	struct list *l = NULL;

	if (is_pattern(pattern))
		l = list_sort(glob_rest(arena_text(&sh.mem, "", 0), pattern));
	return l ? l : list_new(&sh.mem, glob_unmark(&sh.mem, pattern));
}
