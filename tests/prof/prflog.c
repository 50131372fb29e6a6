/*
 * userland/formats/prflog.c: the bytes of a log as prf(4) has them, what two snapshots have to do
 * with each other, and damage of every kind (D12).
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "userland/formats/prflog.h"

#define N 3
#define SECOND 1000000000ull
#define HEAD 72
#define LOAD (16 + 4 * N)
#define TICK (16 + 40 + 16 * 2)
#define SNAP (16 + 16 + 4 * (N + 2))

static const struct prflog_head head = {
	.minor = 255, .rate = 100, .buildid = "0123456789abcdef0123456789abcdef01234567",
};
static const uint32_t address[N] = {0xc0100030, 0xc0100040, 0xc0123456};
static const uint32_t counter[N + 2] = {1, 0xfedcba98, 3, 4, 5};

static const struct prflog_clock clock_then = {
	.start = {0x1122334455667788, 0xfedcba9876543210}, .source = "pit", .delivery = "nmi",
	.hz = 1000, .ncpu = 2, .cpu = {{7, 1}, {0x100000005, 2}},
};

static uint8_t file[4096];

/* A head, a load, and two snapshots with what the clock had done: its length. */
static size_t make(void)
{
	uint8_t *end = prflog_put_head(file, &head);

	end = prflog_put_load(end, address, N);
	end = prflog_put_tick(end, &clock_then);
	end = prflog_put_snap(end, 1000000, 7 * SECOND, counter, N);
	end = prflog_put_tick(end, &clock_then);
	end = prflog_put_snap(end, 1000001, 8 * SECOND, counter, N);
	return end - file;
}

/* B17: what is no build id is not printed as one. */
static void B17_a_build_id_that_cannot_be_printed(void **state)
{
	struct prflog_head bad = head;
	struct prflog l;

	bad.buildid[5] = '\033';
	prflog_put_head(file, &bad);
	assert_int_equal(prflog_open(&l, file, HEAD), PRFLOG_EDAMAGED);
	assert_string_equal(l.why, "damaged: its build id cannot be printed");
}

static void D12_the_bytes_are_those_of_the_page(void **state)
{
	/* The checksums were computed by another program. */
	static const uint8_t wanted[] =
		"GNPRFLOG" "\2\0\0\0" "\x48\0\0\0" "\xff\0\0\0" "\x64\0\0\0"
		"0123456789abcdef0123456789abcdef01234567" "\0\0\0\0" "\x35\xe9\xff\x91"
		"LOAD" "\x0c\0\0\0" "\x37\xf5\x5f\x1d" "\x8c\xa6\x73\x2e"
		"\x30\0\x10\xc0" "\x40\0\x10\xc0" "\x56\x34\x12\xc0"
		"TICK" "\x48\0\0\0" "\x7a\x36\xf3\xef" "\x1a\xec\xdf\x11"
		"\x88\x77\x66\x55\x44\x33\x22\x11" "\x10\x32\x54\x76\x98\xba\xdc\xfe"
		"pit\0\0\0\0\0" "nmi\0\0\0\0\0" "\xe8\3\0\0" "\0\0\0\0"
		"\7\0\0\0\0\0\0\0" "\1\0\0\0\0\0\0\0" "\5\0\0\0\1\0\0\0" "\2\0\0\0\0\0\0\0"
		"SNAP" "\x24\0\0\0" "\xd9\x0a\x2a\x83" "\x49\x50\x09\x87"
		"\x40\x42\x0f\0\0\0\0\0" "\0\x86\x3b\xa1\1\0\0\0"
		"\1\0\0\0" "\x98\xba\xdc\xfe" "\3\0\0\0" "\4\0\0\0" "\5\0\0\0";

	assert_int_equal(make(), HEAD + LOAD + 2 * (TICK + SNAP));
	assert_int_equal(sizeof(wanted) - 1, HEAD + LOAD + TICK + SNAP);
	assert_memory_equal(file, wanted, sizeof(wanted) - 1);
}

