/*
 * Physical memory and the kernel's heap, kernel/memory/frame.c and heap.c, over memory of this
 * process at the kernel's addresses. The address sanitizer has its data there, so it is not used;
 * contents are checked instead.
 * Links: kernel/memory/frame.c kernel/memory/heap.c
 * Flags: -fno-sanitize=address
 */
#include <sys/mman.h>
#include "tests/test.h"
#include "kernel/memory/frame.h"
#include "kernel/prof/hooks.h"
#include "kernel/machine/panic.h"
#include "kernel/memory/account.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"

#define FIRST (1u << 20)
#define END (16u << 20)
#define NPAGE ((END - FIRST) / PAGE)

static struct proc owner = {.payer = PAYER_OWNER};
struct proc *fake_self = &owner;
struct prof_module *memprof_heap;
struct account accounts[NRESOURCE][NPAYER] = {
	[ACCOUNT_PAGES] = {[PAYER_OWNER].limit = UNLIMITED, [PAYER_OTHERS].limit = 100},
};
uint32_t account_reserve[NPAYER] = {[PAYER_OTHERS] = 50};
static struct proc user = {.pid = 2, .payer = PAYER_OTHERS};

static jmp_buf panicked;
static struct spinlock *held[2];
static unsigned told_kmalloc, told_kfree, locks;
static unsigned taken; /* how often a lock was taken */
static size_t told_size;

/* Release all locks and return to the test that expects the panic. */
void panic(const char *fmt, ...)
{
	while (locks > 0)
		held[--locks]->holder = NULL;
	longjmp(panicked, 1);
}

void spin_lock(struct spinlock *l)
{
	assert_null(l->holder);
	l->holder = (struct cpu *)l;
	assert_true(locks < nelem(held));
	held[locks++] = l;
	taken++;
}

void spin_unlock(struct spinlock *l)
{
	assert_true(locks > 0);
	assert_ptr_equal(held[--locks], l);
	l->holder = NULL;
}

void memprof_kmalloc(void *p, size_t n, const void *caller)
{
	assert_non_null(p);
	assert_non_null(caller);
	told_kmalloc++;
	told_size += n;
}

void memprof_kfree(void *p)
{
	assert_non_null(p);
	told_kfree++;
}

/* Make all memory free, in blocks as large as they can be. */
static int setup(void **state)
{
	static uint8_t table[END / PAGE * sizeof(struct frame)] __attribute__((aligned(8)));

	frame_init(table, END);
	frame_add(FIRST + 1, FIRST + 3 * PAGE - 1); /* only whole pages... */
	frame_add(FIRST + 2 * PAGE, END + 5 * PAGE); /* ...and only below the end */
	return 0;
}

/* Return a pseudo-random number below a limit; the series is the same on every host. */
static uint32_t roll(uint32_t below)
{
	static uint32_t x = 2463534242u;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x % below;
}

static void frames_are_counted_and_run_out(void **state)
{
	size_t n = frame_free_count(), i;
	void *page[NPAGE];

	assert_int_equal(n, NPAGE - 1);
	for (i = 0; i < n; i++) {
		page[i] = frame_alloc();
		assert_non_null(page[i]);
		assert_int_equal(v2p(page[i]) % PAGE, 0);
		assert_true(v2p(page[i]) >= FIRST + PAGE && v2p(page[i]) < END);
		memset(page[i], (int)i, PAGE);
	}
	assert_null(frame_alloc());
	assert_int_equal(frame_free_count(), 0);
	for (i = 0; i < n; i++) {
		assert_int_equal(*(uint8_t *)page[i], (uint8_t)i);
		frame_free(page[i]);
	}
	assert_int_equal(frame_free_count(), n);
}

