/* Options of a command line. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *optarg;
int optind = 1;
int opterr = 1;
int optopt;

static int at; /* in argv[optind]: the next letter, 0 when the word is not begun */

/* One line on standard error, written at once: "name: what -- c". */
static void complain(const char *what, int c)
{
	char line[128];
	size_t n;

	strlcpy(line, getprogname(), sizeof(line) / 2);
	strlcat(line, what, sizeof(line) - 2);
	n = strlen(line);
	line[n] = (char)c;
	line[n + 1] = '\n';
	write(STDERR_FILENO, line, n + 2);
}

/* Goes on to the next word. */
static void next_word(void)
{
	optind++;
	at = 0;
}

/* The argument of the letter just taken: the rest of its word or the next one. */
static int take_argument(int argc, char *const *argv, const char *letters)
{
	if (argv[optind][at] != '\0') {
		optarg = argv[optind] + at;
		next_word();
		return optopt;
	}
	next_word();
	if (optind < argc) {
		optarg = argv[optind++];
		return optopt;
	}
	if (*letters == ':')
		return ':';
	if (opterr)
		complain(": option requires an argument -- ", optopt);
	return '?';
}

/*
 * The next option's letter; -1 at the first word that is none, behind "--" or at
 * the end. '?' for a letter not among the letters; a ':' behind a letter there
 * says that it has an argument (optarg). A ':' in front of all means no
 * messages, and ':' as the result when an argument is missing.
 */
int getopt(int argc, char *const *argv, const char *letters)
{
	const char *known;

	optarg = NULL;
	if (optind == 0)
		next_word();
	if (at == 0) {
		if (optind >= argc || argv[optind][0] != '-' || argv[optind][1] == '\0')
			return -1;
		at = 1;
		if (strcmp(argv[optind], "--") == 0) {
			next_word();
			return -1;
		}
	}
	optopt = (unsigned char)argv[optind][at++];
	known = optopt != ':' ? strchr(letters, optopt) : NULL;
	if (known && known[1] == ':')
		return take_argument(argc, argv, letters);
	if (argv[optind][at] == '\0')
		next_word();
	if (known)
		return optopt;
	if (opterr && *letters != ':')
		complain(": unknown option -- ", optopt);
	return '?';
}