static void D12_what_is_written_is_read(void **state)
{
	struct prflog_snap s;
	struct prflog l;
	size_t i;

	assert_int_equal(prflog_open(&l, file, make()), 0);
	assert_int_equal(l.head.minor, 255);
	assert_int_equal(l.head.rate, 100);
	assert_string_equal(l.head.buildid, head.buildid);
	assert_int_equal(prflog_next(&l, &s), 1);
	assert_int_equal(s.seconds, 1000000);
	assert_int_equal(s.uptime, 7 * SECOND);
	assert_int_equal(s.n, N);
	for (i = 0; i < N; i++)
		assert_int_equal(prflog_number(s.address, i), address[i]);
	for (i = 0; i < N + 2; i++)
		assert_int_equal(prflog_number(s.counter, i), counter[i]);
	assert_int_equal(prflog_next(&l, &s), 1);
	assert_int_equal(s.seconds, 1000001);
	assert_int_equal(prflog_next(&l, &s), 0);
	assert_int_equal(prflog_next(&l, &s), 0);
}

/* Goes through the first n bytes: the snapshots found, and at the end what ended it. */
static int walk(size_t n, int *end)
{
	uint8_t *copy = malloc(n + 1); /* reading past its end is an error */
	struct prflog_snap s;
	struct prflog l;
	int found = 0;

	memcpy(copy, file, n);
	*end = prflog_open(&l, copy, n);
	while (*end == 0 && prflog_next(&l, &s) == 1)
		found++;
	if (*end == 0)
		*end = prflog_next(&l, &s);
	assert_true(*end == 0 || l.why != NULL);
	assert_true(l.at <= n);
	free(copy);
	return found;
}

static void D12_a_log_that_ends_anywhere(void **state)
{
	size_t all = make(), n;

	for (n = 0; n <= all; n++) {
		bool whole = n == HEAD || n == HEAD + LOAD || n == HEAD + LOAD + TICK ||
			     n == all - TICK - SNAP || n == all - SNAP || n == all;
		int end, found = walk(n, &end);

		assert_int_equal(end, n < HEAD ? PRFLOG_EDAMAGED : whole ? 0 : PRFLOG_ECUT);
		assert_int_equal(found, (n >= all - TICK - SNAP) + (n == all));
	}
}

static void D12_every_bit_matters(void **state)
{
	size_t all = make(), bit;

	for (bit = 0; bit < 8 * all; bit++) {
		int end;

		file[bit / 8] ^= 1 << bit % 8;
		assert_int_equal(walk(all, &end), bit / 8 >= HEAD + LOAD + TICK + SNAP);
		assert_int_equal(end, PRFLOG_EDAMAGED);
		file[bit / 8] ^= 1 << bit % 8;
	}
}

static void D12_random_files_do_no_harm(void **state)
{
	size_t all = make(), i;
	int end, round;

	srand(1);
	for (round = 0; round < 20000; round++) {
		make();
		for (i = rand() % 4 + 1; i > 0; i--)
			file[rand() % all] = rand();
		walk(rand() % (all + 1), &end);
	}
}

/* A record may be right and yet have no place there. */
static void D12_a_snapshot_without_addresses(void **state)
{
	uint8_t *end = prflog_put_head(file, &head);
	int why;

	end = prflog_put_snap(end, 0, 0, counter, N);
	assert_int_equal(walk(end - file, &why), 0);
	assert_int_equal(why, PRFLOG_EDAMAGED);
	end = prflog_put_load(prflog_put_head(file, &head), address, N - 1);
	end = prflog_put_snap(end, 0, 0, counter, N);
	assert_int_equal(walk(end - file, &why), 0);
	assert_int_equal(why, PRFLOG_EDAMAGED);
	end = prflog_put_load(prflog_put_head(file, &head), address, 0);
	assert_int_equal(walk(end - file, &why), 0);
	assert_int_equal(why, PRFLOG_EDAMAGED);
}

/* Make a log of two snapshots, with what the clock had done by then if that is given. */
static void two_starts(const struct prflog_clock *a, const struct prflog_clock *b, uint64_t apart,
		       struct prflog *l, struct prflog_snap *from, struct prflog_snap *to)
{
	uint8_t *end = prflog_put_load(prflog_put_head(file, &head), address, N);

	if (a)
		end = prflog_put_tick(end, a);
	end = prflog_put_snap(end, 1000, 5 * SECOND, counter, N);
	if (b)
		end = prflog_put_tick(end, b);
	end = prflog_put_snap(end, 1000, 5 * SECOND + apart, counter, N);
	assert_int_equal(prflog_open(l, file, end - file), 0);
	assert_int_equal(prflog_next(l, from), 1);
	assert_int_equal(prflog_next(l, to), 1);
}

