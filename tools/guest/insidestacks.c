/*
 * The paths of calls inside a guest: inside_stacks() of inside.h. Their tables are as
 * prof/prof_stacktable.h says, of words as wide as the guest's addresses.
 */
#include <stdlib.h>
#include <string.h>
#include "userland/formats/le.h"
#include "prof/prof_stacktable.h"
#include "tools/guest/inside.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* One CPU's table. */
struct table {
	uint8_t *data;
	uint32_t used; /* words */
	unsigned width; /* bytes of a word */
};

/* A path as the file has it, without its count. */
struct path {
	char *text;
	size_t order; /* of the first table's entry that is like it */
	uint64_t count;
};

/* All tables' paths. */
struct paths {
	struct path *path;
	size_t n, room;
	uint64_t overflow;
	uint64_t bytes; /* of the tables */
};

/* Return a word of the table. */
static uint64_t insidestacks_word(const struct table *t, uint32_t i)
{
	return le_get_word(t->data + (size_t)i * t->width, t->width);
}

/* Write a name, four characters a word. Those that would change the line's meaning become '_'. */
static void put_name(FILE *to, const struct table *t, uint32_t at, uint32_t words)
{
	uint32_t i;
	char c;

	for (i = 0; i < 4 * words; i++) {
		c = (char)(insidestacks_word(t, at + i / 4) >> i % 4 * 8);
		if (c == 0)
			return;
		if (c <= ' ' || c > '~' || strchr(";#[", c))
			c = '_';
		putc(c, to);
	}
}

/* Return the text of the entry at that place. */
static char *text_of(const struct table *t, uint32_t at)
{
	uint32_t shape = (uint32_t)insidestacks_word(t, at + PROF_STACK_SHAPE), i = shape & 0xff;
	uint32_t names = shape >> PROF_STACK_NAME & 0xff;
	struct memory_stream to;

	memory_stream_open(&to);
	put_name(to.f, t, at + PROF_STACK_BODY, names);
	fprintf(to.f, ";%s", prof_cause_step[shape >> PROF_STACK_CAUSE & 3]); /* a tick's */
	if (shape & PROF_STACK_CUT)
		fputs(";[cut]", to.f);
	while (i-- > 0)
		fprintf(to.f, ";0x%0*" PRIx64, (int)(2 * t->width),
			insidestacks_word(t, at + PROF_STACK_BODY + names + i));
	memory_stream_close(&to);
	return to.data;
}

char *inside_path(const uint8_t *entry, unsigned width)
{
	struct table t = {.data = (uint8_t *)entry, .width = width};

	return text_of(&t, 0);
}

char *inside_name(const uint8_t *entry, unsigned width)
{
	struct table t = {.data = (uint8_t *)entry, .width = width};
	uint32_t shape = (uint32_t)insidestacks_word(&t, PROF_STACK_SHAPE);
	struct memory_stream to;

	memory_stream_open(&to);
	put_name(to.f, &t, PROF_STACK_BODY, prof_stack_entry_names(shape));
	memory_stream_close(&to);
	return to.data;
}

/*
 * Add a table's paths. Entries follow each other, each with its size; where that leads out of the
 * table it is damaged.
 */
static int add_table(struct paths *p, const struct table *t, struct complaint *why)
{
	uint32_t at = PROF_STACK_FIRST, size;

	if (t->used < PROF_STACK_FIRST)
		return complain(why, "the table of paths is damaged");
	p->overflow += insidestacks_word(t, PROF_STACK_COUNT);
	for (; at < t->used; at += size + 1) {
		if (t->used - at <= PROF_STACK_BODY)
			return complain(why, "the table of paths is damaged");
		size = prof_stack_entry_size((uint32_t)insidestacks_word(t, at + PROF_STACK_SHAPE));
		if (size >= t->used - at)
			return complain(why, "the table of paths is damaged");
		p->path = memory_grow(p->path, &p->room, p->n + 1, sizeof(*p->path));
		p->path[p->n] = (struct path){
			.text = text_of(t, at),
			.order = p->n,
			.count = insidestacks_word(t, at + PROF_STACK_COUNT),
		};
		p->n++;
	}
	return 0;
}