/* B9: what changes lists of frames holds their lock, once each. */
static void lists_change_under_the_lock(void **state)
{
	void *page, *zeroed;

	taken = 0;
	page = frame_alloc();
	assert_int_equal(taken, 1);
	frame_free(page);
	assert_int_equal(taken, 2);
	zeroed = frame_alloc_zeroed(PAYER_OWNER); /* there is none yet: it is an ordinary one */
	taken = 0;
	memset(zeroed, 0, PAGE);
	frame_free_zeroed(zeroed);
	assert_int_equal(taken, 1);
	zeroed = frame_alloc_zeroed(PAYER_OWNER);
	assert_int_equal(taken, 2);
	frame_free(zeroed);
	assert_true(frame_promise(PAYER_OWNER, 1));
	taken = 0;
	page = frame_alloc_promised();
	assert_int_equal(taken, 1);
	frame_free(page);
	frame_unpromise(PAYER_OWNER, 1);
	taken = 0;
	frame_add(END, END + PAGE); /* beyond the table: nothing is added */
	assert_int_equal(taken, 1);
}

static void freed_frames_are_joined_again(void **state)
{
	size_t n = frame_free_count(), i;
	void *page[64], *block;

	assert_null(frame_alloc_n(0));
	assert_null(frame_alloc_n(8193)); /* beyond the largest block */
	for (i = 0; i < 64; i++)
		page[i] = frame_alloc();
	for (i = 0; i < 64; i++)
		frame_free(page[i * 37 % 64]);
	for (i = 0; i < 3; i++) { /* 15 MB have three blocks of 4 MB at multiples of 4 MB */
		block = frame_alloc_n(1024);
		assert_non_null(block);
		assert_int_equal(v2p(block) % (1024 * PAGE), 0);
		page[i] = block;
	}
	assert_null(frame_alloc_n(1024));
	block = frame_alloc_n(512);
	assert_int_equal(frame_free_count(), 255);
	assert_null(frame_alloc_n(129)); /* not so many are beside each other... */
	assert_int_equal(frame_free_count(), 255); /* ...and nothing is charged for them */
	frame_free_n(block, 512);
	for (i = 0; i < 3; i++)
		frame_free_n(page[i], 1024);
	block = frame_alloc_n(2048); /* and two of 4 MB are one of 8 MB */
	assert_non_null(block);
	assert_int_equal(v2p(block) % (2048 * PAGE), 0);
	frame_free_n(block, 2048);
	block = frame_alloc_n(600); /* the rest of the block is free */
	assert_int_equal(frame_free_count(), n - 600);
	frame_free_n(block, 600);
	assert_int_equal(frame_free_count(), n);
}

static void a_frame_is_free_when_its_last_user_is_gone(void **state)
{
	size_t n = frame_free_count();
	void *page = frame_alloc();
	uint32_t pa = v2p(page);

	assert_false(frame_shared(pa));
	frame_share(pa);
	assert_true(frame_shared(pa));
	frame_free(page);
	assert_false(frame_shared(pa));
	assert_int_equal(frame_free_count(), n - 1);
	frame_free(page);
	assert_int_equal(frame_free_count(), n);
	if (setjmp(panicked) == 0) {
		frame_free(page);
		fail_msg("freed twice without a panic");
	}
}

static void all_but_the_last_user_leave_without_the_lock(void **state)
{
	size_t n = frame_free_count();
	void *page = frame_alloc();
	uint32_t pa = v2p(page);

	frame_share(pa);
	frame_share(pa);
	assert_true(frame_unref(pa));
	assert_true(frame_unref(pa));
	assert_false(frame_shared(pa));
	assert_false(frame_unref(pa)); /* the last one frees it */
	assert_false(frame_unref(pa));
	assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OWNER].used, 1);
	frame_free(page);
	assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OWNER].used, 0);
	assert_int_equal(frame_free_count(), n);
}

