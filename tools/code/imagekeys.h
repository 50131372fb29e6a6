/* Finding open files by what they are called: by path, build id and name. See image.h. */
#ifndef TOOLS_CODE_IMAGEKEYS_H
#define TOOLS_CODE_IMAGEKEYS_H

#include <stddef.h>
#include "tools/texts.h"

struct image;

enum imagekeys_kind {
	IMAGEKEYS_PATH = 'p',
	IMAGEKEYS_ID = 'i',    /* the build id, or what stands in its place */
	IMAGEKEYS_NAME = 'n',  /* of those that are no kernels */
	IMAGEKEYS_GIVEN = 'g', /* the name, of those that the user has named */
};

/* At first all 0. */
struct imagekeys {
	struct texts text; /* the kind, and the key */
	struct imagekeys_files {
		struct image *first, *last; /* NULL: none */
	} *files; /* by text */
	size_t room;
};

/* Let a file be found; the order in which files come is theirs. */
void imagekeys_add(struct imagekeys *k, enum imagekeys_kind kind, const char *key,
		   struct image *image);

/* Return the first file of that key, or NULL. */
struct image *imagekeys_find(struct imagekeys *k, enum imagekeys_kind kind, const char *key);

void imagekeys_free(struct imagekeys *k);

#endif
