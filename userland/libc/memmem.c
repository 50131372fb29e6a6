/*
 * Searching memory for bytes, by the two-way algorithm: M. Crochemore and D. Perrin, "Two-way
 * string-matching", Journal of the ACM 38 (1991). Its time is linear whatever the bytes are, and it
 * needs no memory.
 *
 * What is searched for is cut in two. The right part is compared first: if it differs at its byte
 * i, nothing can match before the place i + 1 further on. If only the left part differs, nothing
 * can match before the period of the right part has passed. A period is a distance at which bytes
 * repeat: x[i] == x[i + period] wherever both are.
 * Optimize: speed.
 */
#include <stdbool.h>
#include <string.h>
#include "userland/libc/libc.h"

/* What is searched for. */
struct needle {
	const unsigned char *x;
	size_t n;
	size_t cut;    /* where the right part begins */
	size_t period; /* of the right part */
};

/*
 * Cut at the greatest suffix in the order of bytes, or in its reverse, if that is further right.
 * The suffix at j is compared with the greatest so far; where they are the same to the end, the
 * rest repeats.
 */
static void needle_cut(struct needle *s, bool reverse)
{
	const unsigned char *x = s->x;
	size_t best = 0, period = 1, j = 1;

	while (j < s->n) {
		size_t same = __memsame(x + best, x + j, s->n - j);

		if (j + same == s->n)
			break;
		if ((x[j + same] > x[best + same]) != reverse) {
			best = j + same - same % period;
			j = best + 1;
			period = 1;
		} else {
			j += same + 1;
			period = j - best;
		}
	}
	if (best >= s->cut) {
		s->cut = best;
		s->period = period;
	}
}

/* Return the first place of the needle among n bytes, or NULL. */
static const char *two_way(const char *p, size_t n, const struct needle *s)
{
	const char *x = (const char *)s->x, *end = p + n;
	bool repeats = __memsame(x, x + s->period, s->cut) == s->cut; /* as a whole, too */
	size_t longer = s->cut > s->n - s->cut ? s->cut : s->n - s->cut;
	size_t period = repeats ? s->period : longer + 1;
	size_t known = 0; /* so many bytes at p are the needle's; if any, all of the left part */

	while ((size_t)(end - p) >= s->n) {
		size_t at = known;

		if (known == 0) {
			p = memchr(p + s->cut, x[s->cut], end - p - s->n + 1);
			if (!p)
				return NULL;
			p -= s->cut;
			at = s->cut;
		}
		at += __memsame(p + at, x + at, s->n - at);
		if (at < s->n) {
			p += at - s->cut + 1;
			known = 0;
			continue;
		}
		if (known > 0 || __memsame(p, x, s->cut) == s->cut)
			return p;
		p += period;
		known = repeats ? s->n - period : 0;
	}
	return NULL;
}

/*
 * Return the first place of the nsub bytes at sub among the n bytes at p, or NULL. None are at p.
 * Trying where the first byte is costs the least, until much is compared in vain.
 */
void *memmem(const void *p, size_t n, const void *sub, size_t nsub)
{
	struct needle s = {sub, nsub, 0, 1};
	const char *at = p, *end = at + n;
	size_t compared = 0;

	if (nsub == 0)
		return (void *)p;
	while ((size_t)(end - at) >= nsub && compared <= 4 * nsub) {
		size_t same;

		at = memchr(at, *s.x, end - at - nsub + 1);
		if (!at)
			return NULL;
		same = __memsame(at, sub, nsub);
		if (same == nsub)
			return (void *)at;
		compared += same;
		at++;
	}
	if ((size_t)(end - at) < nsub)
		return NULL;
	needle_cut(&s, false);
	needle_cut(&s, true);
	return (void *)two_way(at, end - at, &s);
}
