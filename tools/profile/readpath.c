/* Paths of addresses in a text: see readpath.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/readpath.h"

#define KERNEL "# kernel="
#define PROGRAM "# program="
#define DIGITS 8 /* of an address, hexadecimal; a kernel of 64 bits has twice as many */

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

	if (!at)
		return false;
	at += strlen(word);
	return textline_number(&at, r->t.line + r->t.n, 10, UINT64_MAX, v);
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

/* Take the kernel's text from the first line of gnomon record's: " text=0xLO-0xHI". */
static void take_text(struct pathtext *t)
{
	const char *end = t->t.line + t->t.n, *at = memmem(t->t.line, t->t.n, " text=0x", 8);
	const char *digits;
	uint64_t lo, hi;

	if (!at)
		return;
	at += 8;
	digits = at;
	if (!textline_number(&at, end, 16, UINT64_MAX, &lo))
		return;
	t->p->width = 4;
	if (at - digits > 8)
		t->p->width = 8;
	if (!textline_starts(at, end - at, "-0x"))
		return;
	at += 3;
	if (!textline_number(&at, end, 16, UINT64_MAX, &hi) || hi <= lo)
		return;
	t->lo = lo;
	t->hi = hi;
}

/* Take the file of the kernel, whose name is the rest of the line. */
static void take_kernel(struct pathtext *t)
{
	struct profdata_image *image = &t->p->image[t->kernel];
	size_t n = strlen(KERNEL);

	if (t->t.n <= n || memchr(t->t.line, 0, t->t.n))
		return;
	free(image->path);
	image->path = memory_string(t->t.line + n, t->t.n - n);
	image->recorded = true;
}

/* Take a program's name and file. */
static void take_program(struct pathtext *t)
{
	const char *name = t->t.line + strlen(PROGRAM), *end = t->t.line + t->t.n;
	const char *blank = memchr(name, ' ', (size_t)(end - name));
	char *s, *path;
	uint32_t i;

	if (!blank || blank + 1 == end || memchr(name, 0, (size_t)(end - name)))
		return;
	s = memory_string(name, (size_t)(blank - name));
	path = memory_string(blank + 1, (size_t)(end - blank - 1));
	i = profdata_image(t->p, s, path, "", false);
	t->p->image[i].recorded = true;
	free(s);
	free(path);
}

bool readpath_recorded(struct pathtext *t)
{
	bool unit = memmem(t->t.line, t->t.n, " unit=instructions", 18);

	if (unit)
		t->p->unit = PROFDATA_EXECUTED;
	if (unit && !readpath_key(t, " period=", &t->p->period))
		t->p->period = 0;
	take_text(t);
	if (t->hi && textline_begins(&t->t, KERNEL))
		take_kernel(t);
	if (t->hi && textline_begins(&t->t, PROGRAM))
		take_program(t);
	return unit;
}

/* Return the mode that a path's second word, of n characters, names; -1: none. */
static int mode_of(const struct pathtext *r, const char *s, size_t n)
{
	int i;

	for (i = 0; i < PROFDATA_NMODES; i++)
		if (r->modes >> i & 1 && textline_is(s, n, profdata_mode_step[i]))
			return i;
	return -1;
}

/* Other programs may leave out zeros, but each address has a digit, and the last has all. */
bool readpath_address(const char **at, const char *end, uint64_t *pc)
{
	const char *digits = *at + 3, *last = end;
	ptrdiff_t n;

	if (!textline_starts(*at, (size_t)(end - *at), ";0x"))
		return false;
	if (end - digits > 2 * DIGITS)
		last = digits + 2 * DIGITS;
	*at = digits;
	if (!textline_number(at, last, 16, UINT64_MAX, pc))
		return false;
	if (*at < end)
		return **at == ';';
	n = end - digits;
	return n == DIGITS || n == 2 * DIGITS;
}

/*
 * Return whether an address is the kernel's, by what the file tells of it or by its image. Where a
 * kernel is in the upper half of the addresses, all above its text is its own, too: modules of
 * Linux's lie there, and no program.
 */
static bool is_kernel(const struct pathtext *r, uint64_t pc)
{
	uint64_t half = 1ull << 63;

	if (!r->hi)
		return images_kernel_pc(r->images, pc);
	if (r->p->width == 4)
		half = 1ull << 31;
	return pc >= r->lo && (pc < r->hi || r->lo >= half);
}

/* Read the addresses from `at` to `end`. Return how many, or -1. */
static long addresses(struct pathtext *r, const char *at, const char *end, uint32_t program)
{
	uint32_t image;
	uint64_t pc;
	size_t n = 0;

	r->frame = memory_grow(r->frame, &r->room, (end - at) / strlen(";0x1") + 1,
			       sizeof(*r->frame));
	while (at < end) {
		if (!readpath_address(&at, end, &pc))
			return -1;
		if (pc > UINT32_MAX)
			r->p->width = 8;
		image = program;
		if (is_kernel(r, pc))
			image = r->kernel;
		r->frame[n++] = (struct profdata_frame){.pc = pc, .image = image};
	}
	return n;
}

const char *readpath_step(const char *s, const char *end)
{
	const char *semicolon = memchr(s, ';', end - s);

	if (!semicolon)
		return end;
	return semicolon;
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

bool readpath_is_name(const char *s, const char *end)
{
	return end > s && !memchr(s, 0, end - s);
}

long readpath(struct pathtext *r, const char *s, const char *end, struct profdata_sample *like)
{
	static const char cut[] = ";[cut]";
	const char *name_end = readpath_step(s, end), *at = end;
	int mode = -1;
	long n;

	if (name_end < end) {
		at = readpath_step(name_end + 1, end);
		mode = mode_of(r, name_end + 1, at - (name_end + 1));
	}
	if (mode < 0)
		return readpath_expected(r, "NAME;[MODE];ADDRESS... COUNT");
	if (!readpath_is_name(s, name_end))
		return readpath_expected(r, "NAME;[MODE];ADDRESS... COUNT");
	like->cut = textline_starts(at, end - at, cut);
	if (like->cut)
		at += strlen(cut);
	like->mode = mode;
	like->process = profdata_name(r->p, s, name_end - s);
	n = addresses(r, at, end, program_of(r, like->process));
	if (n <= 0)
		return readpath_expected(r, "addresses such as ;0xc0101230");
	return n;
}
