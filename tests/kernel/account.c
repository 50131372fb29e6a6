/*
 * Charging an account, kernel/memory/account.h, from several threads, which are CPUs, under
 * the thread sanitizer.
 * World: cpus
 */
#include <pthread.h>
#include <sched.h>
#include "tests/test.h"

/* Another thread has a turn before each look at a counter: what is between two can be seen. */
#define __atomic_load_n(p, order) (sched_yield(), __atomic_load_n(p, order))
#include "kernel/memory/accountinit.c"

#define ROUNDS 20000
#define SMALL 3
#define LIMIT 10

static struct account *const a = &accounts[ACCOUNT_PAGES][PAYER_OTHERS];
static uint32_t refused;  /* atomic; small requests */
static uint32_t too_much; /* atomic; times that more than the limit was in use */

/* Ask for more than there can ever be, and be refused. */
static void *ask_much(void *)
{
	for (int i = 0; i < ROUNDS; i++)
		if (account_charge(PAYER_OTHERS, ACCOUNT_PAGES, LIMIT + 1))
			__atomic_add_fetch(&too_much, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* Ask for what there is room for whatever the others do, and give it back. */
static void *ask_little(void *)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (!account_charge(PAYER_OTHERS, ACCOUNT_PAGES, SMALL)) {
			__atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED);
			continue;
		}
		if (__atomic_load_n(&a->used, __ATOMIC_RELAXED) > LIMIT)
			__atomic_add_fetch(&too_much, 1, __ATOMIC_RELAXED);
		account_uncharge(PAYER_OTHERS, ACCOUNT_PAGES, SMALL);
	}
	return NULL;
}

/* Three small requests fit beside each other: none may be refused for a large one that is. */
static void B3_a_refused_request_refuses_no_other(void **state)
{
	void *(*const work[])(void *) = {ask_much, ask_little, ask_little, ask_little};
	pthread_t thread[4];

	a->limit = LIMIT;
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, work[i], NULL), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	assert_int_equal(refused, 0);
	assert_int_equal(too_much, 0);
	assert_int_equal(a->used, 0);
}

/* What is exactly the limit is had, one more is not, and a limit below what is used gives none. */
static void B3_limits_are_exact(void **state)
{
	a->limit = LIMIT;
	assert_false(account_charge(PAYER_OTHERS, ACCOUNT_PAGES, LIMIT + 1));
	assert_true(account_charge(PAYER_OTHERS, ACCOUNT_PAGES, LIMIT));
	assert_true(account_charge(PAYER_OTHERS, ACCOUNT_PAGES, 0));
	assert_false(account_charge(PAYER_OTHERS, ACCOUNT_PAGES, 1));
	a->limit = LIMIT - 1;
	assert_false(account_charge(PAYER_OTHERS, ACCOUNT_PAGES, 0));
	assert_int_equal(a->used, LIMIT);
	account_uncharge(PAYER_OTHERS, ACCOUNT_PAGES, LIMIT);
	a->limit = UNLIMITED;
	assert_true(account_charge(PAYER_OTHERS, ACCOUNT_PAGES, INT32_MAX));
	account_uncharge(PAYER_OTHERS, ACCOUNT_PAGES, INT32_MAX);
}

/* What limits(5) promises. A machine with few pages keeps no more than it has. */
static void B3_the_limits_at_the_start(void **state)
{
	for (int r = 0; r < NRESOURCE; r++)
		assert_int_equal(accounts[r][PAYER_OWNER].limit, UNLIMITED);
	assert_int_equal(accounts[ACCOUNT_PROCESSES][PAYER_OTHERS].limit, 64);
	assert_int_equal(accounts[ACCOUNT_FILES][PAYER_OTHERS].limit, 1024);
	assert_int_equal(accounts[ACCOUNT_MOUNTS][PAYER_OTHERS].limit, 1024);
	account_init(10001);
	assert_int_equal(a->limit, 5000);
	assert_int_equal(account_reserve[PAYER_OTHERS], 256);
	assert_int_equal(account_reserve[PAYER_OWNER], 64);
	account_init(100);
	assert_int_equal(account_reserve[PAYER_OTHERS], 100);
	assert_int_equal(account_reserve[PAYER_OWNER], 64);
	account_init(10);
	assert_int_equal(account_reserve[PAYER_OWNER], 10);
	a->limit = UNLIMITED;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(B3_the_limits_at_the_start),
		cmocka_unit_test(B3_a_refused_request_refuses_no_other),
		cmocka_unit_test(B3_limits_are_exact),
	};

	return RUN(tests, NULL, NULL);
}
