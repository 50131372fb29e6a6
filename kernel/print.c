/* Formatted printing, the kernel's log, and where both go. */
#include "kernel/print.h"
#include "kernel/clock.h"
#include "kernel/image.h"
#include "kernel/lib.h"
#include "kernel/lock.h"

#define LOGSIZE 16384u
#define LINE 256	   /* bytes of a message, with its NUL */
#define LIMIT 10	   /* messages of print_limited() ... */
#define SPAN_NS 1000000000 /* ... in such a span of time */

static struct spinlock lock = {.name = "print"};
static void (*sink)(const char *s, size_t n);	   /* lock */
static void (*sink_sync)(const char *s, size_t n); /* constant after boot */
static char log[LOGSIZE];			   /* lock; a ring */
static uint64_t logged;				   /* lock; characters ever written */
static bool panicking;				   /* only ever becomes true */
static uint64_t span;	  /* lock; when the span that counts for print_limited() began */
static unsigned limited;  /* lock; messages in it */
static uint32_t left_out; /* lock; messages left out since that was last said; read without */

/* Where formatted characters go: a buffer of size bytes; n counts those that do not fit, too. */
struct out {
	char *buf;
	size_t size, n;
};

/* One conversion's flags and width. */
struct spec {
	bool zero;
	int width;
};

/* Add one character. */
static void put(struct out *o, char c)
{
	if (o->n + 1 < o->size)
		o->buf[o->n] = c;
	o->n++;
}

/* Add the n characters of s after as much padding as the conversion asks for. */
static void put_padded(struct out *o, const char *s, int n, const struct spec *sp)
{
	for (int pad = sp->width - n; pad > 0; pad--)
		put(o, sp->zero ? '0' : ' ');
	for (int i = 0; i < n; i++)
		put(o, s[i]);
}

/* Add v in the base, after a sign if it is negative. */
static void put_number(struct out *o, uint64_t v, uint32_t base, bool negative,
		       const struct spec *sp)
{
	char digits[24];
	int at = sizeof(digits);

	do
		digits[--at] = "0123456789abcdef"[div64(&v, base)];
	while (v);
	if (negative)
		digits[--at] = '-';
	put_padded(o, digits + at, (int)sizeof(digits) - at, sp);
}

/* Take the next integer argument; the number of "l"s says how large it is. */
static uint64_t integer(va_list *ap, int longs, bool is_signed)
{
	if (longs >= 2)
		return va_arg(*ap, uint64_t);
	return is_signed ? (uint64_t)(int64_t)va_arg(*ap, int32_t) : va_arg(*ap, uint32_t);
}

/* Read flag, width and length at *fmt, and move it past them. Return how many "l"s there were. */
static int parse_spec(const char **fmt, struct spec *sp)
{
	const char *f = *fmt;
	int longs = 0;

	*sp = (struct spec){.zero = *f == '0'};
	for (; *f >= '0' && *f <= '9'; f++)
		sp->width = sp->width * 10 + *f - '0';
	for (; *f == 'l' || *f == 'z'; f++)
		longs += *f == 'l';
	*fmt = f;
	return longs;
}

/* Do one conversion: *fmt is after the "%", and is left at the conversion's letter. */
static void convert(struct out *o, const char **fmt, va_list *ap)
{
	struct spec sp;
	int longs = parse_spec(fmt, &sp);
	const char *s;
	int64_t v;
	char c;

	switch (**fmt) {
	case 'd':
		v = (int64_t)integer(ap, longs, true);
		put_number(o, v < 0 ? -(uint64_t)v : (uint64_t)v, 10, v < 0, &sp);
		break;
	case 'u':
	case 'x':
		put_number(o, integer(ap, longs, false), **fmt == 'u' ? 10 : 16, false, &sp);
		break;
	case 'p':
		put(o, '0');
		put(o, 'x');
		sp = (struct spec){.zero = true, .width = 8};
		put_number(o, (uintptr_t)va_arg(*ap, void *), 16, false, &sp);
		break;
	case 's':
		s = va_arg(*ap, const char *);
		if (!s)
			s = "(null)";
		put_padded(o, s, (int)strlen(s), &sp);
		break;
	case 'c':
		c = (char)va_arg(*ap, int);
		put_padded(o, &c, 1, &sp);
		break;
	default:
		put(o, **fmt);
	}
}

