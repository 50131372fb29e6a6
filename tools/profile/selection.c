/* A part of a profile: see selection.h. */
#include <string.h>
#include "tools/profile/selection.h"

/* By its name. */
int selection_mode(struct selection *s, const char *name, struct complaint *why)
{
	int i;

	for (i = 0; i < PROFDATA_NMODES; i++) {
		if (strcmp(profdata_mode_name[i], name) != 0)
			continue;
		s->mode = i;
		return 0;
	}
	return complain(why, "--mode %s: kernel, interrupt, user or idle expected", name);
}

/* Whether a sample was asked for. */
static bool keep(const struct profdata *p, const struct profdata_sample *s, void *arg)
{
	const struct profdata_frame *leaf = profdata_leaf(p, s);
	const struct selection *w = arg;

	if (w->mode >= 0 && s->mode != w->mode)
		return false;
	if (w->process && (s->process == PROFDATA_NONE ||
			   strcmp(p->name[s->process], w->process) != 0))
		return false;
	return !w->module || (leaf && leaf->image != PROFDATA_NONE &&
			      strcmp(p->image[leaf->image].name, w->module) == 0);
}

/* Samples only; arcs stay. */
int selection_apply(const struct selection *s, struct profdata *p, struct complaint *why)
{
	bool part = s->module || s->process || s->mode >= 0;

	if (s->process && p->nname == 0)
		return complain(why, "it does not tell processes apart; only call paths do");
	if (part)
		profdata_filter(p, keep, (void *)s);
	if (part && p->nsample + p->narc == 0)
		return complain(why, "nothing in it is of that program, process or mode");
	profdata_split(p);
	return 0;
}