/* Frames of zeros that were given back count as free, and are there for whoever wants memory. */
static void frames_of_zeros_are_kept_and_given_out(void **state)
{
	size_t n = frame_free_count(), i, k;
	void *zero[40], *page[NPAGE];

	for (k = 0; k < 2; k++) {
		for (i = 0; i < nelem(zero); i++) {
			zero[i] = frame_alloc_zeroed(PAYER_OTHERS);
			assert_non_null(zero[i]);
			for (const uint32_t *w = zero[i]; w < (uint32_t *)zero[i] + PAGE / 4; w++)
				assert_int_equal(*w, 0);
		}
		assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OTHERS].used, nelem(zero));
		assert_int_equal(frame_free_count(), n - nelem(zero));
		while (i > 0)
			frame_free_zeroed(zero[--i]);
		assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OTHERS].used, 0);
		assert_int_equal(frame_free_count(), n);
	}
	accounts[ACCOUNT_PAGES][PAYER_OTHERS].limit = 0;
	assert_null(frame_alloc_zeroed(PAYER_OTHERS));
	accounts[ACCOUNT_PAGES][PAYER_OTHERS].limit = 100;
	for (i = 0; i < n; i++)
		assert_non_null(page[i] = frame_alloc());
	assert_null(frame_alloc_zeroed(PAYER_OWNER));
	while (i > 0)
		frame_free(page[--i]);
	for (i = 0; i < nelem(zero); i++) /* they do not keep large blocks from being whole */
		zero[i] = frame_alloc_zeroed(PAYER_OWNER);
	while (i > 0)
		frame_free_zeroed(zero[--i]);
	for (i = 0; i < 3; i++)
		assert_non_null(page[i] = frame_alloc_n(1024));
	while (i > 0)
		frame_free_n(page[--i], 1024);
	assert_int_equal(frame_free_count(), n);
}

static void objects_of_all_sizes_keep_apart(void **state)
{
	static struct {
		uint8_t *p;
		size_t n;
		uint8_t mark;
	} object[2000];
	size_t before = frame_free_count(), round, i, j;

	for (round = 0; round < 200000; round++) {
		i = roll(nelem(object));
		if (object[i].p) {
			for (j = 0; j < object[i].n; j++)
				assert_int_equal(object[i].p[j], object[i].mark);
			kfree(object[i].p);
			object[i].p = NULL;
			continue;
		}
		object[i].n = roll(64) ? roll(300) : roll(20000);
		object[i].mark = (uint8_t)round;
		object[i].p = kmalloc(object[i].n);
		assert_non_null(object[i].p);
		assert_int_equal((uintptr_t)object[i].p % 16, 0);
		memset(object[i].p, object[i].mark, object[i].n);
	}
	for (i = 0; i < nelem(object); i++)
		kfree(object[i].p);
	/* one page with room may stay of each of the 11 sizes */
	assert_in_range(before - frame_free_count(), 0, 11);
	assert_int_equal(locks, 0);
}

static void an_object_of_a_power_of_two_is_aligned_to_it(void **state)
{
	static const size_t size[] = {16, 32, 64, 128, 256, 512, 1024, 2048};
	size_t i, j;
	void *p[40];

	for (i = 0; i < nelem(size); i++) {
		for (j = 0; j < nelem(p); j++) {
			p[j] = kmalloc(size[i]);
			assert_int_equal((uintptr_t)p[j] % size[i], 0);
		}
		for (j = 0; j < nelem(p); j++)
			kfree(p[j]);
	}
}

static void freeing_what_is_not_allocated_panics(void **state)
{
	void *p = kmalloc(5000), *page = frame_alloc();

	kfree(NULL);
	kfree(p);
	if (setjmp(panicked) == 0) {
		kfree(p);
		fail_msg("freed twice without a panic");
	}
	if (setjmp(panicked) == 0) {
		kfree(page);
		fail_msg("a page not from kmalloc() was freed without a panic");
	}
	frame_free(page);
}

