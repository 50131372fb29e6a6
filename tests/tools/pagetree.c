/* The tree of the page: what is folded, where paths end, and that nothing is lost. H5. */
#include "tests/test.h"
#include "tools/report/page/tree.h"

/* Add a path: a label for each character. */
static void add(struct tree *t, const char *labels, uint64_t a, uint64_t b)
{
	while (*labels)
		tree_label(t, (uint32_t)*labels++);
	tree_path(t, a, b);
}

/* Check that the nodes have all counts, and each no more than its parent. */
static void is_whole(const struct tree *t)
{
	uint64_t sum[TREE_SIDES] = {0}, folded = 0;
	size_t i, kids = 0;
	int s;

	for (i = 0; i < t->n; i++) {
		assert_true(i == 0 || t->node[i].parent < i);
		kids += t->node[i].kids;
		for (s = 0; s < TREE_SIDES; s++) {
			sum[s] += t->node[i].self[s] + t->node[i].others[s];
			folded += t->node[i].others[s];
			assert_true(t->node[i].all[s] <= t->node[t->node[i].parent].all[s]);
		}
	}
	assert_int_equal(kids, t->n - 1);
	assert_int_equal(sum[0], t->total[0]);
	assert_int_equal(sum[1], t->total[1]);
	assert_int_equal(folded, t->folded_count[0] + t->folded_count[1]);
}

/* Return an array of the tree as text. */
static char *array(const struct tree *t, const char *name, uint32_t *at)
{
	json_t *json = tree_json(t, 2, at);
	char *text = json_dumps(json_object_get(json, name), JSON_COMPACT);

	json_decref(json);
	return text;
}

/* Check an array of the tree. */
static void is(const struct tree *t, const char *name, const char *expected)
{
	char *text = array(t, name, NULL);

	assert_string_equal(text, expected);
	free(text);
}

/* Siblings are ordered by size, and what is below 10 % becomes one behind them. */
static void small_frames_are_folded(void **state)
{
	struct tree t = {.n = 0};
	uint32_t at[6];

	add(&t, "ab", 30, 0);
	add(&t, "a", 10, 0);
	add(&t, "acx", 5, 0);
	add(&t, "ad", 4, 0);
	add(&t, "eb", 50, 0);
	add(&t, "f", 1, 0);
	tree_grow(&t, 10, 100);
	is_whole(&t);
	assert_int_equal(t.folded, 3);
	assert_int_equal(t.folded_count[0], 10);
	assert_true(t.largest == 5);
	is(&t, "kids", "[3,1,2,0,0,0,0]");
	is(&t, "label", "[-1,101,97,-1,98,98,-1]");
	is(&t, "self", "[0,0,10,1,50,30,9]");
	free(array(&t, "kids", at));
	assert_int_equal(at[0], 5);
	assert_int_equal(at[1], 2);
	assert_int_equal(at[2], 6);
	assert_int_equal(at[3], 6);
	assert_int_equal(at[4], 4);
	assert_int_equal(at[5], 3);
	tree_free(&t);
}

/* What is large on one side stays, however many counts the other side has. */
static void each_side_has_its_share(void **state)
{
	struct tree t = {.n = 0};

	add(&t, "a", 1, 0);
	add(&t, "b", 0, 99000);
	add(&t, "c", 0, 1000);
	tree_grow(&t, 10, 100);
	is_whole(&t);
	is(&t, "label", "[-1,97,98,-1]");
	is(&t, "self", "[0,1,0,0]");
	is(&t, "b", "[0,0,99000,1000]");
	tree_free(&t);
}

/* Of more frames than there is room for the largest stay, and paths end where they are folded. */
static void the_largest_frames_stay(void **state)
{
	struct tree t = {.n = 0};
	uint32_t at[4];

	add(&t, "abc", 40, 0);
	add(&t, "abd", 20, 0);
	add(&t, "efg", 25, 0);
	add(&t, "h", 15, 0);
	tree_grow(&t, 0, 4);
	is_whole(&t);
	assert_int_equal(t.n, 4);
	assert_int_equal(t.folded, 5);
	is(&t, "label", "[-1,97,-1,98,99,-1]");
	is(&t, "self", "[0,0,40,0,40,20]");
	free(array(&t, "kids", at));
	assert_int_equal(at[0], 4);
	assert_int_equal(at[1], 5);
	assert_int_equal(at[2], 2);
	assert_int_equal(at[3], 2);
	tree_free(&t);
}

/* Depth is no matter of recursion. */
static void deep_paths_are_shown(void **state)
{
	struct tree t = {.n = 0};
	int i;

	for (i = 0; i < 65535; i++)
		tree_label(&t, 1);
	tree_path(&t, 7, 0);
	tree_grow(&t, 0.01, 100000);
	is_whole(&t);
	assert_int_equal(t.n, 65536);
	assert_int_equal(t.node[t.n - 1].self[0], 7);
	tree_free(&t);
}

/* While it grows, a tree has not many more frames than are wanted; the largest stays to its end. */
static void a_tree_that_grows_is_thinned_out(void **state)
{
	struct tree t = {.n = 0};
	uint32_t i, k;

	for (i = 0; i < 3000; i++) {
		for (k = 0; k < 6; k++)
			tree_label(&t, 6 * i + k);
		tree_path(&t, i == 1500 ? 1000 : 1, 0);
	}
	tree_grow(&t, 0, 7);
	is_whole(&t);
	assert_in_range(t.room_node, 3000, 6000); /* of 18,000 that there are */
	is(&t, "label", "[-1,9000,-1,9001,9002,9003,9004,9005]");
	is(&t, "self", "[0,0,2999,0,0,0,0,1000]");
	tree_free(&t);
}

/* Random paths: nothing is lost, whatever the bounds are. */
static void nothing_is_lost(void **state)
{
	size_t most, i;
	int k, n;

	srand(1);
	for (most = 1; most < 400; most = 2 * most + 1) {
		struct tree t = {.n = 0};

		for (i = 0; i < 1000; i++) {
			for (n = rand() % 9, k = 0; k < n; k++)
				tree_label(&t, (uint32_t)rand() % 4);
			tree_path(&t, (uint64_t)rand() % 100, (uint64_t)rand() % 1000);
		}
		tree_grow(&t, most % 3 ? 0.5 : 0, most);
		assert_true(t.n <= most);
		is_whole(&t);
		tree_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_frames_are_folded),
		cmocka_unit_test(each_side_has_its_share),
		cmocka_unit_test(the_largest_frames_stay),
		cmocka_unit_test(deep_paths_are_shown),
		cmocka_unit_test(a_tree_that_grows_is_thinned_out),
		cmocka_unit_test(nothing_is_lost),
	};

	return RUN(tests, NULL, NULL);
}
