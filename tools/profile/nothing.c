/* Why a profile may have no counts: see nothing.h. */
#include <string.h>
#include "tools/profile/nothing.h"
#include "tools/profile/window.h"

/* What is to be done before something is counted, by format. */
static const struct {
	const char *format, *text;
} hints[] = {
	{"kpdata", "nothing: ticks are counted after 'echo start >/dev/kpctl'"},
	{"stacks", "nothing: paths are counted after 'stacks on' and 'start'"},
	{"waits", "nothing: waits are counted after 'echo waits on >/dev/kpctl'"},
	{"memory", "nothing: paths of memory are kept after 'echo startmp paths >/prof/ctl'"},
	{"calls", "nothing: calls are measured after 'calls FUNCTION' and 'start'"},
	{"trace", window_empty},
};

/* Return whether nothing at all was counted. */
static bool is_empty(const struct profdata *p)
{
	if (p->total > 0 || p->calls > 0 || p->nrecord > 0)
		return false;
	return p->narc + p->nmemory + p->timed.n == 0;
}

const char *nothing_why(const struct profdata *p)
{
	size_t i;

	if (!is_empty(p))
		return NULL;
	for (i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strcmp(p->format, hints[i].format) == 0)
			return hints[i].text;
	return "nothing was counted";
}
