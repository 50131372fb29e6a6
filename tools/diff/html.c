/* gnomon-diff(1) --html: two profiles as one, as tools/report/page/page.h tells. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "tools/diff/diff.h"
#include "tools/memory.h"
#include "tools/order.h"
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

	if (d)
		return d;
	return strcmp(a->name, b->name);
}

/* Return a function's share of everything, of both sides together. */
static double both_share(const struct picture *p, const struct both *f)
{
	return (double)f->all[0] / (double)p->side[0]->prof.total +
	       (double)f->all[1] / (double)p->side[1]->prof.total;
}

/* For qsort_r: the largest share first, then by name. */
static int compare_shares(const void *va, const void *vb, void *arg)
{
	double a = both_share(arg, va), b = both_share(arg, vb);

	if (a != b)
		return order_real(b, a);
	return compare_names(va, vb);
}

/* Add the counts of a function to those of another of the same name. */
static void add_both(void *vto, const void *vfrom)
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
static struct both html_named(const struct diff_side *side, uint32_t function)
{
	const struct function *f = &side->functions.function[function];

	return (struct both){
		.module = profdata_image_name(&side->prof, f->image), .name = f->name,
	};
}

/* Take the functions of both sides, those of one name as one. */
static void pair_functions(struct picture *p)
{
	size_t most = p->side[0]->functions.n + p->side[1]->functions.n;
	uint32_t i;
	int s;

	p->both = memory_zeroed(most, sizeof(*p->both));
	for (s = 0; s < TREE_SIDES; s++) {
		for (i = 0; i < p->side[s]->functions.n; i++) {
			const struct function *f = &p->side[s]->functions.function[i];
			struct both *new = &p->both[p->n++];

			*new = html_named(p->side[s], i);
			new->self[s] = f->self;
			new->all[s] = f->all;
			new->idle[s] = f->idle;
		}
	}
	p->n = sorted_sum(p->both, p->n, sizeof(*p->both), compare_names, add_both);
}

/* Note where the functions of one side are, while these are ordered by name. */
static void label_functions(struct picture *p, int s, const uint32_t *place)
{
	struct diff_side *side = p->side[s];
	uint32_t i;

	p->label[s] = memory_zeroed(side->functions.n, sizeof(**p->label));
	for (i = 0; i < side->functions.n; i++) {
		struct both key = html_named(side, i);
		const struct both *found = bsearch(&key, p->both, p->n, sizeof(key),
						   compare_names);

		p->label[s][i] = place[found - p->both];
	}
}

/* Order the functions by share, and find them by side. */
static void sort_functions(struct picture *p)
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
	label_functions(p, 0, place);
	label_functions(p, 1, place);
	free(place);
	free(p->both);
	p->both = sorted;
	p->rows = order_min(p->n, PAGE_FUNCTIONS);
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
static const char *label_name(const void *picture, uint32_t label)
{
	const struct picture *p = picture;

	if (label < p->n)
		return p->both[label].name;
	if (label < p->n + PROFDATA_NMODES)
		return profdata_mode_step[label - p->n];
	return p->processes.text[label - p->n - PROFDATA_NMODES].text;
}

/* Add the paths of one side. */
static void plant_paths(struct picture *p, int s)
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
		if (s == 0)
			tree_path(&p->tree, one->count, 0);
		else
			tree_path(&p->tree, 0, one->count);
	}
	free(process);
}

/* Return the counts of both sides. */
static json_t *json_both(uint64_t a, uint64_t b)
{
	return json_pack("[o, o]", page_count(a), page_count(b));
}

/* For qsort and bsearch: rows that were tested by module and name. */
static int compare_tested(const void *va, const void *vb)
{
	const struct diff_row *a = va, *b = vb;
	int d = strcmp(a->count.module, b->count.module);

	if (d)
		return d;
	return strcmp(a->count.name, b->count.name);
}

/* Add how far chance explains a function's difference, with the standard error of that. */
static void add_test(const struct picture *p, const struct both *f, json_t *row)
{
	struct diff_row key = {.count = {.module = f->module, .name = f->name}};
	const struct diff_row *found = NULL;
	double error;

	if (p->d->exact)
		return;
	if (p->d->n)
		found = bsearch(&key, p->d->row, p->d->n, sizeof(key), compare_tested);
	if (!found)
		return;
	error = found->error;
	if (p->d->options.by_time)
		error = found->ms_error;
	json_object_set_new(row, "z", json_real(found->chance.z));
	json_object_set_new(row, "error", json_real(error));
	json_object_set_new(row, "sure", json_boolean(found->chance.sure));
}

/* Return a function's row of the table. */
static json_t *json_row(const struct picture *p, const struct both *f)
{
	json_t *row = json_object();
	uint64_t all = f->all[0] + f->all[1], idle = f->idle[0] + f->idle[1];

	json_object_set_new(row, "name", page_text(f->name));
	json_object_set_new(row, "image", page_text(f->module));
	json_object_set_new(row, "self", json_both(f->self[0], f->self[1]));
	json_object_set_new(row, "all", json_both(f->all[0], f->all[1]));
	json_object_set_new(row, "idle", json_boolean(all > 0 && idle == all));
	json_object_set_new(row, "where", json_string(""));
	json_object_set_new(row, "missing",
			    json_string("a comparison has none; see gnomon report"));
	add_test(p, f, row);
	return row;
}

/* Return the table of functions. */
static json_t *json_functions(const struct picture *p)
{
	json_t *out = json_array();
	size_t i;

	if (p->d->n)
		qsort(p->d->row, p->d->n, sizeof(*p->d->row), compare_tested);
	for (i = 0; i < p->rows; i++)
		json_array_append_new(out, json_row(p, &p->both[i]));
	return out;
}

