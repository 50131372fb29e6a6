/* The programs of a profile whose functions have no names: see unnamed.h. */
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/profile/unnamed.h"

#define NAMED 5 /* programs that are named at most */

/* Return for each image how much was counted in its own code; the caller frees that. */
static uint64_t *own_counts(const struct profdata *p)
{
	uint64_t *own = memory_zeroed(p->nimage, sizeof(*own));
	const struct profdata_sample *s;
	const struct profdata_frame *leaf;

	for (s = p->sample; s < p->sample + p->nsample; s++) {
		leaf = profdata_leaf(p, s);
		if (!leaf)
			continue;
		if (leaf->image != PROFDATA_NONE)
			own[leaf->image] += s->count;
	}
	return own;
}

/* Return whether an image is of a program that has no file, which was not said. */
static bool is_unnamed(const struct profdata_image *image)
{
	if (image->elf)
		return false;
	if (image->kernel)
		return false;
	return !image->told;
}

/* Print the names of NAMED of them in which something was counted. Return how many there are. */
static size_t print_unnamed(struct profdata *p, FILE *to)
{
	uint64_t *own = own_counts(p);
	const char *before = "";
	size_t i, n = 0;

	for (i = 0; i < p->nimage; i++) {
		if (own[i] == 0)
			continue;
		if (!is_unnamed(&p->image[i]))
			continue;
		p->image[i].told = true;
		if (n++ < NAMED)
			fprintf(to, "%s%s", before, p->image[i].name);
		before = ", ";
	}
	if (n > NAMED)
		fputs(" and others", to);
	free(own);
	return n;
}

char *unnamed_note(struct profdata *p)
{
	struct memory_stream names;
	char *note = NULL;
	size_t n;

	memory_stream_open(&names);
	n = print_unnamed(p, names.f);
	memory_stream_close(&names);
	if (n == 1)
		note = memory_format("the functions of %s are not named, for no file of that name "
				     "was found; give it with --image", names.data);
	if (n > 1)
		note = memory_format("the functions of %s are not named, for no files of these "
				     "names were found; give them with --image", names.data);
	free(names.data);
	return note;
}
