/*
 * Run queues (C11): whom a CPU takes from another, kernel/sched/runq.c.
 * Links: tests/kernel/fakes.c kernel/sched/runq.c
 */
#include "tests/test.h"
#include "kernel/sched/runq.h"

#define NOW 100 /* the system clock's tick */
#define NPROC 4

static struct cpu machine[3];
static struct runq queues[3];
static struct proc proc[NPROC];

/* Processes that wait: on which CPU, since when, and who pays for them. In the order of a queue. */
struct waiting {
	unsigned cpu;
	uint32_t since;
	enum payer payer;
};

static int setup(void **state)
{
	unsigned i;

	memset(queues, 0, sizeof(queues));
	memset(proc, 0, sizeof(proc));
	ncpu = 3;
	runq_nready = 0;
	for (i = 0; i < NPROC; i++)
		proc[i].payer = PAYER_OWNER;
	for (i = 0; i < 3; i++) {
		cpus[i] = &machine[i];
		machine[i].id = i;
		machine[i].runq = &queues[i];
		queues[i].turn = PAYER_OWNER;
	}
	return 0;
}

/*
 * Have CPU 0 steal one that has waited so many ticks. Return the number of the process that it has
 * got, or -1.
 */
static int steals(const struct waiting *w, unsigned n, uint32_t ticks)
{
	unsigned i, queued = 0;
	int got = -1;

	setup(NULL);
	for (i = 0; i < n; i++) {
		proc[i].payer = w[i].payer;
		proc[i].cpu = &machine[w[i].cpu];
		runq_tick = w[i].since;
		runq_add(&machine[w[i].cpu], &proc[i]);
	}
	runq_tick = NOW;
	runq_steal(&machine[0], ticks);
	for (i = 0; i < n; i++) {
		if (proc[i].cpu != &machine[w[i].cpu])
			got = (int)i;
		else
			assert_int_equal(proc[i].since, w[i].since);
	}
	/* None is lost, and each is counted where it is. */
	assert_int_equal(runq_nready, n);
	for (i = 0; i < 3; i++) {
		unsigned here = 0;

		assert_int_equal(fake_locks, 0);
		while (runq_pop(&queues[i]))
			here++;
		assert_int_equal(queues[i].nready, here);
		queued += here;
	}
	assert_int_equal(queued, n);
	return got;
}

static void takes_who_has_waited_longest(void **state)
{
	static const struct {
		struct waiting w[NPROC];
		unsigned n;
		int got;
		uint32_t ticks;
	} cases[] = {
		{{{0}}, 0, -1, 0},
		{{{1, 99, PAYER_OWNER}}, 1, 0, 0},
		{{{1, NOW, PAYER_OTHERS}}, 1, 0, 0}, /* since this tick */
		/* The one that waits longest, by whose first has. */
		{{{1, 90, PAYER_OWNER}, {2, 80, PAYER_OWNER}}, 2, 1, 0},
		{{{1, 80, PAYER_OWNER}, {2, 90, PAYER_OWNER}}, 2, 0, 0},
		{{{1, 90, PAYER_OWNER}, {1, 95, PAYER_OWNER}, {2, 93, PAYER_OWNER}}, 3, 0, 0},
		/* The owner's and the others' are queues of their own. */
		{{{1, 90, PAYER_OWNER}, {1, 80, PAYER_OTHERS}}, 2, 1, 0},
		{{{1, 80, PAYER_OWNER}, {1, 90, PAYER_OTHERS}}, 2, 0, 0},
		{{{1, 90, PAYER_OWNER}, {1, 95, PAYER_OTHERS}, {2, 85, PAYER_OTHERS}}, 3, 2, 0},
		{{{1, 90, PAYER_OWNER}, {1, 90, PAYER_OTHERS}}, 2, 1, 0},
		/* Nobody, if one has waited longer here; a tie goes to the one elsewhere. */
		{{{0, 80, PAYER_OTHERS}, {1, 90, PAYER_OWNER}}, 2, -1, 0},
		{{{0, 90, PAYER_OWNER}, {1, 80, PAYER_OTHERS}}, 2, 1, 0},
		{{{0, 90, PAYER_OWNER}, {1, 90, PAYER_OWNER}}, 2, 1, 0},
		{{{0, 90, PAYER_OWNER}, {0, 80, PAYER_OTHERS}, {1, 85, PAYER_OWNER}}, 3, -1, 0},
		/* Not one whose slice ended in this tick, where that is asked for. */
		{{{1, NOW, PAYER_OWNER}}, 1, -1, 1},
		{{{0, NOW, PAYER_OWNER}, {1, NOW, PAYER_OWNER}}, 2, -1, 1},
		{{{1, NOW, PAYER_OWNER}, {2, NOW - 1, PAYER_OTHERS}}, 2, 1, 1},
		{{{0, NOW - 2, PAYER_OWNER}, {1, NOW - 1, PAYER_OWNER}}, 2, -1, 1},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int got = steals(cases[i].w, cases[i].n, cases[i].ticks);

		if (got != cases[i].got)
			print_error("case %zu: %d, not %d\n", i, got, cases[i].got);
		assert_int_equal(got, cases[i].got);
	}
}

