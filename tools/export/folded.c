/*
 * Folded paths, for flamegraph.pl and its like: "sh;[kernel];main;read 12", a path of names
 * and a count on each line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/export/export.h"
#include "tools/hash.h"
#include "tools/memory.h"

/* Write a name, after a separator if it is not the first. Separators in it become "_". */
static void put_name(FILE *to, const char *name, bool first)
{
	if (!first)
		putc(';', to);
	for (; *name; name++) {
		if (*name == ';' || (unsigned char)*name <= ' ')
			putc_unlocked('_', to);
		else
			putc_unlocked(*name, to);
	}
}

/* Write a sample's line without its count. */
static void put_path(struct export *x, const struct profdata_sample *s, FILE *to)
{
	char buf[512];
	const char *root[2];
	size_t i, n, nroot = export_roots(x, s, root);
	const struct step *step = export_path(x, s, &n);

	for (i = 0; i < nroot; i++)
		put_name(to, root[i], i == 0);
	for (i = 0; i < n; i++) {
		put_name(to, export_name(x, step[i].function, buf, sizeof(buf)), nroot + i == 0);
		if (x->options.lines && step[i].file)
			fprintf(to, ":%s:%u", step[i].file, step[i].line);
	}
}

/* A line of the file: that of a sample, and of those that have the same text. */
struct folded_line {
	uint32_t hash[2], nth; /* of the text; of the lines with that hash it is so many-th */
	uint32_t sample;       /* the first */
	uint64_t count;
};

/* The file being made. Texts are made again where they are needed: together they are long. */
struct writer {
	struct export *x;
	struct folded_line *line;
	size_t n, room;
	struct distinct known;
	uint64_t bytes;		      /* of all lines without their counts */
	struct memory_stream text[2]; /* of the sample at hand, and of one that may be the same */
};

/* Put the text of a sample's line into a stream. */
static const char *text_of(struct writer *w, struct memory_stream *to, size_t sample)
{
	rewind(to->f);
	put_path(w->x, &w->x->prof.sample[sample], to->f);
	putc(0, to->f);
	fflush(to->f);
	return to->data;
}

/* Add a sample to the line that has its text. */
static void add_sample(struct writer *w, size_t sample)
{
	const char *text = text_of(w, &w->text[0], sample);
	uint64_t hash = hash_of(text, strlen(text)), count = w->x->prof.sample[sample].count;
	struct folded_line key = {.hash = {hash >> 32, (uint32_t)hash}, .sample = sample};
	size_t at;

	for (;; key.nth++) {
		at = distinct_index(&w->known, w->line, &key, w->n);
		if (at == w->n)
			break;
		if (strcmp(text, text_of(w, &w->text[1], w->line[at].sample)) == 0) {
			w->line[at].count += count;
			return;
		}
	}
	w->line = memory_grow(w->line, &w->room, w->n + 1, sizeof(key));
	w->bytes += strlen(text);
	key.count = count;
	w->line[w->n++] = key;
}

/* Paths that differ only in addresses are one; lines come in the order of the samples. */
int export_folded(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {
		.x = x,
		.known = {.size = sizeof(*w.line), .key = offsetof(struct folded_line, sample)},
	};
	size_t i;

	for (i = 0; i < 2; i++)
		memory_stream_open(&w.text[i]);
	for (i = 0; i < x->prof.nsample && w.bytes <= EXPORT_MOST; i++) {
		add_sample(&w, i);
		progress_add(&x->progress, 1);
	}
	for (i = 0; i < w.n && w.bytes <= EXPORT_MOST; i++)
		fprintf(to, "%s %" PRIu64 "\n", text_of(&w, &w.text[0], w.line[i].sample),
			w.line[i].count);
	for (i = 0; i < 2; i++) {
		memory_stream_close(&w.text[i]);
		free(w.text[i].data);
	}
	distinct_free(&w.known);
	free(w.line);
	if (w.bytes > EXPORT_MOST)
		return complain(why, "its paths have more than %u bytes as text", EXPORT_MOST);
	return 0;
}
