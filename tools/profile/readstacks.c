/* Reading call paths: the text of kpstack(5), folded paths of addresses. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/profread.h"
#include "tools/profile/textline.h"

#define DIGITS 8 /* of an address; a kernel of 64 bits has twice as many */

/* The text, and what its comments say. */
struct reader {
	struct profdata *p;
	const struct images *images;
	struct textline t;
	struct complaint *why;
	uint32_t kernel; /* image */
	char buildid[41];
	uint64_t us, ticks, version; /* version 0: no header line; the tick count is optional */
	bool told; /* a comment says how many ticks there are */
	struct profdata_frame *frame;
	size_t room;
	uint32_t *program; /* by process name: its image */
	size_t nprogram, room_program;
};

/* Complain that the line should be something else. */
static int expected(struct reader *r, const char *what)
{
	return textline_expected(&r->t, what, r->why);
}

/* Find the number after KEY= in a comment, if the word is there. */
static bool key(const struct reader *r, const char *word, uint64_t *v)
{
	const char *at = memmem(r->t.line, r->t.n, word, strlen(word));

	at = at ? at + strlen(word) : NULL;
	return at && textline_number(&at, r->t.line + r->t.n, 10, UINT64_MAX, v);
}

/*
 * Take what a comment says of the whole, or of the clock: its ticks are not the sum of the paths,
 * for they may be of one process only. Unknown words are for others.
 */
static void comment(struct reader *r)
{
	const char *id = memmem(r->t.line, r->t.n, " build=", 7);

	if (textline_begins(&r->t, "# clock=") || textline_begins(&r->t, "# cpu=")) {
		runinfo_words(&r->p->run, "kprof", r->t.line, r->t.n);
		return;
	}
	if (key(r, "period_us=", &r->us) && r->us < UINT32_MAX)
		r->p->us = r->us;
	if (key(r, " ticks=", &r->ticks))
		r->told = true;
	key(r, "# kpstack version=", &r->version);
	if (id && r->t.line + r->t.n - id >= 7 + 40)
		memcpy(r->buildid, id + 7, 40);
}

/* Return the mode that a path's second word, of n characters, names; -1: none. */
static int mode_of(const char *s, size_t n)
{
	int i;

	for (i = 0; i < PROFDATA_NMODES; i++)
		if (strlen(profdata_mode_step[i]) == n && memcmp(profdata_mode_step[i], s, n) == 0)
			return i;
	return -1;
}

/*
 * Read the addresses from `at` to `end`, each after a semicolon. Return how many, or -1. Other
 * programs may leave out zeros, but each has a digit, and the last has all.
 */
static long addresses(struct reader *r, const char *at, const char *end, uint32_t program)
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

/* Return the end of the word that begins at s. */
static const char *frame_end(const char *s, const char *end)
{
	const char *semicolon = memchr(s, ';', end - s);

	return semicolon ? semicolon : end;
}

/* Return the image of a process's program, which has its name. */
static uint32_t program_of(struct reader *r, uint32_t process)
{
	if (process == r->nprogram) {
		r->program = memory_grow(r->program, &r->room_program, process + 1,
					 sizeof(*r->program));
		r->program[r->nprogram++] =
			profdata_image(r->p, r->p->name[process], NULL, "", false);
	}
	return r->program[process];
}

/* Read a path, which ends at `end`: "sh;[kernel];[cut];0x00401234;0xc0101230". */
static int path(struct reader *r, const char *end, uint64_t count)
{
	struct profdata_sample like = {.count = count};
	const char *name = r->t.line, *name_end = frame_end(name, end), *mode = name_end + 1;
	const char *at;
	int m = name_end < end ? mode_of(mode, frame_end(mode, end) - mode) : -1;
	long n;

	if (m < 0 || name_end == name || memchr(name, 0, name_end - name))
		return expected(r, "NAME;[MODE];ADDRESS... COUNT");
	at = frame_end(mode, end);
	like.cut = end - at >= 6 && memcmp(at, ";[cut]", 6) == 0;
	like.mode = m;
	like.process = profdata_name(r->p, name, name_end - name);
	n = addresses(r, at + (like.cut ? 6 : 0), end, program_of(r, like.process));
	if (n <= 0)
		return expected(r, "addresses such as ;0xc0101230");
	profdata_add(r->p, &like, r->frame, n);
	return 0;
}

/* Read a line that is no comment. */
static int line(struct reader *r)
{
	static const char overflow[] = "[overflow]";
	const char *end = r->t.line + r->t.n, *blank = memrchr(r->t.line, ' ', r->t.n);
	const char *number = blank ? blank + 1 : end;
	uint64_t count;

	if (!r->t.whole || !textline_number(&number, end, 10, UINT64_MAX, &count) || number < end)
		return expected(r, "a path, a blank and a count");
	if (r->p->total > UINT64_MAX - count)
		return complain(r->why, "line %u: the counts add up to 2^64 or more", r->t.number);
	if (blank - r->t.line == sizeof(overflow) - 1 &&
	    memcmp(r->t.line, overflow, sizeof(overflow) - 1) == 0) {
		profdata_add_mode(r->p, PROFDATA_NPATH, count);
		return 0;
	}
	return path(r, blank, count);
}

/* Read all lines, and check that they are what the comments say. */
static int lines(struct reader *r)
{
	while (textline_next(&r->t)) {
		if (r->t.n == 0 || r->t.line[0] == '#')
			comment(r);
		else if (line(r) < 0)
			return -1;
	}
	memcpy(r->p->image[r->kernel].buildid, r->buildid, sizeof(r->buildid));
	if (!r->told && r->version)
		return complain(r->why, "after line %u: truncated: no line tells how many ticks "
				"there are", r->t.number);
	if (r->told && r->ticks != r->p->total)
		return complain(r->why, "after line %u: truncated or damaged: %llu ticks expected, "
				"the lines have %llu", r->t.number, (unsigned long long)r->ticks,
				(unsigned long long)r->p->total);
	return 0;
}

int profread_stacks(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct reader r = {.p = p, .images = f->images, .why = why};
	int bad;

	profdata_init(p, "stacks", PROFDATA_TICKS);
	p->has_modes = true;
	r.kernel = profdata_image(p, "kernel", NULL, "", true);
	textline_init(&r.t, f->data, f->n);
	bad = lines(&r);
	free(r.frame);
	free(r.program);
	if (bad)
		profdata_free(p);
	return bad;
}

/* The text begins with the comment that names it, or with a path. */
bool profread_is_stacks(const uint8_t *data, size_t n)
{
	static const char head[] = "# kpstack";
	const uint8_t *newline = memchr(data, '\n', n), *mode;

	if (n >= sizeof(head) - 1 && memcmp(data, head, sizeof(head) - 1) == 0)
		return true;
	mode = memmem(data, newline ? (size_t)(newline - data) : n, ";[", 2);
	return mode && memchr(data, 0, mode - data) == NULL;
}