/* As C's vsnprintf(), with the conversions that lib.h names. Return the length wanted. */
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap)
{
	struct out o = {.buf = buf, .size = size};
	va_list args;

	va_copy(args, ap);
	for (; *fmt; fmt++) {
		if (*fmt != '%') {
			put(&o, *fmt);
		} else if (fmt[1]) {
			fmt++;
			convert(&o, &fmt, &args);
		}
	}
	va_end(args);
	if (size > 0)
		buf[o.n < size ? o.n : size - 1] = 0;
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

/* Write so many digits of the kernel's build ID and a NUL to hex, and return it. */
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

/* Add n characters to the log. The caller holds the lock, or panics. */
static void log_write(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		log[logged++ % LOGSIZE] = s[i];
}

/*
 * Format a message, and return its length. One that is too long is cut. It remains one line, and
 * text, whatever a file's name in it may hold.
 */
static size_t format(char line[LINE], const char *fmt, va_list ap)
{
	int len = vsnprintf(line, LINE, fmt, ap);
	size_t n = len < LINE ? (size_t)len : LINE - 1;

	for (size_t i = 0; i + 1 < n; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 127)
			line[i] = '?';
	if (len >= LINE)
		line[n - 1] = '\n';
	return n;
}

/* Write to the log and the console. The caller holds the lock. */
static void write(const char *s, size_t n)
{
	log_write(s, n);
	if (sink)
		sink(s, n);
}

/* Format and print. */
void printk(const char *fmt, ...)
{
	char line[LINE];
	va_list ap;

	va_start(ap, fmt);
	size_t n = format(line, fmt, ap);
	va_end(ap);
	if (panicking) {
		log_write(line, n);
		if (sink_sync)
			sink_sync(line, n);
		return;
	}
	HOLD_SPIN(&lock);
	write(line, n);
}

/* Begin a new span if the last is over, and say what was left out. The caller holds the lock. */
static void begin_span(uint64_t now)
{
	char line[LINE];

	if ((int64_t)(now - span) < SPAN_NS) /* another CPU may have been a little ahead */
		return;
	span = now;
	limited = 0;
	if (left_out == 0)
		return;
	write(line, (size_t)snprintf(line, sizeof(line), "... %u such lines left out\n", left_out));
	__atomic_store_n(&left_out, 0, __ATOMIC_RELAXED);
}

/* Print what a user may cause as often as he likes: LIMIT messages in a span, and then a count. */
void print_limited(const char *fmt, ...)
{
	char line[LINE];
	va_list ap;

	va_start(ap, fmt);
	size_t n = format(line, fmt, ap);
	va_end(ap);
	HOLD_SPIN(&lock);
	begin_span(time_ns());
	if (limited++ < LIMIT)
		write(line, n);
	else
		__atomic_store_n(&left_out, left_out + 1, __ATOMIC_RELAXED);
}

/* Say what was left out once its span is over, if no other message has caused that. */
void print_tick(uint64_t now)
{
	if (__atomic_load_n(&left_out, __ATOMIC_RELAXED) == 0)
		return;
	HOLD_SPIN(&lock);
	begin_span(now);
}

/* Copy at most n bytes of the log, from offset off of what it still holds; 0 at its end. */
size_t print_log(char *buf, size_t n, size_t off)
{
	HOLD_SPIN(&lock);
	uint64_t start = logged > LOGSIZE ? logged - LOGSIZE : 0;
	size_t have = (size_t)(logged - start);
	size_t len = off >= have ? 0 : have - off < n ? have - off : n;

	for (size_t i = 0; i < len; i++)
		buf[i] = log[(start + off + i) % LOGSIZE];
	return len;
}
