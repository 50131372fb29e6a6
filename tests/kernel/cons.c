/*
 * The console: editing lines, ^C, raw mode, text and data: drivers/console/cons.c, consline.c.
 * Links: tests/kernel/fakes.c drivers/console/cons.c drivers/console/consline.c
 */
#include "tests/kernel/fakes.h"
#include "drivers/console/cons.h"
#include "drivers/console/consline.h"
#include "kernel/abi/errno.h"
#include "kernel/file/picture.h"
#include "kernel/memory/account.h"

static struct consline line;

static void line_start(void)
{
	memset(&line, 0, sizeof(line));
}

static const struct {
	const char *typed, *read, *echo;
} edits[] = {
	{"ls\r", "ls\n", "ls\r\n"},
	{"ls\n", "ls\n", "ls\r\n"},
	{"lx\bs\r", "ls\n", "lx\b \bs\r\n"},
	{"lx\177s\r", "ls\n", "lx\b \bs\r\n"},
	{"\b\b\177a\r", "a\n", "a\r\n"},
	{"ab\025c\r", "c\n", "ab\b \b\b \bc\r\n"},
	{"\025c\r", "c\n", "c\r\n"},
	{"ab cd \027e\r", "ab e\n", "ab cd \b \b\b \b\b \be\r\n"},
	{"ab\027\r", "\n", "ab\b \b\b \b\r\n"},
	{"a\tb\b\b\r", "a\n", "a b\b \b\b \b\r\n"},
	{"\001\b\r", "\n", "^A\b\b  \b\b\r\n"},
	{"\xc3\xa9\bx\r", "x\n", "\xc3\xa9\b \bx\r\n"},	     /* e acute is one column */
	{"\xe2\x82\xac\bx\r", "x\n", "\xe2\x82\xac\b \bx\r\n"}, /* the euro sign too */
	{"\xa9\xa9\b\r", "\n", "\xa9\xa9\r\n"}, /* only continuation bytes: no column */
	{"ab\004", "ab", "ab"},
	{"\004", "", ""},
};

static void edits_lines(void **state)
{
	for (unsigned i = 0; i < nelem(edits); i++) {
		uint8_t echo[16], shown[64], buf[64];
		size_t n, k = 0;

		line_start();
		ring_put(&line.typed, (const uint8_t *)edits[i].typed, strlen(edits[i].typed));
		while ((n = consline_cook(&line, echo, sizeof(echo))) > 0) {
			memcpy(shown + k, echo, n);
			k += n;
		}
		assert_int_equal(k, strlen(edits[i].echo));
		assert_memory_equal(shown, edits[i].echo, k);
		assert_true(consline_ready(&line));
		n = consline_take(&line, buf, sizeof(buf));
		assert_int_equal(n, strlen(edits[i].read));
		assert_memory_equal(buf, edits[i].read, n);
		assert_false(consline_ready(&line));
	}
}

static void delivers_in_parts(void **state)
{
	uint8_t echo[16], buf[8];

	line_start();
	ring_put(&line.typed, (const uint8_t *)"abc\ndef", 7);
	while (consline_cook(&line, echo, sizeof(echo)) > 0)
		;
	assert_int_equal(consline_take(&line, buf, 2), 2);
	assert_true(consline_ready(&line));
	assert_int_equal(consline_take(&line, buf, 8), 2);
	assert_memory_equal(buf, "c\n", 2);
	while (consline_cook(&line, echo, sizeof(echo)) > 0)
		;
	assert_false(consline_ready(&line));
	/* In raw mode the unfinished line and what is typed after it can be read at once. */
	line.raw = true;
	ring_put(&line.typed, (const uint8_t *)"\r\003", 2);
	assert_true(consline_ready(&line));
	assert_int_equal(consline_take(&line, buf, 8), 5);
	assert_memory_equal(buf, "def\r\003", 5);
	assert_false(consline_ready(&line));
}

/* A line longer than the buffer comes in parts; nothing is lost. */
static void delivers_long_lines(void **state)
{
	static uint8_t buf[CONS_LINE + 100];
	uint8_t echo[64];

	line_start();
	for (int i = 0; i < CONS_LINE + 10; i++) {
		if (ring_full(&line.typed))
			while (consline_cook(&line, echo, sizeof(echo)) > 0)
				;
		ring_putc(&line.typed, 'x');
	}
	ring_putc(&line.typed, '\n');
	while (consline_cook(&line, echo, sizeof(echo)) > 0)
		;
	assert_int_equal(consline_take(&line, buf, sizeof(buf)), CONS_LINE);
	while (consline_cook(&line, echo, sizeof(echo)) > 0)
		;
	assert_int_equal(consline_take(&line, buf, sizeof(buf)), 11);
	/* ^U on a line that is longer than the echo buffer. */
	for (int i = 0; i < 100; i++)
		ring_putc(&line.typed, 'x');
	ring_put(&line.typed, (const uint8_t *)"\025y\n", 3);
	while (consline_cook(&line, echo, 16) > 0)
		;
	assert_int_equal(consline_take(&line, buf, sizeof(buf)), 2);
	assert_memory_equal(buf, "y\n", 2);
}

