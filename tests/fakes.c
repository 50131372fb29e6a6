/* See fakes.h. There is one thread: a lock that is held already would be waited for for ever. */
#include "kernel/machine/cpu.h"
#include "kernel/machine/panic.h"
#include "kernel/machine/print.h"
#include "kernel/machine/spin.h"
#include "kernel/machine/string.h"
#include "kernel/process/proc.h"
#include "kernel/sched/mutex.h"
#include "kernel/sched/wait.h"
#include "tests/test.h"

unsigned fake_locks, fake_mutexes, fake_taken, fake_spins;
int (*fake_wait)(void);
char fake_log[4096];
jmp_buf *fake_lacking;
struct cpu *cpus[MAXCPU];
static struct cpu the_cpu;
unsigned ncpu = 1;

void spin_lock(struct spinlock *l)
{
	assert_null(l->holder);
	l->holder = &the_cpu;
	fake_locks++;
	fake_spins++;
}

void spin_unlock(struct spinlock *l)
{
	assert_ptr_equal(l->holder, &the_cpu);
	l->holder = NULL;
	fake_locks--;
}

void mutex_lock(struct mutex *m)
{
	assert_int_equal(fake_locks, 0);
	assert_int_equal(m->state, MUTEX_FREE);
	m->state = MUTEX_HELD;
	fake_mutexes++;
	fake_taken++;
}

void mutex_unlock(struct mutex *m)
{
	assert_int_equal(m->state, MUTEX_HELD);
	m->state = MUTEX_FREE;
	fake_mutexes--;
}

/* The queue has somebody in it while fake_wait runs. */
int wait_on(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	static struct waiter somebody;
	int err;

	spin_unlock(l);
	assert_int_equal(fake_locks, 0);
	assert_non_null(fake_wait);
	q->head = &somebody;
	err = fake_wait();
	q->head = NULL;
	spin_lock(l);
	return err;
}

void panic(const char *fmt, ...)
{
	fail_msg("panic: %s", fmt);
	__builtin_unreachable();
}

static void print(const char *fmt, va_list ap)
{
	size_t n = strlen(fake_log);

	vsnprintf(fake_log + n, sizeof(fake_log) - n, fmt, ap);
}

void lacking(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
	if (fake_lacking)
		longjmp(*fake_lacking, 1);
	fail_msg("lacking: %s", fmt);
	__builtin_unreachable();
}

void printk(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
}

void print_limited(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
}

bool fake_logged(const char *s)
{
	bool found = strstr(fake_log, s) != NULL;

	fake_log[0] = 0;
	return found;
}

uint32_t div64(uint64_t *n, uint32_t by)
{
	uint32_t rest = (uint32_t)(*n % by);

	*n /= by;
	return rest;
}
