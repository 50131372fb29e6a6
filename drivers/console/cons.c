/*
 * The console: typed bytes on their way to readers, and output.
 *
 * Input comes from interrupt handlers. Outside raw mode, ^C and ^Z take effect at once;
 * everything else waits for a reader, who edits and echoes the line (consline.c).
 *
 * The owner of the machine and its users each have a process group for ^C and ^Z, and each ask for
 * raw mode: whatever users ask for, ^C interrupts the owner's group, and the owner reads lines.
 *
 * Output is either text, whose newlines need a return before them on a serial terminal,
 * or data, as from `cat /dev/kpdata`, of which not a byte may change. Programs do not say
 * which. So a process's output is taken for text until it writes a byte that text
 * does not contain, and for data from then on: see cons_is_text().
 */
#include "drivers/console/cons.h"
#include "drivers/console/consline.h"
#include "drivers/console/utf8.h"
#include "kernel/abi/signal.h"
#include "kernel/file/picture.h"
#include "kernel/machine/string.h"
#include "kernel/process/proc.h"

#define CTRL_C 3
#define CTRL_Z 26
#define HOLD_ROOM 1024 /* input is held back when there is less room than this */

static struct spinlock lock = {.name = "cons"};
static struct consline in;   /* lock */
static struct waitq readers; /* lock */
static unsigned interrupts;  /* lock; how many ^C and ^Z were typed */
static uint8_t interrupter;  /* lock; the last of them */
static unsigned raw[NPAYER];  /* lock; how many of their channels ask for raw mode */
static int pgrp[NPAYER];	     /* lock; their process groups that ^C interrupts; 0: none */
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
static enum payer cons_caller(void)
{
	return payer_of(proc_self()->uid);
}

/* Return whether the caller reads in raw mode: users also do if the owner asked for it. */
static bool cons_raw_mode(void)
{
	return raw[PAYER_OWNER] || raw[cons_caller()];
}

/*
 * Act on ^C or ^Z: signal the groups, forget what was typed, and let readers get -EINTR. Return
 * false if it is a byte like any other; for users it may be one even when the owner's group has got
 * its signal. Lock held.
 */
static bool cons_interrupt(uint8_t key, int sig)
{
	if (raw[PAYER_OWNER])
		return false;
	if (pgrp[PAYER_OWNER])
		proc_interrupt_group(pgrp[PAYER_OWNER], sig, UID_EVE);
	if (raw[PAYER_OTHERS])
		return false;
	if (pgrp[PAYER_OTHERS])
		proc_interrupt_group(pgrp[PAYER_OTHERS], sig, UID_NONE);
	consline_flush(&in);
	interrupts++;
	interrupter = key;
	return true;
}

/* What sends input is told once that there is little room; what does not fit then is lost. */
void cons_input(const uint8_t *s, size_t n)
{
	spin_lock(&lock);
	for (size_t i = 0; i < n; i++) {
		if (s[i] == CTRL_C && cons_interrupt(CTRL_C, SIGINT))
			continue;
		if (s[i] == CTRL_Z && cons_interrupt(CTRL_Z, SIGTSTP))
			continue;
		ring_put(&in.typed, &s[i], 1);
	}
	bool hold = !held && RING_SIZE - ring_used(&in.typed) < HOLD_ROOM;
	held |= hold;
	wait_wake(&readers);
	spin_unlock(&lock);
	if (hold)
		throttle(true);
}

/* Let input go on once half of the room is free. The lock is held, and released meanwhile. */
static void cons_release(void)
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
	output(s, n);
}

/*
 * Edit the line by what was typed, and echo that; return false if there was nothing to echo. The
 * lock is held, and released while the echo is sent.
 */
static bool cons_edit(void)
{
	uint8_t echo[64];

	in.raw = cons_raw_mode(); /* another may have read since */
	size_t n = consline_cook(&in, echo, sizeof(echo));

	cons_release();
	if (n == 0)
		return false;
	spin_unlock(&lock);
	cons_send((const char *)echo, n);
	spin_lock(&lock);
	in.raw = cons_raw_mode();
	return true;
}

