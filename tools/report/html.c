/* gnomon-report(1) --html: a profile as JSON, as page/page.h tells, for the page to show. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/coverage.h"
#include "tools/report/page/page.h"
#include "tools/report/picture.h"

#define MOST 400 /* functions that come with their source and code */
#define SHOWN 30 /* callers or callees of a function at most */

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

/* Return where a function is in the table, or -1. */
static int64_t row_of(const struct picture *p, uint32_t function)
{
	if (function >= p->nrow)
		return -1;
	return p->row[function];
}

static uint32_t function_label(const struct picture *p, uint32_t function)
{
	int64_t row = row_of(p, function);

	if (row >= 0)
		return (uint32_t)row;
	return mode_label(p, PROFDATA_NMODES) + function;
}

/* Return the name that a label after those of the rows stands for. */
static const char *label_name(const void *picture, uint32_t label)
{
	const struct picture *p = picture;

	if (label < mode_label(p, 0))
		return p->r->prof.name[label - process_label(p, 0)];
	if (label < mode_label(p, PROFDATA_NMODES))
		return profdata_mode_step[label - mode_label(p, 0)];
	return p->r->functions.function[label - mode_label(p, PROFDATA_NMODES)].name;
}

/* Add one sample's path below its process and its mode: all, sh, [kernel], main ... */
static void plant_path(struct picture *p, const struct profdata_sample *s)
{
	const struct step *step;
	size_t i, n;

	if (s->process != PROFDATA_NONE)
		tree_label(&p->tree, process_label(p, s->process));
	if (s->depth > 0)
		tree_label(&p->tree, mode_label(p, s->mode));
	step = functions_path(&p->r->functions, s, &n);
	for (i = report_root(p->r, step, n); i < n; i++)
		tree_label(&p->tree, function_label(p, step[i].function));
	tree_path(&p->tree, s->count, 0);
}

/*
 * Return the least share of a frame that is not folded. In a time line of functions each of them is
 * a call of its own, however short.
 */
static double tree_percent(const struct report *r)
{
	if (profdata_of_functions(&r->prof) && r->prof.nrecord > 0)
		return 0;
	return r->options.limit.percent;
}

/* Make the tree of all samples. With --limit 0 it has all their frames. */
static void grow_tree(struct picture *p)
{
	const struct report_limit *limit = &p->r->options.limit;
	size_t i, most = limit->rows;

	if (limit->percent > 0)
		most = PAGE_FRAMES / p->r->parts;
	for (i = 0; i < p->r->prof.nsample; i++)
		plant_path(p, &p->r->prof.sample[i]);
	tree_grow(&p->tree, p->percent, most);
	p->names = page_names(&p->tree, (uint32_t)p->rows,
			      function_label(p, (uint32_t)p->r->functions.n), label_name, p);
}

/* Return a function's row of the table, without its source and code. */
static json_t *json_row(const struct report *r, const struct function *f)
{
	json_t *row = json_object();

	json_object_set_new(row, "name", page_text(f->name));
	json_object_set_new(row, "image", page_text(profdata_image_name(&r->prof, f->image)));
	if (f->inlined)
		json_object_set_new(row, "inlined", json_true());
	json_object_set_new(row, "self", json_pack("[o]", page_count(f->self)));
	json_object_set_new(row, "all", json_pack("[o]", page_count(f->all)));
	json_object_set_new(row, "idle", json_boolean(functions_idle(f)));
	json_object_set_new(row, "where", json_string(""));
	return row;
}

/*
 * Return [blocks in use, bytes and blocks ever allocated] of a function; paths of memory have the
 * latter alone, and the bytes in modes.
 */
static json_t *json_memory(const struct report *r, const struct profdata_memory *memory)
{
	if (r->prof.nmemory == 0)
		return json_pack("[n, n, o]", page_count(memory->allocated));
	return json_pack("[o, o, o]", page_count(memory->blocks), page_count(memory->total),
			 page_count(memory->allocated));
}

