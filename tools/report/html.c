/*
 * gnomon-report(1) --html: one page with everything in it. The page itself is made by
 * tools/report/page/make when gnomon is built; here it gets its data, as JSON.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/outfile.h"
#include "tools/profile/coverage.h"
#include "tools/report/annotate.h"
#include "tools/report/report.h"

/*
 * The data, as page/page.js reads them; ROW is an index into "functions", or -1:
 *
 *	{"title": FILE, "unit": "ticks", "total": COUNT, "paths": BOOL,
 *	 "facts": [[WHAT, VALUE], ...],
 *	 "functions": [{"name": NAME, "image": IMAGE, "self": COUNT, "all": COUNT, "idle": BOOL,
 *	                "where": "FILE:LINE", "source": [[LINE, COUNT, TEXT], ...],
 *	                "code": [[ADDRESS, COUNT, TEXT], ...],
 *	                "callers": [[ROW, NAME, COUNT, CALLS], ...], "callees": [...]}, ...],
 *	 "tree": {"n": NAME, "v": COUNT, "f": ROW, "c": [the same of each child]}}
 *
 * A count is text where it ends with REPORT_SHARED. If source and code cannot be read, "missing"
 * says why. CALLS is 0 if only paths are known; without them and arcs there are no relatives.
 */

#define MOST 400 /* functions that come with their source and code */
#define BEFORE 3 /* lines before the first that has code: there is its name */
#define TOO_MANY "only the first 400 functions come with theirs"
#define SHOWN 30 /* callers or callees of a function at most */
#define MARK "@data@" /* where in the page the data go */

/*
 * Steps of a path that the flame graph shows. What writes its tree, frees it and draws it calls
 * itself for each of them; and no screen has room for more.
 */
#define DEEPEST 1000

extern const char page_begin[], page_end[]; /* page/page.c */

/* A frame of the flame graph. */
struct node {
	char *name;
	int64_t function; /* its number; -1: a process or a mode */
	uint64_t count;	  /* its own and that of all its children */
	struct node *child, *next;
};

/* Find the child of that name, or make it. */
static struct node *child(struct node *of, const char *name, int64_t function)
{
	struct node **at = &of->child;

	while (*at && ((*at)->function != function || strcmp((*at)->name, name) != 0))
		at = &(*at)->next;
	if (!*at) {
		*at = memory_zeroed(1, sizeof(**at));
		(*at)->name = memory_string(name, strlen(name));
		(*at)->function = function;
	}
	return *at;
}

/*
 * Add one sample's path below its process and its mode: all, sh, [kernel], main ... Of one that is
 * too deep the innermost steps become one. Return how much was counted on such a path.
 */
static uint64_t plant(struct report *r, struct node *root, const struct profdata_sample *s)
{
	struct node *at = root;
	const struct step *step;
	size_t i, n;

	at->count += s->count;
	if (s->process != PROFDATA_NONE) {
		at = child(at, r->prof.name[s->process], -1);
		at->count += s->count;
	}
	if (s->depth > 0) {
		at = child(at, profdata_mode_step[s->mode], -1);
		at->count += s->count;
	}
	step = functions_path(&r->functions, s, &n);
	for (i = 0; i < n && i < DEEPEST; i++) {
		at = child(at, r->functions.function[step[i].function].name, step[i].function);
		at->count += s->count;
	}
	if (i == n)
		return 0;
	child(at, "[deeper]", -1)->count += s->count;
	return s->count;
}

/*
 * Make a node and its children into JSON as d3-flame-graph takes it, and free the children.
 * row[f] is where function f is in the table.
 */
static json_t *harvest(struct node *n, const int64_t *row)
{
	json_t *children = json_array();
	struct node *c, *next;
	json_t *out;

	for (c = n->child; c; c = next) {
		next = c->next;
		json_array_append_new(children, harvest(c, row));
		free(c->name);
		free(c);
	}
	out = json_pack("{s:s, s:I, s:I, s:o}", "n", n->name, "v", (json_int_t)n->count, "f",
			(json_int_t)(n->function < 0 ? -1 : row[n->function]), "c", children);
	return out;
}

