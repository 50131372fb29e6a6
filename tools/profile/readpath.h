/*
 * Reading texts that have paths of addresses, such as "sh;[kernel];0x00401234;0xc0101230": what
 * the readers of kpstack(5), kpwait(5) and kptrace(5) share. A path is the process's name, what
 * the processor did or the process waited for, perhaps "[cut]", and the addresses from the
 * outermost caller to where it was. All but the last are return addresses, behind the calls.
 */
#ifndef TOOLS_PROFILE_READPATH_H
#define TOOLS_PROFILE_READPATH_H

#include "tools/profile/profread.h"
#include "tools/profile/textline.h"

/* The text, and what its paths have shown so far. */
struct pathtext {
	struct profdata *p;
	struct textline t;
	struct complaint *why;
	const struct images *images;
	uint32_t modes;	 /* a bit for each that a path may name */
	uint32_t kernel; /* image */
	uint64_t version; /* from the first line; 0: there is none */
	uint64_t lo, hi; /* the kernel's text, if the file tells; else hi is 0 */
	struct profdata_frame *frame; /* of the path that was read last */
	size_t room;
	uint32_t *program; /* by process name: its image */
	size_t nprogram, room_program;
};

/* Begin to read the file into p, an empty profile whose unit is known. */
void readpath_init(struct pathtext *r, struct profdata *p, const struct profread_file *f,
		   struct complaint *why);
void readpath_free(struct pathtext *r);

/* Complain that the line should be something else; always -1. */
int readpath_expected(struct pathtext *r, const char *what);

/*
 * Find the decimal number after WORD, such as " ticks=", in the line. Return whether the word is
 * there, with a number; else *v stays, so that the caller's default holds.
 */
bool readpath_key(const struct pathtext *r, const char *word, uint64_t *v);

/*
 * Take the version and the build id from the first line, whose beginning `head` is. Of any other
 * line only a build id is taken, which is the kernel's.
 */
void readpath_head(struct pathtext *r, const char *head);

/*
 * Take what the first lines of gnomon record's files say: the kernel's text and file. Return
 * whether this line says that the unit is instructions.
 */
bool readpath_recorded(struct pathtext *r);

/* Take an address with the semicolon before it, from *at on, which is moved past it. */
bool readpath_address(const char **at, const char *end, uint64_t *pc);

/* Return the end of the step of a path that begins at s. */
const char *readpath_step(const char *s, const char *end);

/*
 * Read the path from s to `end`, the end of the line or a place in it: fill in *like but its
 * count, and r->frame, whose frames last until the next path. Return how many frames it has, which
 * is 1 at least, or -1 and a complaint.
 */
long readpath(struct pathtext *r, const char *s, const char *end, struct profdata_sample *like);

/* Return whether the line that was read last is a comment, or empty. */
static inline bool readpath_is_comment(const struct pathtext *r)
{
	return r->t.n == 0 || r->t.line[0] == '#';
}

/* Return whether a process can have the name that ends there: one with a NUL in it is none. */
bool readpath_is_name(const char *s, const char *end);

#endif
