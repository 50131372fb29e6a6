/*
 * gnomon-report(1) without --inlined: what is to be said of inlined functions. It is found in the
 * DWARF data, which takes time, so it is looked for only where somebody waits for such an answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/memory.h"
#include "tools/report/report.h"

#define NAMED 3			     /* functions that are named at most */
#define LARGEST ((off_t)32 << 20) /* bytes of a file that is read for no more than a hint */

/* The functions that one was inlined into. */
struct homes {
	const struct report *r;
	const struct functions *f;
	uint32_t function[NAMED];
	size_t n;
	bool more; /* than are named */
};

/* Note one of them. */
static void add_home(struct homes *h, uint32_t function)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if (h->function[i] == function)
			return;
	if (h->n < NAMED)
		h->function[h->n++] = function;
	else
		h->more = true;
}

/* Return whether a function is one that was inlined, and has that name. */
static bool is_asked(const struct homes *h, uint32_t function, const char *wanted)
{
	const struct function *f = &h->f->function[function];

	if (!f->inlined)
		return false;
	return report_means(wanted, profdata_image_name(&h->r->prof, f->image), f->name,
			    f->plain);
}

/* Note where a path has that function; a home is the step before it that was not inlined. */
static void look_in_path(struct homes *h, const struct step *step, size_t n, const char *wanted)
{
	uint32_t home = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!h->f->function[step[i].function].inlined)
			home = step[i].function;
		else if (is_asked(h, step[i].function, wanted))
			add_home(h, home);
	}
}

/* Return the homes' names, which the caller frees. */
static char *homes_named(const struct homes *h)
{
	struct memory_stream s;
	size_t i;

	memory_stream_open(&s);
	for (i = 0; i < h->n; i++) {
		if (i > 0)
			fputs(", ", s.f);
		fputs(h->f->function[h->function[i]].name, s.f);
	}
	if (h->more)
		fputs(" and others", s.f);
	memory_stream_close(&s);
	return s.data;
}

/* Look for that function in all paths. */
static void look_in_paths(struct homes *h, struct functions *f, const char *wanted)
{
	const struct profdata *p = &h->r->prof;
	const struct step *step;
	size_t i, n;

	for (i = 0; i < p->nsample; i++) {
		step = functions_path(f, &p->sample[i], &n);
		look_in_path(h, step, n, wanted);
	}
}

int report_no_function(const struct report *r, const char *what, const char *wanted,
		       struct complaint *why)
{
	struct functions f;
	struct homes h = {.r = r, .f = &f};
	char *names;

	complain(why, "%s: %s %s", r->file, what, wanted);
	if (r->options.inlined)
		return -1;
	functions_init(&f, &r->prof, true);
	look_in_paths(&h, &f, wanted);
	names = homes_named(&h);
	if (h.n)
		complain(why, "%s: %s %s: it is inlined into %s; --inlined shows it", r->file, what,
			 wanted, names);
	free(names);
	functions_free(&f);
	return -1;
}

/* Return whether the files are small enough to be read for a hint. */
static bool are_small(const struct report *r)
{
	struct stat st;
	size_t i;

	for (i = 0; i < r->prof.nimage; i++) {
		const struct image *elf = r->prof.image[i].elf;

		if (!elf)
			continue;
		if (stat(elf->path, &st) < 0)
			return false;
		if (st.st_size > LARGEST)
			return false;
	}
	return true;
}

/* Return the inlined function with the most counts, and *n: how many have some; NULL: none has. */
static const struct function *most_inlined(const struct functions *f, size_t *n)
{
	const struct function *most = NULL;
	uint64_t highest = 0;
	size_t i;

	*n = 0;
	for (i = 0; i < f->n; i++) {
		const struct function *one = &f->function[i];

		if (!one->inlined)
			continue;
		if (one->self == 0)
			continue;
		++*n;
		if (one->self > highest) {
			most = one;
			highest = one->self;
		}
	}
	return most;
}

void report_inlined_hint(const struct report *r)
{
	const struct function *most;
	struct functions f;
	size_t n;

	if (!are_small(r))
		return;
	functions_init(&f, &r->prof, true);
	functions_count(&f);
	most = most_inlined(&f, &n);
	if (most)
		printf("\n--inlined also lists functions that are inlined into these: %zu, the "
		       "largest %s with %.2f %%\n", n, most->name,
		       report_percent(r, (double)most->self));
	functions_free(&f);
}
