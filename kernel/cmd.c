/* Control messages: what is written to a ctl file, cut into words and looked up. */
#include "kernel/dev.h"
#include "kernel/lib.h"

/* What stands between words. */
static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Cuts out->text into words in place; -EINVAL when there are more than CMD_MAXWORD. */
static int cut(struct cmd_words *out)
{
	char *s = out->text;

	for (out->n = 0;; out->n++) {
		while (blank(*s))
			*s++ = 0;
		if (*s == 0)
			return 0;
		if (out->n == CMD_MAXWORD)
			return -EINVAL;
		out->word[out->n] = s;
		while (*s && !blank(*s))
			s++;
	}
}

/*
 * Which row of t the message of n bytes is, with the words in *out; -EINVAL when
 * no row has that word with that many arguments. One newline at the end is
 * allowed; a NUL or a newline elsewhere is not.
 */
int cmd_parse(const struct cmd *t, unsigned nrow, const char *msg, size_t n, struct cmd_words *out)
{
	if (n > 0 && msg[n - 1] == '\n')
		n--;
	if (n == 0 || n >= sizeof(out->text))
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (msg[i] == 0 || msg[i] == '\n')
			return -EINVAL;
	}
	memcpy(out->text, msg, n);
	out->text[n] = 0;
	if (cut(out) || out->n == 0)
		return -EINVAL;
	for (unsigned i = 0; i < nrow; i++) {
		unsigned args = out->n - 1;

		if (strcmp(t[i].word, out->word[0]) == 0 && args >= t[i].minargs &&
		    args <= t[i].maxargs)
			return (int)i;
	}
	return -EINVAL;
}

/* A ctl file's write: does what the message says. n, -EINVAL, or the row's error. */
ssize_t cmd_write(const struct cmd *t, unsigned nrow, const char *msg, size_t n)
{
	struct cmd_words words;
	int err = cmd_parse(t, nrow, msg, n, &words);

	if (err >= 0)
		err = t[err].run(&words);
	return err < 0 ? err : (ssize_t)n;
}
