/*
 * Accounts: what each user of the machine has taken of what there is only so much of, and the most
 * that he may take. Whatever a user takes is charged here first, whichever call takes it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "kernel/abi/stat.h"

/* limits(5) has these under the same names, in this order. */
enum resource {
	ACCOUNT_PROCESSES, /* zombies too */
	ACCOUNT_FILES,	   /* open ones, counted once however many processes share them */
	ACCOUNT_MOUNTS,	   /* members of unions */
	ACCOUNT_PAGES,	   /* of memory, in use or promised: see frame.c */
	NRESOURCE
};

#define UNLIMITED UINT32_MAX

struct account {
	const char *user;
	uint32_t reserve;	   /* pages that it leaves to others */
	uint32_t used[NRESOURCE];  /* atomic */
	uint32_t limit[NRESOURCE]; /* atomic; UNLIMITED: none */
};

/* By number: 0 the host owner's, which also pays for what belongs to nobody; 1 everybody else's. */
#define NACCOUNT 2
extern struct account accounts[NACCOUNT];
#define ACCOUNT_OWNER (&accounts[0])

/* Set the default limits on a machine with so many free pages. */
void account_init(uint32_t pages);

/* Charge n to the account; false, and nothing is charged, if that is more than it may have. */
static inline bool account_take(struct account *a, enum resource r, uint32_t n)
{
	uint32_t now = __atomic_add_fetch(&a->used[r], n, __ATOMIC_RELAXED);

	if (now <= __atomic_load_n(&a->limit[r], __ATOMIC_RELAXED))
		return true;
	__atomic_sub_fetch(&a->used[r], n, __ATOMIC_RELAXED);
	return false;
}

/* Take n back from the account. */
static inline void account_give(struct account *a, enum resource r, uint32_t n)
{
	__atomic_sub_fetch(&a->used[r], n, __ATOMIC_RELAXED);
}

/* Have another account pay for what this one has paid for; false, as account_take(). */
static inline bool account_move(struct account *from, struct account *to, enum resource r,
				uint32_t n)
{
	if (!account_take(to, r, n))
		return false;
	account_give(from, r, n);
	return true;
}