/* Copy one CPU's table, and add its paths. */
static int add_cpu(struct inside *in, struct paths *p, unsigned cpu, struct complaint *why)
{
	const struct block *b = &in->block;
	struct table t = {.width = b->field[PROF_BLOCK_STACK_WORD].size};
	size_t bytes;
	int bad;

	if (block_number32(b, PROF_BLOCK_STACK_USED, cpu, &t.used, why) < 0)
		return -1;
	bytes = (size_t)t.used * t.width;
	if (bytes > BLOCK_MAXTABLE || t.width != b->width)
		return complain(why, "the table of paths is damaged");
	if (block_add_table(b, &p->bytes, bytes, why) < 0)
		return -1;
	t.data = memory_zeroed(bytes, 1);
	bad = block_table(b, PROF_BLOCK_STACK_WORD, cpu, t.data, bytes, why);
	if (!bad)
		bad = add_table(p, &t, why);
	free(t.data);
	return bad;
}

/* For qsort: by text, and by order. */
static int by_text(const void *va, const void *vb)
{
	return strcmp(((const struct path *)va)->text, ((const struct path *)vb)->text);
}

static int by_order(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;

	return order(a->order, b->order);
}

/* Add a path to an equal one of another table; the first of them shows the sum. */
static void insidestacks_add(void *vto, const void *vfrom)
{
	const struct path *from = vfrom;
	struct path *to = vto;

	to->count += from->count;
	to->order = order_min(from->order, to->order);
	free(from->text);
}

/* Write the paths, and the last line. */
static int put_paths(struct inside *in, struct paths *p, FILE *to, struct complaint *why)
{
	struct prof_pace pace;
	uint64_t ticks = 0;
	uint32_t depth;
	size_t i;

	if (block_pace(&in->block, PROF_BLOCK_STACK_PACE, 0, &pace, why) < 0)
		return -1;
	if (block_number32(&in->block, PROF_BLOCK_STACK_DEPTH, 0, &depth, why) < 0)
		return -1;
	p->n = sorted_sum(p->path, p->n, sizeof(*p->path), by_text, insidestacks_add);
	if (p->n)
		qsort(p->path, p->n, sizeof(*p->path), by_order);
	for (i = 0; i < p->n; i++) {
		fprintf(to, "%s %" PRIu64 "\n", p->path[i].text, p->path[i].count);
		ticks += p->path[i].count;
	}
	if (p->overflow)
		fprintf(to, "[overflow] %" PRIu64 "\n", p->overflow);
	ticks += p->overflow;
	fprintf(to, "# period_us=%" PRIu32 " ticks=%" PRIu64 " overflow=%" PRIu64 " depth=%" PRIu32
		"\n", prof_pace_mean(&pace, (uint32_t)ticks), ticks, p->overflow, depth);
	return 0;
}

/* Return how many CPUs have tables; 0 and *why: none has. -1 and *why. */
static int count_tables(struct inside *in, struct complaint *why)
{
	uint64_t ncpu, there = 0;
	int bad;

	bad = block_number(&in->block, PROF_BLOCK_STACK_NCPU, 0, BLOCK_MAXCPU, &ncpu, why);
	if (!bad && ncpu > 0)
		bad = block_number(&in->block, PROF_BLOCK_STACK_WORD, 0, UINT64_MAX, &there, why);
	if (bad)
		return -1;
	if (there)
		return (int)ncpu;
	complain(why, "stacks are off in the guest");
	return 0;
}

/*
 * The text is as in /dev/kpstack: a line that names the kernel, what is known of the clock, and
 * the paths. A kernel need not tell of its clock.
 */
int inside_stacks(struct inside *in, FILE *to, struct complaint *why)
{
	struct paths p = {.n = 0};
	struct runinfo clock;
	struct complaint none;
	int i, ncpu = count_tables(in, why), bad = 0;
	size_t k;

	if (ncpu < 0)
		return -1;
	if (ncpu == 0)
		return 1;
	fputs("# kpstack version=1", to);
	if (*in->build)
		fprintf(to, " build=%s", in->build);
	putc('\n', to);
	if (inside_clock(in, "kprof", &clock, &none) == 0)
		runinfo_print_clock(&clock, to);
	for (i = 0; i < ncpu && !bad; i++)
		bad = add_cpu(in, &p, (unsigned)i, why);
	if (!bad)
		bad = put_paths(in, &p, to, why);
	for (k = 0; k < p.n; k++)
		free(p.path[k].text);
	free(p.path);
	return bad;
}
