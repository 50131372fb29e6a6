/*
 * #X, the test kernel's device: makes the kernel do what a test wants to see
 * profiled, measured or failing. Write a command to ctl, then read result.
 *
 *	irqspin MS	work for MS milliseconds in a device's interrupt handler
 *	clispin MS	work for MS milliseconds with interrupts off
 *	step TICKS	wake with the system clock and work for 30 % of each tick
 *	call N		call a profiled function N times; result: cycles more than for N plain calls
 *	spin N		call test_spin(), which runs 2 N + 4 instructions
 *	busy N		run a loop N times with interrupts off; result: cycles
 *	deep N		run the loop DEEP_TURNS times, N recursive calls deep
 *	pads		result: how many functions' entries are calls now
 *	switch N	turn call profiling of all CPUs on and off N times, without a pause;
 *		result: the cycles that turning it on takes
 *	worked		result: cycles in which this CPU was not idle
 *	free		result: bytes of memory that nobody uses
 *	kprof PC	result: the cycles that kprof takes in a tick at PC in the kernel
 *	tos N		allow only N - 1 different arcs on each CPU; gmon must be off
 *	fail N		in the checking kernel: the calling process's Nth allocation from now on
 *		fails, none if N is 0; result: how many it asked for since the last time
 *	refuse N	the same for charges: an account refuses to pay for the Nth
 *	charges		there, too, while nothing else is done: panic unless accounts have paid for
 *		the frames, promises and processes there are; result: all that they have paid for
 *	objects, frames	there, too; result: those in use, of the heap and but for those of the heap
 *	check		there, too, on one processor: panic unless memory and processes are sound
 *	fault KIND	null, text (written), data (executed), stack (overflowed), call (of what is
 *			not there), early (in a function that has no frame yet), or panic
 */
#include "drivers/clock/lapic.h"
#include "kernel/abi/errno.h"
#include "kernel/abi/stat.h"
#include "kernel/file/cmd.h"
#include "kernel/file/dev.h"
#include "kernel/file/dirtab.h"
#include "kernel/machine/check.h"
#include "kernel/machine/cpu.h"
#include "kernel/machine/i386.h"
#include "kernel/machine/image.h"
#include "kernel/machine/lib.h"
#include "kernel/machine/panic.h"
#include "kernel/machine/print.h"
#include "kernel/machine/string.h"
#include "kernel/machine/time.h"
#include "kernel/machine/trap.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"
#include "kernel/prof/profilers.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/mutex.h"
#include "kernel/sched/wait.h"
#include "tests/invariants.h"

#define TEST_IRQ 23
#define US_PER_MS 1000u
#define DEEP_TURNS 20000000u

enum { QROOT, QCTL, QRESULT };

static uint32_t irq_ms;	    /* how long the next interrupt works */
static volatile bool irq_ran;
static uint64_t result;

static const struct dirtab rows[] = {
	[QROOT] = {".", S_IFDIR | 0500},
	[QCTL] = {"ctl", S_IFCHR | 0200},
	[QRESULT] = {"result", S_IFREG | 0400},
};

/* Work for a time, in microseconds, calling nothing. */
static inline __attribute__((always_inline)) void work(uint32_t us)
{
	uint64_t end = rdtsc() + (uint64_t)us * time_tsc_khz() / 1000;

	while (rdtsc() < end)
		;
}

/* Work in an interrupt handler, which K3 wants to see under its own name. */
static __attribute__((noinline)) void test_irq_handler(void *arg)
{
	(void)arg;
	work(irq_ms * US_PER_MS);
	irq_ran = true;
}

static __attribute__((noinline)) void test_cli_spin(uint32_t ms)
{
	irq_off();
	work(ms * US_PER_MS);
	irq_on();
}

/* Work in step with the system clock: a profiler that shares that clock would never see it. */
static __attribute__((noinline)) void test_in_step(uint32_t ticks)
{
	int err = 0;

	for (uint32_t i = 0; i < ticks && !err; i++) {
		err = sleep_until(cpu_self()->next_tick);
		work(3 * (1000000u / HZ) / 10);
	}
}

static __attribute__((noinline)) void test_leaf(void)
{
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
}

static __attribute__((noinline, no_instrument_function)) void test_leaf_plain(void)
{
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
}

/* Return the cycles that profiled calls take beyond plain ones. */
static __attribute__((noinline)) uint64_t test_calls(uint32_t n)
{
	uint32_t flags = irq_save();
	uint64_t start = rdtsc();

	for (uint32_t i = 0; i < n; i++)
		test_leaf_plain();
	uint64_t middle = rdtsc();
	for (uint32_t i = 0; i < n; i++)
		test_leaf();
	uint64_t end = rdtsc();
	irq_restore(flags);
	return (end - middle) - (middle - start);
}

