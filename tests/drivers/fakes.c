/* The kernel as drivers see it in hosted tests. */
#include "tests/drivers/fakes.h"
#include "kernel/smp.h"

char fake_log[4096];
trap_fn *fake_trap[256];
void (*fake_irq[NIRQ])(void *arg);
void *fake_irq_arg[NIRQ];
unsigned fake_locks, fake_wakes, fake_mutexes;
unsigned fake_cpu;
struct cpu cpus[MAXCPU];
int ncpu = 1;
int (*fake_wait)(void);

void abort(void) __attribute__((noreturn));

void printk(const char *fmt, ...)
{
	size_t n = strlen(fake_log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(fake_log + n, sizeof fake_log - n, fmt, ap);
	va_end(ap);
}

bool fake_logged(const char *s)
{
	size_t i, n = strlen(s);
	bool found = false;

	for (i = 0; fake_log[i] != 0 && !found; i++)
		found = strncmp(fake_log + i, s, n) == 0;
	fake_log[0] = 0;
	return found;
}

void panic(const char *fmt, ...)
{
	(void)fmt;
	abort();
}

void spin_lock(struct spinlock *l)
{
	if (l->holder)
		abort();
	l->holder = cpus;
	fake_locks++;
}

void spin_unlock(struct spinlock *l)
{
	if (!l->holder)
		abort();
	l->holder = NULL;
	fake_locks--;
}

void mutex_lock(struct mutex *m)
{
	if (m->state != MUTEX_FREE || fake_locks > 0)
		abort();
	m->state = MUTEX_HELD;
	fake_mutexes++;
}

void mutex_unlock(struct mutex *m)
{
	if (m->state != MUTEX_HELD)
		abort();
	m->state = MUTEX_FREE;
	fake_mutexes--;
}

/* One CPU after the other, the last first: nothing may depend on their order. */
void cpus_call(void (*fn)(void *arg), void *arg)
{
	unsigned was = fake_cpu;
	int i;

	if (fake_locks > 0)
		abort();
	for (i = ncpu - 1; i >= 0; i--) {
		fake_cpu = (unsigned)i;
		fn(arg);
	}
	fake_cpu = was;
}

/* Only one thread there is: whoever sleeps lets the hardware go on. */
int wait_on(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	static struct proc *const somebody = (struct proc *)&fake_wakes;
	int err;

	(void)deadline;
	spin_unlock(l);
	if (fake_locks > 0)
		abort();
	q->head = somebody;
	err = fake_wait();
	q->head = NULL;
	spin_lock(l);
	return err;
}

/* As wait_on: the test knows who is deaf. */
int wait_uninterruptible(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	return wait_on(q, l, deadline);
}

void wait_wake(struct waitq *q)
{
	(void)q;
	if (fake_locks > 0)
		abort(); /* it takes the scheduler's lock, inside which printk takes the port's */
	fake_wakes++;
}

uint32_t div64(uint64_t *n, uint32_t by)
{
	uint32_t rest = (uint32_t)(*n % by);

	*n /= by;
	return rest;
}

void trap_set(unsigned vector, trap_fn *fn)
{
	fake_trap[vector] = fn;
}

void irq_register(unsigned irq, const char *name, void (*fn)(void *arg), void *arg)
{
	(void)name;
	fake_irq[irq] = fn;
	fake_irq_arg[irq] = arg;
}