/* Return the table of functions, the most first; row[f] becomes where f is in it. */
static json_t *json_functions(struct picture *p)
{
	struct report *r = p->r;
	struct profdata_memory *memory = report_memory(r);
	json_t *out = json_array(), *row;
	size_t n, i;

	p->sorted = functions_sorted(&r->functions, &n);
	if (memory)
		report_memory_freed(&r->functions, memory, p->sorted, &n);
	p->rows = order_min(n, PAGE_FUNCTIONS / r->parts);
	for (i = 0; i < p->rows; i++) {
		const struct function *f = &r->functions.function[p->sorted[i]];

		p->row[p->sorted[i]] = (int64_t)i;
		row = json_row(r, f);
		if (memory)
			json_object_set_new(row, "memory", json_memory(r, &memory[p->sorted[i]]));
		if (i < MOST && p->text < PAGE_TEXT / r->parts) {
			p->annotated = i + 1;
			picture_annotate(p, f, NULL, row, true);
		} else {
			char *most = memory_format("only the first %zu functions come with theirs",
						   p->annotated);

			json_object_set_new(row, "missing", json_string(most));
			free(most);
		}
		json_array_append_new(out, row);
	}
	free(memory);
	return out;
}

/* Return [row, name, count, calls] of a caller or a callee; a row has its name. */
static json_t *json_relative(struct picture *p, const struct graph *g, const struct graph_edge *e,
			     uint32_t other)
{
	const char *name = "";
	double all = e->self + e->children;
	json_t *count = json_real(all);
	json_int_t calls = e->calls;

	if (row_of(p, other) < 0)
		name = p->r->functions.function[other].name;
	if (g->measured)
		calls = 0;
	if (g->measured && all < 0x1p63) {
		json_decref(count);
		count = json_integer((json_int_t)all);
	}
	p->text += PICTURE_COSTS + strlen(name);
	return json_pack("[I, o, o, I]", (json_int_t)row_of(p, other), page_text(name), count,
			 calls);
}

/* Return those who call a function, or what it calls. */
static json_t *json_relatives(struct picture *p, const struct graph *g, uint32_t f, bool down)
{
	size_t i, n;
	struct graph_edge **edge = report_edges(g, f, down, &n);
	json_t *out = json_array();

	for (i = 0; i < n && i < SHOWN; i++) {
		uint32_t other = edge[i]->from;

		if (down)
			other = edge[i]->to;
		if (other != GRAPH_NONE && other != f)
			json_array_append_new(out, json_relative(p, g, edge[i], other));
	}
	free(edge);
	return out;
}

/* Add callers and callees to the rows of the table, while there is room for them. */
static void add_relatives(struct picture *p, const struct graph *g, json_t *table)
{
	size_t i, most = p->text + PAGE_RELATIVES / p->r->parts;
	json_t *row;

	if (g->n == 0)
		return;
	for (i = 0; i < p->rows && p->text < most; i++) {
		row = json_array_get(table, i);
		json_object_set_new(row, "callers", json_relatives(p, g, p->sorted[i], false));
		json_object_set_new(row, "callees", json_relatives(p, g, p->sorted[i], true));
	}
}