static __attribute__((noinline, no_instrument_function)) void test_nothing(uint32_t pc)
{
	__asm__ volatile("" : : "r"(pc));
}

/* Return what kprof adds to a tick: all that statclock() does for it after finding it on. */
static __attribute__((noinline, no_instrument_function)) void test_tick(uint32_t pc)
{
	prof_kprof_tick(&profilers, cpu_id(), pc, false);
}

static uint64_t test_kprof(uint32_t pc)
{
	uint32_t flags = irq_save();
	uint64_t start = rdtsc();

	test_nothing(pc);
	uint64_t middle = rdtsc();
	test_tick(pc);
	uint64_t end = rdtsc();
	irq_restore(flags);
	return (end - middle) - (middle - start);
}

/* With its frame this is 2 n + 4 instructions. */
static __attribute__((noinline)) void test_spin(uint32_t n)
{
	__asm__ volatile("1: decl %0; jnz 1b" : "+r"(n) : : "cc");
}

static __attribute__((noinline)) uint64_t test_busy(uint32_t n)
{
	uint32_t flags = irq_save();
	uint64_t start = rdtsc();

	while (n-- > 0)
		__asm__ volatile("");
	uint64_t cycles = rdtsc() - start;
	irq_restore(flags);
	return cycles;
}

static __attribute__((noinline)) uint64_t test_deep(uint32_t n)
{
	uint64_t cycles = n > 0 ? test_deep(n - 1) : test_busy(DEEP_TURNS);

	__asm__ volatile("");
	return cycles;
}

/* Count the entries that are no longer the nop of the image. */
static uint32_t test_pads(void)
{
	uint32_t n = 0;

	for (const uint32_t *pad = mcount_loc; pad < mcount_loc_end; pad++)
		n += *(const uint8_t *)(uintptr_t)*pad == 0xe8;
	return n;
}

/* Switch faster than a program can, while the other CPUs carry on. */
static uint32_t test_switch(uint32_t n)
{
	uint64_t start, cycles = 0;

	mutex_lock(&prof_lock);
	for (uint32_t i = 0; i < n; i++) {
		start = rdtsc();
		prof_gmon_start(prof, PROF_GMON_ALL);
		cycles += rdtsc() - start;
		prof_gmon_stop(prof, PROF_GMON_ALL);
	}
	mutex_unlock(&prof_lock);
	if (n > 0)
		div64(&cycles, n);
	return (uint32_t)cycles;
}

/* Shrink the table, so that a test can make it overflow. */
static int test_tos(uint32_t n)
{
	if (n < 2 || prof_gmon_state(prof, PROF_GMON_ALL) == PROF_GMON_ON || n > _gmonparam.tolimit)
		return -EINVAL;
	for (unsigned cpu = 0; cpu < ncpu; cpu++)
		prof->gmon.cpu[cpu].param->tolimit = n;
	return 0;
}

static __attribute__((noinline)) int test_overflow(int n)
{
	volatile int block[64];

	block[n % 64] = n;
	if (n < 0)
		return 0;
	return test_overflow(n + 1) + block[n % 64];
}

/* Read what is absent, without a frame. */
static __attribute__((noinline, naked)) int test_early(const int *)
{
	__asm__("movl (%eax), %eax\n\tret");
}

static void panic_in_nmi(struct trapframe *)
{
	panic("a test asked for it in an NMI");
}

static int fault(const char *kind)
{
	static void *volatile absent;
	static uint8_t ret[] = {0xc3};

	if (strcmp(kind, "null") == 0)
		*(volatile int *)NULL = 1;
	else if (strcmp(kind, "text") == 0)
		*(volatile uint8_t *)etext = *(volatile uint8_t *)(uintptr_t)ktzero = 0;
	else if (strcmp(kind, "data") == 0)
		((void (*)(void))(uintptr_t)ret)();
	else if (strcmp(kind, "stack") == 0)
		return test_overflow(0);
	else if (strcmp(kind, "call") == 0)
		((void (*)(void))(uintptr_t)absent)();
	else if (strcmp(kind, "early") == 0)
		return test_early((const int *)0xfffff000);
	else if (strcmp(kind, "panic") == 0)
		panic("a test asked for it");
	if (strcmp(kind, "nmi") != 0)
		return -EINVAL;
	trap_set(VEC_NMI, panic_in_nmi);
	lapic_ipi(cpu_id(), VEC_NMI);
	return 0;
}

