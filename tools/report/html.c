/* gnomon-report(1) --html: a profile as JSON, as page/page.h tells, for the page to show. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/coverage.h"
#include "tools/report/annotate.h"
#include "tools/report/page/page.h"
#include "tools/report/report.h"

#define MOST 400 /* functions that come with their source and code */
#define BEFORE 3 /* lines before the first that has code: there is its name */
#define SHOWN 30 /* callers or callees of a function at most */
#define JSON_COSTS 12 /* bytes of a line of source or code, besides its text */

/* A profile on its way to the page. */
struct picture {
	struct report *r;
	struct counts *counts;
	struct tree tree;
	int64_t *row;	 /* by function: where it is in the table, or -1 */
	uint32_t *sorted; /* by row: its function */
	size_t rows;	 /* of the table */
	size_t text;	 /* bytes of source and code so far */
	json_t *names;
	size_t left; /* records of the time line that are not on it */
};

/*
 * Labels: the rows of the table, then the names of processes, the modes, and all functions, for
 * those that have no row.
 */
static uint32_t process_label(const struct picture *p, uint32_t process)
{
	return (uint32_t)p->rows + process;
}

static uint32_t mode_label(const struct picture *p, uint8_t mode)
{
	return process_label(p, (uint32_t)p->r->prof.nname) + mode;
}

static uint32_t function_label(const struct picture *p, uint32_t function)
{
	return p->row[function] >= 0 ? (uint32_t)p->row[function] :
				       mode_label(p, PROFDATA_NMODES) + function;
}

/* Return the name that a label behind the rows of the table stands for. */
static const char *name_of(const void *picture, uint32_t label)
{
	const struct picture *p = picture;

	if (label < mode_label(p, 0))
		return p->r->prof.name[label - process_label(p, 0)];
	if (label < mode_label(p, PROFDATA_NMODES))
		return profdata_mode_step[label - mode_label(p, 0)];
	return p->r->functions.function[label - mode_label(p, PROFDATA_NMODES)].name;
}

/* Add one sample's path below its process and its mode: all, sh, [kernel], main ... */
static void plant(struct picture *p, const struct profdata_sample *s)
{
	const struct step *step;
	size_t i, n;

	if (s->process != PROFDATA_NONE)
		tree_label(&p->tree, process_label(p, s->process));
	if (s->depth > 0)
		tree_label(&p->tree, mode_label(p, s->mode));
	step = functions_path(&p->r->functions, s, &n);
	for (i = 0; i < n; i++)
		tree_label(&p->tree, function_label(p, step[i].function));
	tree_path(&p->tree, s->count, 0);
}

/* Make the tree of all samples. With --limit 0 it has all their frames. */
static void grow(struct picture *p)
{
	const struct report_limit *limit = &p->r->options.limit;
	size_t i, most = limit->percent > 0 ? PAGE_FRAMES / p->r->parts : limit->rows;

	for (i = 0; i < p->r->prof.nsample; i++)
		plant(p, &p->r->prof.sample[i]);
	tree_grow(&p->tree, limit->percent, most);
	p->names = page_names(&p->tree, (uint32_t)p->rows,
			      function_label(p, (uint32_t)p->r->functions.n), name_of, p);
}

/* Return a count, as text with a mark if it may be partly of what follows. */
static json_t *count_of(uint64_t count, bool shared)
{
	json_t *out;
	char *text;

	if (!shared || count == 0)
		return json_integer((json_int_t)count);
	text = memory_format("%" PRIu64 "%c", count, REPORT_SHARED);
	out = json_string(text);
	free(text);
	return out;
}

/* Return [line, count, text] of each line from the function's first to its last. */
static json_t *source(struct picture *p, const struct annotation *a)
{
	json_t *out = json_array();
	const char *text;
	unsigned line = a->first > BEFORE ? a->first - BEFORE : a->first;
	uint64_t count;
	bool shared;
	size_t i;

	for (; line && line <= a->last; line++) {
		text = source_line(&p->r->sources, a->file, line);
		count = 0;
		shared = false;
		for (i = 0; i < a->n; i++) {
			if (a->code[i].line != line)
				continue;
			count += a->code[i].count;
			shared |= a->code[i].shared && i + 1 < a->n && a->code[i + 1].line != line;
		}
		json_array_append_new(out, json_pack("[I, o, s]", (json_int_t)line,
						     count_of(count, shared), text ? text : ""));
		p->text += JSON_COSTS + (text ? strlen(text) : 0);
	}
	return out;
}

/* Return [address, count, text] of an instruction, with the function that was inlined there. */
static json_t *instruction(struct picture *p, const struct annotated *c)
{
	bool foreign = c->inlined && c->innermost.file;
	char *text = memory_format("%s%s%s", c->insn.text, foreign ? "  ; " : "",
				   foreign ? c->innermost.function : "");
	char *pc = memory_format("%" CODE_ADDR, c->insn.pc);
	json_t *out = json_pack("[s, o, s]", pc, count_of(c->count, c->shared), text);

	p->text += JSON_COSTS + strlen(pc) + strlen(text);
	free(pc);
	free(text);
	return out;
}