/* Add what its calls took to each row, where that was measured. */
static void add_times(const struct picture *p, json_t *table)
{
	struct calls_row *row;
	size_t i, n;
	int64_t place;

	if (p->r->prof.unit != PROFDATA_CYCLES)
		return;
	row = calls_rows(&p->r->functions, false, &n);
	for (i = 0; i < n; i++) {
		place = row_of(p, row[i].function);
		if (place >= 0 && row[i].times.count > 0)
			json_object_set_new(json_array_get(table, (size_t)place), "times",
					    report_times(p->r, &row[i].times));
	}
	free(row);
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

/* Tell where inlined functions are counted, which is where gnomon report has them, too. */
static char *inlined_words(const struct report *r)
{
	if (r->options.inlined)
		return memory_format("functions that were inlined stand for themselves, as in "
				     "gnomon report -I");
	return memory_format("functions that were inlined are part of those that they are in, as "
			     "in gnomon report; -I shows them by themselves");
}

/* Tell how much was counted, and how much of it is not on the page. */
static void amount_facts(json_t *out, const struct picture *picture)
{
	const struct profdata *p = &picture->r->prof;
	int m;

	page_fact(out, "Data", memory_format("%s", p->format));
	if (picture->r->options.root)
		page_fact(out, "Only", memory_format("what is below %s", picture->r->options.root));
	page_fact(out, "Total", page_amount(p->total, p->unit));
	if (picture->r->memory)
		page_fact(out, "Memory", memory_format("%s", picture->r->memory));
	page_fact(out, "Inlined", inlined_words(picture->r));
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
}

/* Tell which functions of programs did not run, for those are in no table. */
static void missed_facts(json_t *out, const struct picture *picture)
{
	const struct profdata *p = &picture->r->prof;
	char *names;
	size_t i;

	if (!report_is_coverage(picture->r))
		return;
	for (i = 0; i < p->nimage; i++) {
		if (!p->image[i].elf)
			continue;
		names = coverage_not_run(p->image[i].elf, &picture->counts[i]);
		if (names)
			page_fact(out, "Did not run", memory_format("of %s: %s", p->image[i].name,
								   names));
		free(names);
	}
}

/* Return what is known of the run, and of its picture: [what, value] each. */
static json_t *json_facts(const struct picture *picture)
{
	const struct report *r = picture->r;
	const struct profdata *p = &r->prof;
	json_t *out = json_array();
	size_t i;

	for (i = 0; i < REPORT_CAUTIONS && r->caution[i]; i++)
		page_fact(out, "Caution", memory_format("%s", r->caution[i]));
	if (r->loss)
		page_fact(out, "Caution", memory_format("%s", r->loss));
	amount_facts(out, picture);
	missed_facts(out, picture);
	run_facts(out, &p->run);
	for (i = 0; i < p->nimage; i++)
		if (*p->image[i].buildid)
			page_fact(out, p->image[i].name, memory_format("build id %.12s",
								  p->image[i].buildid));
	return out;
}

/* Make the tree, and with it the time line if there is one; line[sample] is that in the source. */
static void make_tree(struct picture *p, const uint32_t *line, json_t **tree, json_t **trace)
{
	const struct profdata *prof = &p->r->prof;
	uint32_t *node = memory_zeroed(prof->nsample, sizeof(*node));

	grow_tree(p);
	*tree = tree_json(&p->tree, 1, node);
	if (prof->nrecord > 0)
		*trace = report_timeline(prof, node, line, PAGE_RECORDS / p->r->parts, &p->left);
	else
		*trace = json_null();
	free(node);
}

/* Leave out places of memory of which nothing is in use: only the table of functions has them. */
static void leave_out_freed(struct picture *p)
{
	if (p->r->prof.nmemory == 0)
		return;
	coverage_free(&p->r->prof, p->counts);
	report_memory_in_use(p->r);
	p->counts = coverage_all(&p->r->prof);
}

/* Return one profile as the page shows it. */
static json_t *json_profile(struct report *r)
{
	struct picture p = {.r = r, .counts = coverage_all(&r->prof), .percent = tree_percent(r)};
	json_t *functions, *lines, *tree, *trace, *out = json_object();
	uint32_t *line;
	struct graph g = {.n = 0};

	if (r->prof.has_paths || r->prof.narc > 0 || r->prof.timed.n > 0)
		graph_make(&g, &r->functions);
	else
		functions_count(&r->functions);
	p.nrow = r->functions.n;
	p.row = memory_zeroed(p.nrow, sizeof(*p.row));
	memset(p.row, 0xff, p.nrow * sizeof(*p.row));
	functions = json_functions(&p);
	add_relatives(&p, &g, functions);
	graph_free(&g);
	add_times(&p, functions);
	leave_out_freed(&p);
	lines = picture_lines(&p, functions, &line);
	make_tree(&p, line, &tree, &trace);
	json_object_set_new(out, "title", page_text(r->file));
	json_object_set_new(out, "unit", json_string(profdata_unit_name[r->prof.unit]));
	json_object_set_new(out, "total", json_pack("[o]", page_count(r->prof.total)));
	json_object_set_new(out, "root", json_boolean(r->options.root != NULL));
	json_object_set_new(out, "inlined", json_boolean(r->options.inlined));
	json_object_set_new(out, "paths", json_boolean(r->prof.has_paths));
	json_object_set_new(out, "processes", json_boolean(r->prof.nname > 0));
	json_object_set_new(out, "facts", json_facts(&p));
	json_object_set_new(out, "functions", functions);
	json_object_set_new(out, "lines", lines);
	json_object_set_new(out, "names", p.names);
	json_object_set_new(out, "tree", tree);
	json_object_set_new(out, "trace", trace);
	tree_free(&p.tree);
	coverage_free(&r->prof, p.counts);
	free(p.sorted);
	free(p.row);
	free(line);
	return out;
}

int report_html(struct report *r, struct complaint *why)
{
	(void)why;
	if (!r->profiles)
		r->profiles = json_array();
	json_array_append_new(r->profiles, json_profile(r));
	return 0;
}
