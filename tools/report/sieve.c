/* gnomon-report(1): regular expressions for functions: see sieve.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/report/sieve.h"

/* What is known of a function: whether it was looked at, and what matches. */
enum { LOOKED = 1, FOCUS = 2, IGNORE = 4, HIDE = 8 };

/* The work on one profile. */
struct work {
	const struct sieve *s;
	struct profdata *p;
	struct functions *f;
	uint8_t *match; /* by function */
	size_t room_match;
	uint32_t *instead; /* by frame: 1 + the one that replaces it as a leaf; 0: none yet */
	size_t room_instead;
};

/* Compile an expression. If an option is given twice the last counts, as with others. */
static enum option_status take_pattern(struct sieve_pattern *to, const char *option,
				       const char *text, struct complaint *why)
{
	char message[256];
	regex_t compiled;
	int err = regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB);

	if (err) {
		regerror(err, &compiled, message, sizeof(message));
		complain(why, "%s %s: %s", option, text, message);
		return OPTION_WRONG;
	}
	if (to->text)
		regfree(&to->compiled);
	*to = (struct sieve_pattern){.text = text, .compiled = compiled};
	return OPTION_OK;
}

enum option_status sieve_focus(void *field, const char *text, struct complaint *why)
{
	return take_pattern(field, "--focus", text, why);
}

enum option_status sieve_ignore(void *field, const char *text, struct complaint *why)
{
	return take_pattern(field, "--ignore", text, why);
}

enum option_status sieve_hide(void *field, const char *text, struct complaint *why)
{
	return take_pattern(field, "--hide", text, why);
}

bool sieve_given(const struct sieve *s)
{
	return s->focus.text || s->ignore.text || s->hide.text;
}

void sieve_free(struct sieve *s)
{
	struct sieve_pattern *pattern[] = {&s->focus, &s->ignore, &s->hide};
	size_t i;

	for (i = 0; i < 3; i++)
		if (pattern[i]->text)
			regfree(&pattern[i]->compiled);
	*s = (struct sieve){.focus.text = NULL};
}

/* Return the bit if the pattern matches the name, with or without its module; else 0. */
static uint8_t match_pattern(const struct sieve_pattern *pattern, uint8_t bit, const char *name,
			     const char *full)
{
	if (!pattern->text)
		return 0;
	if (regexec(&pattern->compiled, name, 0, NULL, 0) == 0)
		return bit;
	if (full && regexec(&pattern->compiled, full, 0, NULL, 0) == 0)
		return bit;
	return 0;
}

/* Return what matches a name of a function, with or without its module. */
static uint8_t match_name(const struct work *w, const struct function *f, const char *name)
{
	uint8_t match = 0;
	char *full = NULL;

	if (f->image != PROFDATA_NONE)
		full = memory_format("%s:%s", w->p->image[f->image].name, name);
	match |= match_pattern(&w->s->focus, FOCUS, name, full);
	match |= match_pattern(&w->s->ignore, IGNORE, name, full);
	match |= match_pattern(&w->s->hide, HIDE, name, full);
	free(full);
	return match;
}

/* Return what matches a function, by either of its names; each is looked at once. */
static uint8_t match_of(struct work *w, uint32_t function)
{
	const struct function *f = &w->f->function[function];
	uint8_t *match;

	w->match = memory_grow_zeroed(w->match, &w->room_match, w->f->n, 1);
	match = &w->match[function];
	if (*match)
		return *match;
	*match = LOOKED | match_name(w, f, f->name);
	if (strcmp(f->plain, f->name) != 0)
		*match |= match_name(w, f, f->plain);
	return *match;
}

/* Return whether something with these matches stays. */
static bool stays(const struct work *w, uint8_t matches)
{
	if (matches & IGNORE)
		return false;
	return !w->s->focus.text || matches & FOCUS;
}

/* For profdata_filter(). */
static bool sample_stays(const struct profdata *p, const struct profdata_sample *s, void *arg)
{
	struct work *w = arg;
	const struct step *step;
	uint8_t matches = 0;
	size_t i, n;

	(void)p;
	step = functions_path(w->f, s, &n);
	for (i = 0; i < n; i++)
		matches |= match_of(w, step[i].function);
	return stays(w, matches);
}

/* Drop the arcs of the functions that are not shown. */
static void filter_arcs(struct work *w)
{
	struct profdata *p = w->p;
	size_t i, n = 0;

	for (i = 0; i < p->narc; i++)
		if (stays(w, match_of(w, functions_at(w->f, p->arc[i].image, p->arc[i].selfpc))))
			p->arc[n++] = p->arc[i];
	p->narc = n;
}

/* Return whether the i-th frame of a sample and all that was inlined there is hidden. */
static bool frame_hidden(struct work *w, const struct profdata_sample *s, size_t i)
{
	const struct profdata_sample alone = {.path = s->path + i, .depth = 1};
	const struct step *step;
	bool hidden = true;
	size_t j, n;

	step = functions_path(w->f, &alone, &n);
	for (j = 0; j < n && hidden; j++)
		hidden = match_of(w, step[j].function) & HIDE;
	return hidden;
}

/*
 * Return the frame that stands for a call when what it called is hidden: the call's instruction,
 * in place of the one after it.
 */
static uint32_t call_of(struct work *w, uint32_t frame)
{
	struct profdata *p = w->p;
	struct profdata_frame call = p->frame[frame];

	if (call.span)
		return frame;
	w->instead = memory_grow_zeroed(w->instead, &w->room_instead, p->nframe,
					sizeof(*w->instead));
	if (!w->instead[frame]) {
		call.pc--;
		call.span = 1;
		p->frame = memory_grow(p->frame, &p->room_frame, p->nframe + 1, sizeof(call));
		p->frame[p->nframe++] = call;
		w->instead[frame] = p->nframe;
	}
	return w->instead[frame] - 1;
}

/* Take hidden frames out of a sample's path, which no other sample has. */
static void hide_frames(struct work *w, struct profdata_sample *s)
{
	uint32_t *path = w->p->path + s->path;
	size_t i, n = 0;

	for (i = 0; i < s->depth; i++)
		if (!frame_hidden(w, s, i))
			path[n++] = path[i];
	s->depth = n;
	if (n)
		path[n - 1] = call_of(w, path[n - 1]);
}

/* Frames first; then functions, for one that is inlined is only a part of its frame. */
static void hide_all(struct work *w)
{
	size_t i;

	for (i = 0; i < w->p->nsample; i++)
		hide_frames(w, &w->p->sample[i]);
	for (i = 0; i < w->f->n; i++)
		w->f->function[i].hidden = match_of(w, i) & HIDE;
}

int sieve_apply(const struct sieve *s, struct profdata *p, struct functions *f,
		struct complaint *why)
{
	struct work w = {.s = s, .p = p, .f = f};
	const char *option = "ignore";
	bool paths = p->has_paths;

	if (s->hide.text && !paths)
		return complain(why, "--hide: the profile has no call paths; "
			     "--ignore leaves functions out");
	if (s->focus.text || s->ignore.text) {
		profdata_filter(p, sample_stays, &w);
		filter_arcs(&w);
	}
	if (s->hide.text)
		hide_all(&w);
	p->has_paths = paths;
	free(w.match);
	free(w.instead);
	if (p->nsample + p->narc > 0)
		return 0;
	if (s->focus.text)
		option = "focus";
	return complain(why, "--%s leaves nothing of it", option);
}
