/*
 * prof/prof_stack.c and stackout.c: paths are counted on several CPUs, which are threads here,
 * while another takes pictures, clears and closes.
 * Links: tests/prof/machine.c
 */
#include <pthread.h>
#include "tests/test.h"
#include "tests/prof/machine.h"

#define NCPU 4
#define LO ((prof_addr)0xf8001000u) /* the kernel's stack */
#define W sizeof(prof_addr)

static struct prof prof;
static prof_addr kernel[64]; /* all of its frames are the last */

static void begin(void)
{
	machine_reset();
	prof = (struct prof){0};
	prof_stack_init(&prof, NCPU, 0xc0100999);
	prof.stack.digits = 8;
	prof_stack_depth(&prof, 32);
	prof_period(&prof, 1000);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	prof_start(&prof, PROF_PATHS);
}

/* A tick at one of many places, of which each has one of three callers. */
static void tick(unsigned cpu, uint32_t i)
{
	struct prof_sample s = {
		.at = {0xc0100000 + i * 7 % 40000, LO + W * (10 + i % 3), 0},
		.cpu = cpu, .what = PROF_KERNEL,
		.lo = LO, .hi = LO + sizeof(kernel), .stack = kernel,
		.pid = 7, .name = "sh",
	};

	machine_tick(&prof, &s);
}

/* The file, in memory; valid until the next call. */
static const char *text(void)
{
	static char *out;
	size_t n;
	struct prof_sink to = {.write = machine_put};

	free(out);
	to.arg = open_memstream(&out, &n);
	assert_int_equal(prof_stack_write(&prof, PROF_STACK, &to), 0);
	fclose(to.arg);
	return out;
}

/* The sum of all counts in the file, which must be what its last line says. */
static unsigned long total(void)
{
	unsigned long sum = 0, said = 0;
	const char *s;

	for (s = text(); *s && *s != '#'; s = strchr(s, '\n') + 1)
		sum += strtoul(strchr(s, ' '), NULL, 10);
	assert_int_equal(sscanf(s, "# period_us=1000 ticks=%lu ", &said), 1);
	assert_int_equal(sum, said);
	return sum;
}

#define TICKS 200000u
static unsigned running;

/* A CPU that is within a tick now and then, while others look. */
static void *cpu_runs(void *arg)
{
	unsigned cpu = (unsigned)(uintptr_t)arg;
	uint32_t i;

	for (i = 0; i < TICKS; i++) {
		machine_enter(cpu);
		tick(cpu, i);
		machine_leave(cpu);
	}
	__atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void every_picture_adds_up(void **state)
{
	pthread_t thread[NCPU];
	unsigned long before = 0, now;
	uintptr_t i;

	begin();
	running = NCPU;
	for (i = 0; i < NCPU; i++)
		pthread_create(&thread[i], NULL, cpu_runs, (void *)i);
	while (__atomic_load_n(&running, __ATOMIC_SEQ_CST) > 0) {
		now = total();
		assert_true(now >= before);
		before = now;
	}
	for (i = 0; i < NCPU; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(total(), NCPU * TICKS);
}

static void clearing_and_closing_wait_for_ticks(void **state)
{
	pthread_t thread[NCPU];
	uintptr_t i;

	begin();
	running = NCPU;
	for (i = 0; i < NCPU; i++)
		pthread_create(&thread[i], NULL, cpu_runs, (void *)i);
	while (__atomic_load_n(&running, __ATOMIC_SEQ_CST) > 0) {
		prof_clear(&prof, PROF_PATHS);
		prof_stack_close(&prof, PROF_STACK);
		assert_true(prof_stack_open(&prof, PROF_STACK, 1));
		prof_start(&prof, PROF_PATHS);
	}
	for (i = 0; i < NCPU; i++)
		pthread_join(thread[i], NULL);
	total();
}

/* A tick whose callers stand from a word of the stack on. */
static void tick_at(prof_addr pc, uint32_t word)
{
	struct prof_sample s = {
		.at = {pc, LO + W * word, 0}, .what = PROF_KERNEL,
		.lo = LO, .hi = LO + sizeof(kernel), .stack = kernel, .pid = 7, .name = "sh",
	};

	machine_tick(&prof, &s);
}

/* Where a path is written, there is what is left of a longer one that was known. */
static void a_path_is_found_whatever_was_there_before(void **state)
{
	begin();
	kernel[20] = LO + W * 30;
	kernel[21] = 0xc0100020;
	kernel[31] = 0xc0100030;
	for (int i = 0; i < 2; i++) {
		/* What was met last is compared, and not written. */
		for (uint32_t k = 0; k < 5000; k++)
			tick_at(0xc0200000 + 16 * k, 10);
		tick_at(0xc0100011, 20);
		tick_at(0xc0100012, 10);
	}
	memset(kernel, 0, sizeof(kernel));
	assert_non_null(strstr(text(), "sh;[kernel];0xc0100030;0xc0100020;0xc0100011 2\n"));
	assert_non_null(strstr(text(), "sh;[kernel];0xc0100012 2\n"));
}

/* Paths are written where the next entry would be: the longest one fits into a full table. */
static void a_full_table_has_room_to_write(void **state)
{
	const uint32_t longest = PROF_STACK_BODY + 8 + PROF_STACK_MAXDEPTH + 1;

	begin();
	for (uint32_t i = 0; i < 300000; i++)
		tick_at(0xc0000000 + 16 * i, 10);
	assert_non_null(strstr(text(), "[overflow] "));
	assert_true(prof.stack.cpu[0].used + longest <= prof.stack.nword);
}

static void cpus_are_one_file(void **state)
{
	unsigned cpu;

	begin();
	for (cpu = 0; cpu < NCPU; cpu++)
		tick(cpu, 17);
	tick(3, 18);
	assert_string_equal(text(), "sh;[kernel];0xc0100077 4\n"
				    "sh;[kernel];0xc010007e 1\n"
				    "# period_us=1000 ticks=5 overflow=0 depth=32\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_are_one_file),
		cmocka_unit_test(a_path_is_found_whatever_was_there_before),
		cmocka_unit_test(a_full_table_has_room_to_write),
		cmocka_unit_test(every_picture_adds_up),
		cmocka_unit_test(clearing_and_closing_wait_for_ticks),
	};

	return RUN(tests, NULL, NULL);
}
