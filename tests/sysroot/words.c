/* Words of a file, counted: part of hello.c. */
#include <stdlib.h>
#include <string.h>
#include "words.h"

static int by_count(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return x->count != y->count ? y->count - x->count : strcmp(x->text, y->text);
}

size_t words_read(FILE *from, struct word **words)
{
	size_t n = 0, i;
	char text[64];

	*words = NULL;
	while (fscanf(from, "%63s", text) == 1) {
		for (i = 0; i < n && strcmp((*words)[i].text, text) != 0; i++)
			;
		if (i == n) {
			*words = realloc(*words, ++n * sizeof(**words));
			(*words)[i] = (struct word){strdup(text), 0};
		}
		(*words)[i].count++;
	}
	qsort(*words, n, sizeof(**words), by_count);
	return n;
}
