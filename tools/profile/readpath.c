/* Paths of addresses in a text: see readpath.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/readpath.h"

#define DIGITS 8 /* of an address; a kernel of 64 bits has twice as many */

void readpath_init(struct pathtext *r, struct profdata *p, const struct profread_file *f,
		   struct complaint *why)
{
	*r = (struct pathtext){.p = p, .images = f->images, .why = why};
	p->has_modes = true;
	r->kernel = profdata_image(p, "kernel", NULL, "", true);
	textline_init(&r->t, f->data, f->n);
}

void readpath_free(struct pathtext *r)
{
	free(r->frame);
	free(r->program);
}

int readpath_expected(struct pathtext *r, const char *what)
{
	return textline_expected(&r->t, what, r->why);
}

bool readpath_key(const struct pathtext *r, const char *word, uint64_t *v)
{
	const char *at = memmem(r->t.line, r->t.n, word, strlen(word));

	at = at ? at + strlen(word) : NULL;
	return at && textline_number(&at, r->t.line + r->t.n, 10, UINT64_MAX, v);
}

/* The kernel's image is found by its name, so its build id may come later. */
void readpath_head(struct pathtext *r, const char *head)
{
	const char *id = memmem(r->t.line, r->t.n, " build=", 7);

	if (textline_begins(&r->t, head))
		readpath_key(r, " version=", &r->version);
	if (id && r->t.line + r->t.n - id >= 7 + 40)
		memcpy(r->p->image[r->kernel].buildid, id + 7, 40);
}

/* Return the mode that a path's second word, of n characters, names; -1: none. */
static int mode_of(const struct pathtext *r, const char *s, size_t n)
{
	int i;

	for (i = 0; i < PROFDATA_NMODES; i++)
		if (r->modes >> i & 1 && strlen(profdata_mode_step[i]) == n &&
		    memcmp(profdata_mode_step[i], s, n) == 0)
			return i;
	return -1;
}

/*
 * Read the addresses from `at` to `end`, each after a semicolon. Return how many, or -1. Other
 * programs may leave out zeros, but each has a digit, and the last has all.
 */
static long addresses(struct pathtext *r, const char *at, const char *end, uint32_t program)
{
	size_t n = 0;
	const char *digits, *last;
	uint64_t pc;

	r->frame = memory_grow(r->frame, &r->room, (end - at) / strlen(";0x1") + 1,
			       sizeof(*r->frame));
	while (at < end) {
		if (end - at < 4 || memcmp(at, ";0x", 3) != 0)
			return -1;
		at += 3;
		digits = at;
		last = end - at > 2 * DIGITS ? at + 2 * DIGITS : end;
		if (!textline_number(&at, last, 16, UINT64_MAX, &pc) || (at < end && *at != ';'))
			return -1;
		if (at == end && at - digits != DIGITS && at - digits != 2 * DIGITS)
			return -1;
		if (pc > UINT32_MAX)
			r->p->width = 8;
		r->frame[n++] = (struct profdata_frame){
			.pc = pc,
			.image = images_kernel_pc(r->images, pc) ? r->kernel : program,
		};
	}
	return n;
}

const char *readpath_step(const char *s, const char *end)
{
	const char *semicolon = memchr(s, ';', end - s);

	return semicolon ? semicolon : end;
}

/* Return the image of a process's program, which has its name. */
static uint32_t program_of(struct pathtext *r, uint32_t process)
{
	while (process >= r->nprogram) {
		r->program = memory_grow(r->program, &r->room_program, r->nprogram + 1,
					 sizeof(*r->program));
		r->program[r->nprogram] =
			profdata_image(r->p, r->p->name[r->nprogram], NULL, "", false);
		r->nprogram++;
	}
	return r->program[process];
}

long readpath(struct pathtext *r, const char *s, const char *end, struct profdata_sample *like)
{
	const char *name_end = readpath_step(s, end), *mode = name_end + 1, *at;
	int m = name_end < end ? mode_of(r, mode, readpath_step(mode, end) - mode) : -1;
	long n;

	if (m < 0 || name_end == s || memchr(s, 0, name_end - s))
		return readpath_expected(r, "NAME;[MODE];ADDRESS... COUNT");
	at = readpath_step(mode, end);
	like->cut = end - at >= 6 && memcmp(at, ";[cut]", 6) == 0;
	like->mode = m;
	like->process = profdata_name(r->p, s, name_end - s);
	n = addresses(r, at + (like->cut ? 6 : 0), end, program_of(r, like->process));
	return n > 0 ? n : readpath_expected(r, "addresses such as ;0xc0101230");
}