static char sent[65536];
static size_t nsent;

static void sink(const char *s, size_t n)
{
	assert_int_equal(fake_locks, 0);
	assert_true(nsent + n < sizeof(sent));
	memcpy(sent + nsent, s, n);
	nsent += n;
}

/* Check what the console's settings are. */
static void assert_shows(const char *settings)
{
	static uint32_t memory[32];
	struct picture *shown = (struct picture *)memory;

	*shown = (struct picture){
		.data = shown->first, .room = sizeof(memory) - sizeof(*shown) - 1,
	};
	assert_int_equal(cons_show(NULL, shown), 0);
	assert_string_equal((const char *)shown->data, settings);
}

static bool throttled;
static unsigned throttles;

static void hold(bool stop)
{
	assert_int_equal(fake_locks, 0);
	assert_int_not_equal(stop, throttled);
	throttled = stop;
	throttles++;
}

static int setup(void **state)
{
	memset(&fake_proc, 0, sizeof(fake_proc));
	fake_proc.pid = 7;
	fake_proc.payer = PAYER_OWNER;
	nsent = 0;
	fake_signals = 0;
	cons_connect(sink, hold);
	return 0;
}

static void assert_sent(const char *s, size_t n)
{
	assert_int_equal(nsent, n);
	assert_memory_equal(sent, s, n);
	nsent = 0;
}

/* Each row is a process, what it writes and what arrives, in this order. */
static void sends_text_and_data(void **state)
{
	static const struct {
		int pid;
		const char *s;
		size_t n;
		const char *out;
		size_t nout;
	} t[] = {
		{1, "a\nb\n", 4, "a\r\nb\r\n", 6},
		{1, "\n", 1, "\r\n", 2},
		{1, "\t\033[1m\a\b\r\n", 9, "\t\033[1m\a\b\r\r\n", 10},
		{2, "\0\0\1\n", 4, "\0\0\1\n", 4}, /* data */
		{2, "text\n", 5, "text\n", 5},	   /* still data, from the same process */
		{1, "text\n", 5, "text\r\n", 6},
		{3, "\xc3\xa9\n", 3, "\xc3\xa9\r\n", 4},
		{3, "\xf0\x9f\x98\x80\n", 5, "\xf0\x9f\x98\x80\r\n", 6},
		{3, "cut \xe2\x82", 6, "cut \xe2\x82", 6},
		{3, "\xac here\n", 7, "\xac here\r\n", 8},
		{4, "\xff\n", 2, "\xff\n", 2},
		{5, "\xc3\n", 2, "\xc3\n", 2},	   /* not continued */
		{6, "x\xa9\n", 3, "x\xa9\n", 3},   /* continues nothing */
		{8, "\x7f\n", 2, "\x7f\n", 2},
		{9, "\v\n", 2, "\v\n", 2},
		{10, "\xc0\x80\n", 3, "\xc0\x80\n", 3}, /* overlong */
		{11, "", 0, "", 0},
	};

	for (unsigned i = 0; i < nelem(t); i++) {
		fake_proc.pid = t[i].pid;
		assert_int_equal(cons_write(NULL, t[i].s, t[i].n, 0), t[i].n);
		assert_sent(t[i].out, t[i].nout);
	}
	fake_proc.pid = 12;
	cons_write(NULL, "\0\n", 2, 0);
	cons_text_again();
	cons_write(NULL, "\n", 1, 0);
	assert_sent("\0\n\r\n", 4);
}

static void sends_long_text(void **state)
{
	char text[3000];

	memset(text, '\n', sizeof(text));
	assert_int_equal(cons_write(NULL, text, sizeof(text), 0), sizeof(text));
	assert_int_equal(nsent, 2 * sizeof(text));
	for (size_t i = 0; i < nsent; i += 2)
		assert_memory_equal(sent + i, "\r\n", 2);
}

static int no_sleep(void)
{
	return -EINTR;
}

static int type_ctrl_c(void)
{
	cons_input((const uint8_t *)"\003", 1);
	return 0;
}

static int type_line(void)
{
	static const char keys[] = "hi\r";
	static unsigned at;

	cons_input((const uint8_t *)&keys[at++ % 3], 1);
	return 0;
}

