/* Messages of the shell: who, in which file and line, what. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A line on standard error: `sh: FILE:LINE: what'; one write, so that lines stay whole. */
static void say(const char *file, int line, const char *fmt, va_list ap)
{
	char what[1024];

	vsnprintf(what, sizeof(what), fmt, ap);
	if (file)
		dprintf(2, "sh: %s:%d: %s\n", file, line, what);
	else
		dprintf(2, "sh: %s\n", what);
}

/* Says what is wrong with the command that runs. */
void sh_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(sh.file, sh.line, fmt, ap);
	va_end(ap);
}

/* The same, of something that errno explains. */
void sh_errno(const char *what)
{
	sh_warn("%s: %s", what, strerror(errno));
}

/* Says what is wrong with what is read, once for each line, and gives the line up. */
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
