/* Dates as text (C11 7.27.3.5), in English, without %r and the numbers of weeks. */
#include <stdbool.h>
#include <string.h>
#include <time.h>

/* Where the text goes. */
struct text {
	char *buf;
	size_t size, len; /* len counts what did not fit, too */
};

static const char *const day_name[] = {
	"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
};
static const char *const month_name[] = {
	"January", "February", "March",	    "April",   "May",	   "June",
	"July",	   "August",   "September", "October", "November", "December",
};

/* Append what fits, and count everything. */
static void add(struct text *to, const char *s, size_t n)
{
	if (to->len < to->size)
		memcpy(to->buf + to->len, s, n < to->size - to->len ? n : to->size - to->len);
	to->len += n;
}

/* Append the first n characters of a name in a table, or "?" if i is beyond it. */
static void add_name(struct text *to, const char *const *names, int count, int i, size_t n)
{
	if (i < 0 || i >= count)
		add(to, "?", 1);
	else
		add(to, names[i], strnlen(names[i], n));
}

/* Append a number, filled up to `width' digits with pad. */
static void add_number(struct text *to, long long value, int width, char pad)
{
	char digits[24];
	char *p = digits + sizeof(digits);
	unsigned long long n = value < 0 ? -(unsigned long long)value : (unsigned long long)value;

	do {
		*--p = (char)('0' + n % 10);
		width--;
	} while ((n /= 10) > 0);
	while (width-- > 0)
		*--p = pad;
	if (value < 0)
		*--p = '-';
	add(to, p, digits + sizeof(digits) - p);
}

/* Return the hour as a clock face has it, from 1 to 12. */
static int hour12(int hour)
{
	return hour % 12 == 0 ? 12 : hour % 12;
}

/* Return what a letter stands for that is short for several others, or NULL. */
static const char *compound(char letter)
{
	switch (letter) {
	case 'c':
		return "%a %b %e %H:%M:%S %Y";
	case 'D':
	case 'x':
		return "%m/%d/%y";
	case 'F':
		return "%Y-%m-%d";
	case 'R':
		return "%H:%M";
	case 'T':
	case 'X':
		return "%H:%M:%S";
	}
	return NULL;
}

/* Append the part of a date for a letter that is a number. Return false if it is not. */
static bool add_numeric(struct text *to, char letter, const struct tm *tm)
{
	struct tm copy = *tm;
	const struct {
		char letter;
		char pad;
		int width;
		long long value;
	} row[] = {
		{'C', '0', 2, (tm->tm_year + 1900ll) / 100},
		{'d', '0', 2, tm->tm_mday},
		{'e', ' ', 2, tm->tm_mday},
		{'H', '0', 2, tm->tm_hour},
		{'I', '0', 2, hour12(tm->tm_hour)},
		{'j', '0', 3, tm->tm_yday + 1ll},
		{'m', '0', 2, tm->tm_mon + 1ll},
		{'M', '0', 2, tm->tm_min},
		{'s', '0', 1, letter == 's' ? timegm(&copy) : 0},
		{'S', '0', 2, tm->tm_sec},
		{'u', '0', 1, tm->tm_wday == 0 ? 7 : tm->tm_wday},
		{'w', '0', 1, tm->tm_wday},
		{'y', '0', 2, (tm->tm_year + 1900ll) % 100},
		{'Y', '0', 1, tm->tm_year + 1900ll},
	};
	unsigned i;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		if (row[i].letter == letter) {
			add_number(to, row[i].value, row[i].width, row[i].pad);
			return true;
		}
	}
	return false;
}

/* A compound letter is a format of its own. */
static void add_date(struct text *to, const char *fmt, const struct tm *tm);

/* Append one conversion. An unknown letter is copied with its %. */
static void add_part(struct text *to, char letter, const struct tm *tm)
{
	const char percent[2] = {'%', letter};

	switch (letter) {
	case 'a':
		add_name(to, day_name, 7, tm->tm_wday, 3);
		return;
	case 'A':
		add_name(to, day_name, 7, tm->tm_wday, (size_t)-1);
		return;
	case 'b':
	case 'h':
		add_name(to, month_name, 12, tm->tm_mon, 3);
		return;
	case 'B':
		add_name(to, month_name, 12, tm->tm_mon, (size_t)-1);
		return;
	case 'p':
		add(to, tm->tm_hour < 12 ? "AM" : "PM", 2);
		return;
	case 'n':
		add(to, "\n", 1);
		return;
	case 't':
		add(to, "\t", 1);
		return;
	case 'z':
		add(to, "+0000", 5);
		return;
	case 'Z':
		add(to, "UTC", 3);
		return;
	case '%':
		add(to, "%", 1);
		return;
	}
	if (compound(letter))
		add_date(to, compound(letter), tm);
	else if (!add_numeric(to, letter, tm))
		add(to, percent, 2);
}

/* Append the text of a whole format. */
static void add_date(struct text *to, const char *fmt, const struct tm *tm)
{
	while (*fmt != '\0') {
		size_t n = strcspn(fmt, "%");

		add(to, fmt, n);
		fmt += n;
		if (*fmt == '%' && fmt[1] == '\0') {
			add(to, fmt++, 1);
		} else if (*fmt == '%') {
			add_part(to, fmt[1], tm);
			fmt += 2;
		}
	}
}

/*
 * Write a date as fmt says. Return the length without the NUL, or 0 if it does not fit: then
 * buf holds nothing of use.
 */
size_t strftime(char *buf, size_t size, const char *fmt, const struct tm *tm)
{
	struct text to = {buf, size, 0};

	add_date(&to, fmt, tm);
	if (to.len >= size)
		return 0;
	buf[to.len] = '\0';
	return to.len;
}

/* Return "Thu Jan 1 00:00:00 1970" and a newline, valid until the next call. */
char *asctime(const struct tm *tm)
{
	static char buf[64];

	return strftime(buf, sizeof(buf), "%c\n", tm) > 0 ? buf : NULL;
}

/* As asctime(), of seconds since 1970. NULL with EOVERFLOW. */
char *ctime(const time_t *t)
{
	const struct tm *tm = localtime(t);

	return tm ? asctime(tm) : NULL;
}
