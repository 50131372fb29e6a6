/*
 * A profile's functions, images and call graph: tools/profile/functions.c, bind.c, graph.c,
 * profdata.c.
 * Links: tests/tools/elfdata.c
 */
#include <math.h>
#include <unistd.h>
#include "tests/test.h"
#include "tests/tools/elfdata.h"
#include "tools/profile/bind.h"
#include "tools/profile/functions.h"
#include "tools/profile/graph.h"
#include "tools/profile/profread.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))
#define K 0xc0100000u
#define ID "abcd000000000000000000000000000000000000"

static char folder[64], kernel_path[96], program_path[96];
static struct images images;

/* Eight functions of 16 bytes after the first 48 bytes, and a gap. */
static const struct elfdata_symbol kernel[] = {
	{"ktzero", K, 0, 'n'},	    {"etext", K + 0x100, 0, 'n'}, {"a", K + 0x30, 16, 'F'},
	{"b", K + 0x40, 16, 'F'},   {"c", K + 0x50, 16, 'F'},	  {"d", K + 0x60, 16, 'F'},
	{"e", K + 0x70, 16, 'F'},   {"f", K + 0x80, 16, 'F'},	  {"g", K + 0x90, 16, 'F'},
	{"last", K + 0xf0, 16, 'F'},
};

static const struct elfdata_symbol program[] = {{"main", 0x400010, 16, 'F'}};

/* The start of function a, b, c ... */
static uint32_t at(char name)
{
	return K + 0x30 + 16 * (uint32_t)(name - 'a');
}

/* A profile of the kernel with its file. */
static void begin(struct profdata *p)
{
	struct complaint why;

	profdata_init(p, "test", PROFDATA_TICKS);
	profdata_image(p, "kernel", NULL, "", true);
	profdata_add_pc(p, 0, at('a'), 1, 1);
	assert_int_equal(bind_images(p, &images, "", &why), 0);
	p->nsample = p->nframe = p->total = p->by_mode[PROFDATA_KERNEL] = 0;
}

/* Add a path of functions by name; each but the last ends in the call of the next. */
static void add(struct profdata *p, const char *path, uint64_t count)
{
	struct profdata_frame frame[16];
	size_t i, n = strlen(path);

	for (i = 0; i < n; i++)
		frame[i] = (struct profdata_frame){.pc = at(path[i]) + (i + 1 < n ? 16 : 0)};
	profdata_add(p, &(struct profdata_sample){.count = count}, frame, n);
}

static const struct function *named(const struct functions *f, const char *name)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (strcmp(f->function[i].name, name) == 0)
			return &f->function[i];
	fail_msg("no function %s", name);
	return NULL;
}

/* Which function has an address, at the edges of functions. */
static void addresses(void **state)
{
	static const struct {
		uint32_t pc;
		const char *name;
	} t[] = {
		{K + 0x30, "a"}, {K + 0x3f, "a"}, {K + 0x40, "b"}, {K + 0x9f, "g"}, {K + 0xa0, "?"},
		{K + 0xef, "?"}, {K + 0xf0, "last"}, {K + 0xff, "last"}, {K + 0x100, "?"},
		{K + 0x2f, "?"}, {K + 0x30, "a"}, {0, "?"}, {UINT32_MAX, "?"},
	};
	uint32_t n;
	struct functions f;
	struct profdata p;
	size_t i;

	begin(&p);
	functions_init(&f, &p, false);
	for (i = 0; i < nelem(t); i++) {
		n = functions_at(&f, 0, t[i].pc);
		assert_string_equal(f.function[n].name, t[i].name);
	}
	assert_int_equal(functions_at(&f, 0, K + 0x30), functions_at(&f, 0, K + 0x3f));
	n = functions_at(&f, PROFDATA_NONE, K);
	assert_string_equal(f.function[n].name, "?");
	functions_free(&f);
	profdata_free(&p);
}

/* `self` is counted in the innermost function, `all` once in each, even if it is there twice. */
static void counting(void **state)
{
	struct functions f;
	struct profdata p;
	uint32_t *order;
	size_t n;

	begin(&p);
	add(&p, "abc", 5);
	add(&p, "abab", 7);
	add(&p, "b", 1);
	profdata_add_mode(&p, PROFDATA_IDLE, 100);
	profdata_add_mode(&p, PROFDATA_OUTSIDE, 0);
	assert_int_equal(p.total, 113);
	assert_int_equal(p.nsample, 4);
	functions_init(&f, &p, false);
	functions_count(&f);
	assert_true(named(&f, "a")->self == 0 && named(&f, "a")->all == 12);
	assert_true(named(&f, "b")->self == 8 && named(&f, "b")->all == 13);
	assert_true(named(&f, "c")->self == 5 && named(&f, "c")->all == 5);
	assert_true(named(&f, "[idle]")->self == 100);
	order = functions_sorted(&f, &n);
	assert_int_equal(n, 4);
	assert_string_equal(f.function[order[0]].name, "b");
	assert_string_equal(f.function[order[2]].name, "a");
	assert_string_equal(f.function[order[3]].name, "[idle]"); /* idle time is apart */
	free(order);
	functions_count(&f); /* counting again makes no difference */
	assert_int_equal(named(&f, "b")->all, 13);
	functions_free(&f);
	profdata_free(&p);
}

