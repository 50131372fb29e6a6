/* Which paths of a profile are shown, and which of their functions: --focus, --ignore, --hide. */
#ifndef TOOLS_REPORT_SIEVE_H
#define TOOLS_REPORT_SIEVE_H

#include <regex.h>
#include <stdbool.h>
#include "tools/complaint.h"
#include "tools/option.h"
#include "tools/profile/functions.h"
#include "tools/profile/profdata.h"

/* An extended regular expression of POSIX, searched for in FUNCTION and in MODULE:FUNCTION. */
struct sieve_pattern {
	const char *text; /* NULL: none was given */
	regex_t compiled;
};

struct sieve {
	struct sieve_pattern focus;  /* keep only paths that have such a function */
	struct sieve_pattern ignore; /* drop paths that have one */
	struct sieve_pattern hide;   /* take such functions out of their paths */
};

/* Options: take an expression into a struct sieve_pattern. */
option_take sieve_focus, sieve_ignore, sieve_hide;

/* Return whether any was given. */
bool sieve_given(const struct sieve *s);

/*
 * Apply the patterns to a profile and its functions. What was counted in a hidden function is its
 * caller's then; without a caller it is its mode's, such as "[kernel]". Of a profile without paths,
 * a sample's function is its path, and arcs are kept by what they call. Return 0, or -1 and *why,
 * without the file's name: nothing is left, or there are no paths to hide functions in.
 */
int sieve_apply(const struct sieve *s, struct profdata *p, struct functions *f,
		struct complaint *why);

/* Free what the options have taken. */
void sieve_free(struct sieve *s);

#endif
