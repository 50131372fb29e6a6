/*
 * CPUs that have nothing to run (C11), kernel/sched/idle.c: whom one wakes, how they wait, and what
 * they do then. The loop of an idle CPU is left by a jump.
 * World: cpus
 */
#include <setjmp.h>
#include "tests/test.h"

/* The machine: constants are the real ones. */
#define __ASSEMBLER__
#include "kernel/machine/i386.h"
#undef __ASSEMBLER__
#define KERNEL_I386_H

static bool interrupts;
static unsigned halts, pauses, turns, stolen;
static unsigned halts_most;
static jmp_buf out_of_it;

static inline void irq_on(void)
{
	interrupts = true;
}

static inline void irq_off(void)
{
	interrupts = false;
}

static inline uint32_t irq_save(void)
{
	return 0;
}

static inline void irq_restore(uint32_t before)
{
}

static inline uint64_t rdtsc(void)
{
	return 0;
}

static void cpu_halt(void);
static void cpu_relax(void);

#define ssize_t kernel_ssize_t
#define timespec kernel_timespec
#define sched_yield kernel_sched_yield
#define syscall kernel_syscall
#include "kernel/machine/cpu.h"
static struct cpu machine[40];
static struct cpu *here;
#define cpu_self() here
#include "kernel/sched/idle.c"

struct cpu *cpus[MAXCPU];
unsigned ncpu = 40;
uint32_t runq_nready, runq_tick;
static struct runq queue;
static const char *asked; /* idle= on the command line; NULL: it is not there */
static unsigned kicked[4], nkicked;

/* An interrupt comes, which after halts_most times leaves the loop. */
static void cpu_halt(void)
{
	assert_false(interrupts);
	assert_true(here->halted);
	assert_int_equal(here->resched, 0);
	assert_true(idle_cpus[here->id / 32] >> here->id % 32 & 1);
	interrupts = true;
	if (++halts == halts_most)
		longjmp(out_of_it, 1);
}

/* Something to run comes after some pauses. */
static void cpu_relax(void)
{
	assert_true(interrupts);
	if (++pauses == 3) {
		here->resched = RESCHED_TURN;
		runq_nready = 1;
	}
}

void smp_kick(unsigned cpu)
{
	kicked[nkicked++] = cpu;
}

void runq_steal(struct cpu *c, uint32_t)
{
	assert_ptr_equal(c, here);
	stolen++;
}

void sched_yield(void)
{
	assert_true(interrupts);
	assert_false(here->halted);
	assert_false(idle_cpus[here->id / 32] >> here->id % 32 & 1);
	turns++;
	longjmp(out_of_it, 2);
}

bool cmdline_get(const char *key, char *value, size_t size)
{
	assert_string_equal(key, "idle");
	if (asked)
		snprintf(value, size, "%s", asked);
	return asked;
}

_Noreturn void panic(const char *fmt, ...)
{
	fail_msg("panic: %s", fmt);
	abort();
}

static int setup(void **state)
{
	unsigned i;

	memset(machine, 0, sizeof(machine));
	memset(idle_cpus, 0, sizeof(idle_cpus));
	memset(&queue, 0, sizeof(queue));
	for (i = 0; i < ncpu; i++)
		machine[i] = (struct cpu){.id = i, .runq = &queue};
	here = &machine[0];
	nkicked = halts = pauses = turns = stolen = runq_nready = 0;
	halts_most = 1;
	asked = NULL;
	return 0;
}

/* Be idle until a CPU has halted often enough (1), or something runs (2). */
static int idles(void)
{
	volatile int how;

	here->halted = false;
	how = setjmp(out_of_it);

	if (!how)
		sched_loop();
	return how;
}

static void wakes_as_many_as_are_due(void **state)
{
	/* CPUs that are idle, whom to wake best and how many, what is ready; and who is woken. */
	static const struct {
		uint64_t idle;
		unsigned best, due, ready, n, woken[3];
	} cases[] = {
		{0x0a, 3, 1, 1, 1, {3}},
		{0x0a, 3, 2, 2, 2, {3, 1}},
		{0x0a, 2, 1, 1, 1, {1}}, /* that one is not idle */
		{0x0a, 3, 3, 3, 2, {3, 1}},
		{1ull << 35, 35, 1, 1, 1, {35}},
		{1ull << 35 | 2, 4, 2, 2, 2, {1, 35}},
		{0x0a, 3, 2, 0, 0, {0}}, /* somebody has taken them */
		{0x0a, 3, 0, 2, 0, {0}},
		{0, 3, 2, 2, 0, {0}},
		{0x01, 0, 1, 1, 0, {0}}, /* itself, which sees to it */
	};
	size_t i;
	unsigned k;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(NULL);
		idle_cpus[0] = (uint32_t)cases[i].idle;
		idle_cpus[1] = (uint32_t)(cases[i].idle >> 32);
		runq_nready = cases[i].ready;
		here->woken = cases[i].best;
		here->nwoken = cases[i].due;
		idle_wake_due(here);
		assert_int_equal(here->nwoken, 0);
		assert_int_equal(nkicked, cases[i].n);
		for (k = 0; k < nkicked; k++) {
			assert_int_equal(kicked[k], cases[i].woken[k]);
			assert_false(idle_cpus[kicked[k] / 32] >> kicked[k] % 32 & 1);
		}
	}
}

static void halts_until_something_is_ready(void **state)
{
	halts_most = 5;
	assert_int_equal(idles(), 1);
	assert_int_equal(halts, 5);
	assert_int_equal(pauses, 0);
	runq_nready = 1;
	here->resched = RESCHED_TURN;
	assert_int_equal(idles(), 2);
	assert_int_equal(halts, 5);
	assert_int_equal(stolen, 1);
}

/* Who has something of its own takes it from nobody else. */
static void takes_its_own_first(void **state)
{
	here = &machine[35];
	queue.nready = 1;
	runq_nready = 1;
	assert_int_equal(idles(), 2);
	assert_int_equal(stolen, 0);
	assert_int_equal(turns, 1);
}

/* idle=poll has all look for ever, with a pause now and then; a driver has CPU 0 do so. */
static void polls_if_it_is_asked(void **state)
{
	asked = "poll";
	here = &machine[1];
	assert_int_equal(idles(), 2);
	assert_int_equal(halts, 0);
	assert_int_equal(pauses, 3);
	asked = "polls";
	runq_nready = 0;
	assert_int_equal(idles(), 1);
	assert_int_equal(halts, 1);
}

static void a_driver_keeps_the_first_awake(void **state)
{
	idle_hold();
	idle_hold();
	idle_release();
	assert_int_equal(idles(), 2);
	assert_int_equal(halts, 0);
	runq_nready = 0;
	here = &machine[1];
	assert_int_equal(idles(), 1);
	idle_release();
	here = &machine[0];
	halts_most = 2;
	assert_int_equal(idles(), 1);
	assert_int_equal(halts, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wakes_as_many_as_are_due),
		cmocka_unit_test_setup(halts_until_something_is_ready, setup),
		cmocka_unit_test_setup(takes_its_own_first, setup),
		cmocka_unit_test_setup(polls_if_it_is_asked, setup),
		cmocka_unit_test_setup(a_driver_keeps_the_first_awake, setup),
	};

	return RUN(tests, NULL, NULL);
}
