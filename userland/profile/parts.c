/*
 * Gives the counts of a module's instructions to its functions and source lines.
 * Optimize: speed.
 */
#include "userland/profile/parts.h"

#include <stdlib.h>
#include <string.h>

#include "userland/command/memory.h"

/* Add instruction i to what it is part of: of thousands mostly few have counts. */
static inline void add(struct counts *c, const struct parts *p, size_t i)
{
	bool fill = p->lines.in[i].fill;
	uint64_t count = p->count[i];

	c->of += !fill;
	if (count) {
		c->total += count;
		c->ran += !fill;
	}
	if (p->peak) {
		c->peak += p->peak[i];
		c->ever += p->ever[i];
	}
}

/* Where the table is not read, only what the device tells of is known. */
static void lines_from_counts(struct lines *l, const struct module *m)
{
	l->n = m->nplace ? m->nplace : m->n;
	l->in = memory(calloc(l->n + 1, sizeof(*l->in)));
	l->file = memory(calloc(1, sizeof(*l->file)));
	for (size_t i = 0; i < l->n; i++)
		l->in[i].pc = m->nplace ? m->place[i].pc : m->pair[i].pc;
}

/* Return the instruction that a pc is in, which is not before instruction i. */
static inline size_t instruction_of(const struct lines *l, size_t i, uint32_t pc)
{
	while (i + 1 < l->n && l->in[i + 1].pc <= pc)
		i++;
	return i;
}

/* Return zeros, one for each instruction. */
static uint64_t *new_counts(const struct lines *l)
{
	return memory(calloc(l->n + 1, sizeof(uint64_t)));
}

/* Give each pair to the instruction that it is in. */
static void place_pairs(struct parts *p, const struct module *m)
{
	size_t i = 0;

	p->count = new_counts(&p->lines);
	for (size_t k = 0; k < m->n && p->lines.n > 0; k++) {
		i = instruction_of(&p->lines, i, m->pair[k].pc);
		p->count[i] += m->pair[k].count;
	}
}

/* Give it what its places of memory have, too. */
static void place_memory(struct parts *p, const struct module *m)
{
	size_t i = 0;

	p->peak = new_counts(&p->lines);
	p->ever = new_counts(&p->lines);
	for (size_t k = 0; k < m->nplace && p->lines.n > 0; k++) {
		i = instruction_of(&p->lines, i, m->place[k].pc);
		p->peak[i] += m->place[k].peak;
		p->ever[i] += m->place[k].total;
	}
}

/*
 * Keep only what can have a count in a kernel whose calls were counted: the pads that functions
 * begin with. Those are no-ops, which count as fill elsewhere; here everything else does.
 */
static void keep_entries(struct parts *p)
{
	const struct symtab *s = p->symbols;
	size_t k = 0; /* the first function that begins there or later */

	for (size_t i = 0; i < p->lines.n; i++) {
		struct lines_instruction *in = &p->lines.in[i];
		uint32_t address = s->text + in->pc;

		while (k < s->n && s->function[k].address < address)
			k++;
		in->fill = !in->fill || k == s->n || s->function[k].address != address;
	}
}

const char *parts_open(struct parts *p, const struct module *m, bool lines, bool entries)
{
	const char *bad;

	memset(p, 0, sizeof(*p));
	bad = symtab_keep(&p->symbols, m->path);
	if (bad)
		return bad;
	if (p->symbols->lines && lines)
		p->without =
			lines_read(&p->lines, p->symbols->lines, p->symbols->lines_size, false);
	/* Counts without lines can still be shown by function. */
	p->has_lines = p->lines.n > 0 && !p->without;
	if (!p->has_lines) {
		lines_free(&p->lines);
		lines_from_counts(&p->lines, m);
		p->has_lines = entries;
	} else if (entries) {
		keep_entries(p);
	}
	place_pairs(p, m);
	if (m->nplace)
		place_memory(p, m);
	return NULL;
}

void parts_close(struct parts *p)
{
	lines_free(&p->lines);
	free(p->count);
	free(p->peak);
	free(p->ever);
}

struct part *parts_functions(const struct parts *p, size_t *n)
{
	const struct symtab *s = p->symbols;
	struct part *part = memory(calloc(s->n + 1, sizeof(*part)));
	size_t k = 0; /* the part of the function that the instruction is in */

	part[0].name = "?"; /* what is before the first */
	for (size_t i = 0; i < s->n; i++)
		part[i + 1].name = s->function[i].name;
	for (size_t i = 0; i < p->lines.n; i++) {
		uint32_t address = s->text + p->lines.in[i].pc;

		while (k < s->n && s->function[k].address <= address)
			k++;
		add(&part[k].c, p, i);
		if (k > 0 && s->function[k - 1].address == address)
			part[k].c.times = p->count[i];
	}
	*n = s->n + 1;
	for (size_t i = 0; i < *n && !p->has_lines; i++)
		part[i].c.of = 0;
	return part;
}

struct counts parts_sum(const struct part *part, size_t n)
{
	struct counts sum = {.total = 0};

	for (size_t i = 0; i < n; i++) {
		sum.total += part[i].c.total;
		sum.peak += part[i].c.peak;
		sum.ever += part[i].c.ever;
		sum.ran += part[i].c.ran;
		sum.of += part[i].c.of;
	}
	return sum;
}

/* For qsort: file names, by pointers to where the table has them. */
static int by_name(const void *va, const void *vb)
{
	return strcmp(**(const char **const *)va, **(const char **const *)vb);
}

/* Return each file's number in the order of their names, of which there may be two alike. */
static __attribute__((cold)) uint32_t *number_files(const struct lines *l)
{
	const char ***name = memory(calloc(l->nfiles + 1, sizeof(*name)));
	uint32_t *number = memory(calloc(l->nfiles + 1, sizeof(*number))), last = 0;

	for (size_t i = 0; i < l->nfiles; i++)
		name[i] = &l->file[i];
	qsort(name, l->nfiles, sizeof(*name), by_name);
	for (size_t i = 0; i < l->nfiles; i++) {
		last += i == 0 || by_name(&name[i - 1], &name[i]) != 0;
		number[name[i] - l->file] = last;
	}
	free(name);
	return number;
}

/* For qsort: by file, then by line; what has no line is first. 0: the two are one line. */
static int by_place(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;
	int order = (a->file > b->file) - (a->file < b->file);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Add what another instruction of the same line has. */
static void merge(struct counts *c, const struct counts *more)
{
	c->total += more->total;
	c->peak += more->peak;
	c->ever += more->ever;
	c->ran += more->ran;
	c->of += more->of;
	if (c->times < more->times)
		c->times = more->times;
}

/* Each instruction is a part at first; then those of the same line become one. */
struct part *parts_lines(const struct parts *p, size_t *n)
{
	const struct lines *l = &p->lines;
	struct part *part = memory(calloc(l->n + 1, sizeof(*part)));
	uint32_t *number = number_files(l);

	*n = 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct lines_instruction *in = &l->in[i];

		part[i].name = in->line ? l->file[in->file] : "?";
		part[i].line = in->line;
		part[i].file = in->line ? number[in->file] : 0;
		part[i].c.times = p->count[i];
		add(&part[i].c, p, i);
	}
	free(number);
	qsort(part, l->n, sizeof(*part), by_place);
	for (size_t i = 0; i < l->n; i++)
		if (*n > 0 && by_place(&part[*n - 1], &part[i]) == 0)
			merge(&part[*n - 1].c, &part[i].c);
		else if (part[i].c.of > 0 || parts_has(&part[i].c))
			part[(*n)++] = part[i];
	return part;
}
