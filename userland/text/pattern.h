/* Regular expressions: compiled to a small program, matched in time linear in the text. */
#ifndef USERLAND_TEXT_PATTERN_H
#define USERLAND_TEXT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct pattern;

struct pattern *pattern_compile(const char *text, bool extended, bool fold, const char **error);
bool pattern_match(struct pattern *p, const char *line, size_t n);
void pattern_free(struct pattern *p);

#endif
