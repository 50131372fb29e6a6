/*
 * The console: typed bytes on their way to readers, and output.
 *
 * Input comes from interrupt handlers. Outside raw mode ^C is acted on at once;
 * everything else waits for a reader, who edits and echoes the line (consline.c).
 *
 * The owner of the machine and its users each have a process group for ^C and ask for raw mode
 * by themselves: whatever users ask for, ^C interrupts the owner's group, and she reads lines.
 *
 * Output is either text, whose newlines need a return before them on a serial terminal,
 * or data, as from `cat /dev/kpdata`, of which not a byte may change. Programs do not say
 * which. So a process's output is taken for text until it writes a byte that text
 * does not contain, and for data from then on: see is_text().
 */
#include "drivers/console/cons.h"
#include "drivers/console/consline.h"
#include "drivers/console/utf8.h"
#include "kernel/lib.h"
#include "kernel/proc.h"

#define CTRL_C 3
#define HOLD_ROOM 1024 /* input is held back when there is less room than this */

static struct spinlock lock = {.name = "cons"};
static struct consline in;   /* lock */
static struct waitq readers; /* lock */
static unsigned interrupts;  /* lock; how many ^C were typed */
enum { OWNER, USERS };
static unsigned raw[2];	     /* lock; how many of their channels ask for raw mode */
static int pgrp[2];	     /* lock; their process groups that ^C interrupts; 0: none */
static bool held;	     /* lock; input is held back */

static struct mutex out = {.l.name = "out"};	/* one write at a time */
static int data_pid;				/* out; the last process that wrote data */
static void (*output)(const char *s, size_t n); /* constant after boot */
static void (*throttle)(bool stop);		/* constant after boot */

void cons_connect(void (*write)(const char *s, size_t n), void (*hold)(bool stop))
{
	output = write;
	throttle = hold;
}

/* Return for whom the calling process speaks. */
static unsigned caller(void)
{
	return is_eve() ? OWNER : USERS;
}

/* Return whether the caller reads in raw mode: users also do if the owner asked for it. */
static bool raw_mode(void)
{
	return raw[OWNER] || raw[caller()];
}

/*
 * Act on ^C: signal the groups, forget what was typed, and let readers get -EINTR. Return false
 * if it is a byte like any other, which for users it may be although the owner's group got its
 * signal. Lock held.
 */
static bool cons_interrupt(void)
{
	if (raw[OWNER])
		return false;
	if (pgrp[OWNER])
		proc_interrupt_group(pgrp[OWNER], SIGINT, UID_EVE);
	if (raw[USERS])
		return false;
	if (pgrp[USERS])
		proc_interrupt_group(pgrp[USERS], SIGINT, UID_NONE);
	consline_flush(&in);
	interrupts++;
	return true;
}

/* Without a throttle, what does not fit is lost. */
void cons_input(const uint8_t *s, size_t n)
{
	bool hold;

	spin_lock(&lock);
	for (size_t i = 0; i < n; i++) {
		if (s[i] == CTRL_C && cons_interrupt())
			continue;
		if (!ring_full(&in.typed))
			ring_putc(&in.typed, s[i]);
	}
	hold = throttle && !held && RING_SIZE - ring_used(&in.typed) < HOLD_ROOM;
	held |= hold;
	wait_wake(&readers);
	spin_unlock(&lock);
	if (hold)
		throttle(true);
}

/* Let input go on once half of the room is free. The lock is held, and released meanwhile. */
static void release_input(void)
{
	if (!held || ring_used(&in.typed) > RING_SIZE / 2)
		return;
	held = false;
	spin_unlock(&lock);
	throttle(false);
	spin_lock(&lock);
}

/* Send output as it is, in one piece. */
static void cons_send(const char *s, size_t n)
{
	HOLD_MUTEX(&out);
	if (output)
		output(s, n);
}

/*
 * Edit the line by what was typed, and echo it: false when there was nothing to echo. The
 * lock is held, and released while the echo is sent.
 */
static bool edit_input(void)
{
	uint8_t echo[64];

	in.raw = raw_mode(); /* another may have read since */
	size_t n = consline_cook(&in, echo, sizeof(echo));

	release_input();
	if (n == 0)
		return false;
	spin_unlock(&lock);
	cons_send((const char *)echo, n);
	spin_lock(&lock);
	in.raw = raw_mode();
	return true;
}

