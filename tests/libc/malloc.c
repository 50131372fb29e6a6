/* The allocator, over a break with limits. */
#include <errno.h>
#include "tests/libc/gn.h"

static jmp_buf ended;

static void on_exit_hook(int status)
{
	longjmp(ended, 1);
}

static int set_up(void **state)
{
	fake_reset();
	fake_exit = on_exit_hook;
	return 0;
}

/* Blocks are aligned, do not overlap, and keep their contents whatever happens around them. */
static void random_blocks(void **state)
{
	static struct {
		unsigned char *p;
		size_t n;
		unsigned char c;
	} row[300];

	for (unsigned step = 0; step < 60000; step++) {
		unsigned i, what;
		size_t n;

		i = (unsigned)rand() % nelem(row);
		what = (unsigned)rand() % 4;
		n = (unsigned)rand() % (step % 50 == 0 ? 20000 : 300);
		for (size_t k = 0; k < row[i].n; k++)
			assert_int_equal(row[i].p[k], row[i].c);
		if (what == 0) {
			gn_free(row[i].p);
			row[i].p = NULL;
			row[i].n = 0;
			continue;
		}
		if (what == 1) {
			row[i].p = gn_realloc(row[i].p, n);
			for (size_t k = 0; k < n && k < row[i].n; k++)
				assert_int_equal(row[i].p[k], row[i].c);
		} else {
			gn_free(row[i].p);
			row[i].p = what == 2 ? gn_malloc(n) : gn_calloc(1, n);
			for (size_t k = 0; what == 3 && k < n; k++)
				assert_int_equal(row[i].p[k], 0);
		}
		assert_non_null(row[i].p);
		assert_int_equal((uintptr_t)row[i].p % (2 * sizeof(void *)), 0);
		row[i].n = n;
		row[i].c = (unsigned char)step;
		memset(row[i].p, row[i].c, n);
		if (step == 30000)
			fake_break_gap = 5003;
	}
	for (unsigned i = 0; i < nelem(row); i++)
		gn_free(row[i].p);
	/* 300 blocks of 150 bytes, now and then one of 10,000: fragments stay small. */
	assert_in_range(fake_break_used(), 1, 600000);
}

/* Freed blocks are joined: all of the memory can be allocated again in one piece. */
static void joins(void **state)
{
	size_t before;
	void *p[100], *all;

	for (unsigned i = 0; i < nelem(p); i++)
		p[i] = gn_malloc(1000);
	before = fake_break_used();
	for (unsigned i = 0; i < nelem(p); i += 2)
		gn_free(p[i]);
	for (unsigned i = 1; i < nelem(p); i += 2)
		gn_free(p[i]);
	all = gn_malloc(100 * 1000);
	assert_non_null(all);
	assert_int_equal(fake_break_used(), before);
	gn_free(all);
}

/* A block grows in place if what follows it is free. */
static void grows(void **state)
{
	char *p = gn_malloc(100000), *q;

	q = gn_realloc(p, 100);
	assert_ptr_equal(p, q);
	q = gn_realloc(p, 90000);
	assert_ptr_equal(p, q);
	gn_free(p);
	p = gn_realloc(NULL, 10);
	assert_non_null(p);
	gn_free(p);
	gn_free(NULL);
}

static void nothing(void **state)
{
	void *p = gn_malloc(0), *q = gn_malloc(0);

	assert_non_null(p);
	assert_ptr_not_equal(p, q);
	gn_free(p);
	gn_free(q);
}

static void too_much(void **state)
{
	static const size_t sizes[] = {
		SIZE_MAX,	  SIZE_MAX - 1,	       SIZE_MAX - 15,		SIZE_MAX - 16,
		SIZE_MAX - 4096,  (size_t)PTRDIFF_MAX, (size_t)PTRDIFF_MAX + 1, (size_t)1 << 40,
		(size_t)64 << 20,
	};
	char *p = gn_malloc(10);

	memcpy(p, "123456789", 10);
	for (size_t i = 0; i < nelem(sizes); i++) {
		gn_errno = 0;
		assert_null(gn_malloc(sizes[i]));
		assert_int_equal(gn_errno, ENOMEM);
		assert_null(gn_realloc(p, sizes[i]));
		assert_string_equal(p, "123456789");
	}
	gn_errno = 0;
	assert_null(gn_calloc(SIZE_MAX / 2 + 1, 2));
	assert_int_equal(gn_errno, ENOMEM);
	assert_null(gn_reallocarray(p, SIZE_MAX / 4, 5));
	assert_string_equal(p, "123456789");
	gn_free(p);
}

