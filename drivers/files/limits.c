/* What users have and may have of what there is only so much of, as text: see limits.h. */
#include "drivers/files/limits.h"
#include "kernel/account.h"
#include "kernel/lib.h"
#include "kernel/picture.h"

static const char *const resources[NRESOURCE] = {
	[ACCOUNT_PROCESSES] = "processes",
	[ACCOUNT_FILES] = "files",
	[ACCOUNT_MOUNTS] = "mounts",
	[ACCOUNT_PAGES] = "pages",
};

int show_limits(struct chan *, struct picture *to)
{
	for (unsigned i = 0; i < NACCOUNT * NRESOURCE; i++) {
		const struct account *a = &accounts[i / NRESOURCE];
		unsigned r = i % NRESOURCE;
		char limit[12] = "-";

		if (a->limit[r] != UNLIMITED)
			snprintf(limit, sizeof(limit), "%u", a->limit[r]);
		picture_print(to, "%s %s %u %s\n", a->user, resources[r], a->used[r], limit);
	}
	return 0;
}

/* Set a limit. What is in use beyond a lower one stays; only no more is given. */
static int set_limit(struct chan *, const struct cmd_words *msg)
{
	uint32_t limit = UNLIMITED;
	struct account *a = accounts;

	if (strcmp(msg->word[2], "-") != 0 &&
	    (!parse_uint(msg->word[2], &limit) || limit == UNLIMITED))
		return -EINVAL;
	while (strcmp(a->user, msg->word[0]) != 0)
		a++; /* the words of the table below are all users */
	for (unsigned r = 0; r < NRESOURCE; r++) {
		if (strcmp(resources[r], msg->word[1]) == 0) {
			__atomic_store_n(&a->limit[r], limit, __ATOMIC_RELAXED);
			return 0;
		}
	}
	return -EINVAL;
}

static const struct cmd words[NACCOUNT] = {
	{"eve", 2, 2, set_limit},
	{"none", 2, 2, set_limit},
};

const struct cmd_list limits_words = {words, NACCOUNT, NULL};
