/*
 * The clocks on CPUs that QEMU runs in turn, by a model of it (C2, C17, C18). First that the model
 * shows what was seen of QEMU 7.2, and nothing of that with 8.1, which divides the time; then that
 * the clocks always go on, on random machines, and lose few ticks with turns=on. SEEDS=10000 in the
 * environment tries so many machines.
 * Links: tests/drivers/inturn.c
 */
#include "tests/test.h"
#include "kernel/machine/lib.h"
#include "kernel/machine/trap.h"
#include "kernel/sched/call.h"
#include "tests/drivers/inturn.h"

#define MS 1000000ull

static double lost[QEMU_CPUS]; /* the part of each CPU's ticks, by window() */

/* Let the machine run for a while, and then profile for 150 ms. */
static void window(void)
{
	struct clock_counts from[QEMU_CPUS], to;

	inturn_sleep(20 * MS);
	profclock_hold();
	for (unsigned i = 0; i < ncpu; i++)
		from[i] = profclock_counts(i);
	inturn_sleep(150 * MS);
	profclock_release();
	for (unsigned i = 0; i < ncpu; i++) {
		to = profclock_counts(i);
		to.ticks -= from[i].ticks;
		to.lost -= from[i].lost;
		assert_true(to.ticks + to.lost > 0);
		lost[i] = (double)to.lost / (double)(to.ticks + to.lost);
	}
}

static struct inturn machine(unsigned n, enum load load)
{
	struct inturn m = {.ncpu = n, .hz = 1000, .seed = 1, .on = n - 1, .control = window};

	for (unsigned i = 0; i < n; i++)
		m.load[i] = load;
	return m;
}

static void profile(const struct inturn *m)
{
	assert_true(inturn_run(m, 3000 * MS));
}

/* The CPU after a busy one is passed over when its timer is due, and so are its ticks. */
static void the_model_an_idle_cpu_loses_its_ticks(void **state)
{
	static const struct {
		unsigned cpus;
		double lost; /* was seen of QEMU 7.2 */
	} seen[] = {{3, .62}, {4, .79}, {8, .90}};

	for (unsigned i = 0; i < nelem(seen); i++) {
		struct inturn m = machine(seen[i].cpus, LOAD_IDLE);

		m.load[0] = LOAD_SPIN;
		m.on = 0;
		profile(&m);
		printf("# %u CPUs: %.0f %% lost\n", m.ncpu, 100 * lost[1]);
		assert_true(lost[1] > seen[i].lost - .15 && lost[1] < seen[i].lost + .15);
		for (unsigned k = 0; k < m.ncpu; k++)
			assert_true(k == 1 || lost[k] < .02);
		m.divides = true;
		profile(&m);
		for (unsigned k = 0; k < m.ncpu; k++)
			assert_true(lost[k] < .02);
	}
}

/* CPU 0 loses its turn in the store that arms the PIT for all. */
static void the_model_busy_cpus_lose_the_pits_ticks(void **state)
{
	static const struct {
		unsigned cpus;
		double taken;
	} seen[] = {{3, .23}, {4, .14}, {8, .10}};

	for (unsigned i = 0; i < nelem(seen); i++) {
		struct inturn m = machine(seen[i].cpus, LOAD_SPIN);

		m.pit = true;
		profile(&m);
		printf("# %u CPUs: %.0f %% taken\n", m.ncpu, 100 - 100 * lost[1]);
		for (unsigned k = 0; k < m.ncpu; k++)
			assert_true(lost[k] > .85 - seen[i].taken && lost[k] < 1.1 - seen[i].taken);
		m.divides = true;
		profile(&m);
		for (unsigned k = 0; k < m.ncpu; k++)
			assert_true(lost[k] < .15);
	}
}

/* A clock like any other: each CPU's tick arms the next, a period later. */
static uint64_t due[QEMU_CPUS];

static void plain_tick(struct trapframe *tf)
{
	uint64_t now = rdtsc();

	if (due[fake_cpu] == 0)
		return;
	while (due[fake_cpu] <= now)
		due[fake_cpu] += MS;
	inturn_lapic.arm((uint32_t)(due[fake_cpu] - now));
}

static void plain_lend(void *arg)
{
	clock_lend();
}

static void plain_start(void *arg)
{
	inturn_lapic.deliver(VEC_NMI);
	due[fake_cpu] = rdtsc() + MS;
	inturn_lapic.arm(MS);
}

static void plain_stop(void *arg)
{
	due[fake_cpu] = 0;
	inturn_lapic.disarm();
}

static void plain_control(void)
{
	trap_set(VEC_NMI, plain_tick);
	cpus_call(plain_lend, NULL);
	cpus_call(plain_start, NULL);
	inturn_sleep(20 * MS);
	cpus_call(plain_stop, NULL);
	clock_take_back();
}

/*
 * On one of the CPUs that make nothing but system calls the word comes to stop the clock. Another
 * one's clock is the last that runs: its handler arms, its turn ends, and the others have used up
 * the period when it comes back.
 */
