/* What prfpr(8) prints of a log; one source, so that guest and host print the same. */
#include "userland/formats/prflog.h"
#include "userland/formats/ticks.h"

#define HUNDRED 10000u /* per cent, in hundredths */
#define DAY 86400

/* A line being made; one that is too long is cut. */
struct line {
	char text[512];
	size_t n;
};

static void put(struct line *l, char c)
{
	if (l->n < sizeof(l->text))
		l->text[l->n++] = c;
}

static void put_text(struct line *l, const char *s)
{
	while (*s)
		put(l, *s++);
}

/* Put a number in a base, with at least `digits` digits. */
static void put_number(struct line *l, uint64_t v, unsigned base, unsigned digits)
{
	if (v >= base || digits > 1)
		put_number(l, v / base, base, digits > 1 ? digits - 1 : 1);
	put(l, "0123456789abcdef"[v % base]);
}

/* Write the line, and begin another. */
static void flush(const struct prfreport *r, struct line *l)
{
	if (l->n == sizeof(l->text))
		l->n--;
	put(l, '\n');
	r->put(r->arg, l->text, l->n);
	l->n = 0;
}

/*
 * The date of a day counted from 1970. Years begin in March here, so that the leap day is
 * the last of them: 400 of them have 146097 days, and month m begins with day
 * (153 m + 2) / 5.
 */
static void put_date(struct line *l, uint32_t day)
{
	uint32_t d = day + 719468, era = d / 146097, year, month;

	d %= 146097;
	year = (d - d / 1460 + d / 36524 - d / 146096) / 365;
	d -= 365 * year + year / 4 - year / 100;
	month = (5 * d + 2) / 153;
	d -= (153 * month + 2) / 5;
	put_number(l, era * 400 + year + (month >= 10), 10, 4);
	put(l, '-');
	put_number(l, month < 10 ? month + 3 : month - 9, 10, 2);
	put(l, '-');
	put_number(l, d + 1, 10, 2);
}

/* Put a moment, UTC. A time that no clock of ours can have shown is a plain number. */
static void put_time(struct line *l, int64_t seconds)
{
	uint32_t rest = (uint32_t)((uint64_t)seconds % DAY);

	if (seconds < 0 || seconds >= (int64_t)1 << 36) {
		put_text(l, "time 0x");
		put_number(l, (uint32_t)((uint64_t)seconds >> 32), 16, 8);
		put_number(l, (uint32_t)seconds, 16, 8);
		return;
	}
	put_date(l, (uint32_t)((uint64_t)seconds / DAY));
	put(l, ' ');
	put_number(l, rest / 3600, 10, 2);
	put(l, ':');
	put_number(l, rest / 60 % 60, 10, 2);
	put(l, ':');
	put_number(l, rest % 60, 10, 2);
}

/* Put the name of counter i: its symbol, or its address if it has none. */
static void put_name(const struct prfreport *r, struct line *l, const struct prflog_snap *s,
		     uint32_t i)
{
	const char *name = i == s->n ? "user" : "idle";

	if (i < s->n)
		name = r->name(r->arg, prflog_number(s->address, i));
	if (name) {
		put_text(l, name);
		return;
	}
	put_text(l, "0x");
	put_number(l, prflog_number(s->address, i), 16, 8);
}

/* Say why there are no numbers. */
static void print_change(const struct prfreport *r, const struct prflog_snap *to,
			 enum prflog_change change)
{
	static const char *const what[] = {
		[PRFLOG_BOOT] = ": the system was started anew; counting from here",
		[PRFLOG_RELOAD] = ": other addresses were loaded; counting from here",
		[PRFLOG_CLEARED] = ": the counters were zeroed; counting from here",
	};
	struct line l = {.n = 0};

	put_time(&l, to->seconds);
	put_text(&l, what[change]);
	flush(r, &l);
}

/* Put hundredths. */
static void put_hundredths(struct line *l, uint32_t v)
{
	put_number(l, v / 100, 10, 1);
	put(l, '.');
	put_number(l, v % 100, 10, 2);
}

/* Say how much the shares do not cover, if that is more than one tick in a hundred. */
static void print_lost(const struct prfreport *r, const struct prflog_snap *from,
		       const struct prflog_snap *to, uint32_t minor)
{
	char source[PRFLOG_SOURCE], said[TICKS_LINE];
	struct line l = {.n = 0};
	struct ticks between;

	prflog_lost(from, to, minor, &between);
	prflog_source(to, source);
	put_text(&l, ticks_lost(&between, "shares", 0, ticks_helps(source, to->ncpu), said));
	if (l.n > 0)
		flush(r, &l);
}

/* Print when two successive snapshots were, and who had how much of the ticks between. */
static void print_pair(const struct prfreport *r, const struct prflog_snap *from,
		       const struct prflog_snap *to, uint32_t minor)
{
	uint64_t total = prflog_total(from, to);
	struct line l = {.n = 0};

	put_time(&l, from->seconds);
	put_text(&l, "  ");
	put_time(&l, to->seconds);
	flush(r, &l);
	print_lost(r, from, to, minor);
	for (uint32_t i = 0; i < to->n + 2; i++) {
		uint64_t part = (uint64_t)prflog_ticks(from, to, i) * HUNDRED;
		uint32_t share;

		if (part == 0 || part <= r->cutoff * total)
			continue;
		share = (uint32_t)((part + total / 2) / total);
		put_name(r, &l, to, i);
		put(&l, ' ');
		put_hundredths(&l, share);
		flush(r, &l);
	}
}

/* Print all pairs of successive snapshots. */
int prfreport(const struct prfreport *r, struct prflog *l)
{
	struct prflog_snap from, to;
	int got = prflog_next(l, &from);

	while (got > 0 && (got = prflog_next(l, &to)) > 0) {
		enum prflog_change change = prflog_change(&from, &to, l->head.rate);

		if (change == PRFLOG_SAME)
			print_pair(r, &from, &to, l->head.minor);
		else
			print_change(r, &to, change);
		from = to;
	}
	return got;
}

/* Read at most three digits, and two more after a point. */
int prfreport_cutoff(const char *text, uint32_t *cutoff)
{
	uint32_t v = 0;
	unsigned digits = 0, decimals = 0;

	for (; *text >= '0' && *text <= '9' && digits < 3; digits++)
		v = v * 10 + (uint32_t)(*text++ - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9' && decimals < 2; decimals++)
			v = v * 10 + (uint32_t)(*text++ - '0');
	if (digits + decimals == 0 || *text)
		return -1;
	for (; decimals < 2; decimals++)
		v *= 10;
	*cutoff = v;
	return v <= HUNDRED ? 0 : -1;
}
