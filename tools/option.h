/*
 * The options of gnomon's commands: a table says what each is called and what it sets. They are
 * read by getopt_long(3), and so may stand behind operands, and a long name may be cut short.
 */
#ifndef TOOLS_OPTION_H
#define TOOLS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/complaint.h"

#define OPTION_MOST 32 /* options of one command at most */

/* The result of an option, or of a command; the first three are exit statuses. */
enum option_status {
	OPTION_OK,
	OPTION_BAD,   /* well formed, but what it names cannot be used */
	OPTION_WRONG, /* the command line is malformed */
	OPTION_HELP,  /* the user asked for help */
};

/*
 * Set a field in the struct of a command's options from an argument, which lasts. Return OPTION_OK,
 * or another status and *why, which has to name the option.
 */
typedef enum option_status option_take(void *field, const char *arg, struct complaint *why);

/*
 * Without an argument, make a bool true; take any text into a const char *; take a number
 * of rows into a size_t, 0 as SIZE_MAX, which stands for all.
 */
option_take option_flag, option_text, option_limit;

/*
 * Return which of the words, of which NULL is the last, was given to the option of that name; or
 * complain that one of them is expected, and return -1.
 */
int option_word(const char *option, const char *const *word, const char *given,
		struct complaint *why);

/* An option; -h and --help are understood without one. */
struct option_row {
	int letter;	   /* if not above ' ', it has only a name */
	const char *name;  /* NULL: the end of the table */
	option_take *take; /* NULL: nothing to set; see struct option_line's given */
	size_t field;	   /* its offsetof() */
};

struct option_table {
	const char *command; /* "report" for gnomon report */
	const char *usage;
	const struct option_row *row;
	int operands;	      /* how many must follow the options; negative: any number */
	const char *expected; /* what they are: "one profile" */
};

/* A command line. */
struct option_line {
	const struct option_table *table;
	void *options;	 /* the struct whose fields the options set */
	bool given[128]; /* options, by letter */
	char **operand; /* what follows the options: noperand of them, in argv */
	int noperand;
	struct complaint why; /* of a status that is not OPTION_OK */
};

/*
 * Read a command line up to the first option that is not OPTION_OK, and return that status; or
 * whether there are as many operands as the table wants. Nothing is printed: option_end() does.
 */
enum option_status option_read(struct option_line *l, int argc, char **argv);

/* Return the long name of an option in the table. */
const char *option_name(const struct option_line *l, int letter);

/* Print l->why, or the help, unless status is OPTION_OK. Return the exit status. */
int option_end(const struct option_line *l, enum option_status status);

#endif
