/* Numbers for texts: see texts.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/hash.h"
#include "tools/memory.h"
#include "tools/texts.h"

/* Of texts that have the same hash the second one gets the next hash that is free. */
size_t texts_number(struct texts *t, const char *text, size_t n)
{
	struct text key = {.hash = hash_of(text, n), .n = n};
	size_t i;

	t->known.size = sizeof(key);
	t->known.key = sizeof(key.hash);
	for (;; key.hash++) {
		i = distinct_index(&t->known, t->text, &key, t->n);
		if (i == t->n)
			break;
		if (t->text[i].n == n && memcmp(t->text[i].text, text, n) == 0)
			return i;
	}
	key.text = memory_string(text, n);
	t->text = memory_grow(t->text, &t->room, t->n + 1, sizeof(key));
	t->text[t->n++] = key;
	return i;
}

void texts_free(struct texts *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		free(t->text[i].text);
	free(t->text);
	distinct_free(&t->known);
	*t = (struct texts){.n = 0};
}
