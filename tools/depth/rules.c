/* What is said of stacks in a text file: see rules.h. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tools/depth/rules.h"
#include "tools/memory.h"
#include "tools/slurp.h"

/* The words that lines begin with, and how many must follow. */
static const struct {
	const char *word;
	size_t least;
} kinds[] = {
	[RULE_CALLS] = {"calls", 1},	 [RULE_HOLDS] = {"holds", 2},
	[RULE_PADS] = {"pads", 1},	 [RULE_SWITCHES] = {"switches", 1},
	[RULE_ENDS] = {"ends", 1},	 [RULE_IGNORE] = {"ignore", 1},
	[RULE_RECURSION] = {"recursion", 3}, [RULE_ENTRY] = {"entry", 3},
	[RULE_TRAPS] = {"traps", 2},	 [RULE_STACK] = {"stack", 4},
	[RULE_EACH] = {"each", 2},
};

#define NKIND (sizeof(kinds) / sizeof(kinds[0]))

/* Which words of a line are numbers. */
static const unsigned numbers[NKIND] = {
	[RULE_RECURSION] = 1u << 1,
	[RULE_ENTRY] = 1u << 1,
	[RULE_STACK] = 1u << 1 | 1u << 2,
};

/* Add the words of a line to a rule. */
static void add_words(struct rule *r, char *line)
{
	char *rest, *word;

	for (word = strtok_r(line, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
		r->word = memory_grow(r->word, &r->room, r->n + 2, sizeof(*r->word));
		r->word[r->n++] = word;
		r->word[r->n] = NULL;
	}
}

/* Begin a rule with its first line. */
static int rules_begin(struct rules *r, char *line, unsigned number, struct complaint *why)
{
	size_t n = strcspn(line, " \t"), k = 0;

	for (; k < NKIND; k++)
		if (strlen(kinds[k].word) == n && memcmp(kinds[k].word, line, n) == 0)
			break;
	if (k == NKIND)
		return complain(why, "%s:%u: no rule begins with \"%.*s\"", r->path, number,
				(int)n, line);
	r->rule = memory_grow(r->rule, &r->room, r->n + 1, sizeof(*r->rule));
	r->rule[r->n] = (struct rule){.kind = (enum rule_kind)k, .line = number};
	add_words(&r->rule[r->n++], line + n);
	return 0;
}

/* Check what a rule consists of. */
static int rules_check(const struct rules *r, const struct rule *rule, struct complaint *why)
{
	char *end;

	if (rule->n < kinds[rule->kind].least)
		return complain(why, "%s:%u: \"%s\" needs more words", r->path, rule->line,
				kinds[rule->kind].word);
	for (size_t i = 0; i < rule->n && i < 3; i++) {
		if (!(numbers[rule->kind] >> i & 1))
			continue;
		unsigned long v = strtoul(rule->word[i], &end, 10);
		if (*end || !isdigit((unsigned char)*rule->word[i]) || v > 1u << 20)
			return complain(why, "%s:%u: %s is no number", r->path, rule->line,
					rule->word[i]);
	}
	return 0;
}

int rules_read(struct rules *r, const char *path, struct complaint *why)
{
	unsigned number = 0;
	size_t size;
	int bad;

	*r = (struct rules){.path = path};
	if (slurp(path, (uint8_t **)&r->text, &size, why))
		return -1;
	bad = 0;
	if (strlen(r->text) != size)
		bad = complain(why, "%s: no text", path);
	for (char *line = r->text, *next; !bad && *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		line[strcspn(line, "#")] = 0;
		number++;
		if (!line[strspn(line, " \t")])
			continue;
		if (!isblank((unsigned char)*line))
			bad = rules_begin(r, line, number, why);
		else if (r->n > 0)
			add_words(&r->rule[r->n - 1], line);
		else
			bad = complain(why, "%s:%u: no rule to go on with", path, number);
	}
	for (size_t i = 0; !bad && i < r->n; i++)
		bad = rules_check(r, &r->rule[i], why);
	if (bad)
		rules_free(r);
	return bad;
}

void rules_free(struct rules *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->rule[i].word);
	free(r->rule);
	free(r->text);
}
