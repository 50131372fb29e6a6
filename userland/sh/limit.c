/* Which of the user's limits an error comes from: limits(5). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/sh/sh.h"

#define LIMITS "/dev/limits"
#define PAGE_KB 4 /* in a page of memory */

/*
 * The errors by which limits show. Memory and room for files run out without being reached quite,
 * for what did not fit was more than one: then the limit is named when this much is left at most.
 */
static const struct {
	int error;
	const char *resource, *text; /* a line of the file, and what to say of it */
	unsigned long left;
	unsigned unit;
} causes[] = {
	{ EAGAIN, "processes", "too many processes for %s (%lu)", 0, 1 },
	{ ENOSPC, "mounts", "too many mounts for %s (%lu)", 64, 1 },
	{ ENOSPC, "pages", "no room for %s in memory (%lu KB)", 300, PAGE_KB },
	{ ENOMEM, "pages", "out of memory for %s (%lu KB)", 300, PAGE_KB },
};

/* Find the user's line on the resource, and get what is in use and the limit, if there is one. */
static bool find_line(char *text, const char *user, const char *resource, unsigned long *used,
		      unsigned long *limit)
{
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		size_t u = strlen(user), r = strlen(resource);
		char *end;

		if (strncmp(line, user, u) != 0 || strncmp(line + u + 1, resource, r) != 0)
			continue;
		*used = strtoul(line + u + r + 2, &end, 10);
		*limit = strtoul(end, NULL, 10);
		return *end && end[1] != '-';
	}
	return false;
}

/*
 * Say that the user may open no more, not even the file of limits; NULL if it is only the process
 * that has no number left for a file.
 */
static const char *no_more_files(char *says, size_t size, const char *user)
{
	int fd = dup(STDERR_FILENO);

	if (fd < 0)
		return NULL;
	close(fd);
	snprintf(says, size, "too many open files for %s (the owner sees how many: limits %s)",
		 user, user);
	return says;
}

const char *limit_reached(int error)
{
	static char says[96];
	const char *user = getuid() == 0 ? "eve" : "none";
	char text[512];

	if (error == EMFILE)
		return no_more_files(says, sizeof(says), user);
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		unsigned long used, limit;
		int fd = causes[i].error == error ? open(LIMITS, O_RDONLY) : -1;
		ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;

		if (fd >= 0)
			close(fd);
		text[n > 0 ? n : 0] = 0;
		if (!find_line(text, user, causes[i].resource, &used, &limit) ||
		    used + causes[i].left < limit)
			continue;
		snprintf(says, sizeof(says), causes[i].text, user, limit * causes[i].unit);
		return says;
	}
	return NULL;
}
