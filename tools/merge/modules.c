/*
 * gnomon-merge(1): counts of modules, modules(5):
 *
 *	gnomon modules 2 coverage 0		or 3, if places of memory have five numbers
 *	module sh /bin/sh 00400000 7f3a...	name, path, address of its text, build id
 *	16 3					an offset in the text, ascending, and a count
 *	end 3					how many lines there are before
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/merge/merge.h"
#include "tools/order.h"
#include "tools/profile/textline.h"
#include "tools/sorted.h"
#include "tools/texts.h"

/* A module by its line in a file, "module NAME PATH TEXT BUILDID". */
struct module {
	char *line;
	size_t n, name; /* the lengths of the line, and of what comes before TEXT */
};

#define MEMORY 3 /* more numbers of a place: blocks in use, and bytes and blocks ever allocated */

/* The count of an instruction of a module. */
struct pair {
	size_t module;
	uint64_t pc, count;
	uint64_t memory[MEMORY];
};

#define HEAD_LENGTH 17 /* of "gnomon modules V ", with which files begin */

/* The sum so far. Modules are in the order in which they are met. */
struct sum {
	struct module *module;
	size_t nmodule, room_module;
	struct texts names; /* of the modules */
	struct pair *pair;
	size_t n, room;
	size_t sorted; /* pairs, none of them twice; those after them are not added up yet */
	size_t more;   /* numbers of a place beside its count: MEMORY or 0 */
	uint64_t most; /* that a count can be in the format */
	uint64_t total;	       /* of all counts: a reader refuses 2^64 or more */
	uint64_t bytes, blocks; /* ever allocated: 2^63 or more of them, too */
	char *head;    /* kind and interval of the first file; NULL: there was none yet */
};

/* Return the length of a module's line without the address of its text and its build id. */
static size_t name_length(const char *line, size_t n)
{
	const char *blank = memrchr(line, ' ', n);

	if (blank)
		blank = memrchr(line, ' ', blank - line);
	if (!blank)
		return n;
	return blank - line;
}

/*
 * Find the module of a line, or add it. Return its number, or -1 and why: it is another build,
 * in which the same offset is another instruction. Programs of the same name are told apart by
 * their paths.
 */
static long find_module(struct sum *s, const struct textline *t, const char *path,
			struct complaint *why)
{
	size_t name = name_length(t->line, t->n), i = texts_number(&s->names, t->line, name);
	const struct module *m;

	if (i < s->nmodule) {
		m = &s->module[i];
		if (m->n == t->n && memcmp(m->line, t->line, t->n) == 0)
			return i;
		return complain(why, "%s: line %u: another build of the same program: \"%.*s\" was "
				"\"%s\"", path, t->number, (int)t->n, t->line, m->line);
	}
	s->module = memory_grow(s->module, &s->room_module, s->nmodule + 1, sizeof(*s->module));
	s->module[s->nmodule] = (struct module){
		.line = memory_string(t->line, t->n), .n = t->n, .name = name,
	};
	return s->nmodule++;
}

/* For qsort: in the order of the file to be written. */
static int compare_pairs(const void *va, const void *vb)
{
	const struct pair *a = va, *b = vb;

	if (a->module != b->module)
		return order(a->module, b->module);
	return order(a->pc, b->pc);
}

/* Add a count to another of the same instruction. */
static void add_count(void *to, const void *from)
{
	struct pair *sum = to;
	const struct pair *more = from;

	sum->count += more->count;
	for (size_t i = 0; i < MEMORY; i++)
		sum->memory[i] += more->memory[i];
}

/* Read a line of counts, which its reader has found good. */
static void read_pair(struct pair *pair, const struct textline *t, size_t more)
{
	const char *at = t->line, *end = t->line + t->n;

	textline_number(&at, end, 10, UINT64_MAX, &pair->pc);
	at++;
	textline_number(&at, end, 10, UINT64_MAX, &pair->count);
	for (size_t i = 0; i < more; i++) {
		at++;
		textline_number(&at, end, 10, UINT64_MAX, &pair->memory[i]);
	}
}

/*
 * Return the most that a count can be: gnomon record's, and bytes of places with five numbers, have
 * 64 bits.
 */
static uint64_t most_count(const struct merge_file *f, size_t more)
{
	if (more || f->prof.unit == PROFDATA_EXECUTED)
		return UINT64_MAX;
	return UINT32_MAX;
}

/*
 * Take the first line. -1 and why: places of memory have five numbers in some of the files, and two
 * in others.
 */
static int take_head(struct sum *s, const struct textline *t, const struct merge_file *f,
		     struct complaint *why)
{
	const char *kind = t->line + HEAD_LENGTH;
	size_t more = 0;

