/* The options of gnomon's commands: see option.h. */
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/option.h"

/* The row of a letter, which must be in the table. */
static const struct option_row *row_of(const struct option_line *l, int letter)
{
	const struct option_row *row = l->table->row;

	while (row->letter != letter)
		row++;
	return row;
}

const char *option_name(const struct option_line *l, int letter)
{
	return row_of(l, letter)->name;
}

enum option_status option_flag(void *field, const char *none, struct complaint *why)
{
	(void)none;
	(void)why;
	*(bool *)field = true;
	return OPTION_OK;
}

enum option_status option_text(void *field, const char *arg, struct complaint *why)
{
	(void)why;
	*(const char **)field = arg;
	return OPTION_OK;
}

/* Give getopt_long() its two tables. A leading colon has it tell a missing argument apart. */
static void option_prepare(const struct option_row *row, char *shorts, struct option *longs)
{
	*shorts++ = ':';
	for (; row->name; row++) {
		bool argument = row->take && row->take != option_flag;

		*longs++ = (struct option){row->name, argument, NULL, row->letter};
		if (row->letter <= ' ')
			continue;
		*shorts++ = row->letter;
		if (argument)
			*shorts++ = ':';
	}
	*longs++ = (struct option){"help", no_argument, NULL, 'h'};
	*longs = (struct option){0};
	*shorts++ = 'h';
	*shorts = 0;
}

/* Note that an option was given, and set its field. */
static enum option_status option_set(struct option_line *l, int letter)
{
	const struct option_row *row = row_of(l, letter);

	l->given[letter] = true;
	if (!row->take)
		return OPTION_OK;
	return row->take((char *)l->options + row->field, optarg, &l->why);
}

/* Say what getopt_long() found wrong. */
static enum option_status bad_option(struct option_line *l, int c, const char *word)
{
	if (c == ':')
		complain(&l->why, "%s: something must follow", word);
	else
		complain(&l->why, "%s: no such option, or not like this", word);
	return OPTION_WRONG;
}

/* Return whether the table asks for another number of operands than there are. */
static bool bad_operands(const struct option_line *l)
{
	return l->table->operands >= 0 && l->noperand != l->table->operands;
}

enum option_status option_read(struct option_line *l, int argc, char **argv)
{
	struct option longs[OPTION_MOST + 2];
	char shorts[2 * OPTION_MOST + 3];
	enum option_status status = OPTION_OK;
	int c;

	option_prepare(l->table->row, shorts, longs);
	optind = 1;
	while (!status && (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (c == 'h')
			return OPTION_HELP;
		if (c == ':' || c == '?')
			return bad_option(l, c, argv[optind - 1]);
		status = option_set(l, c);
	}
	l->operand = argv + optind;
	l->noperand = argc - optind;
	if (!status && bad_operands(l)) {
		complain(&l->why, "%s expected", l->table->expected);
		return OPTION_WRONG;
	}
	return status;
}

int option_end(const struct option_line *l, enum option_status status)
{
	const char *command = l->table->command;

	if (status == OPTION_HELP)
		return fputs(l->table->usage, stdout) < 0;
	if (status != OPTION_OK)
		fprintf(stderr, "gnomon %s: %s\n", command, l->why.text);
	if (status == OPTION_WRONG)
		fprintf(stderr, "Try `gnomon %s --help'.\n", command);
	return status;
}

enum option_status option_limit(void *field, const char *arg, struct complaint *why)
{
	bool digits = *arg && !arg[strspn(arg, "0123456789")];
	unsigned long v;

	errno = 0;
	v = strtoul(arg, NULL, 10);
	if (!digits || errno) {
		complain(why, "--limit %s: a number of rows expected", arg);
		return OPTION_WRONG;
	}
	if (v == 0)
		v = SIZE_MAX;
	*(size_t *)field = v;
	return OPTION_OK;
}

int option_word(const char *option, const char *const *word, const char *given,
		struct complaint *why)
{
	const char *before = "";
	char all[160] = "";
	size_t n = 0;

	for (int i = 0; word[i]; i++) {
		if (strcmp(word[i], given) == 0)
			return i;
		if (i > 0)
			before = ", ";
		if (i > 0 && !word[i + 1])
			before = " or ";
		if (n < sizeof(all))
			n += (size_t)snprintf(all + n, sizeof(all) - n, "%s%s", before, word[i]);
	}
	complain(why, "--%s %s: %s expected", option, given, all);
	return -1;
}