/* Of those that run, the one that has run longest makes room. An idle CPU has none that could. */
static void who_has_run_longest_makes_room(void **state)
{
	setup(NULL);
	runq_tick = NOW - 2;
	runq_add(&machine[1], &proc[0]);
	runq_tick = NOW;
	proc[0].cpu = &machine[1];
	machine[0].slice = 2;
	machine[2].slice = 3;
	runq_steal(&machine[0], 1);
	assert_ptr_equal(proc[0].cpu, &machine[1]);
	runq_steal(&machine[2], 1);
	assert_ptr_equal(proc[0].cpu, &machine[2]);
	runq_steal(&machine[0], 0);
	assert_ptr_equal(proc[0].cpu, &machine[0]);
}

/* Whoever comes here waits from then on, behind those that do. */
static void what_is_taken_waits_here(void **state)
{
	setup(NULL);
	runq_tick = 95;
	runq_add(&machine[0], &proc[0]);
	runq_tick = 90;
	proc[1].cpu = &machine[1];
	runq_add(&machine[1], &proc[1]);
	runq_add(&machine[1], &proc[2]);
	runq_tick = NOW;
	runq_steal(&machine[0], 0);
	assert_int_equal(proc[1].since, NOW);
	assert_ptr_equal(runq_take(&machine[0]), &proc[0]);
	assert_ptr_equal(runq_take(&machine[0]), &proc[1]);
	assert_null(runq_take(&machine[0]));
	assert_ptr_equal(runq_take(&machine[1]), &proc[2]);
	assert_int_equal(runq_any(), 0);
}

/* The last CPU steals from the first one, and another from it: each queue's lock is taken once. */
static void each_queue_under_its_lock(void **state)
{
	setup(NULL);
	runq_add(&machine[0], &proc[0]);
	fake_spins = 0;
	runq_steal(&machine[2], 0);
	assert_ptr_equal(proc[0].cpu, &machine[2]);
	assert_int_equal(fake_spins, 2);
	runq_steal(&machine[1], 0);
	assert_ptr_equal(proc[0].cpu, &machine[1]);
	assert_int_equal(fake_spins, 4);
}

/*
 * B4: users take turns, but who leaves before a tick came has not used one, if it is no idle CPU:
 * the owner has one that polls and one that works, which does not wait for two of others.
 */
static void a_turn_of_no_time_is_none(void **state)
{
	struct cpu *c = &machine[0];
	struct proc *poller = &proc[0], *worker = &proc[1], *other = &proc[2], *idle = &proc[3];

	setup(NULL);
	other->payer = PAYER_OTHERS;
	c->idle = idle;
	runq_add(c, worker);
	runq_add(c, other);
	c->proc = poller; /* it is the owner's turn that it has, and it waits at once */
	c->slice = 0;
	queues[0].turn = PAYER_OTHERS;
	assert_ptr_equal(runq_take(c), worker);
	runq_add(c, worker);
	c->slice = 1;
	queues[0].turn = PAYER_OTHERS;
	assert_ptr_equal(runq_take(c), other);
	runq_add(c, other);
	c->proc = idle;
	c->slice = 0;
	queues[0].turn = PAYER_OTHERS;
	assert_ptr_equal(runq_take(c), other);
}

/* B4: nor do two of others, which replace each other, keep the owner from running until a tick. */
static void several_turns_of_no_time_are_one(void **state)
{
	struct cpu *c = &machine[0];
	struct proc *one = &proc[1], *two = &proc[2], *owner = &proc[0];
	unsigned runs = 0;

	setup(NULL);
	one->payer = two->payer = PAYER_OTHERS;
	c->idle = &proc[3];
	queues[0].turn = PAYER_OWNER;
	runq_add(c, owner);
	c->proc = one;
	c->slice = 0;
	while (c->proc != owner) {
		struct proc *rests = c->proc;

		runs++;
		assert_true(runs <= TURN_PARTS);
		if (rests == one)
			runq_add(c, two);
		else
			runq_add(c, one);
		c->proc = runq_take(c);
	}
	assert_int_equal(runs, TURN_PARTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_who_has_waited_longest),
		cmocka_unit_test(who_has_run_longest_makes_room),
		cmocka_unit_test(what_is_taken_waits_here),
		cmocka_unit_test(each_queue_under_its_lock),
		cmocka_unit_test(a_turn_of_no_time_is_none),
		cmocka_unit_test(several_turns_of_no_time_are_one),
	};

	return RUN(tests, NULL, NULL);
}
