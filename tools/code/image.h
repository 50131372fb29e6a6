/*
 * The ELF files of the kernel and of programs: functions, source lines, code. This is the door to
 * the folder: symbols.h, lines.h and disasm.h are what it opens. Files are never written, and all
 * that they say of themselves may be wrong: it is checked where it is used.
 */
#ifndef TOOLS_CODE_IMAGE_H
#define TOOLS_CODE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/code/imagekeys.h"
#include "tools/code/symbols.h"
#include "tools/texts.h"

struct lines;
struct objdump;
struct outlines;
struct sections;

/* An ELF file. Its DWARF data are read when they are first needed. */
struct image {
	char *path;
	const char *name; /* the last part of path */
	size_t number;	  /* of the files that were open before */
	struct image *next; /* of those of the same name: imagekeys.c */
	bool found;	  /* a profile has named it, not the user */
	bool kernel;	  /* it has the symbols ktzero and etext, or code in the upper half */
	struct symbols symbols;
	code_addr text, etext; /* half-open: the kernel's, or the first executable segment */
	const char *sources;   /* the folder of its sources; NULL: where its DWARF data say */
	struct lines *lines;	 /* lines.h; NULL until they are needed */
	struct sections *sections; /* sections.h; likewise */
	struct objdump *objdump; /* objdump.h; likewise */
	struct outlines *outlines; /* outline.h; likewise */
};

/* The files that are open. */
struct images {
	struct image **image;
	size_t n, room;
	struct image **kernel; /* those that are kernels */
	size_t nkernel, room_kernel;
	struct imagekeys keys;
	const char *dir; /* where gnomon.elf, bin/NAME and pg/NAME are, the default; or NULL */
	char *sources;	 /* that of their sources, if it lies beside them; or NULL */
	const char *command;   /* the one of gnomon that says it: "report"; or NULL */
	struct texts said; /* what was said of files, once each */
};

/* A place in the source. Strings last as long as the image. */
struct place {
	const char *function; /* never NULL: "?" where nothing is known */
	const char *file;     /* NULL: unknown */
	const char *dir;      /* which it may be relative to: where the compiler ran; or NULL */
	unsigned line;	      /* 0: unknown */
};

#define IMAGE_PLACES 32 /* the most that image_places() finds */

/* Begin with no files. Those in the build tree are the default (buildtree.h). */
void images_init(struct images *images);
void images_free(struct images *images);

/*
 * Add an ELF file that the user named, or symbols as nm prints them; it lasts until images_free().
 * Return 0, or -1 and *why: it cannot be read, is of another kind or byte order, or has no symbols.
 */
int images_add(struct images *images, const char *path, struct complaint *why);

/*
 * Add an ELF file that a profile names, unless it is open already: many programs may have one file.
 * Return it, or NULL and *why.
 */
struct image *images_open(struct images *images, const char *path, struct complaint *why);

/* Take a file as a kernel, whatever it looks like: a profile says that it is one. */
void images_take_kernel(struct images *images, struct image *image);

/* Say on the standard error, once, what is to be known of a profile, whose path comes before it. */
void images_say(struct images *images, const char *path, const struct complaint *what);

/*
 * Return whether an address is the kernel's, by the kernels among the files; if there are none, by
 * where Gnomon's kernel is.
 */
bool images_kernel_pc(const struct images *images, code_addr pc);

/* Return the function that covers pc, or NULL, also for an image that is NULL. */
const struct symbol *image_symbol(const struct image *image, code_addr pc);

/*
 * Find where pc is in the source, the innermost place first; then, for each function that was
 * inlined there, where it was called. The last place is in the symbol's own function. Return
 * how many, at least one.
 */
size_t image_places(struct image *image, code_addr pc, struct place place[IMAGE_PLACES]);

/* A range of addresses, half-open. */
struct image_range {
	code_addr lo, hi;
};

/*
 * Find the next code of an inlined function after the range that was found last, in the order of
 * addresses; *at is 0 at first. Return false: there is no more.
 */
bool image_inlined(struct image *image, const char *name, size_t *at, struct image_range *range);

/*
 * Return the line on which the function of an address is declared, or with a name the one of that
 * name that is inlined there; 0: it is not known.
 */
unsigned image_declared(struct image *image, code_addr pc, const char *inlined);

/* Return the folder that names of source files are relative to, the image's own; NULL: unknown. */
const char *image_source_dir(struct image *image);

/* Return the offset of an address in the file; 0: it is not there. */
uint64_t image_offset(const struct image *image, code_addr pc);

/*
 * Find the file and line of pc only, which takes less time: those of the code that is there, also
 * where that was inlined, with the name of the symbol around it.
 */
struct place image_line(struct image *image, code_addr pc);

/* Return whether all addresses in [lo, hi) are of one line, as far as the file tells. */
bool image_one_line(struct image *image, code_addr lo, code_addr hi);

#endif
