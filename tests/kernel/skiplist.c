/*
 * Skip lists: kernel/process/skiplist.c.
 * Links: kernel/process/skiplist.c
 */
#include "tests/test.h"
#include "kernel/process/skiplist.h"

#define NODES 1000

static struct skiplist list;
static struct skipnode node[NODES];

static void empty(void)
{
	memset(&list, 0, sizeof(list));
	memset(node, 0xa5, sizeof(node));
}

static void add(unsigned i, uint64_t key)
{
	node[i].key = key;
	assert_true(skip_add(&list, &node[i]));
}

/* Return a number below n; the same series in each run. */
static unsigned next(unsigned n)
{
	static uint32_t x = 1;

	x = x * 1664525 + 1013904223;
	return (x >> 16) % n;
}

/* Fail unless level i has its nodes in order, the lowest both ways; return how many. */
static unsigned count(unsigned i)
{
	unsigned n = 0;

	for (const struct skipnode *p = list.head.next[i]; p; p = p->next[i], n++)
		assert_true(!p->next[i] || (p->key < p->next[i]->key &&
					    (i > 0 || p->next[i]->before == p)));
	return n;
}

/* From a key on there is the node with that key, or the next greater one, or none. */
static void from(void **)
{
	empty();
	assert_null(skip_from(&list, 0));
	add(0, 10);
	add(1, 30);
	add(2, 20);
	assert_ptr_equal(skip_from(&list, 0), &node[0]);
	assert_ptr_equal(skip_from(&list, 10), &node[0]);
	assert_ptr_equal(skip_from(&list, 11), &node[2]);
	assert_ptr_equal(skip_from(&list, 30), &node[1]);
	assert_null(skip_from(&list, 31));
}

/* A key that is taken is refused, and nothing changes: so the next pid is found that is free. */
static void taken(void **)
{
	empty();
	add(0, 1);
	add(1, 2);
	node[2].key = 2;
	assert_false(skip_add(&list, &node[2]));
	assert_ptr_equal(node[0].next[0], &node[1]);
	assert_null(node[1].next[0]);
	skip_remove(&list, &node[1]);
	assert_true(skip_add(&list, &node[2]));
	assert_ptr_equal(skip_from(&list, 2), &node[2]);
}

/* The high word goes first: a group's members stand together, by number. */
static void high_word(void **)
{
	empty();
	add(0, 2ull << 32 | 1);
	add(1, 1ull << 32 | 0xffffffff);
	add(2, 2ull << 32);
	assert_ptr_equal(skip_from(&list, 1ull << 32), &node[1]);
	assert_ptr_equal(skip_from(&list, 2ull << 32), &node[2]);
	assert_ptr_equal(node[2].next[0], &node[0]);
}

/* Nodes come and go in any order; at each time the list has those that it should have. */
static void at_random(void **)
{
	bool in[NODES] = {false};
	unsigned n = 0;

	empty();
	for (unsigned k = 0; k < 20000; k++) {
		unsigned i = next(NODES), j = next(NODES);

		if (in[i])
			skip_remove(&list, &node[i]);
		else
			add(i, i);
		in[i] = !in[i];
		n += in[i] ? 1u : -1u;
		while (j < NODES && !in[j])
			j++;
		assert_ptr_equal(skip_from(&list, j), j < NODES ? &node[j] : NULL);
		if (k % 100 == 0)
			assert_int_equal(count(0), n);
	}
}

/* Each level has about a quarter of the nodes below it: so a search is short. */
static void few_above(void **)
{
	empty();
	for (unsigned i = 0; i < NODES; i++)
		add(i, 12345 + i);
	for (unsigned i = 1, n = NODES; i < 4; i++) {
		assert_in_range(count(i), n / 6, n * 2 / 5);
		n = count(i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from),
		cmocka_unit_test(taken),
		cmocka_unit_test(high_word),
		cmocka_unit_test(at_random),
		cmocka_unit_test(few_above),
	};
	return RUN(tests, NULL, NULL);
}
