/*
 * gnomon-merge(1): call paths, the text of kpstack; kpstack(5):
 *
 *	# kpstack version=1 build=7f3a...
 *	# clock=pit delivery=nmi hz=2000 period_us=500 cpus=1 elapsed_us=11500 ticks=22 lost=1
 *	# cpu=0 ticks=22 lost=1
 *	sh;[kernel];0x00401234;0xc0101230 17
 *	[overflow] 5				ticks for whose paths there was no room
 *	# period_us=500 ticks=22 overflow=5 depth=32
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/merge/merge.h"
#include "tools/profile/textline.h"
#include "tools/sorted.h"

/* A path as a file has it, without its count. */
struct path {
	const char *text;
	size_t n;
	uint64_t count;
};

/* The sum so far. Texts stay in the bytes of their files. */
struct sum {
	struct path *path;
	size_t n, room;
	uint64_t depth; /* the largest in the files' comments; 0: none has one */
};

/* Take the depth of paths from a comment: "# period_us=500 ticks=7 overflow=0 depth=8". */
static void comment(struct sum *s, const struct textline *t)
{
	static const char word[] = " depth=";
	const char *at = memmem(t->line, t->n, word, sizeof(word) - 1);
	uint64_t depth;

	at = at ? at + sizeof(word) - 1 : NULL;
	if (at && textline_number(&at, t->line + t->n, 10, UINT32_MAX, &depth) && depth > s->depth)
		s->depth = depth;
}

/* Add the paths of a file, which its reader has found good. */
static void add(struct sum *s, const struct merge_file *f)
{
	struct textline t;
	const char *blank;
	struct path path;

	textline_init(&t, f->data, f->n);
	while (textline_next(&t)) {
		blank = memrchr(t.line, ' ', t.n);
		if (t.n == 0 || t.line[0] == '#' || !blank) {
			comment(s, &t);
			continue;
		}
		path = (struct path){.text = t.line, .n = blank - t.line};
		blank++;
		textline_number(&blank, t.line + t.n, 10, UINT64_MAX, &path.count);
		s->path = memory_grow(s->path, &s->room, s->n + 1, sizeof(path));
		s->path[s->n++] = path;
	}
}

/* For qsort: by text, for the format has only one way to write a path. */
static int compare(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;
	int d = memcmp(a->text, b->text, a->n < b->n ? a->n : b->n);

	return d ? d : (a->n > b->n) - (a->n < b->n);
}

/* Add a count to another of the same path. */
static void add_count(void *to, const void *from)
{
	((struct path *)to)->count += ((const struct path *)from)->count;
}

/* Write the paths between two comments: whose they are, and that they are complete. */
static void write_out(const struct merge *m, const struct sum *s, uint64_t total,
		      uint64_t overflow, FILE *out)
{
	const struct profdata *first = &m->file[0].prof;
	size_t i;

	fprintf(out, "# kpstack version=1%s%s\n", *m->buildid ? " build=" : "", m->buildid);
	runinfo_print_clock(&m->run, out);
	for (i = 0; i < s->n; i++)
		if (s->path[i].count)
			fprintf(out, "%.*s %" PRIu64 "\n", (int)s->path[i].n, s->path[i].text,
				s->path[i].count);
	putc('#', out);
	if (first->us > 0)
		fprintf(out, " period_us=%.0f", first->us);
	fprintf(out, " ticks=%" PRIu64 " overflow=%" PRIu64, total, overflow);
	if (s->depth)
		fprintf(out, " depth=%" PRIu64, s->depth);
	putc('\n', out);
}

/* The total must not overflow: readers refuse a file whose counts do not add up to it. */
int merge_stacks(const struct merge *m, FILE *out, struct complaint *why)
{
	struct sum s = {.n = 0};
	uint64_t total = 0, overflow = 0;
	size_t i;

	for (i = 0; i < m->n; i++) {
		const struct profdata *p = &m->file[i].prof;

		if (p->total > UINT64_MAX - total) {
			free(s.path);
			return complain(why, "%s: with the files before, it has 2^64 ticks or more",
					m->file[i].path);
		}
		total += p->total;
		overflow += p->by_mode[PROFDATA_NPATH];
		add(&s, &m->file[i]);
	}
	s.n = sorted_sum(s.path, s.n, sizeof(*s.path), compare, add_count);
	write_out(m, &s, total, overflow, out);
	free(s.path);
	return 0;
}
