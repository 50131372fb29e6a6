/*
 * See fakes.h.
 * Links: tests/fakes.c
 */
#include "tests/drivers/fakes.h"
#include "kernel/machine/smp.h"
#include "kernel/sched/call.h"

uint32_t fake_irqs_off;
trap_fn *fake_trap[256];
void (*fake_irq[NIRQ])(void *arg);
void *fake_irq_arg[NIRQ];
unsigned fake_wakes;
unsigned fake_cpu;
void (*fake_relax)(void);

/* Call fn on each CPU, the last first: nothing may depend on their order. */
void cpus_call(void (*fn)(void *arg), void *arg)
{
	unsigned was = fake_cpu;
	int i;

	assert_int_equal(fake_locks, 0);
	for (i = ncpu - 1; i >= 0; i--) {
		fake_cpu = (unsigned)i;
		fn(arg);
	}
	fake_cpu = was;
}

/* Wait as wait_on() does: the test sees to it that no signal comes. */
int wait_uninterruptible(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	return wait_on(q, l, deadline);
}

void wait_wake(struct waitq *q)
{
	assert_int_equal(fake_locks, 1); /* the queue's */
	fake_wakes++;
}

void wait_watch(struct watcher *w, struct waitq *q, struct spinlock *l)
{
}

void trap_set(unsigned vector, trap_fn *fn)
{
	fake_trap[vector] = fn;
}

void irq_register(unsigned irq, const char *name, void (*fn)(void *arg), void *arg)
{
	fake_irq[irq] = fn;
	fake_irq_arg[irq] = arg;
}
