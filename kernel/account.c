/* Who pays for what: see account.h. There are two kinds of user, so there are two accounts. */
#include "kernel/account.h"

/* Defaults for everybody but the owner. */
#define MAXPROCESSES 64
#define MAXFILES 1024
#define MAXMOUNTS 1024

#define OWNER_RESERVE 256u /* pages kept for the owner: a shell and a few commands */
#define FIRST_RESERVE 64u  /* pages kept for the first process */

struct account accounts[NACCOUNT] = {
	{.user = "eve", .limit = {UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED}},
	{.user = "none", .limit = {MAXPROCESSES, MAXFILES, MAXMOUNTS, UNLIMITED}},
};

/* Until then there are no reserves: what the machine needs to start, it may have. */
void account_init(uint32_t pages)
{
	ACCOUNT_OWNER->reserve = FIRST_RESERVE;
	accounts[1].reserve = OWNER_RESERVE;
	accounts[1].limit[ACCOUNT_PAGES] = pages / 2;
}
