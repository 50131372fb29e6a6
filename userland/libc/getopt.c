/* The options of a command line (POSIX, XBD 12.2). */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *optarg;
int optind = 1;
int opterr = 1;
int optopt;

static int at; /* in argv[optind]: the next letter, 0 when the word is not begun */

/*
 * Print "name: what -- c" in one write. This does without printf, which small programs need
 * not carry.
 */
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

/* Go on to the next word. */
static void next_word(void)
{
	optind++;
	at = 0;
}

/* Take the argument of the letter just read: the rest of its word, or the next word. */
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
 * Return the next option's letter, or -1 at the end, at the first word that is not an
 * option, or after "--". A letter that is not among `letters' gives '?'. A ':' after a
 * letter there means that it has an argument, which goes to optarg. A ':' in front of them
 * all means no messages, and ':' as the result if an argument is missing.
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