/* Return all instructions; those of an inlined function are below the functions they are in. */
static json_t *code(struct picture *p, const struct annotation *a)
{
	const struct symbol *in = NULL, *last = NULL;
	json_t *out = json_array();
	size_t i;

	for (i = 0; i < a->n; i++, last = in) {
		in = image_symbol(a->elf, a->code[i].insn.pc);
		if (a->inlined && in && in != last) {
			char *text = memory_format("in %s:", in->name);

			json_array_append_new(out, json_pack("[s, I, s]", "", (json_int_t)0, text));
			free(text);
		}
		json_array_append_new(out, instruction(p, &a->code[i]));
	}
	return out;
}

/* Annotate a function. Return 0, or -1 and why. */
static int annotate(struct report *r, struct annotation *a, const struct function *f,
		    const struct counts *all, struct complaint *why)
{
	struct image *elf = f->image == PROFDATA_NONE ? NULL : r->prof.image[f->image].elf;
	const struct symbol *s = image_symbol(elf, f->start);

	if (elf && f->inlined)
		return annotation_inlined(a, elf, f->name, &all[f->image], why);
	if (s)
		return annotation_make(a, elf, s, &all[f->image], why);
	return complain(why, f->image == PROFDATA_NONE ? "no address is known" :
			elf ? "no function of %s has these addresses" :
			"there is no file of %s; give it with --image",
			f->image == PROFDATA_NONE ? "" : r->prof.image[f->image].name);
}

/* Add source and code to a function's row, or why they are missing. */
static void annotate_row(struct picture *p, const struct function *f, json_t *row)
{
	struct annotation a;
	struct complaint why;
	char *where;

	if (annotate(p->r, &a, f, p->counts, &why) < 0) {
		json_object_set_new(row, "missing", json_string(why.text));
		return;
	}
	where = memory_format("%s:%u", a.file ? a.file : "?", a.first);
	json_object_set_new(row, "where", json_string(where));
	json_object_set_new(row, "source", source(p, &a));
	json_object_set_new(row, "code", code(p, &a));
	free(where);
	annotation_free(&a);
}

/* Return the table of functions, the most first; row[f] becomes where f is in it. */
static json_t *table(struct picture *p)
{
	struct report *r = p->r;
	json_t *out = json_array(), *one;
	size_t n, i, with = 0;

	p->sorted = functions_sorted(&r->functions, &n);
	p->rows = n < PAGE_FUNCTIONS / r->parts ? n : PAGE_FUNCTIONS / r->parts;
	for (i = 0; i < p->rows; i++) {
		const struct function *f = &r->functions.function[p->sorted[i]];
		bool known = f->image != PROFDATA_NONE;

		p->row[p->sorted[i]] = (int64_t)i;
		one = json_pack("{s:s, s:s, s:[I], s:[I], s:b, s:s}", "name", f->name, "image",
				known ? r->prof.image[f->image].name : "", "self",
				(json_int_t)f->self, "all", (json_int_t)f->all, "idle",
				(int)functions_idle(f), "where", "");
		if (i < MOST && p->text < PAGE_TEXT / r->parts) {
			annotate_row(p, f, one);
			with = i + 1;
		} else {
			char *most = memory_format("only the first %zu functions come with theirs",
						   with);

			json_object_set_new(one, "missing", json_string(most));
			free(most);
		}
		json_array_append_new(out, one);
	}
	return out;
}

/* Return [row, name, count, calls] of those who call a function, or of what it calls. */
static json_t *relatives(struct picture *p, const struct graph *g, uint32_t f, bool down)
{
	size_t i, n;
	struct graph_edge **edge = report_edges(g, f, down, &n);
	json_t *out = json_array();

	for (i = 0; i < n && i < SHOWN; i++) {
		uint32_t other = down ? edge[i]->to : edge[i]->from;
		double count = edge[i]->self + edge[i]->children;

		if (other == GRAPH_NONE || other == f)
			continue;
		json_array_append_new(out, json_pack("[I, s, o, I]", (json_int_t)p->row[other],
			p->r->functions.function[other].name,
			g->measured ? json_integer((json_int_t)count) : json_real(count),
			(json_int_t)(g->measured ? 0 : edge[i]->calls)));
		p->text += JSON_COSTS + strlen(p->r->functions.function[other].name);
	}
	free(edge);
	return out;
}

/* Add callers and callees to the rows of the table, while there is room for them. */
static void relate(struct picture *p, const struct graph *g, json_t *table)
{
	size_t i, most = p->text + PAGE_RELATIVES / p->r->parts;
	json_t *one;

	for (i = 0; g->n > 0 && i < p->rows && p->text < most; i++) {
		one = json_array_get(table, i);
		json_object_set_new(one, "callers", relatives(p, g, p->sorted[i], false));
		json_object_set_new(one, "callees", relatives(p, g, p->sorted[i], true));
	}
}

