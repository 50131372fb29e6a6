/* A function's instructions in gnomon top: see topcode.h. */
#include <inttypes.h>
#include <stdlib.h>
#include "tools/guest/topcode.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/coverage.h"
#include "tools/report/annotate.h"

/* Return what all CPUs have counted in the buckets that begin in a function; free its `at'. */
static struct counts count(const struct symbol *symbol, const struct inside_kprof *k)
{
	uint32_t span = 1u << k->shift, i, cpu, n = k->nbucket - PROF_KPROF_SPECIAL;
	struct counts c = {.at = memory_zeroed(n, sizeof(*c.at))};

	for (i = 0; i < n; i++) {
		struct count_at at = {.pc = k->first + ((code_addr)i << k->shift), .span = span};

		at.end = at.pc + span;
		for (cpu = 0; cpu < k->ncpu; cpu++)
			at.count += k->cell[cpu][i + PROF_KPROF_SPECIAL];
		if (at.count > 0 &&
		    code_within(at.pc, symbol->start, symbol->end - symbol->start))
			c.at[c.n++] = at;
	}
	return c;
}

/* Return where to begin, so that the hottest instruction is in the middle of the lines. */
static int middle(const struct annotation *a, int lines)
{
	size_t i, hottest = 0;

	for (i = 1; i < a->n; i++)
		if (a->code[i].count > a->code[hottest].count)
			hottest = i;
	return (int)hottest - lines / 2;
}

/* Print an instruction: its ticks, their share, its line in the source, and itself. */
static void print_code(FILE *to, const struct annotation *a, const struct annotated *c)
{
	char mark = ' ';

	if (c->shared)
		mark = '~';
	if (c->count)
		fprintf(to, "%10" PRIu64 " %6.1f%c", c->count,
			100.0 * (double)c->count / (double)a->total, mark);
	else
		fprintf(to, "%18s", "");
	fprintf(to, " %6u  %" CODE_ADDR "  %s\n", c->line, c->insn.pc, c->insn.text);
}

int topcode_print(FILE *to, struct image *kernel, const struct symbol *symbol, const struct look *l,
		  int lines, int *first, struct complaint *why)
{
	struct counts c = count(symbol, &l->kprof);
	struct annotation a;
	const char *file = "?";
	int i, end, most, bad;

	coverage_settle(kernel, &c);
	bad = annotation_make(&a, kernel, symbol, &c, why);
	free(c.at);
	if (bad)
		return -1;
	if (a.file)
		file = a.file;
	fprintf(to, "%s, %s: %" PRIu64 " ticks since kprof was started\n"
		"     ticks      %%    line\n", symbol->name, file, a.total);
	lines -= 2;
	most = (int)a.n - lines;
	if (*first < 0)
		*first = middle(&a, lines);
	if (*first > most)
		*first = most;
	if (*first < 0)
		*first = 0;
	end = (int)order_min(a.n, (uint64_t)(*first + lines));
	for (i = *first; i < end; i++)
		print_code(to, &a, &a.code[i]);
	annotation_free(&a);
	return 0;
}