	if (kind[-2] == '3' && memcmp(kind, "memory", strlen("memory")) == 0)
		more = MEMORY;
	if (!s->head) {
		s->head = memory_string(kind, t->n - HEAD_LENGTH);
		s->more = more;
		s->most = most_count(f, more);
	}
	if (s->more == more)
		return 0;
	if (more)
		return complain(why, "%s: it tells of blocks of memory, which the files before "
				"do not", f->path);
	return complain(why, "%s: it tells nothing of blocks of memory, which the files before do",
			f->path);
}

/* Count what all of a file's numbers add up to. -1 and why: with those before, it is too much. */
static int take_totals(struct sum *s, const struct merge_file *f, struct complaint *why)
{
	const struct profdata *p = &f->prof;

	if (p->total > UINT64_MAX - s->total)
		return complain(why, "%s: with the files before, it has 2^64 %s or more", f->path,
				profdata_unit_name[p->unit]);
	s->total += p->total;
	for (size_t i = 0; i < p->nmemory; i++) {
		s->bytes += p->memory[i].total;
		s->blocks += p->memory[i].allocated;
		if (s->bytes > INT64_MAX || s->blocks > INT64_MAX)
			return complain(why, "%s: with the files before, it has 2^63 bytes or "
					"blocks, or more, that were ever allocated", f->path);
	}
	return 0;
}

/* Add up the counts of each instruction. */
static void sum_pairs(struct sum *s)
{
	s->n = s->sorted = sorted_sum(s->pair, s->n, sizeof(*s->pair), compare_pairs, add_count);
}

/*
 * Add the counts of a file, which its reader has found good. They are added up when there are twice
 * as many as before, so that this takes no longer the more files there are.
 */
static int merge_modules_add(void *sum, struct merge_file *f, struct complaint *why)
{
	struct sum *s = sum;
	struct pair pair = {.count = 0};
	struct textline t;
	long module = 0;

	textline_init(&t, f->data, f->n);
	textline_next(&t);
	if (take_head(s, &t, f, why) < 0 || take_totals(s, f, why) < 0)
		return -1;
	while (textline_next(&t)) {
		if (t.line[0] == 'e')
			break;
		if (t.line[0] == 'm') {
			module = find_module(s, &t, f->path, why);
			if (module < 0)
				return -1;
			continue;
		}
		pair.module = module;
		read_pair(&pair, &t, s->more);
		s->pair = memory_grow(s->pair, &s->room, s->n + 1, sizeof(pair));
		s->pair[s->n++] = pair;
	}
	if (s->n > 2 * s->sorted)
		sum_pairs(s);
	return 0;
}

/* Let each count that the format cannot hold stay at its most. */
static void bound_pairs(struct sum *s)
{
	size_t i, full = 0;

	for (i = 0; i < s->n; i++) {
		if (s->pair[i].count <= s->most)
			continue;
		s->pair[i].count = s->most;
		full++;
	}
	if (full)
		fprintf(stderr, "gnomon merge: %zu counts are larger than %" PRIu64
			", the most that fits: that is what they are now\n", full, s->most);
}

/* Write a line of counts. */
static void write_pair(const struct pair *pair, size_t more, FILE *out)
{
	fprintf(out, "%" PRIu64 " %" PRIu64, pair->pc, pair->count);
	for (size_t i = 0; i < more; i++)
		fprintf(out, " %" PRIu64, pair->memory[i]);
	putc('\n', out);
}

/* Write the first line as the first file has it, then module by module, and the end. */
static void merge_modules_write(void *sum, const struct merge *m, FILE *out)
{
	struct sum *s = sum;
	size_t i, j = 0;

	(void)m;
	sum_pairs(s);
	bound_pairs(s);
	fprintf(out, "gnomon modules %c %s\n", s->more ? '3' : '2', s->head);
	for (i = 0; i < s->nmodule; i++) {
		fprintf(out, "%s\n", s->module[i].line);
		for (; j < s->n && s->pair[j].module == i; j++)
			write_pair(&s->pair[j], s->more, out);
	}
	fprintf(out, "end %zu\n", 1 + s->nmodule + s->n);
}

/* Free the sum. */
static void merge_modules_free(void *sum)
{
	struct sum *s = sum;
	size_t i;

	for (i = 0; i < s->nmodule; i++)
		free(s->module[i].line);
	free(s->module);
	texts_free(&s->names);
	free(s->pair);
	free(s->head);
}

const struct merge_kind merge_modules = {
	.format = "modules", .size = sizeof(struct sum),
	.add = merge_modules_add, .write = merge_modules_write, .free = merge_modules_free,
};
