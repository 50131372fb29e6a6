/*
 * gnomon-merge(1): call paths, the text of kpstack; kpstack(5):
 *
 *	# kpstack version=1 build=7f3a...
 *	# clock=pit delivery=nmi hz=2000 period_us=500 cpus=1 elapsed_us=11500 ticks=22 lost=1
 *	# cpu=0 ticks=22 lost=1
 *	sh;[kernel];0x00401234;0xc0101230 17
 *	[overflow] 5				ticks for whose paths there was no room
 *	# period_us=500 ticks=22 overflow=5 depth=32
 *
 * and the text of kpwait, in microseconds; kpwait(5):
 *
 *	# kpwait version=1 build=7f3a...
 *	# count=12
 *	sort;[pipe];0x00401234;0xc0101230 1234567
 *	# unit=us waits=12 overflow=0 depth=32 total_us=1234567
 *
 * of kpmem, in bytes; kpmem(5):
 *
 *	# kpmem version=1 build=7f3a...
 *	# count=2
 *	sort;[in_use];0x00401234;0xc0101230 4096
 *	# unit=bytes blocks=2 overflow=0 depth=32 total_bytes=4096
 *
 * and kpstack's version 2, instructions of gnomon record, whose first lines are alike in all files.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/merge/merge.h"
#include "tools/merge/packed.h"
#include "tools/order.h"
#include "tools/profile/textline.h"
#include "tools/sorted.h"

/* A path as a file has it, without its count. */
struct path {
	const char *text;
	size_t n;
	uint64_t count;
	uint64_t times; /* the waits or blocks that it is of; 0: the file does not tell */
};

/* The sum so far. */
struct sum {
	struct packed paths; /* in the order of their texts */
	uint64_t total, overflow;
	uint64_t waits; /* of kpwait; of kpmem, blocks */
	uint64_t depth; /* the largest in the files' comments; 0: none has one */
	char *head;	/* of instructions: the first lines of each file; NULL: these are ticks */
	size_t nhead;	/* its bytes, of which some may be NUL */
	uint64_t returned[4]; /* by word of the last line */
};

static const char *const returned[4] = {" returns=", " begun=", " jumps=", " unmatched="};

/* The paths of one file, whose texts are in its bytes. */
struct paths {
	struct path *path;
	size_t n, room;
};

/* Return the number that follows a word in a comment, or 0. */
static uint64_t number_after(const struct textline *t, const char *word)
{
	const char *at = memmem(t->line, t->n, word, strlen(word));
	uint64_t found = 0;

	if (!at)
		return 0;
	at += strlen(word);
	if (!textline_number(&at, t->line + t->n, 10, UINT64_MAX, &found))
		return 0;
	return found;
}

/* Take from the last comment what is not the sum of the paths. */
static void take_comment(struct sum *s, const struct textline *t)
{
	size_t i;

	s->depth = order_max(s->depth, number_after(t, " depth="));
	s->waits = order_plus(s->waits, number_after(t, " waits="));
	s->waits = order_plus(s->waits, number_after(t, " blocks="));
	for (i = 0; i < 4; i++)
		s->returned[i] = order_plus(s->returned[i], number_after(t, returned[i]));
}

static int compare_texts(const char *a, size_t na, const char *b, size_t nb)
{
	int d = memcmp(a, b, order_min(na, nb));

	if (d)
		return d;
	return order(na, nb);
}

/* For qsort: by text, for the format has only one way to write a path. */
static int compare_paths(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;

	return compare_texts(a->text, a->n, b->text, b->n);
}

/* Add what is of a path to what else is of it. */
static void add_count(void *to, const void *from)
{
	struct path *a = to;
	const struct path *b = from;

	a->count += b->count;
	a->times = order_plus(a->times, b->times);
}

/* Return whether a line is a path with its count, which a blank precedes. */
static bool is_path(const struct textline *t, const char *blank)
{
	return blank && t->line[0] != '#';
}

/* Take the paths of a file, which its reader has found good, in their order. */
static struct paths take_paths(struct sum *s, const struct merge_file *f)
{
	struct paths p = {.n = 0};
	struct path path;
	struct textline t;
	const char *blank;
	uint64_t times = 0;

	textline_init(&t, f->data, f->n);
	while (textline_next(&t)) {
		blank = memrchr(t.line, ' ', t.n);
		if (!is_path(&t, blank)) {
			take_comment(s, &t);
			times = number_after(&t, "# count=");
			continue;
		}
		path = (struct path){.text = t.line, .n = blank - t.line, .times = times};
		times = 0;
		blank++;
		textline_number(&blank, t.line + t.n, 10, UINT64_MAX, &path.count);
		p.path = memory_grow(p.path, &p.room, p.n + 1, sizeof(path));
		p.path[p.n++] = path;
	}
	p.n = sorted_sum(p.path, p.n, sizeof(*p.path), compare_paths, add_count);
	return p;
}

/* Merge the paths of a file into those of the sum. */
static void join_paths(struct sum *s, const struct paths *p)
{
	const struct path *b = p->path, *end = b + p->n;
	struct packed all = {.n = 0};
	struct packed_text a;

	packed_begin(&a, &s->paths);
	while (packed_next(&a)) {
		for (; b < end && compare_texts(b->text, b->n, a.text, a.n) < 0; b++)
			packed_add(&all, b->text, b->n, b->count, b->times);
		if (b < end && compare_texts(b->text, b->n, a.text, a.n) == 0) {
			a.count += b->count;
			a.times = order_plus(a.times, b++->times);
		}
		packed_add(&all, a.text, a.n, a.count, a.times);
	}
	for (; b < end; b++)
		packed_add(&all, b->text, b->n, b->count, b->times);
	packed_free(&s->paths);
	s->paths = all;
}

