/*
 * The profilers on several CPUs, which are threads here: for ThreadSanitizer. Ticks and
 * calls go on while another thread starts, stops, clears and takes pictures (K6 K9 G1 G5 D6 D9
 * H10).
 * Links: tests/prof/machine.c
 */
#include <pthread.h>
#include <sched.h>
#include "tests/test.h"
#include "tests/prof/machine.h"

#define LO 0xc0100000u
#define NBUCKET 64u
#define TEXT (NBUCKET * 8)
#define NCPU 4
#define ROUNDS 100
#define TICKS 20000

static struct prof prof;
static uint8_t data[4 * NBUCKET];
static uint16_t froms[TEXT / 4];
static struct prof_tostruct tos[NCPU * PROF_GMON_MINARCS];
static uint32_t count[TEXT / 4];

static int done;	     /* atomic: the threads end */
static uint32_t calls[NCPU]; /* each thread's own: calls made while entries were on */
static uint32_t limit;	     /* ticks of each thread; 0: until done */

/* What one CPU goes through: ticks anywhere, and calls while the entries are patched in. */
static void *cpu_main(void *arg)
{
	unsigned cpu = (unsigned)(uintptr_t)arg, seed = cpu + 1;
	uint32_t n;

	machine_cpu = cpu;
	for (n = 0; limit ? n < limit : !__atomic_load_n(&done, __ATOMIC_RELAXED); n++) {
		struct prof_sample s = {
			.cpu = cpu,
			.at.pc = LO - 64 + (uint32_t)rand_r(&seed) % (TEXT + 128),
			.what = rand_r(&seed) % 3,
		};

		machine_enter(cpu);
		machine_tick(&prof, &s);
		if (machine_entries()) {
			prof_mcount(LO + s.at.pc % 64, LO + 16 * (s.at.pc % 3));
			calls[cpu]++;
		}
		machine_leave(cpu);
	}
	return NULL;
}

static void run_cpus(pthread_t thread[NCPU])
{
	uintptr_t cpu;

	__atomic_store_n(&done, 0, __ATOMIC_RELAXED);
	memset(calls, 0, sizeof(calls));
	for (cpu = 0; cpu < NCPU; cpu++)
		assert_int_equal(pthread_create(&thread[cpu], NULL, cpu_main, (void *)cpu), 0);
}

static void join_cpus(pthread_t thread[NCPU])
{
	int cpu;

	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	for (cpu = 0; cpu < NCPU; cpu++)
		pthread_join(thread[cpu], NULL);
}

/* Total of a picture, which must add up. */
static uint32_t total(void)
{
	uint32_t sum, i;

	prof_kprof_picture(&prof, data);
	sum = machine_be32(data, 1);
	for (i = 6; i < NBUCKET; i++)
		sum += machine_be32(data, i);
	assert_int_equal(machine_be32(data, 0), sum);
	return sum;
}

/* Sums of the two data sets; every list must be in order. */
static uint32_t sum_of_arcs(void)
{
	uint32_t sum = 0, slot, at, n = 0;

	memset(froms, 0, sizeof(froms));
	memset(tos, 0, sizeof(tos));
	prof_gmon_arcs(&prof, PROF_GMON_ALL, froms, tos);
	for (slot = 0; slot < TEXT / 4; slot++)
		for (at = froms[slot]; at; at = tos[at].link) {
			assert_in_range(at, 1, tos[0].link);
			sum += tos[at].count;
			n++;
		}
	assert_int_equal(n, tos[0].link);
	return sum;
}

static uint32_t sum_of_counts(void)
{
	uint32_t sum = 0, i;

	prof_gmon_count(&prof, PROF_GMON_ALL, count);
	for (i = 0; i < TEXT / 4; i++)
		sum += count[i];
	return sum;
}

