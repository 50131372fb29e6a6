/*
 * Expansion: from words as they were written to lists of strings. The functions put the list
 * into *out and return false after a message. Until files are matched, strings keep their
 * marks (glob.c).
 */
#include "userland/sh/sh.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A word may contain others. */
static bool expand(struct word *w, struct list **out);

/* Expand words, one after another, as patterns for glob_match(). */
bool expand_patterns(struct word *w, struct list **out)
{
	struct list **tail = out, *l;

	*out = NULL;
	for (; w; w = w->next) {
		if (!expand(w, &l))
			return false;
		tail = list_append(tail, l);
	}
	return true;
}

/* Return the words of a list joined by blanks. */
static char *join(const struct list *l)
{
	struct text t = {NULL, 0, 0};

	for (; l; l = l->next) {
		text_add(&t, l->s);
		if (l->next)
			text_char(&t, ' ');
	}
	return text_take(&sh.mem, &t);
}

/* Return element `at' of a list, counted from 1, as a list. */
static struct list *element(struct list *l, long at)
{
	while (l && --at > 0)
		l = l->next;
	return l ? list_new(&sh.mem, l->s) : NULL;
}

/*
 * Read N, N-M or N-, which goes to the list's length n. Return false if it is something
 * else.
 */
static bool read_range(const char *s, long n, long *from, long *to)
{
	char *end;

	*from = *to = strtol(s, &end, 10);
	if (end == s || *from < 1)
		return false;
	if (*end == '-') {
		s = end + 1;
		*to = *s ? strtol(s, &end, 10) : n;
		if (*s == '\0')
			end++;
	}
	return *end == '\0';
}

/* Expand $name(indices). Those beyond the end of the list yield nothing. */
static bool expand_index(struct list *value, struct word *index, struct list **out)
{
	struct list **tail = out, *i;
	long from, to, n = (long)list_length(value);

	*out = NULL;
	if (!expand_list(index, &i))
		return false;
	for (; i; i = i->next) {
		if (!read_range(i->s, n, &from, &to)) {
			sh_warn("'%s' is not an index: N, N-M or N-, counted from 1", i->s);
			return false;
		}
		for (; from <= to && from <= n; from++)
			tail = list_append(tail, element(value, from));
	}
	return true;
}

/* Return whether glob_literal() may change one of a variable's words; they are NULL if computed. */
static bool may_have_marks(const struct words *w)
{
	return !w || memchr(w->w[0], GLOB_MARK, w->size);
}

/*
 * Expand $name, its length $#name, its words as one $"name, or some of its words. What comes
 * out of a variable never matches files.
 */
static bool expand_var(struct word *w, struct list **out)
{
	const char *name;
	bool marked;
	struct list *l;

	if (!expand_one(w->left, "a variable's name", &name))
		return false;
	*out = var_get(&sh.mem, name);
	marked = may_have_marks(var_words(name));
	if (w->how == '"') {
		*out = list_new(&sh.mem, join(*out));
	} else if (w->how == '#') {
		*out = list_number(&sh.mem, (int)list_length(*out));
	} else if (w->right) {
		if (!expand_index(*out, w->right, out))
			return false;
	}
	for (l = marked ? *out : NULL; l; l = l->next)
		l->s = glob_literal(&sh.mem, l->s);
	return true;
}

/* Join the words of two lists in pairs. A list of one word goes with each of the other's. */
static bool expand_join(struct word *w, struct list **out)
{
	struct list *left, *right, **tail = out;
	unsigned nl, nr, i;

	*out = NULL;
	if (!expand(w->left, &left) || !expand(w->right, &right))
		return false;
	nl = list_length(left);
	nr = list_length(right);
	if (nl == 0 || nr == 0) {
		sh_warn("an empty list cannot be joined to a word (an unset variable?)");
		return false;
	}
	if (nl != nr && nl != 1 && nr != 1) {
		sh_warn("lists of %u and %u words cannot be joined", nl, nr);
		return false;
	}
	for (i = nl > nr ? nl : nr; i > 0; i--) {
		tail = list_append(tail, list_new(&sh.mem, arena_join(&sh.mem, left->s, right->s)));
		left = nl > 1 ? left->next : left;
		right = nr > 1 ? right->next : right;
	}
	return true;
}

/* Run a tree in a child and append what it writes to t. $status is the child's. */
static bool read_output(struct node *body, struct text *t)
{
	int fd[2], pid;

	sh.outputs++;
	if (pipe(fd) < 0) {
		sh_errno("pipe");
		return false;
	}
	pid = job_fork();
	if (pid == 0) {
		job_unstoppable();
		close(fd[0]);
		fd_move(fd[1], 1);
		_exit(run(body, RUN_LAST));
	}
	close(fd[1]);
	if (pid > 0)
		text_read(t, fd[0]);
	close(fd[0]);
	sh.status = pid > 0 ? job_wait(pid, "`{}") : 1;
	return pid > 0;
}

