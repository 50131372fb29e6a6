/* gnomon-diff(1) --html: two profiles as one, as tools/report/page/page.h tells. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "tools/diff/diff.h"
#include "tools/memory.h"
#include "tools/report/page/page.h"
#include "tools/sorted.h"
#include "tools/texts.h"

/* A function by its name, and its counts on both sides. */
struct both {
	const char *module, *name;
	uint64_t self[TREE_SIDES], all[TREE_SIDES];
	uint64_t idle[TREE_SIDES];
};

/* The page on its way. */
struct picture {
	struct diff *d;
	struct diff_side *side[TREE_SIDES];
	struct both *both; /* by share of everything, the most first */
	size_t n, rows;	   /* of these `rows` are in the table */
	uint32_t *label[TREE_SIDES]; /* by function of a side: its place in `both` */
	struct texts processes;
	struct tree tree;
};

/* For qsort: by module and name. */
static int compare_names(const void *va, const void *vb)
{
	const struct both *a = va, *b = vb;
	int d = strcmp(a->module, b->module);

	return d ? d : strcmp(a->name, b->name);
}

/* Return a function's share of everything, of both sides together. */
static double share(const struct picture *p, const struct both *f)
{
	return (double)f->all[0] / (double)p->side[0]->prof.total +
	       (double)f->all[1] / (double)p->side[1]->prof.total;
}

/* For qsort_r: the largest share first, then by name. */
static int compare_shares(const void *va, const void *vb, void *arg)
{
	double a = share(arg, va), b = share(arg, vb);

	return a != b ? (a > b ? -1 : 1) : compare_names(va, vb);
}

/* Add the counts of a function to those of another of the same name. */
static void add(void *vto, const void *vfrom)
{
	const struct both *from = vfrom;
	struct both *to = vto;
	int s;

	for (s = 0; s < TREE_SIDES; s++) {
		to->self[s] += from->self[s];
		to->all[s] += from->all[s];
		to->idle[s] += from->idle[s];
	}
}

/* Return a function of one side. */
static struct both named(const struct diff_side *side, uint32_t function)
{
	const struct function *f = &side->functions.function[function];

	return (struct both){
		.module = f->image == PROFDATA_NONE ? "" : side->prof.image[f->image].name,
		.name = f->name,
	};
}

/* Take the functions of both sides, those of one name as one. */
static void pair(struct picture *p)
{
	size_t most = p->side[0]->functions.n + p->side[1]->functions.n;
	uint32_t i;
	int s;

	p->both = memory_zeroed(most, sizeof(*p->both));
	for (s = 0; s < TREE_SIDES; s++) {
		for (i = 0; i < p->side[s]->functions.n; i++) {
			const struct function *f = &p->side[s]->functions.function[i];
			struct both *new = &p->both[p->n++];

			*new = named(p->side[s], i);
			new->self[s] = f->self;
			new->all[s] = f->all;
			new->idle[s] = f->idle;
		}
	}
	p->n = sorted_sum(p->both, p->n, sizeof(*p->both), compare_names, add);
}

/* Note where the functions of one side are, while these are ordered by name. */
static void find(struct picture *p, int s, const uint32_t *place)
{
	struct diff_side *side = p->side[s];
	uint32_t i;

	p->label[s] = memory_zeroed(side->functions.n, sizeof(**p->label));
	for (i = 0; i < side->functions.n; i++) {
		struct both key = named(side, i);
		const struct both *found = bsearch(&key, p->both, p->n, sizeof(key),
						   compare_names);

		p->label[s][i] = place[found - p->both];
	}
}

/* Order the functions by share, and find them by side. */
static void order(struct picture *p)
{
	struct both *sorted = memory_zeroed(p->n, sizeof(*sorted));
	uint32_t *place = memory_zeroed(p->n, sizeof(*place)), i;

	memcpy(sorted, p->both, p->n * sizeof(*sorted));
	qsort_r(sorted, p->n, sizeof(*sorted), compare_shares, p);
	for (i = 0; i < p->n; i++) {
		const struct both *old = bsearch(&sorted[i], p->both, p->n, sizeof(*old),
						 compare_names);

		place[old - p->both] = i;
	}
	find(p, 0, place);
	find(p, 1, place);
	free(place);
	free(p->both);
	p->both = sorted;
	p->rows = p->n < PAGE_FUNCTIONS ? p->n : PAGE_FUNCTIONS;
}

/*
 * Labels: the functions, the modes, and the names of processes, of both sides. Return a process's.
 */
static uint32_t process_label(struct picture *p, const char *name)
{
	return (uint32_t)(p->n + PROFDATA_NMODES +
			  texts_number(&p->processes, name, strlen(name)));
}

/* Return the name that a label stands for, which is in no row of the table. */
static const char *name_of(const void *picture, uint32_t label)
{
	const struct picture *p = picture;

	if (label < p->n)
		return p->both[label].name;
	if (label < p->n + PROFDATA_NMODES)
		return profdata_mode_step[label - p->n];
	return p->processes.text[label - p->n - PROFDATA_NMODES].text;
}