static void B3_what_an_account_may_have_is_all_it_gets(void **state)
{
	size_t n = frame_free_count(), i;
	void *page[NPAGE], *rest[NPAGE];

	fake_self = &user;
	assert_int_equal(frame_available(), 100);
	for (i = 0; i < 100; i++)
		assert_non_null(page[i] = frame_alloc());
	assert_null(frame_alloc());
	assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OTHERS].used, 100);
	for (i = 0; i < 100; i++)
		frame_free(page[i]);
	assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OTHERS].used, 0);
	for (i = 0; i < n - 60; i++)
		assert_non_null(rest[i] = frame_alloc_for(PAYER_OWNER, 1));
	assert_int_equal(frame_available(), 10); /* and 50 are the others' */
	assert_null(frame_alloc_n(11));
	assert_non_null(page[0] = frame_alloc_n(10));
	frame_free_n(page[0], 10);
	fake_self = &owner; /* whoever frees a frame, its payer gets it back */
	while (i > 0)
		frame_free(rest[--i]);
	assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OWNER].used, 0);
	assert_int_equal(frame_free_count(), n);
}

static void B6_what_is_promised_can_be_had(void **state)
{
	size_t n = frame_free_count(), i;
	void *page[NPAGE];

	assert_true(frame_promise(PAYER_OWNER, 20));
	for (i = 0; i < n - 20; i++)
		assert_non_null(page[i] = frame_alloc());
	assert_null(frame_alloc());
	assert_false(frame_promise(PAYER_OWNER, 1));
	for (; i < n; i++)
		page[i] = frame_alloc_promised();
	assert_int_equal(frame_free_count(), 0);
	assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OWNER].used, n);
	for (i = 0; i < n; i++)
		frame_free(page[i]);
	assert_int_equal(accounts[ACCOUNT_PAGES][PAYER_OWNER].used, 20);
	frame_unpromise(PAYER_OWNER, 20);
	assert_int_equal(frame_available(), n);
}

static void running_out_of_memory_gives_null(void **state)
{
	size_t n = 0;
	void *first = NULL, **p;

	assert_null(kmalloc(END));
	while ((p = kmalloc(PAGE)) != NULL) {
		*p = first;
		first = p;
		n++;
	}
	assert_true(n >= NPAGE - 20);
	assert_null(kzalloc(PAGE));
	assert_null(kstrdup("")); /* no page of that size has room yet */
	while (first) {
		p = first;
		first = *p;
		kfree(p);
	}
	p = kzalloc(PAGE);
	assert_non_null(p);
	assert_null(*p);
	kfree(p);
}

/* P4: memory profiling is told of every block but the profilers' own. */
static void P4_the_heap_tells_of_its_blocks(void **state)
{
	struct prof_module module;
	void *p;

	memprof_heap = &module;
	p = kmalloc(100);
	assert_int_equal(told_kmalloc, 1);
	assert_int_equal(told_size, 100);
	kfree(p);
	assert_int_equal(told_kfree, 1);
	p = kzalloc_unseen(100);
	assert_int_equal(told_kmalloc, 1);
	memprof_heap = NULL;
	kfree(p);
	assert_int_equal(told_kfree, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_counted_and_run_out),
		cmocka_unit_test(lists_change_under_the_lock),
		cmocka_unit_test(freed_frames_are_joined_again),
		cmocka_unit_test(a_frame_is_free_when_its_last_user_is_gone),
		cmocka_unit_test(all_but_the_last_user_leave_without_the_lock),
		cmocka_unit_test(frames_of_zeros_are_kept_and_given_out),
		cmocka_unit_test(B3_what_an_account_may_have_is_all_it_gets),
		cmocka_unit_test(B6_what_is_promised_can_be_had),
		cmocka_unit_test(running_out_of_memory_gives_null),
		cmocka_unit_test(objects_of_all_sizes_keep_apart),
		cmocka_unit_test(an_object_of_a_power_of_two_is_aligned_to_it),
		cmocka_unit_test(freeing_what_is_not_allocated_panics),
		cmocka_unit_test(P4_the_heap_tells_of_its_blocks),
	};

	if (mmap((void *)(uintptr_t)KERNBASE, END, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
		perror("memory at the kernel's address");
		return 1;
	}
	return RUN(tests, setup, NULL);
}
