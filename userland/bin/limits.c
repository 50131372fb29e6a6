/*
 * limits: shows how much of each limited thing a user has, and how much they may have; sets what
 * they may have. The file is limits(5).
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"

#define LIMITS "/dev/limits"

static const char synopsis[] = "limits [user [resource limit]]";

/* Print a line of the file with its words in columns. */
static void print(char *line)
{
	const char *word[4];

	for (int i = 0; i < 4; i++)
		if (!(word[i] = strtok(i ? NULL : line, " \n")))
			errx(1, "%s: not four words in a line", LIMITS);
	printf("%-8s%-12s%10s%10s\n", word[0], word[1], word[2], word[3]);
}

/* Print the lines of the user, or all of them if it is NULL, as a table. Return how many. */
static int show(const char *user)
{
	FILE *f = fopen(LIMITS, "r");
	size_t length = user ? strlen(user) : 0;
	char line[80];
	int n = 0;

	if (!f)
		err(1, "%s", LIMITS);
	while (fgets(line, sizeof(line), f)) {
		if (user && (strncmp(line, user, length) != 0 || line[length] != ' '))
			continue;
		if (n++ == 0)
			printf("%-8s%-12s%10s%10s\n", "USER", "RESOURCE", "USED", "LIMIT");
		print(line);
	}
	fclose(f);
	return n;
}

/* Set a limit, or end the program. */
static void set(const char *user, const char *resource, const char *limit)
{
	char line[80];
	int n = snprintf(line, sizeof(line), "%s %s %s\n", user, resource, limit);
	int fd = open(LIMITS, O_WRONLY);

	if (fd < 0)
		err(1, "%s", LIMITS);
	if (strcmp(limit, "-") != 0 && (!*limit || limit[strspn(limit, "0123456789")]))
		errx(1, "%s: not a limit, which is a number, or - for none", limit);
	if (n < (int)sizeof(line) && write(fd, line, (size_t)n) == n) {
		close(fd);
		return;
	}
	if (n < (int)sizeof(line) && errno != EINVAL)
		err(1, "%s", LIMITS);
	errx(1, "%s has no limit of %s to be %s; see limits(5)", user, resource, limit);
}

int main(int argc, char **argv)
{
	no_options(argc, argv, synopsis);
	argc -= optind;
	argv += optind;
	if (argc == 3)
		set(argv[0], argv[1], argv[2]);
	else if (argc > 1)
		usage('?', synopsis);
	else if (show(argv[0]) == 0)
		errx(1, "%s: no such user", argc ? argv[0] : LIMITS);
	return 0;
}