static bool is_short(const struct profdata *p, const struct profdata_sample *s, void *arg)
{
	return s->depth <= *(unsigned *)arg;
}

/* Samples that are filtered out are in no sum. */
static void filtering(void **state)
{
	unsigned depth = 1;
	struct profdata p;

	begin(&p);
	add(&p, "abc", 5);
	add(&p, "b", 2);
	profdata_add_mode(&p, PROFDATA_IDLE, 100);
	profdata_filter(&p, is_short, &depth);
	assert_true(p.total == 102 && p.nsample == 2 && !p.has_paths);
	assert_true(p.by_mode[PROFDATA_KERNEL] == 2 && p.by_mode[PROFDATA_IDLE] == 100);
	profdata_free(&p);
}

static void path_is(struct functions *f, const struct profdata_sample *s, const char *wanted)
{
	const struct step *step;
	char got[128] = "";
	size_t i, n;

	step = functions_path(f, s, &n);
	for (i = 0; i < n; i++) {
		strcat(got, i ? " " : "");
		strcat(got, f->function[step[i].function].name);
	}
	assert_string_equal(got, wanted);
}

/* A return address at a function's end belongs to that function; a cut path begins with [cut]. */
static void paths(void **state)
{
	struct profdata_frame frame = {.pc = at('c'), .image = 0};
	struct functions f;
	struct profdata p;

	begin(&p);
	add(&p, "abab", 7);
	profdata_add(&p, &(struct profdata_sample){.count = 1, .cut = true}, &frame, 1);
	profdata_add_mode(&p, PROFDATA_NPATH, 1);
	functions_init(&f, &p, true);
	path_is(&f, &p.sample[0], "a b a b");
	path_is(&f, &p.sample[1], "[cut] c");
	path_is(&f, &p.sample[2], "[overflow]");
	functions_free(&f);
	profdata_free(&p);
}

static const struct graph_edge *edge(const struct graph *g, const struct functions *f,
				     const char *from, const char *to)
{
	uint32_t i;

	for (i = 0; i < g->nedge; i++)
		if (strcmp(f->function[g->edge[i].to].name, to) == 0 &&
		    (from ? g->edge[i].from != GRAPH_NONE &&
		     strcmp(f->function[g->edge[i].from].name, from) == 0 :
		     g->edge[i].from == GRAPH_NONE))
			return &g->edge[i];
	fail_msg("no edge to %s", to);
	return NULL;
}

static const struct graph_node *node(const struct graph *g, const struct functions *f,
				     const char *name)
{
	return &g->node[named(f, name) - f->function];
}