/* Return the flame graph of all samples. *deeper becomes what is not shown to its end. */
static json_t *tree(struct report *r, const int64_t *row, uint64_t *deeper)
{
	struct node root = {.name = (char *)"all", .function = -1};
	size_t i;

	*deeper = 0;
	for (i = 0; i < r->prof.nsample; i++)
		*deeper += plant(r, &root, &r->prof.sample[i]);
	return harvest(&root, row);
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
static json_t *source(struct report *r, const struct annotation *a)
{
	json_t *out = json_array();
	const char *text;
	unsigned line = a->first > BEFORE ? a->first - BEFORE : a->first;
	uint64_t count;
	bool shared;
	size_t i;

	for (; line && line <= a->last; line++) {
		text = source_line(&r->sources, a->file, line);
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
	}
	return out;
}

/* Return [address, count, text] of an instruction, with the function that was inlined there. */
static json_t *instruction(const struct annotated *c)
{
	bool foreign = c->inlined && c->innermost.file;
	char *text = memory_format("%s%s%s", c->insn.text, foreign ? "  ; " : "",
				   foreign ? c->innermost.function : "");
	char *pc = memory_format("%" CODE_ADDR, c->insn.pc);
	json_t *out = json_pack("[s, o, s]", pc, count_of(c->count, c->shared), text);

	free(pc);
	free(text);
	return out;
}

/* Return all instructions; those of an inlined function are below the functions they are in. */
static json_t *code(const struct annotation *a)
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
		json_array_append_new(out, instruction(&a->code[i]));
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
static void annotate_row(struct report *r, const struct counts *all, const struct function *f,
			 json_t *row)
{
	struct annotation a;
	struct complaint why;
	char *where;

	if (annotate(r, &a, f, all, &why) < 0) {
		json_object_set_new(row, "missing", json_string(why.text));
		return;
	}
	where = memory_format("%s:%u", a.file ? a.file : "?", a.first);
	json_object_set_new(row, "where", json_string(where));
	json_object_set_new(row, "source", source(r, &a));
	json_object_set_new(row, "code", code(&a));
	free(where);
	annotation_free(&a);
}

/* Return the table of functions, the most first; row[f] becomes where f is in it. */
static json_t *table(struct report *r, const struct counts *all, int64_t *row)
{
	json_t *out = json_array(), *one;
	size_t n, i;
	uint32_t *sorted = functions_sorted(&r->functions, &n);

	for (i = 0; i < n; i++) {
		const struct function *f = &r->functions.function[sorted[i]];
		bool known = f->image != PROFDATA_NONE;

		row[sorted[i]] = (int64_t)i;
		one = json_pack("{s:s, s:s, s:I, s:I, s:b, s:s}", "name", f->name, "image",
				known ? r->prof.image[f->image].name : "", "self",
				(json_int_t)f->self, "all", (json_int_t)f->all, "idle",
				(int)functions_idle(f), "where", "");
		if (i < MOST)
			annotate_row(r, all, f, one);
		else
			json_object_set_new(one, "missing", json_string(TOO_MANY));
		json_array_append_new(out, one);
	}
	free(sorted);
	return out;
}

/* Return [row, name, count, calls] of those who call a function, or of what it calls. */
static json_t *relatives(struct report *r, const struct graph *g, uint32_t f, bool down,
			 const int64_t *row)
{
	size_t i, n;
	struct graph_edge **edge = report_edges(g, f, down, &n);
	json_t *out = json_array();

	for (i = 0; i < n && i < SHOWN; i++) {
		uint32_t other = down ? edge[i]->to : edge[i]->from;
		double count = edge[i]->self + edge[i]->children;

		if (other == GRAPH_NONE || other == f)
			continue;
		json_array_append_new(out, json_pack("[I, s, o, I]", (json_int_t)row[other],
			r->functions.function[other].name,
			g->measured ? json_integer((json_int_t)count) : json_real(count),
			(json_int_t)(g->measured ? 0 : edge[i]->calls)));
	}
	free(edge);
	return out;
}

/* Add callers and callees to the rows of the table. */
static void relate(struct report *r, const struct graph *g, const int64_t *row, json_t *table)
{
	uint32_t f;

	for (f = 0; f < g->n; f++) {
		json_t *one = row[f] < 0 ? NULL : json_array_get(table, (size_t)row[f]);

		if (!one)
			continue;
		json_object_set_new(one, "callers", relatives(r, g, f, false, row));
		json_object_set_new(one, "callees", relatives(r, g, f, true, row));
	}
}

/* Append [what, value], and free the value. */
static void fact(json_t *facts, const char *what, char *value)
{
	json_array_append_new(facts, json_pack("[s, s]", what, value));
	free(value);
}

/* Tell how it was counted: the machine, the clock, and what each CPU lost. */
static void run_facts(json_t *out, const struct runinfo *run)
{
	unsigned i, n = runinfo_ncpu(run);

	if (*run->qemu)
		fact(out, "Machine", memory_format("QEMU %s, %s, %" PRIu64 " MB, -icount %s",
						   run->qemu, run->model, run->memory_mb,
						   run->icount));
	if (*run->clock)
		fact(out, "Clock", memory_format("%s, by %s, %" PRIu64 " Hz", run->clock,
						 run->delivery, run->hz));
	for (i = 0; i < n; i++) {
		char *cpu = memory_format("cpu%u", i);

		fact(out, cpu, memory_format("%" PRIu64 " ticks, %" PRIu64 " lost: %.2f %%",
					     run->cpu[i].taken, run->cpu[i].lost,
					     runinfo_percent(&run->cpu[i])));
		free(cpu);
	}
}

/* Return what is known of the run, and of its picture: [what, value] each. */
static json_t *facts(const struct report *r, uint64_t deeper)
{
	const struct profdata *p = &r->prof;
	const char *unit = profdata_unit_name[p->unit];
	json_t *out = json_array();
	size_t i;
	int m;

	for (i = 0; i < REPORT_CAUTIONS && r->caution[i]; i++)
		fact(out, "Caution", memory_format("%s", r->caution[i]));
	if (r->loss)
		fact(out, "Caution", memory_format("%s", r->loss));
	fact(out, "Data", memory_format("%s", p->format));
	fact(out, "Total", memory_format("%" PRIu64 " %s", p->total, unit));
	if (p->us > 0) {
		fact(out, "A tick", memory_format("%g us", p->us));
		fact(out, "Time", memory_format("%.3f s", (double)p->total * p->us / 1e6));
	}
	for (m = 0; m < PROFDATA_NMODES; m++)
		if (p->by_mode[m] > 0)
			fact(out, profdata_mode_name[m], memory_format("%" PRIu64 " %s",
								       p->by_mode[m], unit));
	if (p->calls > 0)
		fact(out, "Left out", memory_format("%" PRIu64 " calls in the kernel", p->calls));
	if (deeper > 0)
		fact(out, "Deeper", memory_format("%" PRIu64 " %s on paths of more than %d steps, "
						  "which end in [deeper]", deeper, unit, DEEPEST));
	run_facts(out, &p->run);
	for (i = 0; i < p->nimage; i++)
		if (*p->image[i].buildid)
			fact(out, p->image[i].name, memory_format("build id %.12s",
								  p->image[i].buildid));
	return out;
}

/* Return everything that the page shows, or NULL: some text is not UTF-8. */
static json_t *all(struct report *r)
{
	struct counts *counts = coverage_all(&r->prof);
	bool related = r->prof.has_paths || r->prof.narc > 0;
	json_t *functions, *flames;
	struct graph g = {.n = 0};
	uint64_t deeper;
	int64_t *row;

	if (related)
		graph_make(&g, &r->functions);
	else
		functions_count(&r->functions);
	row = memory_zeroed(r->functions.n + 1, sizeof(*row));
	memset(row, 0xff, (r->functions.n + 1) * sizeof(*row));
	functions = table(r, counts, row);
	relate(r, &g, row, functions);
	graph_free(&g);
	flames = tree(r, row, &deeper);
	coverage_free(&r->prof, counts);
	free(row);
	return json_pack("{s:s, s:s, s:I, s:b, s:o, s:o, s:o}", "title", r->file, "unit",
			 profdata_unit_name[r->prof.unit], "total", (json_int_t)r->prof.total,
			 "paths", (int)r->prof.has_paths, "facts", facts(r, deeper), "functions",
			 functions, "tree", flames);
}

/*
 * Write the page with the data in the place of its mark. "</" in them would end the element
 * that they are in, so slashes are escaped: JSON may write them as "\/".
 */
static void put(FILE *to, const json_t *data)
{
	const char *mark = memmem(page_begin, (size_t)(page_end - page_begin), MARK, strlen(MARK));

	fwrite(page_begin, 1, (size_t)(mark - page_begin), to);
	json_dumpf(data, to, JSON_COMPACT | JSON_ESCAPE_SLASH | JSON_REAL_PRECISION(6));
	mark += strlen(MARK);
	fwrite(mark, 1, (size_t)(page_end - mark), to);
}

int report_html(struct report *r, struct complaint *why)
{
	struct memory_stream to;
	json_t *data = all(r);
	int bad;

	if (!data)
		return complain(why, "%s: %s", r->file, strerror(ENOMEM));
	memory_stream_open(&to);
	put(to.f, data);
	json_decref(data);
	memory_stream_close(&to);
	bad = outfile_store(r->options.page, to.data, to.n, why);
	free(to.data);
	return bad;
}
