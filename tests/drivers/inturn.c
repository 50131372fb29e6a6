/*
 * See inturn.h.
 * Links: drivers/clock/profclock.c drivers/clock/timeline.c drivers/clock/turns.c
 * Links: kernel/sched/clock.c tests/fakes.c tests/drivers/qemuturns.c
 */
#include "tests/test.h"
#include "tests/drivers/inturn.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/tsc.h"
#include "drivers/clock/turns.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/trap.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/kvm.h"
#include "kernel/prof/profilers.h"
#include "kernel/sched/call.h"
#include "kernel/sched/sched.h"
#include "kernel/machine/time.h"

/* Timers: one for each CPU, and the machine's. */
enum { PIT = QEMU_CPUS, END_TURN, BEAT };

/* The HPET's registers, as turns.c has them; END_ARMED is what that never writes. */
enum { END_AT = 0x108 / 4, BEAT_AT = 0x128 / 4 };
#define END_ARMED 1
#define HPET_NS 10

/* Instructions of what the kernel does, about. */
enum { ENTRY = 30, READ_TSC = 8, STORE = 4, SAMPLE = 60, EXIT = 20 };

/* A CPU's interrupts. */
struct vectors {
	uint64_t pending[4]; /* a bit a vector */
	bool nmi, in_nmi;
	unsigned taken; /* the vector that was accepted */
	unsigned depth; /* handlers that run */
	unsigned off;	/* code with interrupts off: how much of it is in progress */
	unsigned timer; /* by which vector its own timer interrupts */
	bool woken;	/* by another CPU's process */
};

void (*fake_relax)(void) = qemu_pause;
struct prof profilers = {.on = PROF_GMON};
uint64_t inturn_work[QEMU_CPUS];
unsigned inturn_samples[QEMU_CPUS];
uint32_t fake_irqs_off;
unsigned inturn_kernel[QEMU_CPUS];
static const struct inturn *setup;
static struct vectors of[QEMU_CPUS];
static trap_fn *traps[256];
static struct cpu the_cpus[QEMU_CPUS];
static uint32_t hpet[0x400 / 4], beat;
static struct acpi tables = {.hpet = 0xfed00000};
const struct acpi *const acpi = &tables;
static uint32_t seed;
static bool done, up;
static bool lock; /* one that all CPUs may want */
static unsigned pit_vector;

static struct vectors *self(void)
{
	return &of[fake_cpu];
}

uint32_t inturn_random(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)seed * n >> 32);
}

/* Notice what was stored in the HPET since: its registers are memory here. */
static void hpet_look(void)
{
	if (hpet[BEAT_AT] != beat) {
		beat = hpet[BEAT_AT];
		if (setup->turns)
			qemu_arm(BEAT, qemu_time + (uint64_t)beat * HPET_NS);
	}
	if (hpet[END_AT] != END_ARMED) {
		hpet[END_AT] = END_ARMED;
		if (setup->turns)
			qemu_arm(END_TURN, qemu_time);
	}
}

static void run_for(uint32_t n)
{
	hpet_look();
	qemu_run_for(n);
}

uint64_t rdtsc(void)
{
	run_for(READ_TSC);
	return qemu_time;
}

static void post(unsigned cpu, unsigned vector)
{
	if (vector == VEC_NMI)
		of[cpu].nmi = true;
	else
		of[cpu].pending[vector / 64] |= 1ull << vector % 64;
}

/* Return the highest vector that is pending and let in, or 0. */
static unsigned pending(const struct vectors *v)
{
	if (v->nmi && !v->in_nmi)
		return VEC_NMI;
	if (v->off || v->in_nmi)
		return 0;
	for (unsigned i = 4; i-- > 0;)
		if (v->pending[i])
			return i * 64 + 63 - (unsigned)__builtin_clzll(v->pending[i]);
	return 0;
}

static bool work(unsigned cpu)
{
	return pending(&of[cpu]) != 0;
}

static bool take(unsigned cpu)
{
	struct vectors *v = &of[cpu];
	unsigned vector = pending(v);

	if (vector == 0)
		return false;
	v->taken = vector;
	if (vector == VEC_NMI) {
		v->nmi = false;
		v->in_nmi = true;
	} else {
		v->pending[vector / 64] &= ~(1ull << vector % 64);
		v->off++;
	}
	return true;
}

