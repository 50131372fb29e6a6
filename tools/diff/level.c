/* gnomon-diff(1): programs whose functions have names on one side only: see diff.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/diff/diff.h"
#include "tools/memory.h"
#include "tools/texts.h"

/* Names of programs, and of the first n, which some side has no file of, whether another has. */
struct levels {
	struct texts name;
	size_t n;
	bool *had;
};

static size_t number_of(struct levels *l, const struct profdata_image *image)
{
	return texts_number(&l->name, image->name, strlen(image->name));
}

/* Collect the programs that a side has addresses of, but no file. */
static void find_lacking(struct levels *l, const struct profdata *p)
{
	bool *used = profdata_used_images(p);
	const struct profdata_image *image;
	size_t i;

	for (i = 0; i < p->nimage; i++) {
		image = &p->image[i];
		if (used[i] && !image->kernel && !image->elf)
			number_of(l, image);
	}
	free(used);
}

/* Forget the files of these programs. */
static void forget_files(struct levels *l, struct profdata *p)
{
	struct profdata_image *image;
	size_t i, number;

	for (i = 0; i < p->nimage; i++) {
		image = &p->image[i];
		if (image->kernel || !image->elf)
			continue;
		number = number_of(l, image);
		if (number >= l->n)
			continue;
		l->had[number] = true;
		image->elf = NULL;
	}
}

/* Do so on one side, in each run, too. */
static void forget_side(struct levels *l, struct diff_side *s)
{
	size_t i;

	forget_files(l, &s->prof);
	if (!s->repeats.run)
		return;
	for (i = 0; i < s->repeats.n; i++)
		forget_files(l, &s->repeats.run[i]);
}

/* Return the names of those that had a file, with commas between them; the caller frees it. */
static char *names_of(const struct levels *l)
{
	struct memory_stream names;
	const char *comma = "";
	size_t i;

	memory_stream_open(&names);
	for (i = 0; i < l->n; i++) {
		if (!l->had[i])
			continue;
		fprintf(names.f, "%s%s", comma, l->name.text[i].text);
		comma = ", ";
	}
	memory_stream_close(&names);
	return names.data;
}

void diff_level(struct diff *d)
{
	struct levels l = {.n = 0};
	char *names;

	find_lacking(&l, &d->a.prof);
	find_lacking(&l, &d->b.prof);
	l.n = l.name.n;
	l.had = memory_zeroed(l.n, sizeof(*l.had));
	forget_side(&l, &d->a);
	forget_side(&l, &d->b);
	names = names_of(&l);
	if (*names)
		d->level = memory_format("one row each, for their functions have names on one side "
					 "only: %s", names);
	free(names);
	free(l.had);
	texts_free(&l.name);
}
