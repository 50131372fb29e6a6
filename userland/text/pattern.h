/* Regular expressions: compiled to a small program, matched in time linear in the text. */
#ifndef USERLAND_TEXT_PATTERN_H
#define USERLAND_TEXT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct pattern;

/*
 * Compile a regular expression of POSIX.1, chapter 9, basic or extended; fold says that case does
 * not matter. Return NULL, with *error saying why, if it is wrong or has what is not supported:
 * {n,m}, back-references and classes such as [:alpha:]. The caller ends with pattern_free.
 */
struct pattern *pattern_compile(const char *text, bool extended, bool fold, const char **error);

/* Return whether the pattern matches anywhere in a line of n bytes, given without its newline. */
bool pattern_match(struct pattern *p, const char *line, size_t n);

/*
 * Return whether the pattern matches something at byte *at of such a line or after it: of what
 * begins first, the longest that is not empty. *at gets where it begins, *len its bytes. The time
 * for this grows with the product of the lengths of line and match.
 */
bool pattern_find(struct pattern *p, const char *line, size_t n, size_t *at, size_t *len);

void pattern_free(struct pattern *p);

#endif
