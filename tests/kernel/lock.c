/*
 * Spin locks and mutexes, kernel/machine/spin.c and kernel/sched/mutex.c, between threads that are
 * CPUs: under the thread sanitizer, which knows what a lock orders.
 * World: cpus
 */
#include "tests/kernel/cpus.h"
#include "kernel/machine/spin.c"
#include "kernel/sched/mutex.c"
#undef sched_yield

#define NCPU 4
#define ROUNDS 20000

static struct cpu machine[NCPU];
struct cpu *cpus[MAXCPU];

static jmp_buf panicked;
static pthread_mutex_t sched = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static unsigned wakes; /* sched; calls of wait_wake_one() */
static unsigned asleep, chosen; /* sched; threads that wait, and that it has woken */
static unsigned owners; /* sched; threads of the owner's that wait */
static unsigned handed; /* sched; how many of them wait_hand() has woken */
static unsigned unguarded; /* sched; calls of wait_hand() without the mutex's own lock */
static unsigned waits; /* atomic */
static struct spinlock outer = {.name = "outer"}, inner = {.name = "inner"};
static struct mutex sleeping;
static unsigned long counter; /* the lock under test */

_Noreturn void panic(const char *fmt, ...)
{
	longjmp(panicked, 1);
}

void smp_poll(void)
{
}

/* Every other CPU runs the owner's processes. */
static bool is_owners(void)
{
	return (self - machine) % 2 == 0;
}

/* As the kernel's: in the queue before the lock is released. */
int wait_uninterruptible(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	bool mine = is_owners(), got;

	assert_true(deadline == NEVER);
	__atomic_add_fetch(&waits, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&sched);
	owners += mine;
	asleep++;
	spin_unlock(l);
	while (!chosen && !(mine && handed))
		pthread_cond_wait(&woken, &sched);
	got = mine && handed;
	owners -= mine;
	asleep--;
	if (got)
		handed--;
	else
		chosen--;
	pthread_mutex_unlock(&sched);
	spin_lock(l);
	return got ? WAIT_HANDED : 0;
}

bool wait_hand(struct waitq *q)
{
	bool some;

	pthread_mutex_lock(&sched);
	unguarded += __atomic_load_n(&sleeping.l.holder, __ATOMIC_RELAXED) != self;
	some = !is_owners() && owners > handed;
	handed += some;
	pthread_cond_broadcast(&woken);
	pthread_mutex_unlock(&sched);
	return some;
}

void wait_wake_one(struct waitq *q)
{
	pthread_mutex_lock(&sched);
	wakes++;
	chosen += asleep > chosen + handed;
	pthread_cond_broadcast(&woken);
	pthread_mutex_unlock(&sched);
}

/* Take two locks and release them in the same order. */
static void *spin(void *cpu)
{
	self = cpu;
	for (int i = 0; i < ROUNDS; i++) {
		spin_lock(&outer);
		spin_lock(&inner);
		counter++;
		if (eflags)
			counter += ROUNDS * NCPU;
		spin_unlock(&outer);
		if (eflags)
			counter += ROUNDS * NCPU;
		spin_unlock(&inner);
	}
	return eflags ? cpu : NULL;
}

static void *sleepy(void *cpu)
{
	self = cpu;
	for (int i = 0; i < ROUNDS; i++) {
		mutex_lock(&sleeping);
		counter++;
		if (i % 64 == 0)
			sched_yield();
		mutex_unlock(&sleeping);
	}
	return eflags ? cpu : NULL;
}

static void on_all(void *(*work)(void *cpu))
{
	pthread_t thread[NCPU];
	void *end;
	int i;

	counter = 0;
	alarm(60); /* for a thread that waits in vain */
	for (i = 0; i < NCPU; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, work, &machine[i]), 0);
	for (i = 0; i < NCPU; i++) {
		assert_int_equal(pthread_join(thread[i], &end), 0);
		assert_ptr_equal(end, &machine[i]); /* interrupts are on again */
		assert_int_equal(machine[i].nlock, 0);
	}
	alarm(0);
	assert_int_equal(counter, NCPU * ROUNDS);
}

static void spin_locks_keep_others_out(void **state)
{
	on_all(spin);
	assert_null(outer.holder);
	assert_null(inner.holder);
}

static void mutexes_keep_others_out_and_wake_one(void **state)
{
	waits = 0;
	on_all(sleepy);
	assert_int_equal(sleeping.state, MUTEX_FREE);
	assert_true(waits > 0); /* they have contended */
	assert_int_equal(handed, 0);
	assert_int_equal(unguarded, 0);
}

/* One of the owner's that waits gets it from another's process, so that no third can take it. */
static void a_mutex_is_handed_to_the_owner(void **state)
{
	static const struct {
		unsigned cpu, owners, handed, wakes;
		uint32_t after;
	} cases[] = {
		{1, 1, 1, 0, MUTEX_WANTED}, {1, 0, 0, 1, MUTEX_FREE}, {0, 1, 0, 1, MUTEX_FREE},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		self = &machine[cases[i].cpu];
		sleeping.state = MUTEX_WANTED;
		owners = cases[i].owners;
		wakes = 0;
		mutex_unlock(&sleeping);
		assert_int_equal(handed, cases[i].handed);
		assert_int_equal(wakes, cases[i].wakes);
		assert_int_equal(sleeping.state, cases[i].after);
		assert_null(sleeping.l.holder);
		owners = handed = 0;
	}
	sleeping.state = MUTEX_FREE;
	self = &machine[0];
}

static void a_free_mutex_asks_nobody(void **state)
{
	unsigned before = wakes;

	waits = 0;
	sleeping.state = MUTEX_FREE;
	mutex_lock(&sleeping);
	assert_int_equal(sleeping.state, MUTEX_HELD);
	mutex_unlock(&sleeping);
	assert_int_equal(waits, 0);
	assert_int_equal(wakes, before);
}

static void misuse_is_a_panic(void **state)
{
	spin_lock(&outer);
	if (setjmp(panicked) == 0) {
		spin_lock(&outer);
		fail_msg("a lock was taken twice without a panic");
	}
	self = &machine[1];
	if (setjmp(panicked) == 0) {
		spin_unlock(&outer);
		fail_msg("a CPU released another's lock without a panic");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spin_locks_keep_others_out),
		cmocka_unit_test(mutexes_keep_others_out_and_wake_one),
		cmocka_unit_test(a_mutex_is_handed_to_the_owner),
		cmocka_unit_test(a_free_mutex_asks_nobody),
		cmocka_unit_test(misuse_is_a_panic),
	};

	self = &machine[0];
	return RUN(tests, NULL, NULL);
}
