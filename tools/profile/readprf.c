/* Reading a log of prf(7) as a profile: what was counted from its first snapshot to its last. */
#include <stdlib.h>
#include "userland/formats/prflog.h"
#include "tools/memory.h"
#include "tools/profile/profread.h"
#include "tools/profile/textline.h"

/* The last snapshot, and the first one that it can be compared with. */
struct stretch {
	struct prflog_snap from, to;
	bool any; /* they are not the same */
};

/* Find the two snapshots. Return 0, or what ended the log. */
static int find_stretch(struct prflog *l, struct stretch *s)
{
	struct prflog_snap next;
	int got = prflog_next(l, &s->from);

	s->to = s->from;
	while (got > 0) {
		got = prflog_next(l, &next);
		if (got <= 0)
			break;
		s->any = prflog_change(&s->to, &next, l->head.rate) == PRFLOG_SAME;
		if (!s->any)
			s->from = next;
		s->to = next;
	}
	return got;
}

/* Add the ticks. A counter is of the text from its address up to the next counter's. */
static void readprf_add(struct profdata *p, const struct stretch *s, uint32_t kernel)
{
	uint32_t i, n = s->to.n, at, next;

	for (i = 0; i < n; i++) {
		at = prflog_number(s->to.address, i);
		next = at + 1;
		if (i + 1 < n)
			next = prflog_number(s->to.address, i + 1);
		profdata_add_pc(p, kernel, at, next - at, prflog_ticks(&s->from, &s->to, i));
	}
	profdata_add_mode(p, PROFDATA_USER, prflog_ticks(&s->from, &s->to, n));
	profdata_add_mode(p, PROFDATA_IDLE, prflog_ticks(&s->from, &s->to, n + 1));
}

/* A last record that is cut short is left out, as by prfpr(8). */
int profread_prf(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct stretch s = {.any = false};
	struct prflog l;
	uint32_t kernel;
	int end;

	if (prflog_open(&l, f->data, f->n) < 0)
		return complain(why, "%s", l.why);
	end = find_stretch(&l, &s);
	if (end == PRFLOG_EDAMAGED)
		return complain(why, "at byte %zu: %s", l.at, l.why);
	if (!s.any)
		return complain(why, "two snapshots expected that can be compared, in %zu bytes "
				"there is no such pair at the end", l.at);
	profdata_init(p, "prf", PROFDATA_TICKS);
	if (end == PRFLOG_ECUT)
		p->left_out = l.why;
	if (l.head.rate)
		p->us = 1e6 / l.head.rate;
	prflog_lost(&s.from, &s.to, l.head.minor, &p->run.all);
	p->kernel_only = true;
	kernel = profdata_image(p, "kernel", NULL, l.head.buildid, true);
	readprf_add(p, &s, kernel);
	return 0;
}

/* Its magic word tells. */
bool profread_is_prf(const uint8_t *data, size_t n)
{
	return textline_starts(data, n, "GNPRFLOG");
}