static void handle(unsigned cpu)
{
	struct vectors *v = &of[cpu];
	struct trapframe tf = {.vector = v->taken};

	v->depth++;
	run_for(ENTRY);
	traps[tf.vector](&tf);
	run_for(EXIT);
	v->depth--;
	if (tf.vector == VEC_NMI)
		v->in_nmi = false;
	else
		v->off--;
}

static void eoi(void)
{
	run_for(STORE);
}

static void ipi_others(unsigned vector)
{
	run_for(STORE);
	for (unsigned i = 0; i < setup->ncpu; i++)
		if (i != fake_cpu)
			post(i, vector);
}

static const struct irqchip chip = {.eoi = eoi, .ipi_others = ipi_others};
const struct irqchip *irqchip = &chip;

void trap_unseen(const struct trapframe *tf, uint64_t since)
{
	run_for(10);
}

void trap_set(unsigned vector, trap_fn *fn)
{
	traps[vector] = fn;
}

static void expired(unsigned timer)
{
	if (timer < QEMU_CPUS)
		post(timer, of[timer].timer);
	else if (timer == PIT)
		post(0, pit_vector);
	else if (timer == BEAT)
		qemu_arm(BEAT, qemu_time + (uint64_t)beat * HPET_NS);
}

static void lapic_arm(uint32_t cycles)
{
	run_for(STORE);
	qemu_arm(fake_cpu, qemu_time + cycles + 1);
}

static void lapic_disarm(void)
{
	qemu_disarm(fake_cpu);
}

static int lapic_deliver(unsigned vector)
{
	self()->timer = vector;
	return 0;
}

static void pit_arm(uint32_t cycles)
{
	run_for(2 * STORE);
	qemu_arm(PIT, qemu_time + cycles + 1);
}

static void pit_disarm(void)
{
	qemu_disarm(PIT);
}

static int pit_deliver(unsigned vector)
{
	pit_vector = vector;
	return 0;
}

const struct timer inturn_lapic = {
	.name = "lapic", .percpu = true, .max_ns = 1000000000,
	.arm = lapic_arm, .disarm = lapic_disarm, .deliver = lapic_deliver,
};

const struct timer inturn_pit = {
	.name = "pit", .max_ns = 54000000,
	.arm = pit_arm, .disarm = pit_disarm, .deliver = pit_deliver,
};

uint64_t tsc_hz(void)
{
	return 1000000000;
}

uint64_t time_ns(void)
{
	return rdtsc();
}

uint32_t time_tsc_khz(void)
{
	return 1000000;
}

void *map_device(uint32_t pa, size_t n)
{
	return hpet;
}

struct cpuid cpuid(uint32_t leaf)
{
	return (struct cpuid){.ebx = 0x54474354, .ecx = 0x43544743, .edx = 0x47435447};
}

bool cmdline_get(const char *key, char *value, size_t size)
{
	snprintf(value, size, "on");
	return true;
}

void *kmalloc(size_t n)
{
	return aligned_alloc(64, (n + 63) / 64 * 64);
}

void statclock_all(const struct trapframe *tf)
{
	inturn_samples[fake_cpu]++;
	if (self()->depth > 1 || self()->off > 0)
		inturn_kernel[fake_cpu]++;
	run_for(SAMPLE);
}

void sched_slice(void)
{
	run_for(20);
}

void sched_tick(uint64_t now)
{
	run_for(50);
}

void sched_wake(uint64_t now)
{
	cpu_self()->wake_at = UINT64_MAX;
	run_for(30);
}

void print_tick(uint64_t now)
{
}

/* One call at a time, as by call.c. */
static void (*call_fn)(void *arg);
static void *call_arg;
static unsigned call_left;

static void call_intr(struct trapframe *tf)
{
	run_for(20);
	call_fn(call_arg);
	call_left--;
	eoi();
	qemu_pause();
}

void cpus_call(void (*fn)(void *arg), void *arg)
{
	call_fn = fn;
	call_arg = arg;
	call_left = setup->ncpu - 1;
	if (call_left > 0)
		ipi_others(VEC_CALL);
	self()->off++;
	fn(arg);
	self()->off--;
	while (call_left > 0)
		qemu_pause();
}

