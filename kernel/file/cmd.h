/* Control files: words, and what they do. */
#pragma once

#include "kernel/file/dev.h"
#include "kernel/machine/string.h"

/* The words that a file accepts. */
struct cmd_list {
	const struct cmd *row;
	unsigned n;
};

/*
 * Control messages, which are words: the first says which row of the table is meant, the others
 * are its arguments. 'A word in quotes' may have blanks, and '' for a quote. A trailing newline is
 * allowed. An unknown word, and too few or too many arguments, are -EINVAL, and nothing is done.
 */
#define CMD_MAXWORD 16

struct cmd_words {
	unsigned n;
	char *word[CMD_MAXWORD];
	int number; /* the first argument, of a row that wants one */
	char text[2 * PATH_MAX + 16]; /* a path may be all quotes */
};

struct cmd {
	const char *word;
	unsigned minargs, maxargs; /* words after the first */
	/* Do the command that was written to c. Return 0 or an error. */
	int (*run)(struct chan *c, const struct cmd_words *msg);
	/* If most is not 0: the first argument is a number from least to most, usually that. */
	int least, most, usual;
};

/* Split the message into *out's words. Return the number of the row it means, or -EINVAL. */
int cmd_parse(const struct cmd *t, unsigned nrow, const char *msg, size_t n, struct cmd_words *out);
/* Do the row's command: 0, -EINVAL if a number is not what the row wants, or the row's error. */
int cmd_run(const struct cmd *row, struct chan *c, struct cmd_words *msg);
/* Do what a message of n bytes says. Return n, -EINVAL, or the row's error. */
ssize_t cmd_write(const struct cmd_list *t, struct chan *c, const char *msg, size_t n);
/* Return argument i as a number from min to max, or -EINVAL. */
int cmd_number(const struct cmd_words *msg, unsigned i, int min, int max);
/* Return 1 if argument i is the word yes, 0 if it is no, else -EINVAL. */
int cmd_either(const struct cmd_words *msg, unsigned i, const char *yes, const char *no);