/* Allocate blocks of n bytes until there is no memory, and put them before those of the list p. */
static void *use_up(size_t n, void *p)
{
	void *q;

	while ((q = gn_malloc(n))) {
		*(void **)q = p;
		p = q;
	}
	assert_int_equal(gn_errno, ENOMEM);
	return p;
}

/* Free the blocks of the list p. Return how many they were. */
static unsigned free_all(void *p)
{
	unsigned n = 0;
	void *q;

	for (; p; p = q, n++) {
		q = *(void **)p;
		gn_free(p);
	}
	return n;
}

/* If the break cannot move, what is free can still be allocated. */
static void exhausted(void **state)
{
	size_t limit = fake_break_limit;
	void *p;

	fake_break_limit = fake_break_used() + 200000;
	assert_in_range(free_all(use_up(1000, NULL)), 100, 2000);
	p = gn_malloc(100000);
	assert_non_null(p);
	gn_free(p);
	fake_break_limit = limit;
}

/* The one block that is large enough is found among many of nearly its size. */
static void found_among_many(void **state)
{
	enum { LARGEST = 1000, LEAST = LARGEST - 20, N = 60 };
	size_t limit = fake_break_limit;
	void *p[N], *others;

	fake_break_limit = fake_break_used();
	others = use_up(8, use_up(LARGEST, NULL));
	fake_break_limit += 65536;
	for (unsigned i = 0; i < N; i++)
		assert_non_null(p[i] = gn_malloc(i == 10 ? LARGEST : LEAST));
	others = use_up(8, others);
	for (unsigned i = 0; i < N; i += 2)
		gn_free(p[i]);
	assert_ptr_equal(gn_malloc(LARGEST), p[10]);
	assert_null(gn_malloc(LARGEST));
	fake_break_limit = limit;
	for (unsigned i = 0; i < N; i++)
		if (i % 2 == 1 || i == 10)
			gn_free(p[i]);
	free_all(others);
}

/* Freeing what malloc() did not return, or freeing twice, ends the program. */
static void wrong_pointers(void **state)
{
	static char zeros[64] __attribute__((aligned(16)));
	char *p = gn_malloc(50), *q = gn_malloc(50);

	if (setjmp(ended) == 0) {
		gn_free(p + 1);
		fail();
	}
	if (setjmp(ended) == 0) {
		gn_free(zeros + 32);
		fail();
	}
	gn_free(p);
	if (setjmp(ended) == 0) {
		gn_free(p);
		fail();
	}
	assert_int_equal(fake_file[2].writes, 3);
	gn_free(q);
}

/* Freeing twice is noticed also where the block was joined with those on both sides of it. */
static void freed_twice_inside_another(void **state)
{
	char *p[4];

	for (unsigned i = 0; i < nelem(p); i++)
		p[i] = gn_malloc(50);
	gn_free(p[0]);
	gn_free(p[2]);
	gn_free(p[1]);
	for (unsigned i = 0; i < 3; i++) {
		if (setjmp(ended) == 0) {
			gn_free(p[i]);
			fail();
		}
	}
	gn_free(p[3]);
}

/* The kernel was told just this since the last time, and for code of fn unless that is NULL. */
static void assert_told(const void *old, const void *new, size_t n, void *fn)
{
	const struct fake_block *b = &fake_memprof[0];

	assert_int_equal(fake_memprof_told, 1);
	assert_ptr_equal(b->old, old);
	assert_ptr_equal(b->new, new);
	assert_int_equal(b->n, n);
	if (fn)
		assert_in_range((uintptr_t)b->caller, (uintptr_t)fn, (uintptr_t)fn + 4096);
	fake_memprof_told = 0;
}

