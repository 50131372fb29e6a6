/* The limits that accounts begin with; account.h has what charges them, inline. */
#include "kernel/memory/account.h"
#include "kernel/machine/string.h"

/* Defaults for everybody but the owner. */
#define MAXPROCS 64
#define MAXFILES 1024
#define MAXMOUNTS 1024

/* Pages that are kept, on a machine that has them. */
#define OWNER_RESERVE 256u /* for the owner: a shell and a few commands */
#define FIRST_RESERVE 64u  /* for the first process */

struct account accounts[NRESOURCE][NPAYER] = {
	[ACCOUNT_PROCESSES] = {[PAYER_OWNER].limit = UNLIMITED, [PAYER_OTHERS].limit = MAXPROCS},
	[ACCOUNT_FILES] = {[PAYER_OWNER].limit = UNLIMITED, [PAYER_OTHERS].limit = MAXFILES},
	[ACCOUNT_MOUNTS] = {[PAYER_OWNER].limit = UNLIMITED, [PAYER_OTHERS].limit = MAXMOUNTS},
	[ACCOUNT_PAGES] = {[PAYER_OWNER].limit = UNLIMITED, [PAYER_OTHERS].limit = UNLIMITED},
};
const char *const account_user[NPAYER] = {[PAYER_OWNER] = "eve", [PAYER_OTHERS] = "none"};
uint32_t account_reserve[NPAYER];

/* Until then there are no reserves: what the machine needs to start, it may have. */
void account_init(uint32_t pages)
{
	account_reserve[PAYER_OWNER] = min_size(FIRST_RESERVE, pages);
	account_reserve[PAYER_OTHERS] = min_size(OWNER_RESERVE, pages);
	accounts[ACCOUNT_PAGES][PAYER_OTHERS].limit = pages / 2;
}
