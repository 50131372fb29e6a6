/*
 * What the plugin of gnomon record does for a block where nothing else is asked for than samples,
 * or than counts (R3): in less time the same as for any.
 * Links: tools/record/plugin/counts.c tools/record/plugin/cells.c tools/record/plugin/trace.c
 * Links: tools/record/plugin/shadow.c tools/record/plugin/calls.c tools/record/plugin/tree.c
 * Links: tools/record/plugin/table.c tools/record/plugin/decode.c
 * Links: tools/record/plugin/stacks.c tools/record/plugin/process.c tools/record/plugin/programs.c
 */
#include "tests/test.h"
#include "tools/record/plugin/counts.h"

#define PERIOD 7
#define ROUNDS 5000
#define CALLERS 5
#define STACK 0x7000 /* where a frame lies */

/*
 * A loop with a call in it, and then a program; it is interrupted in every other round. The call is
 * by a pointer, and in each fourth round goes to another function.
 */
static const struct {
	uint64_t pc, target;
	enum decode_end end;
	uint8_t where;
	uint32_t n;
} code[] = {
	{0x100, 0, DECODE_STEP, SHADOW_INSIDE, 3}, {0x104, 0, DECODE_CALL, SHADOW_INSIDE, 2},
	{0x200, 0, DECODE_RETURN, SHADOW_INSIDE, 5}, {0x108, 0, DECODE_RESUME, SHADOW_INSIDE, 1},
	{0x900, 0, DECODE_STEP, SHADOW_OUTSIDE, 4}, {0x904, 0, DECODE_TRAP, SHADOW_OUTSIDE, 9},
	{0x280, 0, DECODE_RETURN, SHADOW_INSIDE, 5}, {0x300, 0, DECODE_RESUME, SHADOW_INSIDE, 6},
};

#define NCODE (sizeof(code) / sizeof(code[0]))
#define CALLED 2
#define OTHER (NCODE - 2)
#define HANDLER (NCODE - 1)

static unsigned ends;

static void ended(void)
{
	ends++;
}

/* How a block is begun. */
typedef void begin_fn(struct counts *c, struct block *b);

static void enter(struct counts *c, struct block *b)
{
	counts_enter(c, 0, b);
}

static void sample(struct counts *c, struct block *b)
{
	counts_sample(c, 0, b);
}

static void counted(struct counts *c, struct block *b)
{
	counts_all(c, 0, b);
}

static void sample_by_call(struct counts *c, struct block *b)
{
	counts_sample_by_call(c, 0, b);
}

static void counted_by_call(struct counts *c, struct block *b)
{
	counts_all_by_call(c, 0, b);
}

/* Run it all. */
static void run(struct counts *c, begin_fn *begin)
{
	struct block *block[NCODE];
	size_t i, k;

	ends = 0;
	*c = (struct counts){.period = PERIOD, .most = 20 * ROUNDS, .ended = ended};
	shadow_init(&c->shadow);
	counts_begin(c);
	for (i = 0; i < NCODE; i++) {
		const struct block like = {.at = {
			.n = code[i].n,
			.pc = code[i].pc, .next = code[i].pc + 4, .target = code[i].target,
			.end = code[i].end, .where = code[i].where,
		}};

		block[i] = counts_add(c, &like);
	}
	for (k = 0; k < ROUNDS; k++)
		for (i = 0; i < OTHER; i++) {
			begin(c, block[i == CALLED && k % 4 == 0 ? OTHER : i]);
			if (i == 0 && k % 2)
				begin(c, block[HANDLER]);
		}
	counts_end(c);
	cells_sort(&c->cells);
}

/* Free what is known. */
static void done(struct counts *c)
{
	shadow_free(&c->shadow);
	cells_free(&c->cells);
	free(c->block[0]); /* and all that lie behind it */
	free(c->block);
}

/* One way of sampling gives what the plain one does. */
static void is_the_same(begin_fn *begin)
{
	struct counts plain, fast;
	uint64_t sum = 0;
	size_t i;

	run(&plain, enter);
	run(&fast, begin);
	assert_int_equal(fast.shadow.now, ROUNDS * 24 + ROUNDS / 2 * 6);
	assert_int_equal(fast.shadow.now, plain.shadow.now);
	assert_int_equal(fast.shadow.returns, plain.shadow.returns);
	assert_int_equal(fast.shadow.interrupts, ROUNDS / 2);
	assert_int_equal(fast.cells.n, plain.cells.n);
	assert_in_range(fast.cells.n, NCODE, 2 * NCODE);
	for (i = 0; i < fast.cells.n; i++) {
		assert_int_equal(fast.cells.cell[i].key, plain.cells.cell[i].key);
		assert_int_equal(fast.cells.cell[i].sum, plain.cells.cell[i].sum);
		sum += fast.cells.cell[i].sum;
	}
	assert_in_range(sum, fast.shadow.now * 95 / 100, fast.shadow.now * 105 / 100);
	done(&plain);
	done(&fast);
}

static void the_same(void **state)
{
	is_the_same(sample);
	is_the_same(sample_by_call);
}

