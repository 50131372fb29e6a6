/* Why something failed: see complaint.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tools/complaint.h"
#include "tools/printable.h"

int complain_errno(struct complaint *c, const char *what)
{
	return complain(c, "%s: %s", what, strerror(errno));
}

int complain(struct complaint *c, const char *fmt, ...)
{
	char text[sizeof(c->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	printable_lines(c->text, sizeof(c->text), text);
	return -1;
}