/* Return how long the first lines of a file of gnomon record's are, up to those of processors. */
static size_t head_length(const struct merge_file *f)
{
	struct textline t;
	const char *end = (const char *)f->data;

	textline_init(&t, f->data, f->n);
	while (textline_next(&t)) {
		if (!textline_begins(&t, "#"))
			break;
		if (textline_begins(&t, "# cpu="))
			break;
		end = t.next;
	}
	return (size_t)(end - (const char *)f->data);
}

/* Take a file's first lines, or find those that the files before have. */
static int take_head(struct sum *s, const struct merge_file *f, struct complaint *why)
{
	size_t n;

	if (f->prof.unit != PROFDATA_EXECUTED)
		return 0;
	n = head_length(f);
	if (!s->head) {
		s->head = memory_string((const char *)f->data, n);
		s->nhead = n;
	}
	if (n == s->nhead && memcmp(s->head, f->data, n) == 0)
		return 0;
	return complain(why, "%s: of another kernel, or counted in another way: its first lines "
			"differ", f->path);
}

/* The total must not overflow: readers refuse a file whose counts do not add up to it. */
static int merge_stacks_add(void *sum, struct merge_file *f, struct complaint *why)
{
	struct sum *s = sum;

	if (take_head(s, f, why) < 0)
		return -1;
	if (f->prof.total > UINT64_MAX - s->total)
		return complain(why, "%s: with the files before, it has 2^64 %s or more", f->path,
				profdata_unit_name[f->prof.unit]);
	s->total += f->prof.total;
	s->overflow += f->prof.by_mode[PROFDATA_NPATH];
	return 0;
}

/* Add the paths, whose texts take more memory than all else. */
static void merge_stacks_add_bytes(void *sum, const struct merge_file *f)
{
	struct paths p = take_paths(sum, f);

	join_paths(sum, &p);
	free(p.path);
}

/* Write the first line, which tells whose the paths are. */
static void write_head(const char *name, const struct merge *m, FILE *out)
{
	fprintf(out, "# %s version=1", name);
	if (*m->buildid)
		fprintf(out, " build=%s", m->buildid);
	putc('\n', out);
}

/* Write the paths. */
static void write_paths(const struct sum *s, FILE *out)
{
	struct packed_text path;

	packed_begin(&path, &s->paths);
	while (packed_next(&path)) {
		if (!path.count)
			continue;
		if (path.times)
			fprintf(out, "# count=%" PRIu64 "\n", path.times);
		fwrite(path.text, 1, path.n, out);
		fprintf(out, " %" PRIu64 "\n", path.count);
	}
}

/* Write a kpstack of instructions. */
static void write_recorded(const struct sum *s, FILE *out)
{
	size_t i;

	fwrite(s->head, 1, s->nhead, out);
	write_paths(s, out);
	fprintf(out, "# instructions=%" PRIu64, s->total);
	for (i = 0; i < 4; i++)
		fprintf(out, "%s%" PRIu64, returned[i], s->returned[i]);
	putc('\n', out);
}

/* Write a kpstack; the last line tells that it is whole. */
static void merge_stacks_write(void *sum, const struct merge *m, FILE *out)
{
	const struct sum *s = sum;

	if (s->head) {
		write_recorded(s, out);
		return;
	}
	write_head("kpstack", m, out);
	runinfo_print_clock(&m->run, out);
	write_paths(s, out);
	putc('#', out);
	if (m->us > 0)
		fprintf(out, " period_us=%.0f", m->us);
	fprintf(out, " ticks=%" PRIu64 " overflow=%" PRIu64, s->total, s->overflow);
	if (s->depth)
		fprintf(out, " depth=%" PRIu64, s->depth);
	putc('\n', out);
}

/* Write a file in that unit, with so many of what. */
static void write_other(const struct sum *s, const struct merge *m, FILE *out, const char *name,
			const char *unit, const char *what)
{
	write_head(name, m, out);
	write_paths(s, out);
	fprintf(out, "# unit=%s %s=%" PRIu64 " overflow=%" PRIu64 " depth=%" PRIu64
		" total_%s=%" PRIu64 "\n", unit, what, s->waits, s->overflow, s->depth, unit,
		s->total);
}

/* Write a kpwait. */
static void merge_waits_write(void *sum, const struct merge *m, FILE *out)
{
	write_other(sum, m, out, "kpwait", "us", "waits");
}

/* Write a kpmem. */
static void merge_memory_write(void *sum, const struct merge *m, FILE *out)
{
	write_other(sum, m, out, "kpmem", "bytes", "blocks");
}

/* Free the sum. */
static void merge_stacks_free(void *sum)
{
	struct sum *s = sum;

	packed_free(&s->paths);
	free(s->head);
}

const struct merge_kind merge_stacks = {
	.format = "stacks", .size = sizeof(struct sum),
	.add = merge_stacks_add, .add_bytes = merge_stacks_add_bytes,
	.write = merge_stacks_write, .free = merge_stacks_free,
};

const struct merge_kind merge_waits = {
	.format = "waits", .size = sizeof(struct sum),
	.add = merge_stacks_add, .add_bytes = merge_stacks_add_bytes,
	.write = merge_waits_write, .free = merge_stacks_free,
};

const struct merge_kind merge_memory = {
	.format = "memory", .size = sizeof(struct sum),
	.add = merge_stacks_add, .add_bytes = merge_stacks_add_bytes,
	.write = merge_memory_write, .free = merge_stacks_free,
};