static void the_model_the_last_clock_never_stops(void **state)
{
	unsigned stuck[2] = {0};

	for (unsigned k = 0; k < 20; k++) {
		struct inturn m = machine(4, LOAD_CALLS);

		m.control = plain_control;
		m.seed = k;
		m.divides = k % 2;
		stuck[m.divides] += !inturn_run(&m, 500 * MS);
	}
	printf("# %u of 10 never stop; of those on 8.1 %u\n", stuck[0], stuck[1]);
	assert_true(stuck[0] > 0);
	assert_int_equal(stuck[1], 0);
}

/* Judge one machine with turns=on. */
static void cured(const struct inturn *m, double most)
{
	profile(m);
	for (unsigned i = 0; i < m->ncpu; i++) {
		if (lost[i] > most || inturn_kernel[i] > inturn_samples[i] / 50 + 1)
			fail_msg("%u CPUs, %s, %u Hz: cpu%u lost %.3f, %u of %u in the kernel",
				 m->ncpu, m->pit ? "pit" : "lapic", m->hz, i, lost[i],
				 inturn_kernel[i], inturn_samples[i]);
	}
}

/* C18: with any CPU busy, or all, nobody loses ticks, and none falls into a clock's handler. */
static void c18_every_cpu_gets_its_ticks(void **state)
{
	for (unsigned n = 2; n <= QEMU_CPUS; n++) {
		struct inturn m = machine(n, LOAD_IDLE);

		m.turns = true;
		for (unsigned i = 0; i < n; i += 2) {
			m.load[i] = LOAD_SPIN;
			m.on = i;
			cured(&m, .02);
			m.load[i] = LOAD_IDLE;
		}
		m = machine(n, LOAD_SPIN);
		m.turns = true;
		cured(&m, .05);
		m.divides = true;
		cured(&m, .02);
	}
}

static uint64_t slowest; /* word that control_words() had done */
static unsigned rates;	 /* how fast the clock may be */

static void word(unsigned which, bool *held)
{
	switch (which) {
	case 0:
		if (*held)
			profclock_release();
		else
			profclock_hold();
		*held = !*held;
		break;
	case 1:
		assert_int_equal(profclock_hz(inturn_random(2) ? 1000 : rates), 0);
		break;
	case 2:
		assert_int_equal(profclock_hz(10 + inturn_random(rates - 10)), 0);
		break;
	default:
		assert_int_equal(profclock_delivery(inturn_random(2)), 0);
		break;
	}
}

/* The words that kpctl takes, in random order. */
static void control_words(void)
{
	bool held = false;

	inturn_sleep(MS + inturn_random(30 * MS));
	for (unsigned k = 0; k < 10; k++) {
		uint64_t from = qemu_time;

		word(inturn_random(4), &held);
		if (qemu_time - from > slowest)
			slowest = qemu_time - from;
		if (inturn_random(3) == 0)
			inturn_sleep(inturn_random(20 * MS));
	}
	if (held)
		profclock_release();
}

static struct inturn random_machine(uint32_t seed, bool turns)
{
	uint32_t r = seed * 2654435761u;
	struct inturn m = machine(2 + (r >> 8) % 7, 1 + (r >> 16) % (LOADS - 1));

	m.turns = turns;
	m.seed = seed;
	m.pit = r >> 30 & 1;
	m.on = (r >> 12) % m.ncpu;
	m.control = control_words;
	for (unsigned i = 0; i < m.ncpu && r >> 29 & 1; i++) /* or the same everywhere */
		m.load[i] = (r >> 2 * i) % LOAD_PIPES;
	return m;
}

/* C17: on any machine, beside any load, every word is done. */
static void words_are_done(bool turns)
{
	unsigned seeds = 300, late = 0;
	uint64_t most = 0;

	if (getenv("SEEDS"))
		seeds = (unsigned)atoi(getenv("SEEDS"));
	for (unsigned seed = 0; seed < seeds; seed++) {
		struct inturn m = random_machine(seed, turns);

		slowest = 0;
		rates = seed % 2 ? 20000 : 1000;
		if (!inturn_run(&m, 20000 * MS))
			fail_msg("seed %u: a word is never done", seed);
		if (slowest > most)
			most = slowest;
		late += slowest > 5 * MS;
	}
	printf("# of %u machines %u took longer than 5 ms for a word, the slowest %.0f ms\n", seeds,
	       late, (double)most / MS);
}

static void c17_every_word_is_done(void **state)
{
	words_are_done(false);
}

static void c17_every_word_is_done_with_turns(void **state)
{
	words_are_done(true);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_model_an_idle_cpu_loses_its_ticks),
		cmocka_unit_test(the_model_busy_cpus_lose_the_pits_ticks),
		cmocka_unit_test(the_model_the_last_clock_never_stops),
		cmocka_unit_test(c18_every_cpu_gets_its_ticks),
		cmocka_unit_test(c17_every_word_is_done),
		cmocka_unit_test(c17_every_word_is_done_with_turns),
	};

	return RUN(tests, NULL, NULL);
}