/* The dates are those of one start; only the clock can tell. */
static void C10_starts_of_one_date(void **state)
{
	static const struct {
		const char *name;
		uint64_t apart; /* ns */
		struct prflog_clock to;
		enum prflog_change change;
		uint64_t ticks, lost, ticks1, lost1; /* of all, and of processor 1 */
	} cases[] = {
		{"the same, later", 1, {.start = {1, 2}, .ncpu = 2, .cpu = {{9, 0}, {5, 6}}},
		 PRFLOG_SAME, 0, 0, 0, 0},
		{"and ticks came", 1, {.start = {1, 2}, .ncpu = 2, .cpu = {{11, 3}, {6, 8}}},
		 PRFLOG_SAME, 3, 5, 1, 2},
		{"at the same time", 0, {.start = {1, 2}, .ncpu = 2, .cpu = {{9, 0}, {5, 6}}},
		 PRFLOG_BOOT, 0, 0, 0, 0},
		{"another kernel's number", 1,
		 {.start = {3, 2}, .ncpu = 2, .cpu = {{9, 0}, {5, 6}}}, PRFLOG_BOOT, 0, 0, 0, 0},
		{"another run", 1, {.start = {1, 3}, .ncpu = 2, .cpu = {{9, 0}, {5, 6}}},
		 PRFLOG_BOOT, 0, 0, 0, 0},
		{"fewer ticks", 1, {.start = {1, 2}, .ncpu = 2, .cpu = {{8, 1}, {5, 6}}},
		 PRFLOG_BOOT, 0, 0, 0, 0},
		{"fewer lost", 1, {.start = {1, 2}, .ncpu = 2, .cpu = {{9, 0}, {5, 5}}},
		 PRFLOG_BOOT, 0, 0, 0, 0},
		{"another machine", 1, {.start = {1, 2}, .ncpu = 1, .cpu = {{9, 0}}},
		 PRFLOG_BOOT, 0, 0, 0, 0},
	};
	static const struct prflog_clock first = {
		.start = {1, 2}, .ncpu = 2, .cpu = {{9, 0}, {5, 6}},
	};
	struct prflog_snap from, to;
	struct ticks between;
	struct prflog l;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		two_starts(&first, &cases[i].to, cases[i].apart, &l, &from, &to);
		print_message("# %s\n", cases[i].name);
		assert_int_equal(prflog_change(&from, &to, 100), cases[i].change);
		if (cases[i].change != PRFLOG_SAME)
			continue;
		prflog_lost(&from, &to, 255, &between);
		assert_int_equal(between.taken, cases[i].ticks);
		assert_int_equal(between.lost, cases[i].lost);
		prflog_lost(&from, &to, 1, &between);
		assert_int_equal(between.taken, cases[i].ticks1);
		assert_int_equal(between.lost, cases[i].lost1);
	}
	/* A snapshot without such numbers says neither. */
	two_starts(&first, NULL, 0, &l, &from, &to);
	assert_int_equal(prflog_change(&from, &to, 100), PRFLOG_SAME);
	prflog_lost(&from, &to, 255, &between);
	assert_int_equal(between.taken + between.lost, 0);
}

/* Logs of version 1 are read; what they cannot have is damage. */
static void D12_version_1(void **state)
{
	static const uint8_t old[] =
		"GNPRFLOG" "\1\0\0\0" "\x48\0\0\0" "\xff\0\0\0" "\x64\0\0\0"
		"0123456789abcdef0123456789abcdef01234567" "\0\0\0\0" "\xe5\x7c\xfa\x15";
	uint8_t *end;
	int why;

	end = prflog_put_snap(prflog_put_load(file + HEAD, address, N), 0, 0, counter, N);
	memcpy(file, old, HEAD);
	assert_int_equal(walk(end - file, &why), 1);
	assert_int_equal(why, 0);
	end = prflog_put_tick(end, &clock_then);
	assert_int_equal(walk(end - file, &why), 1);
	assert_int_equal(why, PRFLOG_EDAMAGED);
}

/* Counters of one snapshot after those of another. */
struct pair {
	const char *name;
	uint32_t from[N + 2], to[N + 2];
	int64_t from_date, to_date;    /* s */
	uint64_t from_time, to_time;   /* since boot, s */
	const uint32_t *other;	       /* addresses of the second */
	enum prflog_change change;
	uint64_t total;
};

