/* Memory, or the program's end: see memory.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"

/* Nothing is tidied up: of a file that was being written the new one, NAME.NONCE.part, stays. */
void memory_out(void)
{
	fprintf(stderr, "%s: there is not enough memory for these data\n",
		program_invocation_short_name);
	exit(1);
}

/* calloc() checks the product. */
void *memory_zeroed(size_t n, size_t size)
{
	void *p = calloc(order_max(n, 1), size);

	if (!p)
		memory_out();
	return p;
}

/* Doubling keeps what n additions cost altogether in proportion to n. */
void *memory_grow(void *array, size_t *room, size_t n, size_t size)
{
	size_t want = order_max(*room, 16);

	if (n <= *room)
		return array;
	for (; want < n; want *= 2)
		if (want > SIZE_MAX / 2)
			memory_out();
	array = reallocarray(array, want, size);
	if (!array)
		memory_out();
	*room = want;
	return array;
}

void *memory_grow_zeroed(void *array, size_t *room, size_t n, size_t size)
{
	size_t had = *room;

	array = memory_grow(array, room, n, size);
	if (*room > had) /* or there may be no array */
		memset((char *)array + had * size, 0, (*room - had) * size);
	return array;
}

char *memory_string(const char *text, size_t n)
{
	char *s = memory_zeroed(n + 1, 1);

	memcpy(s, text, n);
	return s;
}

char *memory_format(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		memory_out();
	va_end(ap);
	return s;
}

void memory_stream_open(struct memory_stream *s)
{
	s->f = open_memstream(&s->data, &s->n);
	if (!s->f)
		memory_out();
}

/* A stream that has run out of memory tells so when it is closed. */
void memory_stream_close(struct memory_stream *s)
{
	if (fclose(s->f) != 0)
		memory_out();
}
