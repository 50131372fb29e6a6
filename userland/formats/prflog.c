/*
 * The log of prf's counters: prf(4). All numbers are little-endian.
 *
 * A head; then records, each with its kind, its length and checksums: LOAD holds the
 * addresses, TICK what the clock has done, SNAP a time, which is also TICK's, and the
 * counters of the addresses last loaded. Version 1 had no TICK. A record's first
 * bytes have a checksum of their own, which tells a length that was damaged from one that
 * goes past the file's end because a write was interrupted.
 */
#include "userland/formats/prflog.h"
#include "userland/formats/crc32.h"
#include "userland/formats/le.h"

#define VERSION 2

/* TICK has numbers of 8 bytes, a name or two of 4 bytes in some of their places. */
enum { START, SOURCE = 2, DELIVERY, RATE, TICKS, LOST, PER_CPU = 2 };

static const char magic[8] = "GNPRFLOG", load[4] = "LOAD", tick[4] = "TICK", snap[4] = "SNAP";

static uint8_t *put_bytes(uint8_t *to, const char *from, size_t n)
{
	while (n-- > 0)
		*to++ = (uint8_t)*from++;
	return to;
}

static int same_bytes(const uint8_t *a, const void *wanted, size_t n)
{
	const uint8_t *b = wanted;

	while (n > 0 && *a == *b)
		a++, b++, n--;
	return n == 0;
}

/* Return number i of an array in the file. */
uint32_t prflog_number(const uint8_t *numbers, size_t i)
{
	return le_get32(numbers + 4 * i);
}

/* Write the file's first bytes. */
uint8_t *prflog_put_head(uint8_t *to, const struct prflog_head *head)
{
	uint8_t *end = put_bytes(to, magic, sizeof(magic));

	end = le_put32(end, VERSION);
	end = le_put32(end, PRFLOG_HEAD);
	end = le_put32(end, head->minor);
	end = le_put32(end, head->rate);
	end = put_bytes(end, head->buildid, PRFLOG_ID);
	end = le_put32(end, 0);
	return le_put32(end, crc32_add(0, to, (size_t)(end - to)));
}

/* Fill in the first bytes of a record that is complete otherwise. */
static uint8_t *seal(uint8_t *record, const char kind[4], uint8_t *end)
{
	size_t length = (size_t)(end - record) - PRFLOG_RECORD;
	uint8_t *at = le_put32(put_bytes(record, kind, 4), (uint32_t)length);

	at = le_put32(at, crc32_add(0, record + PRFLOG_RECORD, length));
	le_put32(at, crc32_add(0, record, PRFLOG_RECORD - 4));
	return end;
}

/* Write the addresses to which the counters of the snapshots that follow belong. */
uint8_t *prflog_put_load(uint8_t *to, const uint32_t *address, uint32_t n)
{
	uint8_t *end = to + PRFLOG_RECORD;

	for (uint32_t i = 0; i < n; i++)
		end = le_put32(end, address[i]);
	return seal(to, load, end);
}

/* Write what the clock has done. */
uint8_t *prflog_put_tick(uint8_t *to, const struct prflog_clock *c)
{
	uint8_t *end = to + PRFLOG_RECORD;

	end = le_put64(le_put64(end, c->start[0]), c->start[1]);
	end = put_bytes(end, c->source, sizeof(c->source));
	end = put_bytes(end, c->delivery, sizeof(c->delivery));
	end = le_put32(le_put32(end, c->hz), 0);
	for (uint32_t i = 0; i < c->ncpu; i++)
		end = le_put64(le_put64(end, c->cpu[i].ticks), c->cpu[i].lost);
	return seal(to, tick, end);
}

