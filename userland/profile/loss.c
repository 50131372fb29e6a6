/* Reads and tells how many ticks were lost: see loss.h. */
#include "userland/profile/loss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return what follows a key in a line, or NULL. */
static const char *value(const char *line, const char *key)
{
	const char *at = strstr(line, key), *end = strchr(line, '\n');

	return at && (!end || at < end) ? at + strlen(key) : NULL;
}

static uint64_t number(const char *line, const char *key)
{
	const char *at = value(line, key);

	return at ? strtoull(at, NULL, 10) : 0;
}

/* Copy a word, or what there is room for. */
static void word(char to[8], const char *line, const char *key)
{
	const char *at = value(line, key);
	size_t n = at ? strcspn(at, " \n") : 0;

	snprintf(to, 8, "%.*s", (int)n, at ? at : "");
}

/* Return the line after this one, or NULL. */
static const char *next(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

/* Find the line of a profiler's clock. */
static const char *find(const char *line, const char *profiler)
{
	size_t n = profiler ? strlen(profiler) : 0;

	for (; line && *line == '#'; line = next(line)) {
		const char *name = value(line, " profiler=");

		if (value(line, " clock=") &&
		    (!n || (name && strncmp(name, profiler, n) == 0 && name[n] == ' ')))
			return line;
	}
	return NULL;
}

bool loss_parse(struct loss *l, const char *text, const char *profiler)
{
	const char *line = find(text, profiler), *start = value(text, " start=");

	memset(l, 0, sizeof(*l));
	if (!line)
		return false;
	l->start = start ? strtoull(start, NULL, 16) : 0;
	word(l->clock, line, " clock=");
	word(l->delivery, line, " delivery=");
	l->hz = (uint32_t)number(line, " hz=");
	l->period_us = (uint32_t)number(line, " period_us=");
	l->elapsed_us = number(line, " elapsed_us=");
	l->all = (struct loss_ticks){number(line, " ticks="), number(line, " lost=")};
	while ((line = next(line)) && strncmp(line, "# cpu=", 6) == 0 && l->ncpu < LOSS_MAXCPU)
		l->cpu[l->ncpu++] =
			(struct loss_ticks){number(line, " ticks="), number(line, " lost=")};
	return true;
}

/* Subtract one count of ticks from another. */
static void subtract(struct loss_ticks *t, const struct loss_ticks *before)
{
	if (t->taken < before->taken || t->lost < before->lost)
		return;
	t->taken -= before->taken;
	t->lost -= before->lost;
}

void loss_since(struct loss *l, const struct loss *before)
{
	subtract(&l->all, &before->all);
	for (unsigned i = 0; i < l->ncpu; i++)
		subtract(&l->cpu[i], &before->cpu[i]);
	if (l->elapsed_us >= before->elapsed_us)
		l->elapsed_us -= before->elapsed_us;
}

unsigned loss_permille(const struct loss *l)
{
	uint64_t lost = l->all.lost, due = l->all.taken + lost;

	return lost > due / 100 ? (unsigned)((lost * 1000 + due / 2) / due) : 0;
}

/* With one processor, either clock loses as few. */
const char *loss_remedy(const struct loss *l)
{
	if (l->ncpu > 1 && strcmp(l->clock, "lapic") != 0)
		return "with profclock=lapic, with --icount, or at a lower rate";
	return "with --icount, or at a lower rate";
}

const char *loss_line(const struct loss *l, const char *what, char out[LOSS_LINE])
{
	unsigned permille = loss_permille(l);

	*out = 0;
	if (permille)
		snprintf(out, LOSS_LINE, "lost: %u.%u %% of the ticks that were due, %llu of %llu; "
			 "%s are of the %llu taken; fewer are lost %s\n", permille / 10,
			 permille % 10, (unsigned long long)l->all.lost,
			 (unsigned long long)(l->all.taken + l->all.lost), what,
			 (unsigned long long)l->all.taken, loss_remedy(l));
	return out;
}
