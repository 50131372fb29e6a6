/*
 * The machine under the profiling clock in hosted tests.
 * Links: drivers/clock/timeline.c
 */
#include <stdlib.h>
#include "tests/drivers/shots.h"
#include "drivers/clock/tsc.h"
#include "drivers/clock/turns.h"
#include "kernel/abi/errno.h"
#include "kernel/prof/profilers.h"
#include "tests/drivers/fakes.h"
#include "kernel/machine/trap.h"
#include "kernel/memory/heap.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/wait.h"

uint64_t tsc, shots_hz = 1000000000;
uint64_t shots[MAXCPU] = {NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER};
unsigned vector, told[MAXCPU], eois, statclocks[MAXCPU], nmis, ipis;
bool nmi_refused, lent;
unsigned joins;
uint32_t paced;
static bool held;

struct prof profilers = {.on = PROF_GMON};

uint64_t rdtsc(void)
{
	return tsc;
}

void outb(uint16_t port, uint8_t v)
{
}

uint8_t inb(uint16_t port)
{
	return 0xff;
}

void *p2v(uint32_t pa)
{
	return NULL;
}

uint64_t tsc_hz(void)
{
	return shots_hz;
}

static void eoi(void)
{
	eois++;
}

static void ipi_others(unsigned v)
{
	assert_true(v == VEC_PROF || v == VEC_NMI);
	if (v == VEC_NMI)
		nmis++;
	else
		ipis++;
}

static const struct irqchip chip = {.eoi = eoi, .ipi_others = ipi_others};
const struct irqchip *irqchip = &chip;

void statclock_all(const struct trapframe *tf)
{
	statclocks[fake_cpu]++;
}

void trap_unseen(const struct trapframe *tf, uint64_t since)
{
}

static void arm(uint32_t n)
{
	assert_true(n <= shots_hz * 54 / 1000);
	shots[fake_cpu] = tsc + n;
}

static void disarm(void)
{
	shots[fake_cpu] = NEVER;
}

/* The system clock, which uses the CPUs' timers when this clock does not. */
void clock_lend(void)
{
	lent = true;
}

void clock_take_back(void)
{
	assert_true(lent);
	lent = false;
	for (unsigned i = 0; i < (unsigned)ncpu; i++)
		shots[i] = NEVER; /* its own take their place */
}

void clock_join(void *unused)
{
	assert_false(lent);
	joins++;
}

static int deliver(unsigned v)
{
	if (v == VEC_NMI && nmi_refused)
		return -ENOTSUP;
	vector = v;
	told[fake_cpu] = v;
	return 0;
}

const struct timer fake_timer = {
	.name = "fake", .max_ns = 54000000, .arm = arm, .disarm = disarm,
	.deliver = deliver,
};

const struct timer percpu_timer = {
	.name = "each", .max_ns = 54000000, .percpu = true, .arm = arm,
	.disarm = disarm, .deliver = deliver,
};

/* An interrupt on that CPU; whether statclock() was called. */
bool interrupt(unsigned cpu)
{
	struct trapframe tf = {.vector = vector};
	unsigned before = statclocks[cpu];

	fake_cpu = cpu;
	fake_trap[vector](&tf);
	fake_cpu = 0;
	return statclocks[cpu] != before;
}

/* Let a CPU's armed shot come, `late` cycles after its time. */
bool shot_on(unsigned cpu, uint64_t late)
{
	bool ticked;

	assert_true(shots[cpu] != NEVER);
	tsc = shots[cpu] + late;
	shots[cpu] = NEVER;
	ticked = interrupt(cpu);
	assert_true(shots[cpu] > tsc && shots[cpu] != NEVER); /* it is never left unarmed */
	return ticked;
}

bool shot(uint64_t late)
{
	return shot_on(0, late);
}

/* The next tick, through as many pieces as it takes. */
void tick(uint64_t late)
{
	while (!shot(late))
		;
}

struct shots_status status(void)
{
	struct shots_status s = {0};
	struct profclock_status st;

	profclock_status(&st);
	s.source = st.source;
	s.delivery = st.delivery;
	s.hz = st.hz;
	s.period_us = st.period_us;
	s.strays = st.strays;
	for (unsigned i = 0; i < (unsigned)ncpu; i++) {
		s.cpu[i] = profclock_counts(i);
		s.ticks += s.cpu[i].ticks;
		s.lost += s.cpu[i].lost;
	}
	return s;
}

/* A new clock at hz, held, on n CPUs of that cycle rate. */
void begin_on(int n, const struct timer *timer, uint64_t cycles, unsigned hz)
{
	static struct cpu these[MAXCPU];

	for (int i = 0; i < n; i++)
		cpus[i] = &these[i];
	shots_hz = cycles;
	ncpu = n;
	profclock_init(timer, "nmi", 0, "a test");
	assert_int_equal(profclock_hz(hz), 0);
	profclock_change(1, NULL, NULL);
	held = true;
}

void begin(uint64_t cycles, unsigned hz)
{
	begin_on(1, &fake_timer, cycles, hz);
}

void finish(void)
{
	profclock_change(-1, NULL, NULL);
	held = false;
	assert_true(shots[0] == NEVER);
}

/* After each test: a failed one must not leave the clock to the next. */
int let_go(void **state)
{
	if (held)
		profclock_change(-1, NULL, NULL);
	held = false;
	ncpu = 1;
	fake_cpu = 0;
	return fake_mutexes > 0 || fake_irqs_off > 0;
}

/* Aligned as the heap's are: a clock's size is a power of two. */
void *kmalloc(size_t n)
{
	return aligned_alloc(n, n);
}

/* No emulator runs these CPUs in turn. */
void turns_pace(uint32_t ns)
{
	assert_true(ns > 0);
	paced = ns;
}
