/*
 * Flushes of translations, kernel/machine/smp.c, between threads that are CPUs, all of which ask
 * all others at once: under the thread sanitizer. A page table is a number that changes, and a
 * CPU's translation buffer what it has last read of it.
 * World: cpus
 * Flags: -Wno-tsan
 */
#include <sys/time.h>
#include "tests/kernel/cpus.h"
#include "kernel/machine/lib.h"

static uint32_t read_cr3(void);
static void write_cr3(uint32_t v);

struct trapframe {
	uint32_t vector;
};

#define cpu_id() (self->id)
#include "kernel/machine/smp.c"
#undef sched_yield

#define NCPU 4
#define ROUNDS 5000

static struct cpu machine[NCPU];
struct cpu *cpus[MAXCPU] = {&machine[0], &machine[1], &machine[2], &machine[3]};
unsigned ncpu = NCPU;
static struct vm *const vm = (struct vm *)&cpus; /* any address */
static uint32_t table;			  /* atomic; the page table */
static uint32_t buffer[NCPU];		  /* atomic; what that CPU knows of it */
static unsigned pending[NCPU], finished; /* atomic */
static unsigned stale;			  /* atomic; translations found to be old after a flush */
static trap_fn *flush;

static uint32_t read_cr3(void)
{
	return 0;
}

/* Others run before and after the moment at which the buffer is emptied. */
static void write_cr3(uint32_t v)
{
	sched_yield();
	__atomic_store_n(&buffer[self->id], __atomic_load_n(&table, __ATOMIC_ACQUIRE),
			 __ATOMIC_RELEASE);
	sched_yield();
}

void trap_set(unsigned vector, trap_fn *fn)
{
	if (vector == VEC_FLUSH)
		flush = fn;
}

static void ipi(unsigned cpu, unsigned vector)
{
	assert_int_equal(vector, VEC_FLUSH);
	__atomic_store_n(&pending[cpu], 1, __ATOMIC_RELEASE);
}

static void nothing(void)
{
}

static const struct irqchip chip = {.ipi = ipi, .eoi = nothing};
const struct irqchip *irqchip = &chip;

void spin_wait(struct spinlock *l)
{
}

_Noreturn void spin_stray(const struct spinlock *l)
{
	_exit(1);
}

static uint32_t load(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

/* Change the table, have the others flush, and look whether all have seen the change. */
static void *change(void *cpu)
{
	self = cpu;
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t mine = __atomic_add_fetch(&table, 1, __ATOMIC_ACQ_REL);
		vm_flush_others(vm);
		for (unsigned c = 0; c < NCPU; c++)
			if (c != self->id && (int32_t)(load(&buffer[c]) - mine) < 0)
				__atomic_add_fetch(&stale, 1, __ATOMIC_RELAXED);
		if (__atomic_exchange_n(&pending[self->id], 0, __ATOMIC_ACQUIRE))
			flush(NULL);
	}
	__atomic_add_fetch(&finished, 1, __ATOMIC_RELEASE);
	while (load(&finished) < NCPU) {
		if (__atomic_exchange_n(&pending[self->id], 0, __ATOMIC_ACQUIRE))
			flush(NULL);
		sched_yield();
	}
	return NULL;
}

static void B1_whoever_asks_for_a_flush_gets_it(void **state)
{
	/*
	 * A thread that waits in vain takes CPU time; on a busy host a minute may pass without
	 * much.
	 */
	static const struct itimerval limit = {.it_value.tv_sec = 60}, none;
	pthread_t thread[NCPU];
	int i;

	smp_init();
	setitimer(ITIMER_PROF, &limit, NULL);
	for (i = 0; i < NCPU; i++)
		machine[i] = (struct cpu){.id = i, .vm = vm};
	for (i = 0; i < NCPU; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, change, cpus[i]), 0);
	for (i = 0; i < NCPU; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	setitimer(ITIMER_PROF, &none, NULL);
	assert_int_equal(table, NCPU * ROUNDS);
	assert_int_equal(stale, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(B1_whoever_asks_for_a_flush_gets_it),
	};

	return RUN(tests, NULL, NULL);
}