static const uint32_t others[N] = {0xc0100030, 0xc0100040, 0xc0123457};

static const struct pair pairs[] = {
	{"simple", {1, 2, 3, 4, 5}, {1, 3, 5, 7, 105}, 1000, 1010, 5, 15, NULL, PRFLOG_SAME, 106},
	{"nothing", {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}, 1000, 1000, 5, 5, NULL, PRFLOG_SAME, 0},
	{"wrap", {0xffffffff, 0, 0, 0, 0xfffffff0}, {0, 0, 0, 0, 0x10}, 1000, 1010, 5, 15, NULL,
	 PRFLOG_SAME, 33},
	{"zeroed", {1, 2, 3, 4, 500}, {0, 0, 0, 0, 499}, 1000, 1010, 5, 15, NULL,
	 PRFLOG_CLEARED, 0},
	{"other addresses", {0}, {1}, 1000, 1010, 5, 15, others, PRFLOG_RELOAD, 0},
	{"boot", {0}, {1}, 1000, 1020, 5, 15, NULL, PRFLOG_BOOT, 0},
	{"boot, earlier", {0}, {1}, 1000, 1020, 15, 5, NULL, PRFLOG_BOOT, 0},
	{"B11 all of time apart", {0}, {1}, INT64_MIN, INT64_MAX, 5, 15, NULL, PRFLOG_BOOT, 0},
	{"a clock between two seconds", {0}, {1}, 1000, 1009, 5, 15, NULL, PRFLOG_SAME, 1},
	{"and the other way", {0}, {1}, 1000, 1011, 5, 15, NULL, PRFLOG_SAME, 1},
	{"254 processors, all the time", {0}, {254000, 25400}, 1000, 1010, 5, 15, NULL,
	 PRFLOG_SAME, 279400},
	{"one tick more of each", {0}, {254000, 25400 + 254}, 1000, 1010, 5, 15, NULL,
	 PRFLOG_CLEARED, 0},
};

static void D12_two_snapshots(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct pair *p = &pairs[i];
		uint8_t *end = prflog_put_load(prflog_put_head(file, &head), address, N);
		struct prflog_snap from, to;
		struct prflog l;

		end = prflog_put_snap(end, p->from_date, p->from_time * SECOND, p->from, N);
		if (p->other)
			end = prflog_put_load(end, p->other, N);
		end = prflog_put_snap(end, p->to_date, p->to_time * SECOND, p->to, N);
		assert_int_equal(prflog_open(&l, file, end - file), 0);
		assert_int_equal(prflog_next(&l, &from), 1);
		assert_int_equal(prflog_next(&l, &to), 1);
		print_message("# %s\n", p->name);
		assert_int_equal(prflog_change(&from, &to, 100), p->change);
		if (p->change == PRFLOG_SAME)
			assert_int_equal(prflog_total(&from, &to), p->total);
	}
}

/* What the report is written to. */
struct output {
	char text[512];
	size_t n;
};

static const char *no_name(void *arg, uint32_t a)
{
	return NULL;
}

static void put(void *arg, const char *text, size_t n)
{
	struct output *o = arg;

	assert_true(o->n + n < sizeof(o->text));
	memcpy(o->text + o->n, text, n);
	o->n += n;
}

static void D12_dates(void **state)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} dates[] = {
		{0, "1970-01-01 00:00:00"},
		{951782399, "2000-02-28 23:59:59"},
		{951782400, "2000-02-29 00:00:00"},
		{951868800, "2000-03-01 00:00:00"},
		{1709251199, "2024-02-29 23:59:59"},
		{1735689599, "2024-12-31 23:59:59"},
		{4107542399, "2100-02-28 23:59:59"},
		{4107542400, "2100-03-01 00:00:00"},
		{68719476735, "4147-08-20 07:32:15"},
		{68719476736, "time 0x0000001000000000"},
		{-1, "time 0xffffffffffffffff"},
	};
	size_t i;

	for (i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		uint8_t *end = prflog_put_load(prflog_put_head(file, &head), address, N);
		struct output o = {.n = 0};
		struct prfreport r = {no_name, put, &o, 0};
		char wanted[64];
		struct prflog l;

		end = prflog_put_snap(end, dates[i].seconds, 0, counter, N);
		end = prflog_put_snap(end, dates[i].seconds, 0, counter, N);
		assert_int_equal(prflog_open(&l, file, end - file), 0);
		assert_int_equal(prfreport(&r, &l), 0);
		snprintf(wanted, sizeof(wanted), "%s  %s\n", dates[i].text, dates[i].text);
		assert_string_equal(o.text, wanted);
	}
}

