/* Formatted printing, the kernel's log, and where both go. */
#include "kernel/machine/print.h"
#include "kernel/machine/image.h"
#include "kernel/machine/spin.h"
#include "kernel/machine/string.h"
#include "kernel/machine/time.h"

#define LOGSIZE 16384u
#define LINE 256	   /* bytes of a message, with its NUL */
#define LIMIT 10	   /* messages of print_limited() ... */
#define SPAN_NS 1000000000 /* ... in a span of this length */

static struct spinlock lock = {.name = "print"};
static void (*sink)(const char *s, size_t n);	   /* lock */
static void (*sink_sync)(const char *s, size_t n); /* constant after boot */
static char log[LOGSIZE];			   /* lock; a ring */
static uint64_t logged;				   /* lock; characters ever written */
static bool panicking;				   /* only ever becomes true */
static uint64_t span;	  /* lock; when the current span of print_limited() began */
static unsigned limited;  /* lock; messages in it */
static uint32_t left_out; /* lock, atomic; messages left out since that was last reported */

/* Where formatted characters go: a buffer of size bytes; n counts those that do not fit, too. */
struct out {
	char *buf;
	size_t size, n;
	char pad; /* of the conversion that is being done */
	int width;
};

/* Add one character. */
static void out_char(struct out *o, char c)
{
	if (o->n + 1 < o->size)
		o->buf[o->n] = c;
	o->n++;
}

/* Add the n characters of s after as much padding as the conversion asks for. */
static void out_padded(struct out *o, const char *s, int n)
{
	for (int left = o->width - n; left > 0; left--)
		out_char(o, o->pad);
	for (int i = 0; i < n; i++)
		out_char(o, s[i]);
}

/* Add the number v as the conversion d, u or x. */
static void out_number(struct out *o, uint64_t v, char conversion)
{
	bool negative = conversion == 'd' && (int64_t)v < 0;
	uint32_t base = conversion == 'x' ? 16 : 10;
	char digits[24];
	int at = sizeof(digits);

	if (negative)
		v = -v;
	do
		digits[--at] = "0123456789abcdef"[div64(&v, base)];
	while (v);
	if (negative)
		digits[--at] = '-';
	out_padded(o, digits + at, (int)sizeof(digits) - at);
}

/* Take the next number; the number of "l"s says how large it is. */
static uint64_t number_arg(va_list *ap, int longs, char conversion)
{
	if (longs >= 2)
		return va_arg(*ap, uint64_t);
	if (conversion == 'd')
		return (uint64_t)va_arg(*ap, int32_t);
	return va_arg(*ap, uint32_t);
}

/* Read flag, width and length at *fmt, and move it past them. Return how many "l"s there were. */
static int out_spec(struct out *o, const char **fmt)
{
	const char *f = *fmt;
	int longs = 0;

	o->pad = ' ';
	if (*f == '0')
		o->pad = *f;
	for (o->width = 0; in_range((uint32_t)*f, '0', '9' + 1); f++)
		o->width = o->width * 10 + *f - '0';
	for (; *f == 'l' || *f == 'z'; f++)
		longs += *f == 'l';
	*fmt = f;
	return longs;
}

/* Do one conversion: *fmt is after the "%", and is left at the conversion's letter. */
static void print_convert(struct out *o, const char **fmt, va_list *ap)
{
	int longs = out_spec(o, fmt);
	const char *s;
	char c = **fmt;

	switch (c) {
	case 'd':
	case 'u':
	case 'x':
		out_number(o, number_arg(ap, longs, c), c);
		break;
	case 'p':
		out_char(o, '0');
		out_char(o, 'x');
		o->pad = '0';
		o->width = 8;
		out_number(o, (uintptr_t)va_arg(*ap, void *), 'x');
		break;
	case 's':
		s = va_arg(*ap, const char *);
		if (!s)
			s = "(null)";
		out_padded(o, s, (int)strlen(s));
		break;
	case 'c':
		c = (char)va_arg(*ap, int);
		out_padded(o, &c, 1);
		break;
	default:
		out_char(o, c);
	}
}

