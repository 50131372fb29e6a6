/* Reads kpinfo, kprof(3), as it is now. */
#include <stdlib.h>

#include "userland/files/whole.h"
#include "userland/profile/loss.h"

#define INFO "/dev/kpinfo"

bool loss_read(struct loss *l, const char *profiler)
{
	size_t n;
	char *text = whole_read(INFO, &n);
	bool got = loss_parse(l, text ? text : "", profiler);

	free(text);
	return got;
}
