/* The options of gnomon's commands: see option.h. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include "tools/option.h"

/* With the word that it stands in. */
int option_wrong(int c, char **argv, struct complaint *why)
{
	return complain(why, c == ':' ? "%s: something must follow" :
					"%s: no such option, or not like this", argv[optind - 1]);
}

/* Every letter is in the table. */
const char *option_name(const struct option *all, int letter)
{
	while (all->val != letter)
		all++;
	return all->name;
}

/* A number of rows. */
int option_limit(const char *arg, size_t *limit, struct complaint *why)
{
	unsigned long v;
	char *end;

	errno = 0;
	v = strtoul(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || errno)
		return complain(why, "--limit %s: a number of rows expected", arg);
	*limit = v ? v : SIZE_MAX;
	return 0;
}
