/*
 * words: says how many words a text has, and how many different ones. It is the example of
 * docs/tutorial.md: four of its functions do too much, and profilers find out which.
 */
#include <ctype.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONGEST 64 /* letters; the rest of a longer word is not looked at */
#define PART __attribute__((noinline)) /* a function that profiles show by its name */

struct word {
	struct word *next;
	char *text;
};

static struct word *words;
static unsigned total, different;

/* Return the next character of the text, or -1 at its end. */
static PART int next_char(int fd)
{
	unsigned char c;
	ssize_t n = read(fd, &c, 1);

	if (n < 0)
		err(1, "read");
	return n == 1 ? c : -1;
}

/* Make all letters small. */
static PART void fold(char *s)
{
	for (; *s; s++)
		*s = (char)tolower((unsigned char)*s);
}

/* Return the next word in small letters, in memory of its own; NULL at the end of the text. */
static PART char *next_word(int fd)
{
	char *word = calloc(1, LONGEST + 1);
	size_t n = 0;
	int c;

	if (!word)
		err(1, "memory");
	do
		c = next_char(fd);
	while (c >= 0 && !isalnum(c));
	for (; c >= 0 && isalnum(c); c = next_char(fd)) {
		if (n < LONGEST)
			word[n++] = (char)c;
		fold(word);
	}
	return n > 0 ? word : NULL;
}

/* Return whether the word was seen before. */
static PART int known(const char *text)
{
	for (const struct word *w = words; w; w = w->next)
		if (strcmp(w->text, text) == 0)
			return 1;
	return 0;
}

/* Keep a word. */
static PART void add(const char *text)
{
	struct word *w = malloc(sizeof(*w));

	if (!w || !(w->text = strdup(text)))
		err(1, "memory");
	w->next = words;
	words = w;
	different++;
}

static PART void read_words(int fd)
{
	char *word;

	while ((word = next_word(fd)) != NULL) {
		total++;
		if (!known(word))
			add(word);
	}
}

/* Release all words. */
static PART void forget(void)
{
	struct word *next;

	for (struct word *w = words; w; w = next) {
		next = w->next;
		free(w->text);
		free(w);
	}
}

int main(int argc, char **argv)
{
	int c, fd = STDIN_FILENO;

	while ((c = getopt(argc, argv, "h")) != -1) {
		fprintf(c == 'h' ? stdout : stderr, "usage: words [file]\n");
		return c == 'h' ? 0 : 2;
	}
	if (optind < argc && (fd = open(argv[optind], O_RDONLY)) < 0)
		err(1, "%s", argv[optind]);
	read_words(fd);
	forget();
	printf("%u words, %u different\n", total, different);
	return 0;
}