/* Write a snapshot: n + 2 counters. */
uint8_t *prflog_put_snap(uint8_t *to, int64_t seconds, uint64_t uptime, const uint32_t *counter,
			 uint32_t n)
{
	uint8_t *end = le_put64(le_put64(to + PRFLOG_RECORD, (uint64_t)seconds), uptime);

	for (uint32_t i = 0; i < n + 2; i++)
		end = le_put32(end, counter[i]);
	return seal(to, snap, end);
}

static int fail(struct prflog *l, int error, const char *why)
{
	l->why = why;
	return error;
}

/* Reads the head. */
int prflog_open(struct prflog *l, const void *data, size_t size)
{
	const uint8_t *p = data;

	*l = (struct prflog){.data = data, .size = size};
	if (size < sizeof(magic) || !same_bytes(p, magic, sizeof(magic)))
		return fail(l, PRFLOG_EDAMAGED, size ? "not a log of prf" : "it is empty");
	if (size < PRFLOG_HEAD)
		return fail(l, PRFLOG_EDAMAGED, "it ends in the midst of its head");
	l->version = prflog_number(p, 2);
	if (l->version < 1 || l->version > VERSION || prflog_number(p, 3) != PRFLOG_HEAD)
		return fail(l, PRFLOG_EDAMAGED, "a log of prf of another version");
	if (prflog_number(p, 17) != crc32_add(0, p, PRFLOG_HEAD - 4))
		return fail(l, PRFLOG_EDAMAGED, "damaged: the checksum of its head is wrong");
	l->head.minor = prflog_number(p, 4);
	l->head.rate = prflog_number(p, 5);
	put_bytes((uint8_t *)l->head.buildid, (const char *)p + 24, PRFLOG_ID);
	for (const char *c = l->head.buildid; *c; c++)
		if (*c <= ' ' || *c > '~')
			return fail(l, PRFLOG_EDAMAGED, "damaged: its build id cannot be printed");
	l->at = PRFLOG_HEAD;
	return 0;
}

/* Return whether a record of that kind can have that length, after what was loaded. */
static int fits(const struct prflog *l, const uint8_t *record, uint32_t length)
{
	if (same_bytes(record, load, sizeof(load)))
		return length > 0 && length % 4 == 0;
	if (same_bytes(record, tick, sizeof(tick)))
		return l->version > 1 && length >= PRFLOG_TICK(1) - PRFLOG_RECORD &&
		       length <= PRFLOG_TICK(PRFLOG_MAXCPU) - PRFLOG_RECORD && length % 16 == 8;
	return same_bytes(record, snap, sizeof(snap)) && l->n > 0 &&
	       length == PRFLOG_SNAP(l->n) - PRFLOG_RECORD;
}

/* Checks the record at the log's place: its length, or an error. */
static int64_t check(struct prflog *l)
{
	const uint8_t *record = l->data + l->at;
	size_t left = l->size - l->at;
	uint32_t length;

	if (left < PRFLOG_RECORD)
		return fail(l, PRFLOG_ECUT, "the last record is cut short");
	length = prflog_number(record, 1);
	if (prflog_number(record, 3) != crc32_add(0, record, PRFLOG_RECORD - 4) ||
	    !fits(l, record, length))
		return fail(l, PRFLOG_EDAMAGED, "damaged: no record where one should be");
	if (left - PRFLOG_RECORD < length)
		return fail(l, PRFLOG_ECUT, "the last record is cut short");
	if (prflog_number(record, 2) != crc32_add(0, record + PRFLOG_RECORD, length))
		return fail(l, PRFLOG_EDAMAGED, "damaged: the checksum of a record is wrong");
	return length;
}