/* Add the paths of one side. */
static void plant(struct picture *p, int s)
{
	struct diff_side *side = p->side[s];
	uint32_t *process = memory_zeroed(side->prof.nname, sizeof(*process));
	size_t i, k, n;

	for (i = 0; i < side->prof.nname; i++)
		process[i] = process_label(p, side->prof.name[i]);
	for (i = 0; i < side->prof.nsample; i++) {
		const struct profdata_sample *one = &side->prof.sample[i];
		const struct step *step = functions_path(&side->functions, one, &n);

		if (one->process != PROFDATA_NONE)
			tree_label(&p->tree, process[one->process]);
		if (one->depth > 0 && !p->d->summed)
			tree_label(&p->tree, (uint32_t)p->n + one->mode);
		for (k = 0; k < n; k++)
			tree_label(&p->tree, p->label[s][step[k].function]);
		tree_path(&p->tree, s ? 0 : one->count, s ? one->count : 0);
	}
	free(process);
}

/* Return the table of functions. */
static json_t *table(const struct picture *p)
{
	json_t *out = json_array();
	size_t i;

	for (i = 0; i < p->rows; i++) {
		const struct both *f = &p->both[i];
		uint64_t all = f->all[0] + f->all[1];

		json_array_append_new(out, json_pack(
			"{s:s, s:s, s:[I, I], s:[I, I], s:b, s:s, s:s}", "name", f->name, "image",
			f->module, "self", (json_int_t)f->self[0], (json_int_t)f->self[1], "all",
			(json_int_t)f->all[0], (json_int_t)f->all[1], "idle",
			all > 0 && f->idle[0] + f->idle[1] == all, "where", "", "missing",
			"a comparison has none; see gnomon report"));
	}
	return out;
}

/* Tell what one side is. */
static void side_facts(json_t *facts, const char *name, const struct diff_side *side)
{
	char *total = page_amount(side->prof.total, side->prof.unit);
	char *runs = side->repeats.n > 1 ? memory_format(", %zu runs", side->repeats.n) : NULL;
	char *loss = profdata_loss(&side->prof);

	page_fact(facts, name, memory_format("%s: %s%s", side->file, total, runs ? runs : ""));
	if (loss)
		page_fact(facts, "Caution", memory_format("%s: %s", name, loss));
	free(total);
	free(runs);
	free(loss);
}

/* Return what is said above the picture. */
static json_t *facts(const struct picture *p)
{
	json_t *out = json_array();

	side_facts(out, "A", p->side[0]);
	side_facts(out, "B", p->side[1]);
	page_fact(out, "Compared", memory_format("%s", p->d->options.by_time ?
		"milliseconds of a run, those of A with those of B" :
		"shares of everything that was counted in A and in B"));
	page_fact(out, "Colours", memory_format("red is more in B, blue is less"));
	page_fact_folded(out, &p->tree);
	return out;
}

/* Return a side's factor from ticks to milliseconds of a run, times 1000. */
static double us(const struct diff_side *side)
{
	return side->prof.us / (double)(side->repeats.n ? side->repeats.n : 1);
}

/* Return the page's one profile, or NULL: some text is not UTF-8. */
static json_t *profile(struct picture *p)
{
	const struct diff_side *a = p->side[0], *b = p->side[1];
	json_t *out, *names, *functions;
	char *title = memory_format("%s \342\206\222 %s", a->file, b->file);

	plant(p, 0);
	plant(p, 1);
	tree_grow(&p->tree, PAGE_PERCENT, PAGE_FRAMES);
	names = page_names(&p->tree, (uint32_t)p->rows, process_label(p, ""), name_of, p);
	functions = table(p);
	out = json_pack("{s:s, s:s, s:[I, I], s:b, s:o, s:o, s:o, s:o}", "title", title, "unit",
			profdata_unit_name[a->prof.unit], "total", (json_int_t)a->prof.total,
			(json_int_t)b->prof.total, "paths",
			a->prof.has_paths || b->prof.has_paths, "facts", facts(p), "functions",
			functions, "names", names, "tree", tree_json(&p->tree, TREE_SIDES, NULL));
	if (out && p->d->options.by_time)
		json_object_set_new(out, "us", json_pack("[f, f]", us(a), us(b)));
	free(title);
	return out;
}

int diff_html(struct diff *d, struct complaint *why)
{
	struct picture p = {.d = d, .side = {&d->a, &d->b}};
	json_t *one;

	functions_count(&d->a.functions);
	functions_count(&d->b.functions);
	pair(&p);
	order(&p);
	one = profile(&p);
	texts_free(&p.processes);
	tree_free(&p.tree);
	free(p.label[0]);
	free(p.label[1]);
	free(p.both);
	if (!one)
		return complain(why, "%s: %s", d->options.page, strerror(ENOMEM));
	return page_write(d->options.page, json_pack("[o]", one), why);
}
