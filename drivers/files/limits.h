/* The file limits of `#c`: limits(5). */
#pragma once

#include "kernel/dev.h"

#define LIMITS_SIZE 512 /* bytes of text at most */

/* A picture_fill: USER RESOURCE USED LIMIT, a line for each, with "-" where there is no limit. */
ssize_t limits_text(struct chan *c, char *s, size_t size);
extern const struct cmd_list limits_words; /* USER RESOURCE LIMIT, by the owner */
