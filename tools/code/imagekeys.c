/* Finding open files: see imagekeys.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/code/image.h"
#include "tools/memory.h"

/* Return the files of a key. */
static struct imagekeys_files *files_of(struct imagekeys *k, enum imagekeys_kind kind,
					const char *key)
{
	char *text = memory_format("%c%s", kind, key);
	size_t i = texts_number(&k->text, text, strlen(text));

	free(text);
	k->files = memory_grow_zeroed(k->files, &k->room, i + 1, sizeof(*k->files));
	return &k->files[i];
}

/* Only those of one name are asked for one after the other: a file may become a kernel. */
void imagekeys_add(struct imagekeys *k, enum imagekeys_kind kind, const char *key,
		   struct image *image)
{
	struct imagekeys_files *files = files_of(k, kind, key);

	if (files->first && kind != IMAGEKEYS_NAME)
		return;
	if (files->first)
		files->last->next = image;
	else
		files->first = image;
	files->last = image;
}

/* What is a kernel stays one. */
struct image *imagekeys_find(struct imagekeys *k, enum imagekeys_kind kind, const char *key)
{
	struct imagekeys_files *files = files_of(k, kind, key);

	while (kind == IMAGEKEYS_NAME && files->first && files->first->kernel)
		files->first = files->first->next;
	return files->first;
}

void imagekeys_free(struct imagekeys *k)
{
	texts_free(&k->text);
	free(k->files);
}
