/* Reads how many ticks were lost: see loss.h; in words, formats/ticks.c. */
#include "userland/profile/loss.h"

#include <stdlib.h>
#include <string.h>

/* Return how many bytes the lines have that begin a text and that are comments. */
static size_t comments_length(const char *text)
{
	const char *at = text;

	while (*at == '#') {
		at += strcspn(at, "\n");
		if (*at)
			at++;
	}
	return (size_t)(at - text);
}

/* Take a word that is not of a single CPU. */
static void take_word(struct loss *l, const struct ticks_word *w)
{
	const struct {
		const char *key;
		uint64_t *to;
	} numbers[] = {
		{"hz", &l->hz},
		{"period_us", &l->period_us},
		{"elapsed_us", &l->elapsed_us},
		{"ticks", &l->all.taken},
		{"lost", &l->all.lost},
	};

	if (ticks_is(w, "clock"))
		ticks_copy(w, l->clock, sizeof(l->clock));
	if (ticks_is(w, "delivery"))
		ticks_copy(w, l->delivery, sizeof(l->delivery));
	if (ticks_is(w, "start"))
		l->start = strtoull(w->value, NULL, 16);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (ticks_is(w, numbers[i].key))
			ticks_number(w, numbers[i].to);
}

bool loss_parse(struct loss *l, const char *text, const char *profiler)
{
	struct ticks_text t;
	struct ticks_word w;

	memset(l, 0, sizeof(*l));
	ticks_text_init(&t, text, comments_length(text), profiler);
	while (ticks_next(&t, &w)) {
		if (!w.single) {
			take_word(l, &w);
			continue;
		}
		ticks_take(l->cpu, &w);
		if (w.cpu < TICKS_MAXCPU && w.cpu >= l->ncpu)
			l->ncpu = (uint32_t)w.cpu + 1;
	}
	if (*l->clock)
		return true;
	memset(l, 0, sizeof(*l));
	return false;
}

/* Subtract one count of ticks from another. */
static void subtract(struct ticks *t, const struct ticks *before)
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

const char *loss_line(const struct loss *l, const char *what, char out[static TICKS_LINE])
{
	return ticks_lost(&l->all, what, 0, ticks_helps(l->clock, l->ncpu), out);
}
