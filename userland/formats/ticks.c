/* What is said of ticks that were lost, by the guest and by the host: see ticks.h. */
#include "userland/formats/ticks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void ticks_text_init(struct ticks_text *t, const char *text, size_t n, const char *profiler)
{
	*t = (struct ticks_text){.next = text, .end = text + n, .profiler = profiler};
}

/* Return whether a character stands between words. */
static bool is_blank(char c)
{
	return c == ' ' || c == '#' || c == '\n';
}

/* Go to the next character that begins a word. The end of a line ends what is said of a CPU. */
static bool skip_blanks(struct ticks_text *t)
{
	while (t->next < t->end && is_blank(*t->next)) {
		if (*t->next == '\n')
			t->single = false;
		t->next++;
	}
	return t->next < t->end;
}

/* Take the next word. Return whether it has an equals sign. */
static bool take_word(struct ticks_text *t, struct ticks_word *w)
{
	const char *end = t->next, *equals;

	while (end < t->end && *end != ' ' && *end != '\n')
		end++;
	w->key = t->next;
	t->next = end;
	equals = memchr(w->key, '=', (size_t)(end - w->key));
	if (!equals)
		return false;
	w->nkey = (size_t)(equals - w->key);
	w->value = equals + 1;
	w->nvalue = (size_t)(end - w->value);
	return true;
}

/* Return whether n bytes are a string. */
static bool same(const char *at, size_t n, const char *string)
{
	return strlen(string) == n && memcmp(at, string, n) == 0;
}

bool ticks_is(const struct ticks_word *w, const char *key)
{
	return same(w->key, w->nkey, key);
}

bool ticks_next(struct ticks_text *t, struct ticks_word *w)
{
	while (skip_blanks(t)) {
		if (!take_word(t, w))
			continue;
		if (ticks_is(w, "profiler"))
			t->other = !same(w->value, w->nvalue, t->profiler);
		if (t->other)
			continue;
		if (ticks_is(w, "cpu")) {
			t->single = true;
			t->cpu = TICKS_MAXCPU;
			ticks_number(w, &t->cpu);
			continue;
		}
		w->single = t->single;
		w->cpu = t->cpu;
		return true;
	}
	return false;
}

void ticks_number(const struct ticks_word *w, uint64_t *v)
{
	uint64_t n = 0;

	for (size_t i = 0; i < w->nvalue; i++) {
		unsigned digit = (unsigned)w->value[i] - '0';

		if (digit > 9 || n > (UINT64_MAX - digit) / 10)
			return;
		n = n * 10 + digit;
	}
	if (w->nvalue > 0)
		*v = n;
}

void ticks_copy(const struct ticks_word *w, char *to, size_t size)
{
	size_t n = w->nvalue;

	if (n >= size)
		n = size - 1;
	memcpy(to, w->value, n);
	memset(to + n, 0, size - n);
}

void ticks_take(struct ticks cpu[static TICKS_MAXCPU], const struct ticks_word *w)
{
	if (w->cpu >= TICKS_MAXCPU)
		return;
	if (ticks_is(w, "ticks"))
		ticks_number(w, &cpu[w->cpu].taken);
	if (ticks_is(w, "lost"))
		ticks_number(w, &cpu[w->cpu].lost);
}

/* Damaged numbers may be of any size: return the largest number for a sum that is too large. */
static uint64_t sum(uint64_t a, uint64_t b)
{
	if (a > UINT64_MAX - b)
		return UINT64_MAX;
	return a + b;
}

unsigned ticks_permille(const struct ticks *t)
{
	uint64_t lost = t->lost, due = sum(t->taken, lost);

	if (lost <= due / 100)
		return 0;
	for (; due > UINT64_MAX / 1024; due /= 2)
		lost /= 2;
	return (unsigned)((lost * 1000 + due / 2) / due);
}

/* With one CPU, both clocks lose the same, and no other CPU takes turns from it. */
unsigned ticks_helps(const char *clock, uint64_t ncpu)
{
	unsigned helps = TICKS_TURNS | TICKS_QEMU | TICKS_RATE;

	if (ncpu == 1)
		return TICKS_ICOUNT | TICKS_RATE;
	if (strcmp(clock, "lapic") != 0)
		helps |= TICKS_LAPIC;
	return helps;
}

/* "A", "A, or B", "A, B, or C" */
const char *ticks_advice(unsigned helps, char out[static TICKS_ADVICE])
{
	static const char *const ways[] = {
		"with profclock=lapic", "by `gnomon run --icount 3'", "with turns=on",
		"by QEMU 8.1 or later", "at a lower rate",
	};
	unsigned left = helps;

	*out = 0;
	for (unsigned i = 0; left; i++, left >>= 1) {
		if (!(left & 1))
			continue;
		if (*out && left == 1)
			strcat(out, ", or ");
		else if (*out)
			strcat(out, ", ");
		strcat(out, ways[i]);
	}
	return out;
}

/* Write how long a number of ticks is, in seconds with two decimals. */
static const char *seconds(uint64_t ticks, uint64_t period_us, char out[static 32])
{
	uint64_t hundredths = UINT64_MAX / 10000;

	if (ticks <= (UINT64_MAX - 5000) / period_us)
		hundredths = (ticks * period_us + 5000) / 10000;
	snprintf(out, 32, "%" PRIu64 ".%02u s", hundredths / 100, (unsigned)(hundredths % 100));
	return out;
}

const char *ticks_lost(const struct ticks *t, const char *what, uint64_t period_us, unsigned helps,
		       char out[static TICKS_LINE])
{
	uint64_t due = sum(t->taken, t->lost);
	unsigned permille = ticks_permille(t);
	char taken[32], all[32], span[80] = "", advice[TICKS_ADVICE];
	int n;

	*out = 0;
	if (!permille)
		return out;
	if (period_us)
		snprintf(span, sizeof(span), ", %s of %s", seconds(t->taken, period_us, taken),
			 seconds(due, period_us, all));
	n = snprintf(out, TICKS_LINE, "lost: %u.%u %% of the ticks that were due, ",
		     permille / 10, permille % 10);
	n += snprintf(out + n, (size_t)(TICKS_LINE - n), "%" PRIu64 " of %" PRIu64 "; %s are of "
		      "the %" PRIu64 " taken", t->lost, due, what, t->taken);
	snprintf(out + n, (size_t)(TICKS_LINE - n), "%s; fewer are lost %s", span,
		 ticks_advice(helps, advice));
	return out;
}
