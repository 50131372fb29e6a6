/* A part of a profile: see selection.h. */
#include <string.h>
#include "tools/profile/profread.h"
#include "tools/profile/selection.h"

enum option_status selection_mode(void *field, const char *name, struct complaint *why)
{
	int i;

	for (i = 0; i < PROFDATA_NMODES; i++) {
		if (strcmp(profdata_mode_name[i], name) != 0)
			continue;
		*(int *)field = i;
		return OPTION_OK;
	}
	complain(why, "--mode %s: kernel, interrupt, user or idle expected, or of waits pipe, "
		      "sleep, child, lock, device or ready, or of memory in_use or freed", name);
	return OPTION_WRONG;
}

/* The file is opened at once, so that a wrong one is reported by the name that was given. */
enum option_status selection_image(void *field, const char *path, struct complaint *why)
{
	if (images_add(field, path, why) < 0)
		return OPTION_BAD;
	return OPTION_OK;
}

/* Whether a sample is of that process. */
static bool of_process(const struct profdata *p, const struct profdata_sample *s, const char *name)
{
	return s->process != PROFDATA_NONE && strcmp(p->name[s->process], name) == 0;
}

/* Whether a sample's innermost frame is in that image. */
static bool of_module(const struct profdata *p, const struct profdata_sample *s, const char *name)
{
	const struct profdata_frame *leaf = profdata_leaf(p, s);

	return leaf && strcmp(profdata_image_name(p, leaf->image), name) == 0;
}

/* Whether a sample is in the selection. */
static bool selection_keeps(const struct profdata *p, const struct profdata_sample *s, void *arg)
{
	const struct selection *w = arg;

	if (w->mode >= 0 && s->mode != w->mode)
		return false;
	if (w->process && !of_process(p, s, w->process))
		return false;
	return !w->module || of_module(p, s, w->module);
}

/* For profdata_filter(): whether some memory of the place is in use. */
static bool selection_in_use(const struct profdata *p, const struct profdata_sample *s, void *arg)
{
	(void)p;
	(void)arg;
	return s->count > 0;
}

/* Drop the other samples; arcs stay, for they have neither process nor mode. */
static int selection_apply_to(const struct selection *s, struct profdata *p, struct complaint *why)
{
	bool part;

	if (window_apply(&s->window, p, why) < 0)
		return -1;
	if (p->nmemory > 0 && !s->freed)
		profdata_filter(p, selection_in_use, NULL);
	part = s->module || s->process || s->mode >= 0;

	if (s->process && p->nname == 0)
		return complain(why, "it does not tell processes apart; only call paths do");
	if (part) {
		profdata_filter(p, selection_keeps, (void *)s);
		if (p->nsample + p->narc == 0)
			return complain(why,
					"nothing in it is of that program, process or mode");
	}
	profdata_split(p);
	return 0;
}

int selection_read(const struct selection *s, struct profdata *p, const char *path,
		   struct images *images, struct complaint *why)
{
	struct complaint what;

	if (profread(p, path, images, why) < 0)
		return -1;
	if (selection_apply_to(s, p, &what) == 0)
		return 0;
	profdata_free(p);
	return complain(why, "%s: %s", path, what.text);
}