static void use(uint32_t n)
{
	run_for(n);
	inturn_work[fake_cpu] += n;
}

/* Kernel code that holds the lock, with interrupts off. */
static void locked(uint32_t n)
{
	self()->off++;
	while (lock)
		qemu_pause();
	lock = true;
	use(n);
	lock = false;
	self()->off--;
	run_for(0);
}

static void system_call(uint32_t n)
{
	use(10);
	self()->off++;
	use(12);
	self()->off--;
	use(n);
}

/* Halt, with interrupts off until then. */
static void halt(void)
{
	self()->off++;
	run_for(10);
	self()->off--;
	cpus[fake_cpu]->halted = true;
	qemu_halt();
	cpus[fake_cpu]->halted = false;
}

/* Wake the next CPU, give it a turn, and wait for the one before. */
static void pipe_step(void)
{
	unsigned other = (fake_cpu + 1) % setup->ncpu;

	system_call(300);
	locked(60);
	of[other].woken = true;
	post(other, VEC_RESCHED);
	use(100);
	qemu_pause();
	self()->off++;
	while (!self()->woken) {
		run_for(10);
		self()->off--;
		qemu_halt();
		self()->off++;
	}
	self()->woken = false;
	self()->off--;
}


/* Do what a process with that load does, once. */
static void load_step(enum load load)
{
	switch (load) {
	case LOAD_SPIN:
		use(500);
		break;
	case LOAD_CALLS:
		system_call(60);
		break;
	case LOAD_FAULTS:
		use(200);
		locked(100);
		use(500);
		break;
	case LOAD_PIPES:
		pipe_step();
		break;
	case LOAD_FORKS:
		system_call(2000);
		for (unsigned i = inturn_random(20); i > 0; i--)
			locked(100);
		use(inturn_random(20000));
		break;
	default:
		halt();
		break;
	}
}

/* Run this CPU's process until then. */
void inturn_sleep(uint64_t ns)
{
	uint64_t end = qemu_time + ns;

	while (qemu_time < end)
		load_step(setup->load[fake_cpu]);
}

/* Start the clocks, on CPU 0. */
static void boot(void)
{
	const struct timer *own = &inturn_lapic, *t = &inturn_lapic;

	if (setup->pit)
		t = &inturn_pit;
	if (setup->turns) {
		turns_init();
		own = turns_timer(own);
		t = turns_timer(t);
	}
	clock_start(own, &inturn_pit);
	profclock_init(t, "nmi", setup->seed, "a test");
	assert_int_equal(profclock_hz(setup->hz), 0);
	up = true;
}

static void cpu_main(unsigned cpu)
{
	if (cpu == 0)
		boot();
	while (!up)
		qemu_pause();
	if (cpu != 0) {
		run_for(inturn_random(1000000)); /* no two clocks are in step */
		clock_join(NULL);
	}
	if (cpu == setup->on) {
		setup->control();
		done = true;
	}
	for (;;)
		load_step(setup->load[cpu]);
}

static void wake(struct trapframe *tf)
{
	eoi();
}

bool inturn_run(const struct inturn *how, uint64_t until)
{
	static const struct qemu_machine machine = {cpu_main, take, work, handle, expired};

	setup = how;
	ncpu = how->ncpu;
	seed = how->seed;
	done = lock = up = false;
	memset(of, 0, sizeof(of));
	memset(the_cpus, 0, sizeof(the_cpus));
	memset(inturn_work, 0, sizeof(inturn_work));
	memset(inturn_samples, 0, sizeof(inturn_samples));
	memset(inturn_kernel, 0, sizeof(inturn_kernel));
	hpet[END_AT] = END_ARMED;
	beat = 0;
	for (unsigned i = 0; i < ncpu; i++) {
		the_cpus[i].id = i;
		cpus[i] = &the_cpus[i];
	}
	qemu_start(ncpu, how->divides, &machine);
	trap_set(VEC_CALL, call_intr);
	trap_set(VEC_RESCHED, wake);
	while (!done && qemu_time < until)
		if (!qemu_run(qemu_time + 1))
			return false;
	fake_logged("");
	return done;
}