/* Shares of less than 99 % of the time say so. */
static void C5_lost_ticks_are_told(void **state)
{
	static const struct {
		uint32_t minor;
		uint64_t lost, lost1;
		const char *source, *said;
	} cases[] = {
		{255, 1, 1, "pit", ""},
		{255, 100, 300, "pit",
		 "lost: 66.7 % of the ticks that were due, 400 of 600; "
		 "shares are of the 200 taken; fewer are lost with profclock=lapic, with turns=on, "
		 "by QEMU 8.1 or later, or at a lower rate\n"},
		{0, 1, 300, "pit", ""},
		{1, 1, 300, "pit",
		 "lost: 75.0 % of the ticks that were due, 300 of 400; "
		 "shares are of the 100 taken; fewer are lost with profclock=lapic, with turns=on, "
		 "by QEMU 8.1 or later, or at a lower rate\n"},
		{0, 300, 1, "lapic",
		 "lost: 75.0 % of the ticks that were due, 300 of 400; "
		 "shares are of the 100 taken; fewer are lost with turns=on, by QEMU 8.1 or later, "
		 "or at a lower rate\n"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct prflog_clock now = {.ncpu = 2, .start = {1, 2}}, then = now;
		struct prflog_head of = head;
		struct output o = {.n = 0};
		struct prfreport r = {no_name, put, &o, 0};
		struct prflog l;
		uint8_t *end;

		strcpy(now.source, cases[i].source);
		now.cpu[0].ticks = now.cpu[1].ticks = 100;
		now.cpu[0].lost = cases[i].lost;
		now.cpu[1].lost = cases[i].lost1;
		of.minor = cases[i].minor;
		end = prflog_put_load(prflog_put_head(file, &of), address, N);
		end = prflog_put_snap(prflog_put_tick(end, &then), 0, 0, counter, N);
		end = prflog_put_snap(prflog_put_tick(end, &now), 0, 1, counter, N);
		assert_int_equal(prflog_open(&l, file, end - file), 0);
		assert_int_equal(prfreport(&r, &l), 0);
		assert_string_equal(o.text + strlen("1970-01-01 00:00:00  1970-01-01 00:00:00\n"),
				    cases[i].said);
	}
}

static void D12_cutoffs(void **state)
{
	static const struct {
		const char *text;
		int error;
		uint32_t cutoff;
	} cutoffs[] = {
		{"1", 0, 100}, {"0", 0, 0}, {"100", 0, 10000}, {"0.5", 0, 50}, {"0.05", 0, 5},
		{"99.99", 0, 9999}, {"1.", 0, 100}, {"100.01", -1, 0}, {"", -1, 0},
		{".5", 0, 50}, {".", -1, 0},
		{"0.005", -1, 0}, {"1000", -1, 0}, {"-1", -1, 0}, {"1%", -1, 0}, {"x", -1, 0},
	};
	size_t i;

	for (i = 0; i < sizeof(cutoffs) / sizeof(cutoffs[0]); i++) {
		uint32_t cutoff;

		assert_int_equal(prfreport_cutoff(cutoffs[i].text, &cutoff), cutoffs[i].error);
		if (cutoffs[i].error == 0)
			assert_int_equal(cutoff, cutoffs[i].cutoff);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(B17_a_build_id_that_cannot_be_printed),
		cmocka_unit_test(D12_the_bytes_are_those_of_the_page),
		cmocka_unit_test(D12_what_is_written_is_read),
		cmocka_unit_test(D12_a_log_that_ends_anywhere),
		cmocka_unit_test(D12_every_bit_matters),
		cmocka_unit_test(D12_random_files_do_no_harm),
		cmocka_unit_test(D12_a_snapshot_without_addresses),
		cmocka_unit_test(D12_version_1),
		cmocka_unit_test(C10_starts_of_one_date),
		cmocka_unit_test(C5_lost_ticks_are_told),
		cmocka_unit_test(D12_two_snapshots),
		cmocka_unit_test(D12_dates),
		cmocka_unit_test(D12_cutoffs),
	};

	return RUN(tests, NULL, NULL);
}