static void lines_and_interrupts_reach_the_reader(void **state)
{
	struct chan one = {0}, other = {0};
	char buf[16];

	assert_int_equal(cons_set_pgrp(42), 0);
	fake_wait = type_line;
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), 3);
	assert_memory_equal(buf, "hi\n", 3);
	assert_sent("hi\r\n", 4);
	fake_wait = no_sleep;
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), -EINTR);
	assert_int_equal(nsent, 0);
	/* ^C signals the group, ends the read and drops the unfinished line. */
	cons_input((const uint8_t *)"abc", 3);
	fake_wait = type_ctrl_c;
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), -EINTR);
	assert_int_equal(fake_signals, 1u << SIGINT);
	assert_sent("abc^C\r\n", 7);
	cons_input((const uint8_t *)"d\n", 2);
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), 2);
	assert_memory_equal(buf, "d\n", 2);
	/* An old ^C does not end a new read. */
	fake_signals = 0;
	assert_int_equal(cons_set_pgrp(0), 0);
	cons_input((const uint8_t *)"x\003y\n", 4);
	assert_int_equal(fake_signals, 0);
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), 2);
	assert_memory_equal(buf, "y\n", 2);
	nsent = 0;
	cons_raw(&one, true);
	cons_raw(&one, true);
	cons_input((const uint8_t *)"\003\r", 2);
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), 2);
	assert_memory_equal(buf, "\003\r", 2);
	assert_int_equal(nsent, 0);
	cons_raw(&other, true);
	cons_raw(&one, false);
	cons_raw(&one, false);
	cons_input((const uint8_t *)"z", 1);
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), 1); /* two asked for raw mode */
	cons_raw(&other, false);
	assert_shows("rawoff\npgrp 0\n");
	fake_wait = NULL;
}

#define OWNERS (1u << SIGINT)	    /* fake_signals: what the owner's group got */
#define USERS (1u << (16 + SIGINT)) /* and those of the users' group that users may signal */

/* B14: a user has a share in ^C, but can neither take it from the owner nor point it at him. */
static void users_do_not_take_the_interrupt(void **state)
{
	struct chan owners = {0}, users = {0};
	char buf[4];

	assert_int_equal(cons_set_pgrp(42), 0);
	fake_self->uid = UID_NONE;
	assert_int_equal(cons_set_pgrp(42), -EPERM);
	assert_int_equal(cons_set_pgrp(44), -ESRCH);
	assert_int_equal(cons_set_pgrp(0), 0);
	assert_shows("rawoff\npgrp 0\n");
	fake_signals = 0;
	cons_input((const uint8_t *)"\003", 1);
	assert_int_equal(fake_signals, OWNERS);
	assert_int_equal(cons_set_pgrp(43), 0);
	cons_input((const uint8_t *)"\003", 1);
	assert_int_equal(fake_signals, OWNERS | USERS);
	/* In their raw mode it is a byte for them, and still an interrupt for him. */
	cons_raw(&users, true);
	fake_signals = 0;
	cons_input((const uint8_t *)"\003", 1);
	assert_int_equal(fake_signals, OWNERS);
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), 1);
	assert_int_equal(buf[0], 3);
	/* In his it is a byte. A channel asks for him who wrote to it, whoever closes it. */
	fake_self->uid = UID_EVE;
	cons_raw(&owners, true);
	cons_raw(&users, false);
	assert_shows("rawon\npgrp 42\n");
	fake_signals = 0;
	cons_input((const uint8_t *)"\003", 1);
	assert_int_equal(fake_signals, 0);
	assert_int_equal(cons_read(NULL, buf, sizeof(buf), 0), 1);
	cons_raw(&owners, false);
	cons_input((const uint8_t *)"\003", 1);
	assert_int_equal(fake_signals, OWNERS | USERS);
	assert_int_equal(cons_set_pgrp(0), 0);
	fake_self->uid = UID_NONE;
	assert_int_equal(cons_set_pgrp(0), 0);
	fake_self->uid = UID_EVE;
}

/* Paste at full speed, heeding the throttle: every byte must arrive, in order. */
static unsigned pasted;

static int paste(void)
{
	while (!throttled && pasted < 50000) {
		uint8_t chunk[64];

		for (unsigned i = 0; i < sizeof(chunk); i++, pasted++)
			chunk[i] = pasted % 61 == 60 ? '\r' : 'a' + pasted % 26;
		cons_input(chunk, sizeof(chunk));
	}
	return 0;
}

static void a_throttled_paste_loses_nothing(void **state)
{
	static uint8_t buf[100];
	struct chan c = {0};
	unsigned at = 0;

	fake_wait = paste;
	paste();
	assert_true(throttled);
	while (at + 61 < 50000) {
		ssize_t n = cons_read(NULL, buf, sizeof(buf), 0);

		nsent = 0;
		for (ssize_t i = 0; i < n; i++, at++)
			assert_int_equal(buf[i], at % 61 == 60 ? '\n' : 'a' + at % 26);
	}
	assert_true(throttles > 5);
	assert_false(throttled);
	fake_wait = NULL;
	cons_raw(&c, true);
	cons_read(NULL, buf, sizeof(buf), 0);
	cons_raw(&c, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_lines),
		cmocka_unit_test(delivers_in_parts),
		cmocka_unit_test(delivers_long_lines),
		cmocka_unit_test_setup(sends_text_and_data, setup),
		cmocka_unit_test_setup(sends_long_text, setup),
		cmocka_unit_test_setup(lines_and_interrupts_reach_the_reader, setup),
		cmocka_unit_test_setup(users_do_not_take_the_interrupt, setup),
		cmocka_unit_test_setup(a_throttled_paste_loses_nothing, setup),
	};

	return RUN(tests, NULL, NULL);
}
