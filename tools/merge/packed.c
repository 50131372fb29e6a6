/*
 * Texts in order: see packed.h. Of each there are four numbers, the bytes that it begins with as
 * the one before, those that follow, and its own two; then these bytes. A number has 7 bits in a
 * byte, the lowest first, and the bit 0x80 in all but its last.
 */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/merge/packed.h"
#include "tools/order.h"

#define NUMBER 10 /* bytes at most */

static void packed_put(struct packed *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		p->data[p->n++] = (uint8_t)(v | 0x80);
	p->data[p->n++] = (uint8_t)v;
}

static uint64_t packed_get(struct packed_text *t)
{
	const uint8_t *at = t->of->data + t->at;
	uint64_t v = 0;
	unsigned bits = 0;

	for (; *at & 0x80; bits += 7)
		v |= (uint64_t)(*at++ & 0x7f) << bits;
	v |= (uint64_t)*at++ << bits;
	t->at = (size_t)(at - t->of->data);
	return v;
}

void packed_add(struct packed *p, const char *text, size_t n, uint64_t count, uint64_t times)
{
	size_t most = order_min(n, p->nlast), same = 0;

	while (same < most && text[same] == p->last[same])
		same++;
	p->data = memory_grow(p->data, &p->room, p->n + 4 * NUMBER + n - same, 1);
	packed_put(p, same);
	packed_put(p, n - same);
	packed_put(p, count);
	packed_put(p, times);
	memcpy(p->data + p->n, text + same, n - same);
	p->n += n - same;
	p->last = memory_grow(p->last, &p->room_last, n + 1, 1);
	memcpy(p->last + same, text + same, n - same);
	p->nlast = n;
}

void packed_free(struct packed *p)
{
	free(p->data);
	free(p->last);
	*p = (struct packed){.n = 0};
}

void packed_begin(struct packed_text *t, const struct packed *of)
{
	*t = (struct packed_text){.of = of};
}

bool packed_next(struct packed_text *t)
{
	size_t same, more;

	if (t->at == t->of->n) {
		free(t->text);
		t->text = NULL;
		return false;
	}
	same = packed_get(t);
	more = packed_get(t);
	t->count = packed_get(t);
	t->times = packed_get(t);
	t->n = same + more;
	t->text = memory_grow(t->text, &t->room, t->n + 1, 1);
	memcpy(t->text + same, t->of->data + t->at, more);
	t->at += more;
	return true;
}
