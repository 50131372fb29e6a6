/* gnomon-diff(1): programs whose functions have names on one side only: see diff.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/diff/diff.h"
#include "tools/memory.h"

/* Return whether a profile has addresses of an image. */
static bool is_used(const struct profdata *p, size_t image)
{
	size_t i;

	for (i = 0; i < p->nframe; i++)
		if (p->frame[i].image == image)
			return true;
	return false;
}

/* Return whether a side has addresses of a program of that name, but no file of it. */
static bool lacks_file(const struct profdata *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->nimage; i++) {
		if (p->image[i].elf)
			continue;
		if (strcmp(p->image[i].name, name) == 0 && is_used(p, i))
			return true;
	}
	return false;
}

/* Forget the files of a program. Return whether there was any. */
static bool forget_file(struct profdata *p, const char *name)
{
	bool had = false;
	size_t i;

	for (i = 0; i < p->nimage; i++) {
		if (strcmp(p->image[i].name, name) != 0)
			continue;
		had |= p->image[i].elf != NULL;
		p->image[i].elf = NULL;
	}
	return had;
}

/* Do so on one side, in each run, too. */
static bool forget_side(struct diff_side *s, const char *name)
{
	bool had = forget_file(&s->prof, name);
	size_t i;

	if (!s->repeats.run)
		return had;
	for (i = 0; i < s->repeats.n; i++)
		had |= forget_file(&s->repeats.run[i], name);
	return had;
}

/* Make the programs that a side has no files of single rows on both, and name them. */
static size_t level_side(struct diff *d, const struct diff_side *s, FILE *names, size_t n)
{
	const struct profdata_image *image;
	const char *comma = "";
	size_t i;
	bool had;

	for (i = 0; i < s->prof.nimage; i++) {
		image = &s->prof.image[i];
		if (image->kernel)
			continue;
		if (!lacks_file(&s->prof, image->name))
			continue;
		had = forget_side(&d->a, image->name);
		had |= forget_side(&d->b, image->name);
		if (!had)
			continue;
		if (n++ > 0)
			comma = ", ";
		fprintf(names, "%s%s", comma, image->name);
	}
	return n;
}

void diff_level(struct diff *d)
{
	struct memory_stream names;
	size_t n;

	memory_stream_open(&names);
	n = level_side(d, &d->a, names.f, 0);
	n = level_side(d, &d->b, names.f, n);
	memory_stream_close(&names);
	if (n > 0)
		d->level = memory_format("one row each, for their functions have names on one side "
					 "only: %s", names.data);
	free(names.data);
}
