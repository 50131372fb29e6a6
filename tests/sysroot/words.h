/* Words of a file, counted. */
#ifndef WORDS_H
#define WORDS_H

#include <stdio.h>

struct word {
	char *text;
	int count;
};

/* Read words until the end. Return how many different ones there are, sorted by count. */
size_t words_read(FILE *from, struct word **words);

#endif