/* Tell what one side is. */
static void side_facts(json_t *facts, const char *name, const struct diff_side *side)
{
	char *total = page_amount(side->prof.total, side->prof.unit);
	char *loss = profdata_loss(&side->prof), *fact;

	if (side->repeats.n > 1)
		fact = memory_format("%s: %s, %zu runs", side->file, total, side->repeats.n);
	else
		fact = memory_format("%s: %s", side->file, total);
	page_fact(facts, name, fact);
	if (loss)
		page_fact(facts, "Caution", memory_format("%s: %s", name, loss));
	free(total);
	free(loss);
}

/* Tell by which test, and what its results mean. */
static void test_facts(json_t *facts, const struct diff *d)
{
	const struct chance_test *t = &d->test;
	const char *test = "the chance of sampling, as of two single runs", *plural = "s";

	if (d->exact) {
		page_fact(facts, "Tested", memory_format("nothing: the counts have no standard "
							 "error that is known"));
		return;
	}
	if (d->repeated)
		test = "Welch's t-test: by how much the runs of each side vary";
	page_fact(facts, "Tested", memory_format("%s; of everything, whatever is hidden here",
						 test));
	if (t->z > 0)
		page_fact(facts, "Marked *", memory_format(
			"%zu of %zu functions, where z is %.2f or more either way", t->nsure, d->n,
			t->z));
	page_fact(facts, "z", memory_format("%s", diff_z_meaning + strlen("z is ")));
	if (d->repeated)
		page_fact(facts, "t", memory_format("%s", diff_t_meaning));
	if (t->df == 1)
		plural = "";
	if (t->df > 0)
		page_fact(facts, "As a whole", memory_format(
			"chi-square is %.2f with %.0f degree%s of freedom, p = %.3g", t->chi2,
			t->df, plural, t->p));
}

/* Tell by how much the time of everything together differs. */
static void sum_fact(json_t *facts, const char *what, const struct diff_row *row)
{
	const char *mark = "";

	if (row->chance.sure)
		mark = " *";
	page_fact(facts, what, memory_format("%+.2f ms, with a standard error of %.2f: z is "
					     "%+.2f%s", row->ms, row->ms_error, row->chance.z,
					     mark));
}

/* Add the verdict, which has several lines on a terminal. */
static void verdict_fact(json_t *facts, const struct diff *d)
{
	char *said = diff_verdict(d), *at;

	for (at = said; *at; at++)
		if (*at == '\n')
			*at = ' ';
	page_fact(facts, "Verdict", said);
}

/* Return what is said above the picture. */
static json_t *json_facts(const struct picture *p)
{
	const char *compared = "shares of everything that was counted in A and in B";
	json_t *out = json_array();

	if (p->d->options.by_time)
		compared = "milliseconds of a run, those of A with those of B";
	verdict_fact(out, p->d);
	side_facts(out, "A", p->side[0]);
	side_facts(out, "B", p->side[1]);
	page_fact(out, "Compared", memory_format("%s", compared));
	if (p->d->options.inlined)
		page_fact(out, "Inlined", memory_format("functions that were inlined stand for "
							"themselves"));
	test_facts(out, p->d);
	if (p->d->level)
		page_fact(out, "Programs", memory_format("%s", p->d->level));
	if (p->d->options.by_time)
		sum_fact(out, "All", &p->d->total);
	if (p->d->options.by_time && p->d->busy.count.a != p->d->total.count.a)
		sum_fact(out, "All but idle time", &p->d->busy);
	page_fact(out, "Colours", memory_format("red is more in B, blue is less"));
	page_fact_folded(out, &p->tree);
	return out;
}

/* Return a side's factor from ticks to milliseconds of a run, times 1000. */
static double side_us(const struct diff_side *side)
{
	return side->prof.us / (double)order_max(side->repeats.n, 1);
}

/* Return the page's one profile. */
static json_t *json_profile(struct picture *p)
{
	const struct diff_side *a = p->side[0], *b = p->side[1];
	json_t *out = json_object(), *names;
	char *title = memory_format("%s \342\206\222 %s", a->file, b->file);

	plant_paths(p, 0);
	plant_paths(p, 1);
	tree_grow(&p->tree, PAGE_PERCENT, PAGE_FRAMES);
	names = page_names(&p->tree, (uint32_t)p->rows, process_label(p, ""), label_name, p);
	json_object_set_new(out, "title", page_text(title));
	json_object_set_new(out, "unit", json_string(profdata_unit_name[a->prof.unit]));
	json_object_set_new(out, "total", json_both(a->prof.total, b->prof.total));
	json_object_set_new(out, "paths", json_boolean(a->prof.has_paths || b->prof.has_paths));
	json_object_set_new(out, "processes", json_boolean(a->prof.nname + b->prof.nname > 0));
	json_object_set_new(out, "facts", json_facts(p));
	json_object_set_new(out, "functions", json_functions(p));
	json_object_set_new(out, "names", names);
	json_object_set_new(out, "tree", tree_json(&p->tree, TREE_SIDES, NULL));
	if (p->d->options.by_time)
		json_object_set_new(out, "us", json_pack("[f, f]", side_us(a), side_us(b)));
	free(title);
	return out;
}

int diff_html(struct diff *d, struct complaint *why)
{
	struct picture p = {.d = d, .side = {&d->a, &d->b}};
	json_t *one;

	functions_count(&d->a.functions);
	functions_count(&d->b.functions);
	pair_functions(&p);
	sort_functions(&p);
	one = json_profile(&p);
	texts_free(&p.processes);
	tree_free(&p.tree);
	free(p.label[0]);
	free(p.label[1]);
	free(p.both);
	return page_write(d->options.page, json_pack("[o]", one), why);
}