static int irq_spin(uint32_t ms)
{
	irq_ms = ms;
	irq_ran = false;
	lapic_ipi(cpu_id(), VEC_IRQ + TEST_IRQ);
	while (!irq_ran)
		cpu_relax();
	return 0;
}

enum {
	CIRQSPIN, CCLISPIN, CSTEP, CCALL, CBUSY, CDEEP, CFAULT, CPADS, CTOS, CSWITCH, CWORKED,
	CFREE, CKPROF, CFAIL, COBJECTS, CFRAMES, CCHECK,
	CREFUSE, CCHARGES, CSPIN
};

static const struct cmd cmds[] = {
	[CIRQSPIN] = {"irqspin", 1, 1}, [CCLISPIN] = {"clispin", 1, 1},
	[CSTEP] = {"step", 1, 1},	[CCALL] = {"call", 1, 1},
	[CBUSY] = {"busy", 1, 1},	[CDEEP] = {"deep", 1, 1},
	[CFAULT] = {"fault", 1, 1},	[CPADS] = {"pads", 0, 0},
	[CTOS] = {"tos", 1, 1},		[CSWITCH] = {"switch", 1, 1},
	[CWORKED] = {"worked", 0, 0},	[CFREE] = {"free", 0, 0},
	[CKPROF] = {"kprof", 1, 1},	[CFAIL] = {"fail", 1, 1},
	[COBJECTS] = {"objects", 0, 0}, [CFRAMES] = {"frames", 0, 0},
	[CCHECK] = {"check", 0, 0},	[CREFUSE] = {"refuse", 1, 1},
	[CCHARGES] = {"charges", 0, 0},	[CSPIN] = {"spin", 1, 1},
};

/* Do a word that only the checking kernel knows. */
static int test_check(int id, uint32_t v)
{
	if (!CHECKED || ((id == CCHECK || id == CCHARGES) && ncpu > 1))
		return -ENOTSUP;
	if (id == CFAIL)
		result = check_fail(v);
	else if (id == CREFUSE)
		result = check_refuse(v);
	else if (id == CCHARGES)
		result = invariants_charges();
	else if (id == COBJECTS)
		result = check_objects;
	else if (id == CFRAMES)
		result = invariants_frames();
	else
		invariants_check();
	return 0;
}

static ssize_t test_words(struct chan *c, struct cmd_words *w, const void *buf, size_t n)
{
	uint32_t v = 0;
	int id = cmd_parse(cmds, nelem(cmds), buf, n, w);

	if (c->qid != QCTL || id < 0)
		return -EINVAL;
	if (id == CFAULT)
		return fault(w->word[1]);
	if (w->n > 1 && !parse_uint(w->word[1], &v))
		return -EINVAL;
	if (id == CTOS && test_tos(v) != 0)
		return -EINVAL;
	if (id >= CFAIL && id != CSPIN)
		return test_check(id, v) ? -ENOTSUP : (ssize_t)n;
	if (id == CIRQSPIN)
		irq_spin(v);
	else if (id == CCLISPIN)
		test_cli_spin(v);
	else if (id == CSTEP)
		test_in_step(v);
	else if (id == CSPIN)
		test_spin(v);
	else if (id == CDEEP)
		result = test_deep(v);
	else if (id == CPADS)
		result = test_pads();
	else if (id == CSWITCH)
		result = test_switch(v);
	else if (id == CWORKED)
		result = rdtsc() - cpu_self()->idle->cputime;
	else if (id == CFREE)
		result = (uint64_t)frame_free_count() * PAGE;
	else if (id == CKPROF)
		result = test_kprof(v);
	else if (id != CTOS)
		result = id == CCALL ? test_calls(v) : test_busy(v);
	return (ssize_t)n;
}

static ssize_t test_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	struct cmd_words *w = kmalloc(sizeof(*w));
	ssize_t done = w ? test_words(c, w, buf, n) : -ENOMEM;

	kfree(w);
	return done;
}

static ssize_t test_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	char text[24];

	(void)c;
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)result);
	return read_mem(buf, n, off, text, strlen(text));
}

static void test_init(void)
{
	irq_register(TEST_IRQ, "test", test_irq_handler, NULL);
}

const struct dev testdev = {
	.letter = 'X',
	.name = "test",
	.dir = {rows, nelem(rows), NULL},
	.init = test_init,
	.read = test_read,
	.write = test_write,
};
