/* The kernel and the programs that profiles are of: functions, source lines, code. */
#ifndef TOOLS_CODE_IMAGE_H
#define TOOLS_CODE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/code/symbols.h"

struct lines;

/* An ELF file. Its DWARF data are read when first asked for. */
struct image {
	char *path;
	const char *name; /* the last part of path */
	bool kernel;	  /* it has the symbols ktzero and etext */
	struct symbols symbols;
	uint32_t text, etext; /* half-open: the kernel's, or the first executable segment */
	struct lines *lines; /* lines.h; NULL until they are asked for */
};

/* All that are known so far. */
struct images {
	struct image **image;
	size_t n, room;
	const char *dir; /* of gnomon.elf, bin/NAME and pg/NAME, which are the default; or NULL */
};

/* A place in the source. Strings last as long as the image. */
struct place {
	const char *function; /* never NULL: "?" where nothing is known */
	const char *file;     /* NULL: unknown */
	unsigned line;	      /* 0: unknown */
};

#define IMAGE_PLACES 32 /* the most that image_places() finds */

/* Images of where Gnomon was built are the default: in GNOMON_BUILD, or where this program is. */
void images_init(struct images *images);
void images_free(struct images *images);

/* Add an ELF file that the user named. 0, or -1 and why. */
int images_add(struct images *images, const char *path, struct complaint *why);

/* Whether an address is the kernel's and no program's, by the kernels among the files, if any. */
bool images_kernel_pc(const struct images *images, uint32_t pc);

/* The function that covers pc, or NULL; also for an image that is NULL. */
const struct symbol *image_symbol(const struct image *image, uint32_t pc);

/*
 * Where pc is in the source, the innermost place first; then, for each function that was
 * inlined there, where it was called from. The last one's function is the symbol's. At
 * least one.
 */
size_t image_places(struct image *image, uint32_t pc, struct place place[IMAGE_PLACES]);

/* The folder in which the compiler ran, where relative names of files begin; NULL: unknown. */
const char *image_source_dir(struct image *image);

/* Where the byte of an address is in the file; 0: it is not. */
uint32_t image_offset(const struct image *image, uint32_t pc);

/* The file and line of pc alone, cheaper. */
struct place image_line(struct image *image, uint32_t pc);

#endif
