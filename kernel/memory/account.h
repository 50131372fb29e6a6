/*
 * Accounts: how much of each limited thing a user of the machine has taken, and the most that they
 * may take. Whatever a user takes is charged here first, whichever call takes it.
 */
#pragma once

#include <stdbool.h>
#include "kernel/abi/stat.h"
#include "kernel/machine/check.h"

/* limits(5) has these under the same names, in this order. */
enum resource {
	ACCOUNT_PROCESSES, /* zombies too */
	ACCOUNT_FILES,	   /* open ones, counted once however many processes share them */
	ACCOUNT_MOUNTS,	   /* members of unions */
	ACCOUNT_PAGES,	   /* of memory, in use or promised: see frame.c */
	NRESOURCE
};

#define UNLIMITED UINT32_MAX

/*
 * The user who pays, by number. The owner also pays for what belongs to nobody. NONE: nothing is
 * charged, or it was charged before, when it was promised.
 */
enum payer { PAYER_NONE, PAYER_OWNER, PAYER_OTHERS, NPAYER };

/* What somebody has taken of one resource, and the most that they may take. */
struct account {
	uint32_t used;	/* atomic */
	uint32_t limit; /* atomic; UNLIMITED: none */
};

extern struct account accounts[NRESOURCE][NPAYER];
extern const char *const account_user[NPAYER]; /* names */
extern uint32_t account_reserve[NPAYER]; /* pages that they leave to others: at most all */

/* Return who pays for what a user has. */
static inline enum payer payer_of(int uid)
{
	if (uid == UID_EVE)
		return PAYER_OWNER;
	return PAYER_OTHERS;
}

/* Set the default limits on a machine with this many free pages. */
void account_init(uint32_t pages);

/* Return how much of a limited thing is left. More than the limit may be in use: 0. */
static inline uint32_t limited_left(uint32_t used, uint32_t limit)
{
	return limit > used ? limit - used : 0;
}

/*
 * Add n to what is used of something limited; false, and nothing is added, if that would be more
 * than limit. What is refused is not added even for a moment: on another CPU it would refuse a
 * smaller request for which there is room.
 */
static inline bool limited_take(uint32_t *used, uint32_t n, uint32_t limit)
{
	uint32_t now = __atomic_load_n(used, __ATOMIC_RELAXED);

	do
		if (now + n > limit) /* there are not 2^31 of anything: this does not overflow */
			return false;
	while (!__atomic_compare_exchange_n(used, &now, now + n, true, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED));
	return true;
}

/*
 * Charge n for what takes the place of something that has charged `old`, which is given back after
 * that: only the difference needs room. What is smaller never needs any.
 */
static inline bool account_replace(enum payer payer, enum resource r, uint32_t n, uint32_t old)
{
	struct account *a = &accounts[r][payer];
	uint32_t limit = __atomic_load_n(&a->limit, __ATOMIC_RELAXED);

	if (n > old && check_refuses())
		return false;
	if (n < old || limit > UNLIMITED - old)
		limit = UNLIMITED - old;
	return limited_take(&a->used, n, limit + old);
}

/* Charge n to the account; false, and nothing is charged, if that is more than it may have. */
static inline bool account_charge(enum payer payer, enum resource r, uint32_t n)
{
	return account_replace(payer, r, n, 0);
}

/* Take n back from the account. */
static inline void account_uncharge(enum payer payer, enum resource r, uint32_t n)
{
	__atomic_sub_fetch(&accounts[r][payer].used, n, __ATOMIC_RELAXED);
}

/* Have another account pay for what this one has paid for; false, as account_charge(). */
static inline bool account_move(enum payer from, enum payer to, enum resource r, uint32_t n)
{
	if (!account_charge(to, r, n))
		return false;
	account_uncharge(from, r, n);
	return true;
}
