/* The shell's messages: each names the shell, the file and the line. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Print `sh: FILE:LINE: what' in one write, so that messages of several processes do not
 * mix.
 */
static void say(const char *file, int line, const char *fmt, va_list ap)
{
	char what[1024];

	vsnprintf(what, sizeof(what), fmt, ap);
	if (file)
		dprintf(2, "sh: %s:%d: %s\n", file, line, what);
	else
		dprintf(2, "sh: %s\n", what);
}

/* Report what is wrong with the command that is running. */
void sh_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(sh.file, sh.line, fmt, ap);
	va_end(ap);
}

/* Report a failed system call on `what', with the limit that it reached or the meaning of errno. */
void sh_errno(const char *what)
{
	const char *limit = limit_reached(errno);

	sh_warn("%s: %s", what, limit ? limit : strerror(errno));
}

/* Report what is wrong with the text being read, once a line, and drop the rest of the line. */
void syntax_error(struct source *in, const char *fmt, ...)
{
	va_list ap;

	if (in->failed)
		return;
	va_start(ap, fmt);
	say(in->name, in->line, fmt, ap);
	va_end(ap);
	in->failed = true;
	sh.status = 2;
}
