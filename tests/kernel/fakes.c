/*
 * See fakes.h. Locks are counted, and nothing sleeps but by fake_wait. The files of the kernel
 * that these fakes are for come with them.
 * Links: kernel/cmd.c kernel/dev.c kernel/dirtab.c kernel/fd.c kernel/file.c kernel/ns.c
 * Links: kernel/open.c kernel/path.c kernel/pipe.c kernel/rename.c kernel/union.c kernel/walk.c
 * Links: drivers/files/devroot.c drivers/files/rootfile.c
 */
#include <cmocka.h>
#include "tests/kernel/fakes.h"
#include "drivers/files/devroot.h"
#include "drivers/console/cons.h"

struct proc fake_proc, *fake_self = &fake_proc;
unsigned fake_locks, fake_signals;
long fake_allocs_left = -1, fake_allocs;
size_t fake_frames_free = 1u << 20;
int (*fake_wait)(void);
char fake_log[1024];
uint8_t fake_user[FAKE_USER_SIZE];
struct cpu cpus[MAXCPU];
int ncpu = 1;
const uint8_t build_id_note[36] = {0};

static bool take_alloc(void)
{
	if (fake_allocs_left == 0)
		return false;
	if (fake_allocs_left > 0)
		fake_allocs_left--;
	fake_allocs++;
	return true;
}

void *kmalloc(size_t n)
{
	void *p = take_alloc() ? malloc(n) : NULL;

	if (p)
		memset(p, 0xa5, n);
	return p;
}

void kfree(void *p)
{
	fake_allocs -= p != NULL;
	free(p);
}

void *frame_alloc_n(size_t n)
{
	void *p = take_alloc() ? aligned_alloc(PAGE, n * PAGE) : NULL;

	if (p)
		memset(p, 0x5a, n * PAGE);
	return p;
}

void frame_free_n(void *p, size_t n)
{
	(void)n;
	assert_non_null(p);
	fake_allocs--;
	free(p);
}

size_t frame_free_count(void)
{
	return fake_frames_free;
}

void spin_lock(struct spinlock *l)
{
	assert_null(l->holder);
	l->holder = cpus;
	fake_locks++;
}

void spin_unlock(struct spinlock *l)
{
	assert_ptr_equal(l->holder, cpus);
	l->holder = NULL;
	fake_locks--;
}

void mutex_lock(struct mutex *m)
{
	assert_int_equal(fake_locks, 0);
	assert_int_equal(m->state, MUTEX_FREE);
	m->state = MUTEX_HELD;
}

void mutex_unlock(struct mutex *m)
{
	assert_int_equal(m->state, MUTEX_HELD);
	m->state = MUTEX_FREE;
}

int wait_on(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	int err;

	(void)q;
	(void)deadline;
	spin_unlock(l);
	assert_int_equal(fake_locks, 0);
	assert_non_null(fake_wait);
	err = fake_wait();
	spin_lock(l);
	return err;
}

void wait_wake(struct waitq *q)
{
	(void)q;
}

void sched_signal(struct proc *p, int sig)
{
	assert_ptr_equal(p, fake_self);
	fake_signals |= 1u << sig;
}

void proc_interrupt_group(int pgid, int sig)
{
	assert_int_equal(pgid, 42);
	fake_signals |= 1u << sig;
}

int copyin(void *to, const void *user, size_t n)
{
	uintptr_t at = (uintptr_t)user;

	assert_int_equal(fake_locks, 0);
	if (at < FAKE_USER || at - FAKE_USER > FAKE_USER_SIZE ||
	    n > FAKE_USER_SIZE - (at - FAKE_USER))
		return -EFAULT;
	memcpy(to, fake_user + (at - FAKE_USER), n);
	return 0;
}

int copyout(void *user, const void *from, size_t n)
{
	uintptr_t at = (uintptr_t)user;

	assert_int_equal(fake_locks, 0);
	if (at < FAKE_USER || at - FAKE_USER > FAKE_USER_SIZE ||
	    n > FAKE_USER_SIZE - (at - FAKE_USER))
		return -EFAULT;
	memcpy(fake_user + (at - FAKE_USER), from, n);
	return 0;
}

int copyinstr(char *to, const char *user, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (copyin(to + i, user + i, 1))
			return -EFAULT;
		if (to[i] == 0)
			return (int)i;
	}
	return -ENAMETOOLONG;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
	size_t n = strlen(from);

	if (size) {
		size_t k = n < size ? n : size - 1;

		memcpy(to, from, k);
		to[k] = 0;
	}
	return n;
}

bool parse_uint(const char *s, uint32_t *out)
{
	char *end;
	unsigned long v = strtoul(s, &end, 0);

	*out = (uint32_t)v;
	return *s >= '0' && *s <= '9' && !*end && v <= UINT32_MAX;
}

uint32_t div64(uint64_t *n, uint32_t by)
{
	uint32_t rest = (uint32_t)(*n % by);

	*n /= by;
	return rest;
}

void printk(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(fake_log, sizeof(fake_log), fmt, ap);
	va_end(ap);
}

int64_t time_unix(void)
{
	return 1000000000;
}

uint32_t fake_string(unsigned at, const char *s)
{
	strcpy((char *)fake_user + at, s);
	return FAKE_USER + at;
}

void fake_start(void)
{
	struct chan *root;

	memset(&fake_proc, 0, sizeof(fake_proc));
	fake_proc.pid = 7;
	fake_proc.vm = (struct vm *)(void *)fake_user; /* any: it has one, so it has a user */
	assert_int_equal(chan_attach('/', "", &root), 0);
	fake_proc.ns = ns_new(root);
	fake_proc.fds = fds_new();
	chan_put(root);
	assert_int_equal(ns_walk("/", &fake_proc.cwd), 0);
}

void fake_end(void)
{
	fds_put(fake_proc.fds);
	chan_put(fake_proc.cwd);
	ns_put(fake_proc.ns);
	assert_int_equal(fake_locks, 0);
}