/*
 * Edit and echo what is typed until a read would find something. The lock is held, and
 * released meanwhile. -EINTR after a signal, or a ^C later than the first `seen` ones.
 */
static int wait_input(unsigned seen)
{
	int err = 0;

	while (!err) {
		bool shown = edit_input();

		if (interrupts != seen)
			return -EINTR;
		if (consline_ready(&in))
			return 0;
		if (!shown && ring_used(&in.typed) == 0)
			err = wait_on(&readers, &lock, NEVER);
	}
	return err;
}

/* The reader that ^C wakes echoes it, since an interrupt handler cannot wait for output. */
ssize_t cons_read(void *buf, size_t n)
{
	unsigned seen;
	int err;

	spin_lock(&lock);
	seen = interrupts;
	err = wait_input(seen);
	if (!err)
		n = consline_take(&in, buf, n);
	release_input();
	/* What is left may be for another reader. */
	if (readers.head && (consline_ready(&in) || ring_used(&in.typed)))
		wait_wake(&readers);
	seen = interrupts - seen;
	spin_unlock(&lock);
	if (err && seen)
		cons_send("^C\r\n", 4);
	return err ? err : (ssize_t)n;
}

bool cons_readable(void)
{
	HOLD_SPIN(&lock);
	while (edit_input())
		;
	return consline_ready(&in);
}

/* Whether text may have the byte beside characters: layout, bell or escape. */
static bool text_byte(uint8_t c)
{
	return (c >= '\a' && c <= '\r' && c != '\v' && c != '\f') || c == 033;
}

/*
 * Whether these bytes may be text. They may begin with the rest of a character and end
 * within one, since writes divide text anywhere.
 */
static bool is_text(const uint8_t *s, size_t n)
{
	size_t i = 0;

	while (i < n && i < 3 && utf8_continues(s[i]))
		i++;
	for (i += utf8_ascii(s + i, n - i); i < n; i += utf8_ascii(s + i, n - i)) {
		size_t len = utf8_length(s[i]);

		if (len == 0 && !text_byte(s[i]))
			return false;
		for (i++; len > 1 && i < n; i++, len--) {
			if (!utf8_continues(s[i]))
				return false;
		}
	}
	return true;
}

/* Send text, each newline as return and newline. */
static void send_text(const char *s, size_t n)
{
	char buf[128];
	size_t k = 0;

	for (size_t i = 0; i < n;) {
		size_t left = n - i, room = sizeof(buf) - 2 - k;
		size_t plain = utf8_ascii(s + i, left < room ? left : room);

		memcpy(buf + k, s + i, plain);
		k += plain;
		i += plain;
		if (i < n && k < sizeof(buf) - 2) { /* another byte, for which there is room */
			if (s[i] == '\n')
				buf[k++] = '\r';
			buf[k++] = s[i++];
		}
		if (k >= sizeof(buf) - 2 || i == n) {
			output(buf, k);
			k = 0;
		}
	}
}

ssize_t cons_write(const void *buf, size_t n)
{
	int pid = proc_self()->pid;

	HOLD_MUTEX(&out);
	if (pid != data_pid && !is_text(buf, n))
		data_pid = pid;
	if (output && pid == data_pid)
		output(buf, n);
	else if (output)
		send_text(buf, n);
	return (ssize_t)n;
}

/* Readers look again, since in the other mode they may find something. */
void cons_raw(struct chan *c, bool on)
{
	HOLD_SPIN(&lock);
	unsigned *asked = c->aux;
	if (on && !asked) {
		asked = c->aux = &raw[caller()];
		++*asked;
	} else if (!on && asked) {
		--*asked;
		c->aux = NULL;
	}
	wait_wake(&readers);
}

int cons_set_pgrp(int group)
{
	int err = group && !is_eve() ? proc_kill(-group, 0) : 0;

	if (err)
		return err;
	HOLD_SPIN(&lock);
	pgrp[caller()] = group;
	return 0;
}

void cons_state(bool *is_raw, int *group)
{
	HOLD_SPIN(&lock);
	*is_raw = raw_mode();
	*group = pgrp[caller()];
}

void cons_text_again(void)
{
	HOLD_MUTEX(&out);
	if (data_pid == proc_self()->pid)
		data_pid = 0;
}