/* Go on to the next snapshot, past the records that it needs. */
int prflog_next(struct prflog *l, struct prflog_snap *s)
{
	while (l->at < l->size) {
		const uint8_t *record = l->data + l->at, *p = record + PRFLOG_RECORD;
		int64_t length = check(l);

		if (length < 0)
			return (int)length;
		l->at += PRFLOG_RECORD + (size_t)length;
		if (same_bytes(record, snap, sizeof(snap))) {
			*s = (struct prflog_snap){(int64_t)le_get64(p), le_get64(p + 8), l->n,
						  l->address, p + 16, l->clock, l->ncpu};
			l->clock = NULL;
			return 1;
		}
		if (same_bytes(record, tick, sizeof(tick))) {
			l->clock = p;
			l->ncpu = (uint32_t)(length - 8 * TICKS) / (8 * PER_CPU);
		} else {
			l->address = p;
			l->n = (uint32_t)length / 4;
		}
	}
	return 0;
}

/* A counter that wrapped needs no care: the difference is modulo 2^32. */
uint32_t prflog_ticks(const struct prflog_snap *from, const struct prflog_snap *to, uint32_t i)
{
	return prflog_number(to->counter, i) - prflog_number(from->counter, i);
}

uint64_t prflog_total(const struct prflog_snap *from, const struct prflog_snap *to)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < to->n + 2; i++)
		total += prflog_ticks(from, to, i);
	return total;
}

#define SECOND 1000000000u /* ns */
#define MAXCPU 254u	   /* a minor number each */

/* Return when the system was started, in seconds since 1970, modulo 2^64. */
static uint64_t boot_time(const struct prflog_snap *s)
{
	return (uint64_t)s->seconds - s->uptime / SECOND;
}

/* Return number i of what the clock had done. */
static uint64_t clock_number(const struct prflog_snap *s, uint32_t i)
{
	return le_get64(s->clock + 8 * (size_t)i);
}

/*
 * Return whether the clock tells of another start. Two starts of an emulator may be alike to the
 * last bit, even in their dates; then what went on in one of them for less time gives them away.
 */
static int other_start(const struct prflog_snap *from, const struct prflog_snap *to)
{
	uint32_t i;

	if (!from->clock || !to->clock)
		return 0;
	if (to->uptime <= from->uptime || to->ncpu != from->ncpu ||
	    !same_bytes(from->clock, to->clock, 8 * SOURCE))
		return 1;
	for (i = TICKS; i < TICKS + PER_CPU * to->ncpu; i++)
		if (clock_number(to, i) < clock_number(from, i))
			return 1;
	return 0;
}

void prflog_source(const struct prflog_snap *s, char source[static PRFLOG_SOURCE])
{
	size_t n = 0;

	for (; s->clock && n < PRFLOG_SOURCE - 1; n++)
		source[n] = (char)s->clock[8 * SOURCE + n];
	source[n] = 0;
}

void prflog_lost(const struct prflog_snap *from, const struct prflog_snap *to, uint32_t minor,
		 struct ticks *between)
{
	uint32_t i, at;

	*between = (struct ticks){0, 0};
	for (i = 0; from->clock && to->clock && i < to->ncpu; i++) {
		if (minor <= MAXCPU && minor != i)
			continue;
		at = PER_CPU * i;
		between->taken += clock_number(to, TICKS + at) - clock_number(from, TICKS + at);
		between->lost += clock_number(to, LOST + at) - clock_number(from, LOST + at);
	}
}

/*
 * Counters that were zeroed look as if they had wrapped, and then as if there had been
 * far more ticks than there can be in that time.
 */
enum prflog_change prflog_change(const struct prflog_snap *from, const struct prflog_snap *to,
				 uint32_t rate)
{
	uint64_t apart = boot_time(to) - boot_time(from) + 2;
	uint64_t seconds = (to->uptime - from->uptime) / SECOND + 1;

	if (apart > 4 || to->uptime < from->uptime || other_start(from, to))
		return PRFLOG_BOOT;
	if (from->n != to->n || !same_bytes(from->address, to->address, 4 * (size_t)to->n))
		return PRFLOG_RELOAD;
	if (prflog_total(from, to) / MAXCPU > seconds * rate)
		return PRFLOG_CLEARED;
	return PRFLOG_SAME;
}