static void add_arc(struct profdata *p, uint32_t from, char to, uint64_t count)
{
	profdata_add_arc(p, &(struct profdata_arc){
				.frompc = from, .selfpc = at(to) + 5, .count = count,
			});
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* As in gprof, time goes up by calls, and a cycle is one: a -> b <-> c -> d; d is called 3 : 1. */
static void arcs(void **state)
{
	struct functions f;
	struct profdata p;
	struct graph g;

	begin(&p);
	add(&p, "a", 10);
	add(&p, "b", 20);
	add(&p, "c", 30);
	add(&p, "d", 40);
	add_arc(&p, at('a') + 4, 'b', 2);
	add_arc(&p, at('b') + 4, 'c', 5);
	add_arc(&p, at('c') + 4, 'b', 4);
	add_arc(&p, at('c') + 8, 'd', 3);
	add_arc(&p, at('d') + 8, 'd', 9);
	add_arc(&p, at('e') + 8, 'd', 1);
	add_arc(&p, 0x12345678, 'a', 1);
	functions_init(&f, &p, false);
	graph_make(&g, &f);
	assert_false(g.measured);
	assert_true(near(edge(&g, &f, "c", "d")->self, 30));
	assert_true(near(edge(&g, &f, "e", "d")->self, 10));
	assert_true(near(node(&g, &f, "e")->children, 10) && node(&g, &f, "e")->self == 0);
	assert_true(node(&g, &f, "b")->cycle == 1 && node(&g, &f, "c")->cycle == 1);
	assert_true(node(&g, &f, "a")->cycle == 0 && node(&g, &f, "d")->cycle == 0);
	assert_true(near(edge(&g, &f, "a", "b")->self, 50));
	assert_true(near(edge(&g, &f, "a", "b")->children, 30));
	assert_true(near(node(&g, &f, "a")->children, 80));
	assert_true(near(edge(&g, &f, NULL, "a")->self, 10));
	assert_true(node(&g, &f, "d")->calls == 4 && node(&g, &f, "d")->recursive == 9);
	assert_true(node(&g, &f, "b")->calls == 6);
	graph_free(&g);
	functions_free(&f);
	profdata_free(&p);
}

/* Paths are counted as they are; recursion counts once. */
static void path_graph(void **state)
{
	struct functions f;
	struct profdata p;
	struct graph g;

	begin(&p);
	add(&p, "abab", 7);
	add(&p, "abc", 5);
	functions_init(&f, &p, false);
	graph_make(&g, &f);
	assert_true(g.measured && g.nedge == 3);
	assert_true(edge(&g, &f, "a", "b")->self == 7 && edge(&g, &f, "a", "b")->children == 5);
	assert_true(edge(&g, &f, "b", "a")->self == 0 && edge(&g, &f, "b", "a")->children == 7);
	assert_true(edge(&g, &f, "b", "c")->self == 5);
	assert_true(node(&g, &f, "a")->children == 12 && node(&g, &f, "b")->children == 5);
	graph_free(&g);
	functions_free(&f);
	profdata_free(&p);
}

/* Bind one image, and check whether its file is found. */
static void bind(const char *name, const char *id, bool is_kernel, bool relative, uint32_t size,
		 const char *why_not)
{
	struct complaint why = {.text = ""};
	struct profdata p;

	profdata_init(&p, "test", PROFDATA_TICKS);
	profdata_image(&p, name, NULL, id, is_kernel);
	p.image[0].relative = relative;
	p.image[0].text_size = size;
	p.image[0].text_slack = 8;
	profdata_add_pc(&p, 0, 0x30, 1, 1);
	if (bind_images(&p, &images, "", &why) < 0) {
		assert_non_null(why_not);
		assert_non_null(strstr(why.text, why_not));
	} else {
		assert_null(why_not);
		assert_int_equal(p.frame[0].pc, 0x30 + (relative ? K : 0));
	}
	profdata_free(&p);
}

static void binding(void **state)
{
	static const char other[] = "1bcd000000000000000000000000000000000000";

	bind("kernel", "", true, true, 0, NULL);
	bind("kernel", ID, true, true, 0x100, NULL);
	bind("kernel", ID, true, false, 0, NULL);
	bind("renamed", ID, true, false, 0, NULL);
	bind("kernel", other, true, true, 0, "from another kernel: the build id of kernel is 1bcd");
	bind("kernel", "", true, true, 0xf8, "from another kernel");
	bind("program", "", false, false, 0, NULL);
	bind("elsewhere", "", false, false, 0, NULL); /* its functions have no names, then */
	bind("elsewhere", "", false, true, 0, "no file of elsewhere; give it with --image");
	bind(strrchr(program_path, '/') + 1, other, false, false, 0, NULL); /* nor of this */
}

/* The files, and the set of images that all tests share. */
static int setup(void **state)
{
	static const uint8_t id[20] = {0xab, 0xcd}, other_id[20] = {0xee};
	struct complaint why;

	snprintf(folder, sizeof(folder), "/tmp/gnomon-functions.%d", getpid());
	snprintf(kernel_path, sizeof(kernel_path), "%s.kernel", folder);
	snprintf(program_path, sizeof(program_path), "%s.program", folder);
	elfdata_write(kernel_path, kernel, nelem(kernel), id);
	elfdata_write(program_path, program, nelem(program), other_id);
	setenv("GNOMON_BUILD", folder, 1);
	images_init(&images);
	return images_add(&images, kernel_path, &why) || images_add(&images, program_path, &why);
}

static int teardown(void **state)
{
	images_free(&images);
	unlink(kernel_path);
	unlink(program_path);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses), cmocka_unit_test(counting),
		cmocka_unit_test(filtering), cmocka_unit_test(paths), cmocka_unit_test(arcs),
		cmocka_unit_test(path_graph),
		cmocka_unit_test(binding),
	};

	return RUN(tests, setup, teardown);
}