/* Each call counts for the function that it went to, however calls are gathered on the way. */
static void the_calls(void **state)
{
	begin_fn *const begins[] = {enter, sample, counted, sample_by_call, counted_by_call};
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		struct counts c;

		run(&c, begins[i]);
		assert_int_equal(c.shadow.arcs.n, 2);
		assert_int_equal(*table_at(&c.shadow.arcs, 0x108, 0x200, 0), ROUNDS / 4 * 3);
		assert_int_equal(*table_at(&c.shadow.arcs, 0x108, 0x280, 0), ROUNDS / 4);
		done(&c);
	}
}

/*
 * Call a function from each of some blocks of another one, in changing order. Count how often from
 * which. Its calls and returns tell where on the stack they write and read.
 */
static void call_around(struct counts *c, begin_fn *begin, uint64_t ran[static CALLERS])
{
	const struct block begins = {.at = {.pc = 0x800, .next = 0x804, .n = 3,
					    .end = DECODE_STEP, .where = SHADOW_INSIDE}};
	const struct block returns = {.at = {.pc = 0x804, .next = 0x808, .n = 5,
					     .end = DECODE_RETURN, .where = SHADOW_INSIDE}};
	struct block *first = counts_add(c, &begins), *last = counts_add(c, &returns);
	struct block like = {.at = {.where = SHADOW_INSIDE, .n = 2}};
	struct block *caller[CALLERS], *after[CALLERS];
	size_t i, k;

	like.at.pushes = true;
	like.at.pc = 0x40;
	like.at.next = 0x44;
	like.at.target = 0x100;
	like.at.end = DECODE_CALL;
	begin(c, counts_add(c, &like));
	shadow_pushed(&c->shadow, 0, STACK);
	like.at.target = begins.at.pc;
	for (i = 0; i < CALLERS; i++) {
		like.at.pc = 0x100 + 0x10 * i;
		like.at.next = like.at.pc + 4;
		like.at.end = DECODE_CALL;
		caller[i] = counts_add(c, &like);
		like.at.pc += 4;
		like.at.next += 4;
		like.at.end = DECODE_INDIRECT;
		after[i] = counts_add(c, &like);
	}
	for (k = 0; k < ROUNDS; k++) {
		i = k * (1 + k / CALLERS) % CALLERS;
		begin(c, caller[i]);
		shadow_pushed(&c->shadow, 0, STACK - 8 * (i + 1));
		begin(c, first);
		begin(c, last);
		shadow_popped(&c->shadow, 0, STACK - 8 * (i + 1));
		begin(c, after[i]);
		ran[i]++;
	}
}

/* A function that is called from more places than its blocks are kept for counts for each. */
static void the_places(void **state)
{
	begin_fn *const begins[] = {enter, counted, counted_by_call};
	size_t i, k;

	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		struct counts c = {.most = UINT64_MAX};
		uint64_t ran[CALLERS] = {0}, sum[CALLERS] = {0};
		size_t n = 0;

		shadow_init(&c.shadow);
		counts_begin(&c);
		assert_false(counts_timed(&c));
		call_around(&c, begins[i], ran);
		counts_end(&c);
		cells_sort(&c.cells);
		assert_int_equal(c.cells.n, 1 + 4 * CALLERS);
		assert_false(c.shadow.tree.cut);
		assert_int_equal(c.shadow.returns, ROUNDS);
		assert_int_equal(c.shadow.begun + c.shadow.jumps + c.shadow.unmatched, 0);
		for (k = 0; k < c.cells.n; k++)
			if ((uint32_t)c.cells.cell[k].key <= 2)
				sum[n++ / 2] += c.cells.cell[k].sum;
		assert_int_equal(n, 2 * CALLERS);
		for (k = 0; k < CALLERS; k++)
			assert_int_equal(sum[k], (3 + 5) * ran[k]);
		done(&c);
	}
}

/* H14: of more paths than are kept, what runs on the others counts for shorter ones. */
static void the_limit(void **state)
{
	struct counts c = {.most = UINT64_MAX};
	uint64_t ran[CALLERS] = {0}, sum = 0;
	size_t k, places = 0;

	shadow_init(&c.shadow);
	c.shadow.tree.most = SHADOW_ROOTS + 3;
	counts_begin(&c);
	call_around(&c, counted, ran);
	counts_end(&c);
	cells_sort(&c.cells);
	for (k = 0; k < c.cells.n; k++)
		if ((uint32_t)c.cells.cell[k].key <= 2) {
			sum += c.cells.cell[k].sum;
			places++;
		}
	assert_int_equal(sum, (3 + 5) * ROUNDS);
	assert_int_equal(places, 2 * (2 + 1));
	assert_int_equal(c.shadow.tree.n, SHADOW_ROOTS + 3);
	assert_true(c.shadow.tree.cut);
	done(&c);
}

/* The machine is ended once, when as much as was wanted has run. */
static void the_end(void **state)
{
	struct counts c;

	run(&c, sample);
	assert_int_equal(ends, 1);
	done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same), cmocka_unit_test(the_calls),
		cmocka_unit_test(the_places), cmocka_unit_test(the_limit),
		cmocka_unit_test(the_end),
	};

	return RUN(tests, NULL, NULL);
}
