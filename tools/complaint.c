/* Why something failed: see complaint.h. */
#include <stdarg.h>
#include <stdio.h>
#include "tools/complaint.h"

int complain(struct complaint *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->text, sizeof(c->text), fmt, ap);
	va_end(ap);
	return -1;
}