static int power_on(void **state)
{
	machine_reset();
	prof = (struct prof){0};
	limit = 0;
	assert_true(prof_kprof_init(&prof, LO, LO + TEXT, NCPU));
	assert_true(prof_gmon_init(&prof, LO, LO + TEXT, NCPU, NULL));
	assert_true(prof_prf_init(&prof, NCPU));
	prof_period(&prof, 1000);
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

static void K6_totals_add_up_in_every_picture(void **state)
{
	pthread_t thread[NCPU];
	uint32_t before = 0;
	int round, i;

	srand(1);
	run_cpus(thread);
	for (round = 0; round < ROUNDS; round++) {
		switch (rand() % 3) {
		case 0:
			prof_start(&prof, PROF_KPROF);
			break;
		case 1:
			prof_stop(&prof, PROF_KPROF);
			break;
		default:
			prof_clear(&prof, PROF_KPROF);
			prof_start(&prof, PROF_KPROF);
			before = 0;
		}
		for (i = rand() % 20; i >= 0; i--) {
			uint32_t now = total();

			assert_true(now >= before);
			before = now;
			sched_yield();
		}
	}
	join_cpus(thread);
	total();
}

static void K6_no_tick_is_lost_or_counted_twice(void **state)
{
	pthread_t thread[NCPU];

	limit = TICKS;
	prof_start(&prof, PROF_KPROF);
	run_cpus(thread);
	while (total() < NCPU * TICKS / 2)
		sched_yield();
	join_cpus(thread);
	assert_int_equal(total(), NCPU * TICKS);
}

static void K9_cleared_is_zero_while_ticks_go_on(void **state)
{
	pthread_t thread[NCPU];
	int round;

	run_cpus(thread);
	for (round = 0; round < ROUNDS; round++) {
		prof_start(&prof, PROF_KPROF);
		while (total() == 0)
			sched_yield();
		prof_stop(&prof, PROF_KPROF);
		prof_clear(&prof, PROF_KPROF);
		assert_int_equal(total(), 0);
		sched_yield();
		assert_int_equal(total(), 0);
	}
	join_cpus(thread);
}

static void G1_pictures_are_in_order_while_calls_go_on(void **state)
{
	pthread_t thread[NCPU];
	uint32_t arcs = 0, counts = 0;
	unsigned which;
	int round;

	srand(2);
	run_cpus(thread);
	for (round = 0; round < ROUNDS; round++) {
		which = rand() % 2 ? PROF_GMON_ALL : (unsigned)rand() % NCPU;
		switch (rand() % 4) {
		case 0:
			prof_gmon_start(&prof, which);
			break;
		case 1:
			prof_gmon_stop(&prof, which);
			break;
		case 2:
			prof_gmon_clear_arcs(&prof, which);
			arcs = 0;
			break;
		default:
			prof_gmon_clear_count(&prof, which);
			counts = 0;
		}
		assert_true(sum_of_arcs() >= arcs);
		assert_true(sum_of_counts() >= counts);
		arcs = sum_of_arcs();
		counts = sum_of_counts();
	}
	join_cpus(thread);
	prof_gmon_stop(&prof, PROF_GMON_ALL);
}

static void G5_every_call_is_counted(void **state)
{
	pthread_t thread[NCPU];
	uint32_t made = 0;
	int cpu, round;

	run_cpus(thread);
	for (round = 0; round < 20; round++) {
		prof_gmon_start(&prof, PROF_GMON_ALL);
		while (sum_of_arcs() < (uint32_t)round * 1000)
			sched_yield();
		prof_gmon_stop(&prof, PROF_GMON_ALL);
	}
	join_cpus(thread);
	for (cpu = 0; cpu < NCPU; cpu++)
		made += calls[cpu];
	assert_int_equal(sum_of_arcs(), made);
}

/* What one CPU has counted. */
static uint32_t arcs_on(unsigned cpu)
{
	uint32_t n = 0, i;

	memset(froms, 0, sizeof(froms));
	memset(tos, 0, sizeof(tos));
	prof_gmon_arcs(&prof, cpu, froms, tos);
	for (i = 1; i <= tos[0].link; i++)
		n += tos[i].count;
	return n;
}

static uint32_t counts_on(unsigned cpu)
{
	uint32_t n = 0, i;

	prof_gmon_count(&prof, cpu, count);
	for (i = 0; i < TEXT / 4; i++)
		n += count[i];
	return n;
}

/* Whatever the others do, a CPU that is off or was cleared when off stays as it is. */
static void G8_a_cpu_that_is_off_counts_nothing(void **state)
{
	pthread_t thread[NCPU];
	uint32_t arcs, others;
	unsigned cpu;
	int round;

	srand(3);
	run_cpus(thread);
	for (round = 0; round < 10; round++) {
		cpu = (unsigned)rand() % NCPU;
		prof_gmon_start(&prof, PROF_GMON_ALL);
		while (arcs_on(cpu) == 0)
			sched_yield();
		prof_gmon_stop(&prof, cpu);
		prof_gmon_clear_count(&prof, cpu);
		if (rand() % 2)
			prof_gmon_clear_arcs(&prof, cpu);
		arcs = arcs_on(cpu);
		others = sum_of_arcs() - arcs;
		while (sum_of_arcs() - arcs == others)
			sched_yield();
		assert_int_equal(arcs_on(cpu), arcs);
		assert_int_equal(counts_on(cpu), 0);
	}
	join_cpus(thread);
	prof_gmon_stop(&prof, PROF_GMON_ALL);
}

/* The sum of a profiler's counters. */
static uint32_t prf_sum(unsigned which)
{
	uint32_t n = prof_prf_size(&prof, which), sum = 0, i;

	for (i = n; n && i < 2 * n + 2; i++)
		sum += prof_prf_word(&prof, which, i);
	return sum;
}

/* Loads, switches and reads while ticks go on; what is off stays as it is. */
static void D6_D9_profilers_come_and_go_while_ticks_go_on(void **state)
{
	static const prof_addr addr[] = {LO, LO + 16, LO + 40, LO + 200, LO + 300};
	pthread_t thread[NCPU];
	uint32_t round, sum;

	srand(4);
	run_cpus(thread);
	for (round = 0; round < ROUNDS; round++) {
		unsigned cpu = (unsigned)rand() % (NCPU + 1);
		unsigned which = cpu < NCPU ? cpu : PROF_PRF_EVERY;

		prof_prf_load(&prof, which, addr, (3 + (unsigned)rand() % 3) * sizeof(*addr));
		prof_prf_start(&prof, which);
		while (prf_sum(which) == 0)
			sched_yield();
		if (rand() % 2)
			continue;
		prof_prf_stop(&prof, which);
		sum = prf_sum(which);
		sched_yield();
		assert_int_equal(prf_sum(which), sum);
	}
	join_cpus(thread);
}

/* No sample is lost, or counted in one of the two profilers only. */
static void D9_all_is_the_sum_of_the_processors(void **state)
{
	static const prof_addr addr[] = {0, LO + 16, LO + 40};
	pthread_t thread[NCPU];
	uint32_t sum = 0, cpu;

	limit = TICKS;
	for (cpu = 0; cpu < NCPU; cpu++) {
		assert_int_equal(prof_prf_load(&prof, cpu, addr, sizeof(addr)), PROF_PRF_OK);
		prof_prf_start(&prof, cpu);
	}
	assert_int_equal(prof_prf_load(&prof, PROF_PRF_EVERY, addr, sizeof(addr)), PROF_PRF_OK);
	prof_prf_start(&prof, PROF_PRF_EVERY);
	run_cpus(thread);
	join_cpus(thread);
	for (cpu = 0; cpu < NCPU; cpu++)
		sum += prf_sum(cpu);
	assert_int_equal(prf_sum(PROF_PRF_EVERY), sum);
	assert_in_range(sum, NCPU * (TICKS / 10 - 1), NCPU * (TICKS / 10 + 1));
}

static char *text;

static int add_text(void *to, const void *s, size_t n)
{
	return fwrite(s, 1, n, to) == n ? 0 : -1;
}

/* Return the number at the end of the first line that has the word; 0: there is none. */
static uint64_t time_of(const char *word)
{
	const char *line = strstr(text, word);

	return line ? strtoull(strchr(line, ' '), NULL, 10) : 0;
}

static void *waiter(void *)
{
	static prof_addr stack[16];
	struct prof_sample s = {
		.at.pc = LO, .what = PROF_PIPE, .name = "sh",
		.lo = LO, .hi = LO + sizeof(stack), .stack = stack, .waited = 1000, .ready = 1000,
	};

	while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
		prof_stack_wait(&prof, &s);
	return NULL;
}

/* Each wait is as long as what comes after: a reader sees both of it, or neither. */
static void H10_a_wait_is_seen_whole(void **state)
{
	struct prof_sink to = {.write = add_text};
	pthread_t thread;
	size_t n;

	prof_stack_init(&prof, 1, LO);
	assert_true(prof_stack_open(&prof, PROF_WAIT, 1000));
	__atomic_store_n(&done, 0, __ATOMIC_RELAXED);
	assert_int_equal(pthread_create(&thread, NULL, waiter, NULL), 0);
	for (unsigned i = 0; i < 20 * ROUNDS; i++) {
		to.arg = open_memstream(&text, &n);
		assert_int_equal(prof_stack_write(&prof, PROF_WAIT, &to), 0);
		fclose(to.arg);
		assert_int_equal(time_of("[pipe]"), time_of("[ready]"));
		free(text);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	prof_stack_close(&prof, PROF_WAIT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, power_on, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(K6_totals_add_up_in_every_picture),
		TEST(K6_no_tick_is_lost_or_counted_twice),
		TEST(K9_cleared_is_zero_while_ticks_go_on),
		TEST(G1_pictures_are_in_order_while_calls_go_on),
		TEST(G5_every_call_is_counted),
		TEST(G8_a_cpu_that_is_off_counts_nothing),
		TEST(D6_D9_profilers_come_and_go_while_ticks_go_on),
		TEST(D9_all_is_the_sum_of_the_processors),
		TEST(H10_a_wait_is_seen_whole),
	};

	return RUN(tests, NULL, NULL);
}
