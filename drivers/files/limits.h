/* The file limits of `#c`: limits(5). */
#pragma once

#include "kernel/dev.h"

/* Show USER RESOURCE USED LIMIT, a line for each, with "-" where there is no limit. */
int show_limits(struct chan *c, struct picture *to);
extern const struct cmd_list limits_words; /* USER RESOURCE LIMIT, by the owner */
