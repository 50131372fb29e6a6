/* profil: a process's samples, and which cell of its buffers each of them is for. */
#include "prof/prof_tick.h"

#define SEED 3000u
#define ALL 2u /* the scale with which the first cell counts all from offset on */

void prof_profil_set(struct prof *p, bool on)
{
	prof_switch(p, PROF_PROFIL, on);
}

void prof_profil_begin(struct prof_profil *f, uint32_t us, uint32_t seed)
{
	f->queued = 0;
	prof_beat_begin(&f->beat, us, SEED + seed);
}

/* Find where in the region's buffer pc is counted. False: nowhere; all of a cell has to fit. */
static bool holds(const struct prof_profil_region *r, uint32_t cell, prof_addr pc, prof_addr *addr)
{
	uint64_t index = 0;

	if (pc < r->offset || r->scale < ALL)
		return false;
	if (r->scale != ALL && pc - r->offset > UINT32_MAX)
		return false;
	if (r->scale != ALL)
		index = (uint64_t)(pc - r->offset) * r->scale >> 16 & ~(uint64_t)(cell - 1);
	if (index + cell > r->size || index + cell - 1 > UINTPTR_MAX - r->base)
		return false;
	*addr = r->base + (prof_addr)index;
	return true;
}

bool prof_profil_find(const struct prof_profil_region *r, uint32_t n, uint32_t cell, prof_addr pc,
		      prof_addr *addr)
{
	const struct prof_profil_region *best = NULL;
	prof_addr at;

	for (uint32_t i = 0; i < n; i++) {
		if ((best && r[i].offset <= best->offset) || !holds(&r[i], cell, pc, &at))
			continue;
		best = &r[i];
		*addr = at;
	}
	return best;
}

void prof_profil_tick(struct prof *p, const struct prof_sample *s)
{
	struct prof_profil *f;
	uint32_t n;

	if (s->mode != PROF_USER || !s->profil)
		return;
	f = s->profil;
	n = prof_beat_due(&f->beat, prof_load(&p->us));
	if (n == 0 || f->queued == PROF_PROFIL_QUEUE)
		return;
	f->queue[f->queued].pc = s->at.pc;
	f->queue[f->queued].n = n;
	f->queued++;
}