/* Expand `{list} to the output, cut at the characters of $ifs. */
static bool expand_output(struct word *w, struct list **out)
{
	struct text t = {NULL, 0, 0};
	struct list **tail = out;
	bool ok = read_output(w->body, &t);
	const char *ifs = var_first("ifs");
	char *s = text_take(&sh.mem, &t), *word;
	size_t n;

	*out = NULL;
	for (s += strspn(s, ifs); *s != '\0'; s += strspn(s, ifs)) {
		n = strcspn(s, ifs);
		word = arena_text(&sh.mem, s, n);
		tail = list_append(tail, list_new(&sh.mem, glob_literal(&sh.mem, word)));
		s += n;
	}
	return ok;
}

/* Expand `{list} in double quotes: the output without the newlines at its end, one word. */
static bool expand_quoted_output(struct word *w, struct list **out)
{
	struct text t = {NULL, 0, 0};
	bool ok = read_output(w->body, &t);

	while (t.len > 0 && t.text[t.len - 1] == '\n')
		t.text[--t.len] = '\0';
	*out = list_new(&sh.mem, glob_literal(&sh.mem, text_take(&sh.mem, &t)));
	return ok;
}

/* Expand "...": one word, whatever is in it. */
static bool expand_quoted(struct word *w, struct list **out)
{
	char *s = arena_text(&sh.mem, "", 0);
	struct list *l;
	struct word *part;

	for (part = w->left; part; part = part->next) {
		bool ok = part->kind == WORD_OUTPUT ? expand_quoted_output(part, &l)
						    : expand(part, &l);

		if (!ok)
			return false;
		s = arena_join(&sh.mem, s, join(l));
	}
	*out = list_new(&sh.mem, s);
	return true;
}

/* Expand one word. */
static bool expand(struct word *w, struct list **out)
{
	switch (w->kind) {
	case WORD_TEXT:
		*out = list_new(&sh.mem, (char *)w->text);
		return true;
	case WORD_VAR:
		return expand_var(w, out);
	case WORD_LIST:
		return expand_patterns(w->left, out);
	case WORD_JOIN:
		return expand_join(w, out);
	case WORD_QUOTED:
		return expand_quoted(w, out);
	case WORD_OUTPUT:
		return expand_output(w, out);
	}
	return false;
}

/* Expand words, and replace patterns by the files that they match. */
bool expand_list(struct word *w, struct list **out)
{
	struct list *l, **tail = out;

	*out = NULL;
	if (!expand_patterns(w, &l))
		return false;
	for (; l; l = l->next)
		tail = list_append(tail, glob_files(l->s));
	return true;
}

/*
 * Expand one word to a piece. A variable's words, which match no files, are taken as they are, and
 * not copied one by one.
 */
static bool expand_piece(const struct word *w, struct piece *out)
{
	struct word alone = *w;
	const char *name;
	struct list *l;

	if (w->kind == WORD_VAR && w->how == '$' && !w->right) {
		if (!expand_one(w->left, "a variable's name", &name))
			return false;
		out->whole = var_words(name);
		if (!out->whole)
			out->list = var_get(&sh.mem, name);
		return true;
	}
	alone.next = NULL;
	if (!expand_list(&alone, &l))
		return false;
	out->list = l;
	return true;
}

/* Expand the words of an assignment. A list's words are pieces of their own. */
bool expand_pieces(struct word *w, struct piece **out)
{
	for (; w; w = w->next) {
		if (w->kind == WORD_LIST) {
			if (!expand_pieces(w->left, out))
				return false;
		} else {
			*out = arena_alloc(&sh.mem, sizeof(**out));
			if (!expand_piece(w, *out))
				return false;
		}
		while (*out)
			out = &(*out)->next;
	}
	return true;
}

/* Expand what must be exactly one word. `what' names it in the message. */
bool expand_one(struct word *w, const char *what, const char **out)
{
	struct list *l;

	*out = NULL;
	if (!expand_list(w, &l))
		return false;
	if (!l || l->next) {
		sh_warn("%s must be one word, not %u", what, list_length(l));
		return false;
	}
	*out = l->s;
	return true;
}

/*
 * Return the text of a here document with the values of the variables in the place of $name, or of
 * $name^ before what could be in a name. $$ is a dollar, and so is a $ that names nothing.
 */
const char *expand_text(const char *s)
{
	struct text t = {NULL, 0, 0};
	const char *name;
	size_t n;

	for (; (name = strchr(s, '$')) != NULL; s = name + n) {
		text_put(&t, s, (size_t)(name++ - s));
		for (n = 0; is_name_char((unsigned char)name[n]); n++)
			;
		n += n == 0 && *name == '*';
		if (n > 0) {
			text_add(&t, join(var_get(&sh.mem, arena_text(&sh.mem, name, n))));
			n += name[n] == '^';
		} else {
			text_char(&t, '$');
			n = *name == '$';
		}
	}
	text_add(&t, s);
	return text_take(&sh.mem, &t);
}