/* Tell how it was counted: the machine, the clock, and what each CPU lost. */
static void run_facts(json_t *out, const struct runinfo *run)
{
	unsigned i, n = runinfo_ncpu(run);

	if (*run->qemu)
		page_fact(out, "Machine", memory_format("QEMU %s, %s, %" PRIu64 " MB, -icount %s",
						   run->qemu, run->model, run->memory_mb,
						   run->icount));
	if (*run->clock)
		page_fact(out, "Clock", memory_format("%s, by %s, %" PRIu64 " Hz", run->clock,
						 run->delivery, run->hz));
	for (i = 0; i < n; i++) {
		char *cpu = memory_format("cpu%u", i);

		page_fact(out, cpu, memory_format("%" PRIu64 " ticks, %" PRIu64 " lost: %.2f %%",
					     run->cpu[i].taken, run->cpu[i].lost,
					     runinfo_percent(&run->cpu[i])));
		free(cpu);
	}
}

/* Return what is known of the run, and of its picture: [what, value] each. */
static json_t *facts(const struct picture *picture)
{
	const struct report *r = picture->r;
	const struct profdata *p = &r->prof;
	json_t *out = json_array();
	size_t i;
	int m;

	for (i = 0; i < REPORT_CAUTIONS && r->caution[i]; i++)
		page_fact(out, "Caution", memory_format("%s", r->caution[i]));
	if (r->loss)
		page_fact(out, "Caution", memory_format("%s", r->loss));
	page_fact(out, "Data", memory_format("%s", p->format));
	page_fact(out, "Total", page_amount(p->total, p->unit));
	if (p->overwritten > 0)
		page_fact(out, "Overwritten", memory_format("%" PRIu64 " earlier records of the "
							    "time line", p->overwritten));
	if (picture->left > 0)
		page_fact(out, "Left out", memory_format("%zu earlier records of the time line, "
							 "for want of room", picture->left));
	if (p->us > 0 && p->unit == PROFDATA_TICKS) {
		page_fact(out, "A tick", memory_format("%g us", p->us));
		page_fact(out, "Time", memory_format("%.3f s", (double)p->total * p->us / 1e6));
	}
	for (m = 0; m < PROFDATA_NMODES; m++)
		if (p->by_mode[m] > 0)
			page_fact(out, profdata_mode_name[m], page_amount(p->by_mode[m], p->unit));
	if (p->calls > 0)
		page_fact(out, "Left out",
			  memory_format("%" PRIu64 " calls in the kernel", p->calls));
	page_fact_folded(out, &picture->tree);
	run_facts(out, &p->run);
	for (i = 0; i < p->nimage; i++)
		if (*p->image[i].buildid)
			page_fact(out, p->image[i].name, memory_format("build id %.12s",
								  p->image[i].buildid));
	return out;
}

/* Make the tree, and with it the time line if there is one. */
static void draw(struct picture *p, json_t **tree, json_t **trace)
{
	const struct profdata *prof = &p->r->prof;
	uint32_t *node = memory_zeroed(prof->nsample, sizeof(*node));

	grow(p);
	*tree = tree_json(&p->tree, 1, node);
	*trace = prof->nrecord == 0 ? json_null() :
		 report_timeline(prof, node, PAGE_RECORDS / p->r->parts, &p->left);
	free(node);
}

/* Return one profile as the page shows it, or NULL: some text is not UTF-8. */
static json_t *profile(struct report *r)
{
	struct picture p = {.r = r, .counts = coverage_all(&r->prof)};
	json_t *functions, *tree, *trace, *out;
	struct graph g = {.n = 0};

	if (r->prof.has_paths || r->prof.narc > 0)
		graph_make(&g, &r->functions);
	else
		functions_count(&r->functions);
	p.row = memory_zeroed(r->functions.n + 1, sizeof(*p.row));
	memset(p.row, 0xff, (r->functions.n + 1) * sizeof(*p.row));
	functions = table(&p);
	relate(&p, &g, functions);
	graph_free(&g);
	draw(&p, &tree, &trace);
	out = json_pack("{s:s, s:s, s:[I], s:b, s:o, s:o, s:o, s:o, s:o}", "title", r->file, "unit",
			profdata_unit_name[r->prof.unit], "total", (json_int_t)r->prof.total,
			"paths", (int)r->prof.has_paths, "facts", facts(&p), "functions",
			functions, "names", p.names, "tree", tree, "trace", trace);
	tree_free(&p.tree);
	coverage_free(&r->prof, p.counts);
	free(p.sorted);
	free(p.row);
	return out;
}

int report_html(struct report *r, struct complaint *why)
{
	json_t *one = profile(r);

	if (!one)
		return complain(why, "%s: %s", r->file, strerror(ENOMEM));
	if (!r->profiles)
		r->profiles = json_array();
	json_array_append_new(r->profiles, one);
	return 0;
}