/* As C's vsnprintf(), with the conversions that print.h names. Return the length wanted. */
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap)
{
	struct out o = {.buf = buf, .size = size};
	va_list args;

	va_copy(args, ap);
	for (; *fmt; fmt++) {
		if (*fmt != '%') {
			out_char(&o, *fmt);
		} else if (fmt[1]) {
			fmt++;
			print_convert(&o, &fmt, &args);
		}
	}
	va_end(args);
	if (size > 0)
		buf[min_size(o.n, size - 1)] = 0;
	return (int)o.n;
}

int snprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	return n;
}

/* Write the first `digits` digits of the kernel's build ID and a NUL to hex, and return it. */
char *build_id(char *hex, unsigned digits)
{
	for (unsigned i = 0; i < digits / 2; i++)
		snprintf(hex + 2 * i, 3, "%02x", build_id_note[16 + i]);
	return hex;
}

/*
 * Set where printk()'s lines go: write() is called with interrupts off or on, never from NMI.
 * After a panic they go to sync(), which polls and takes no lock.
 */
void print_sink(void (*write)(const char *s, size_t n), void (*sync)(const char *s, size_t n))
{
	sink = write;
	sink_sync = sync;
}

/* From now on write everything at once, past all locks. */
void print_panic(void)
{
	panicking = true;
}

/*
 * Format a message, and return its length. One that is too long is cut. Control characters, which
 * a file's name in it may have, become question marks, so it is always one line of text.
 */
static size_t print_format(char line[LINE], const char *fmt, va_list ap)
{
	int len = vsnprintf(line, LINE, fmt, ap);
	size_t n = min_size((size_t)len, LINE - 1);

	for (size_t i = 0; i + 1 < n; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 127)
			line[i] = '?';
	if (len >= LINE)
		line[n - 1] = '\n';
	return n;
}

/* Write to the log and the console. The caller holds the lock, or panics. */
static void print_write(const char *s, size_t n)
{
	void (*to)(const char *, size_t) = panicking ? sink_sync : sink;

	for (size_t i = 0; i < n; i++)
		log[logged++ % LOGSIZE] = s[i];
	if (to)
		to(s, n);
}

/* Format and print. */
void printk(const char *fmt, ...)
{
	char line[LINE];
	va_list ap;

	va_start(ap, fmt);
	size_t n = print_format(line, fmt, ap);
	va_end(ap);
	if (panicking) {
		print_write(line, n);
		return;
	}
	HOLD_SPIN(&lock);
	print_write(line, n);
}

/* Begin a new span if the last is over, and say what was left out. The caller holds the lock. */
static void span_begin(uint64_t now)
{
	char line[LINE];

	if ((int64_t)(now - span) < SPAN_NS) /* negative if another CPU was a little ahead */
		return;
	span = now;
	limited = 0;
	if (left_out == 0)
		return;
	print_write(line, (size_t)snprintf(line, LINE, "... %u such lines left out\n", left_out));
	__atomic_store_n(&left_out, 0, __ATOMIC_RELAXED);
}

/*
 * Print a message that a user can cause as often as they like: at most LIMIT in a span, and then
 * how many were left out.
 */
void print_limited(const char *fmt, ...)
{
	char line[LINE];
	va_list ap;

	va_start(ap, fmt);
	size_t n = print_format(line, fmt, ap);
	va_end(ap);
	HOLD_SPIN(&lock);
	span_begin(time_ns());
	if (limited++ < LIMIT)
		print_write(line, n);
	else
		__atomic_store_n(&left_out, left_out + 1, __ATOMIC_RELAXED);
}

/* When a span is over, say how many messages were left out, unless a later one has done so. */
void print_tick(uint64_t now)
{
	if (__atomic_load_n(&left_out, __ATOMIC_RELAXED) == 0)
		return;
	HOLD_SPIN(&lock);
	span_begin(now);
}

/* Copy at most n bytes of the log, from offset off of what it still holds; 0 at its end. */
size_t print_log(char *buf, size_t n, size_t off)
{
	HOLD_SPIN(&lock);
	size_t have = LOGSIZE;

	if (logged < LOGSIZE)
		have = (size_t)logged;
	if (off >= have)
		return 0;
	n = min_size(n, have - off);
	for (size_t i = 0; i < n; i++)
		buf[i] = log[(logged - have + off + i) % LOGSIZE];
	return n;
}
