/*
 * Functions that all CPUs run (C11), kernel/sched/call.c: CPUs are threads, which answer when they
 * come to it.
 * World: cpus
 */
#include "tests/kernel/cpus.h"
#include "kernel/sched/call.c"
#undef sched_yield

#define NCPU 4
#define ROUNDS 1000

static struct cpu machine[NCPU];
struct cpu *cpus[MAXCPU];
unsigned ncpu;
const struct irqchip *irqchip;

static trap_fn *answer;	      /* what the vector leads to */
static unsigned asked[NCPU];  /* atomic; a CPU is to answer */
static unsigned ran[NCPU];    /* how often it has run the function */
static unsigned sent, eois;   /* atomic */
static unsigned wrong;	      /* atomic; with another argument, or with interrupts on */
static bool over;	      /* atomic; the other CPUs end */
static const char argument[] = "argument";

void trap_set(unsigned vector, trap_fn *fn)
{
	assert_int_equal(vector, VEC_CALL);
	answer = fn;
}

void mutex_wait(struct mutex *m)
{
	fail_msg("one call at a time");
}

void mutex_wake(struct mutex *m)
{
	fail_msg("nobody waits");
}

static void ipi_others(unsigned vector)
{
	unsigned i;

	assert_int_equal(vector, VEC_CALL);
	__atomic_add_fetch(&sent, 1, __ATOMIC_RELAXED);
	for (i = 0; i < ncpu; i++)
		if (&machine[i] != self)
			__atomic_store_n(&asked[i], 1, __ATOMIC_RELEASE);
}

static void eoi(void)
{
	__atomic_add_fetch(&eois, 1, __ATOMIC_RELAXED);
}

static const struct irqchip chip = {.eoi = eoi, .ipi_others = ipi_others};

/* Another CPU, which is interrupted when it is asked. */
static void *runs(void *cpu)
{
	unsigned *mine = &asked[(struct cpu *)cpu - machine];

	self = cpu;
	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
		if (__atomic_exchange_n(mine, 0, __ATOMIC_ACQUIRE)) {
			uint32_t flags = irq_save();

			answer(NULL);
			irq_restore(flags);
		}
		sched_yield();
	}
	return NULL;
}

/* The function that all run. Its counts are read without a lock: the call has ended by then. */
static void count(void *arg)
{
	ran[self - machine]++;
	if (arg != argument || eflags)
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

/* Call it on n CPUs, and look after each call whether all have run it. */
static void on(unsigned n)
{
	pthread_t thread[NCPU];
	unsigned i, round;

	ncpu = n;
	sent = eois = wrong = 0;
	over = false;
	memset(ran, 0, sizeof(ran));
	self = &machine[0];
	alarm(60); /* for a call that waits in vain */
	for (i = 1; i < n; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, runs, &machine[i]), 0);
	for (round = 1; round <= ROUNDS; round++) {
		cpus_call(count, (void *)argument);
		for (i = 0; i < n; i++)
			assert_int_equal(ran[i], round);
		assert_int_equal(eflags, EFL_IF);
		assert_int_equal(calling.state, MUTEX_FREE);
	}
	__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	for (i = 1; i < n; i++)
		pthread_join(thread[i], NULL);
	alarm(0);
	assert_int_equal(wrong, 0);
	assert_int_equal(eois, ROUNDS * (n - 1));
	assert_int_equal(sent, n > 1 ? ROUNDS : 0);
}

static void all_have_run_it_when_it_returns(void **state)
{
	irqchip = &chip;
	call_init();
	on(NCPU);
	on(2);
}

/* Before there is a chip there is one CPU, and nobody to ask. */
static void alone_it_asks_nobody(void **state)
{
	irqchip = NULL;
	on(1);
}

/* Another call has to wait: while one is under way, the mutex is held. */
static void held(void *arg)
{
	*(enum mutex_state *)arg = calling.state;
}

static void one_call_at_a_time(void **state)
{
	enum mutex_state seen = MUTEX_FREE;

	ncpu = 1;
	self = &machine[0];
	cpus_call(held, &seen);
	assert_int_equal(seen, MUTEX_HELD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_have_run_it_when_it_returns),
		cmocka_unit_test(alone_it_asks_nobody),
		cmocka_unit_test(one_call_at_a_time),
	};

	return RUN(tests, NULL, NULL);
}
