/* The lines that were typed. */
#include "userland/sh/sh.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HISTORY 128

static char *lines[HISTORY]; /* a ring */
static unsigned count;	     /* of lines ever added */

/*
 * Return the line typed `back' lines before the latest, or NULL if it is too old or never
 * was.
 */
const char *history_line(unsigned back)
{
	if (back >= count || back >= HISTORY)
		return NULL;
	return lines[(count - 1 - back) % HISTORY];
}

/* Remember a line unless it is blank or the same as the one before. */
void history_add(const char *line)
{
	const char *before = history_line(0);

	if (line[strspn(line, " \t")] == '\0')
		return;
	if (before && strcmp(before, line) == 0)
		return;
	free(lines[count % HISTORY]);
	lines[count % HISTORY] = need(strdup(line));
	count++;
}

/* history: print the lines that were typed, the latest one last, with how many there were. */
int builtin_history(struct list *args)
{
	unsigned back = count < HISTORY ? count : HISTORY;

	(void)args;
	for (; back > 0; back--)
		dprintf(1, "%5u  %s\n", count - back + 1, history_line(back - 1));
	return 0;
}