static void P4_the_kernel_is_told_when_it_asks(void **state)
{
	void *here = P4_the_kernel_is_told_when_it_asks;
	char *p = gn_malloc(10), *q;

	gn_free(gn_realloc(gn_malloc(10), 100));
	assert_int_equal(fake_memprof_told, 0);
	fake_memprof_asked = 1;
	gn_free(p);
	assert_told(p, NULL, 0, NULL);
	p = gn_malloc(0);
	assert_told(NULL, p, 0, here);
	q = gn_realloc(p, 1000);
	assert_told(p, q, 1000, here);
	p = gn_realloc(q, 8);
	assert_ptr_equal(p, q);
	assert_told(p, p, 8, here);
	p = gn_reallocarray(p, 3, 5);
	assert_told(q, p, 15, here);
	q = gn_realloc(NULL, 5);
	assert_told(NULL, q, 5, here);
	gn_free(q);
	assert_told(q, NULL, 0, NULL);
	gn_free(p);
	assert_told(p, NULL, 0, NULL);
	gn_free(NULL);
	assert_int_equal(fake_memprof_told, 0);
	fake_memprof_asked = 0;
}

/* A failure is not reported; functions that return memory report it for their caller. */
static void P4_whose_memory_it_is(void **state)
{
	void *here = P4_whose_memory_it_is;
	char *p = gn_malloc(10), *q = NULL;

	fake_memprof_asked = 1;
	assert_null(gn_malloc(SIZE_MAX));
	assert_null(gn_realloc(p, SIZE_MAX));
	assert_null(gn_calloc(SIZE_MAX, 2));
	assert_int_equal(fake_memprof_told, 0);
	gn_free(p);
	assert_told(p, NULL, 0, NULL);
	p = gn_calloc(3, 5);
	assert_told(NULL, p, 15, here);
	p = gn_strdup("four");
	assert_told(NULL, p, 5, here);
	p = gn_strndup("four", 2);
	assert_told(NULL, p, 3, here);
	assert_int_equal(gn_asprintf(&q, "%d", 100), 3);
	assert_told(NULL, q, 4, here);
	fake_memprof_asked = 0;
}

/* What a program needs no more is given back, but not by small pieces. */
static void the_end_is_given_back(void **state)
{
	static void *small[10000];
	void *first = gn_malloc(1000), *last;
	size_t before;

	for (unsigned i = 0; i < nelem(small); i++)
		small[i] = gn_malloc(300);
	last = gn_malloc(1000);
	before = fake_break_used();
	for (unsigned i = 0; i < nelem(small); i++)
		gn_free(small[i]);
	assert_int_equal(fake_break_used(), before); /* it is not the end */
	gn_free(last);
	assert_true(fake_break_used() < before - 1200000);
	before = fake_break_used();

	/* It is had again, and what is less than a megabyte stays. */
	last = gn_malloc(1200000);
	assert_non_null(last);
	memset(last, 1, 1200000);
	gn_free(last);
	assert_true(fake_break_used() <= before + (1 << 16));
	last = gn_malloc(800000);
	before = fake_break_used();
	gn_free(last);
	assert_int_equal(fake_break_used(), before);

	/* Not where the program has moved the break. */
	last = gn_malloc(1200000);
	fake_break_gap = 4096;
	assert_non_null(gn_malloc(1300000));
	before = fake_break_used();
	gn_free(last);
	assert_int_equal(fake_break_used(), before);
	gn_free(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_blocks),
		cmocka_unit_test(joins),
		cmocka_unit_test(grows),
		cmocka_unit_test(nothing),
		cmocka_unit_test(too_much),
		cmocka_unit_test(exhausted),
		cmocka_unit_test(found_among_many),
		cmocka_unit_test(wrong_pointers),
		cmocka_unit_test(freed_twice_inside_another),
		cmocka_unit_test(P4_whose_memory_it_is),
		cmocka_unit_test(P4_the_kernel_is_told_when_it_asks),
		cmocka_unit_test(the_end_is_given_back),
	};

	return RUN(tests, set_up, NULL);
}