/*
 * Edit and echo what is typed until a read would find something. The lock is held, and
 * released meanwhile. -EINTR after a signal, or a ^C or ^Z later than the first `seen` ones.
 */
static int cons_wait(unsigned seen)
{
	int err = 0;

	while (!err) {
		bool shown = cons_edit();

		if (interrupts != seen)
			return -EINTR;
		if (consline_ready(&in))
			return 0;
		if (!shown && ring_used(&in.typed) == 0)
			err = wait_on(&readers, &lock, NEVER);
	}
	return err;
}

/* The reader that ^C or ^Z wakes echoes it, for an interrupt handler cannot wait for output. */
ssize_t cons_read(struct chan *, void *buf, size_t n, uint64_t)
{
	spin_lock(&lock);
	unsigned seen = interrupts;
	int err = cons_wait(seen);
	if (!err)
		n = consline_take(&in, buf, n);
	cons_release();
	if (consline_ready(&in) || ring_used(&in.typed) > 0)
		wait_wake(&readers); /* it may be for another reader */
	seen = interrupts - seen;
	char echo[] = "^@\r\n";
	echo[1] += interrupter;
	spin_unlock(&lock);
	if (!err)
		return (ssize_t)n;
	if (seen)
		cons_send(echo, strlen(echo));
	return err;
}

bool cons_readable(void)
{
	HOLD_SPIN(&lock);
	while (cons_edit())
		;
	return consline_ready(&in);
}

void cons_watch(struct chan *, struct watcher *w)
{
	wait_watch(w, &readers, &lock);
}

/*
 * Return whether these bytes may be text. They may begin with the rest of a character and end
 * within one, since writes divide text anywhere.
 */
static bool cons_is_text(const uint8_t *s, size_t n)
{
	size_t i = 0;

	while (i < min_size(n, 3) && utf8_continues(s[i]))
		i++;
	for (i += utf8_ascii(s + i, n - i); i < n; i += utf8_ascii(s + i, n - i)) {
		size_t len = utf8_length(s[i]);

		if (len == 0 && !(s[i] && strchr("\a\b\t\n\r\033", s[i]))) /* layout, bell, ESC */
			return false;
		for (i++; len > 1 && i < n; i++, len--) {
			if (!utf8_continues(s[i]))
				return false;
		}
	}
	return true;
}

/* Send text, each newline as return and newline. */
static void cons_send_text(const char *s, size_t n)
{
	char buf[128];
	size_t k = 0;

	for (size_t i = 0; i < n;) {
		size_t room = sizeof(buf) - 2 - k;
		size_t plain = utf8_ascii(s + i, min_size(n - i, room));

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

ssize_t cons_write(struct chan *, const void *buf, size_t n, uint64_t)
{
	int pid = proc_self()->pid;

	HOLD_MUTEX(&out);
	if (pid != data_pid && !cons_is_text(buf, n))
		data_pid = pid;
	if (pid == data_pid)
		output(buf, n);
	else
		cons_send_text(buf, n);
	return (ssize_t)n;
}

/* Readers look again, since in the other mode they may find something. */
void cons_raw(struct chan *c, bool on)
{
	HOLD_SPIN(&lock);
	unsigned *asked = c->aux;
	if (on == (asked != NULL))
		return;
	if (on) {
		asked = c->aux = &raw[cons_caller()];
		++*asked;
	} else {
		--*asked;
		c->aux = NULL;
	}
	wait_wake(&readers);
}

int cons_set_pgrp(int group)
{
	int err = 0;

	if (group && !is_eve())
		err = proc_kill(-group, 0); /* whether the user could signal it */
	HOLD_SPIN(&lock);
	if (!err)
		pgrp[cons_caller()] = group;
	return err;
}

int cons_show(struct chan *, struct picture *to)
{
	HOLD_SPIN(&lock);
	return picture_print(to, "raw%s\npgrp %d\n", cons_raw_mode() ? "on" : "off",
			     pgrp[cons_caller()]);
}

void cons_text_again(void)
{
	HOLD_MUTEX(&out);
	if (data_pid == proc_self()->pid)
		data_pid = 0;
}
