/* Control messages: what is written to a ctl file, cut into words and looked up. */
#include "kernel/file/cmd.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"

/* Take the quotes off the word at s, in place. Return what is after it; NULL: it has no end. */
static char *cmd_unquote(char *s)
{
	char *to = s;
	bool quoted = false;

	for (; quoted || !strchr(" \t", *s); s++) { /* which finds the NUL, too */
		if (*s == (quoted ? 0 : '\n'))
			return NULL;
		if (*s != '\'')
			*to++ = *s;
		else if (quoted && s[1] == '\'')
			*to++ = *s++;
		else
			quoted = !quoted;
	}
	if (*s)
		s++;
	*to = 0;
	return s;
}

/* Cut out->text into words in place; -EINVAL if one is empty, or they are more than CMD_MAXWORD. */
static int cmd_cut(struct cmd_words *out)
{
	char *s = out->text;

	for (out->n = 0;; out->n++) {
		while (*s == ' ' || *s == '\t')
			s++;
		if (*s == 0)
			return 0;
		if (out->n == CMD_MAXWORD)
			return -EINVAL;
		out->word[out->n] = s;
		s = cmd_unquote(s);
		if (!s || !*out->word[out->n])
			return -EINVAL;
	}
}

/*
 * Return which row of t the message of n bytes is, and leave its words in *out; -EINVAL
 * if no row has that word with as many arguments. One newline at the end is allowed; a
 * NUL, or a newline elsewhere but in quotes, is not.
 */
int cmd_parse(const struct cmd *t, unsigned nrow, const char *msg, size_t n, struct cmd_words *out)
{
	if (n > 0 && msg[n - 1] == '\n')
		n--;
	if (!in_range(n, 1, sizeof(out->text)))
		return -EINVAL;
	memcpy(out->text, msg, n);
	out->text[n] = 0;
	if (strlen(out->text) != n || cmd_cut(out))
		return -EINVAL;
	unsigned args = out->n - 1; /* of no words: more than any row takes */
	for (unsigned i = 0; i < nrow; i++) {
		bool fits = in_range(args, t[i].minargs, t[i].maxargs + 1);
		if (fits && strcmp(t[i].word, out->word[0]) == 0)
			return (int)i;
	}
	return -EINVAL;
}

/* Tell the owner, who has written some other word, which words there are. */
static void cmd_say_words(const struct cmd_list *t, char *text, size_t size)
{
	size_t n = 0;

	for (unsigned i = 0; i < t->n && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, " %s", t->row[i].word);
	if (is_eve())
		print_limited("no such message; the words are%s\n", text);
}

int cmd_run(const struct cmd *row, struct chan *c, struct cmd_words *msg)
{
	msg->number = row->usual;
	if (row->most && msg->n > 1)
		msg->number = cmd_number(msg, 1, row->least, row->most);
	return msg->number < 0 ? -EINVAL : row->run(c, msg);
}

/* Do what a message of n bytes says: n, -EINVAL, -ENOMEM, or the row's error. */
ssize_t cmd_write(const struct cmd_list *t, struct chan *c, const char *msg, size_t n)
{
	struct cmd_words *words = kmalloc(sizeof(*words));

	if (!words)
		return -ENOMEM;
	int row = cmd_parse(t->row, t->n, msg, n, words), err = row;
	if (row >= 0)
		err = cmd_run(&t->row[row], c, words);
	else
		cmd_say_words(t, words->text, sizeof(words->text));
	kfree(words);
	return err ? err : (ssize_t)n;
}

/* Return argument i as a number from min to max, or -EINVAL. */
int cmd_number(const struct cmd_words *msg, unsigned i, int min, int max)
{
	uint32_t v;

	if (!parse_uint(msg->word[i], &v))
		return -EINVAL;
	return in_range(v, (uint32_t)min, (uint32_t)max + 1) ? (int)v : -EINVAL;
}

/* Return 1 if argument i is yes, 0 if it is no, -EINVAL if it is neither. */
int cmd_either(const struct cmd_words *msg, unsigned i, const char *yes, const char *no)
{
	if (strcmp(msg->word[i], yes) == 0)
		return 1;
	return strcmp(msg->word[i], no) == 0 ? 0 : -EINVAL;
}
