/* Where the code of an ELF file ends: see codeends.h. */
#include <gelf.h>
#include <stdlib.h>
#include "tools/code/codeends.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* Addresses in one or more sections; of these the last ends at hi. */
struct span {
	code_addr lo, hi;
};

/* Spans, an array that grows. */
struct spans {
	struct span *at;
	size_t n, room;
};

static void add_span(struct spans *s, code_addr lo, code_addr hi)
{
	s->at = memory_grow(s->at, &s->room, s->n + 1, sizeof(*s->at));
	s->at[s->n++] = (struct span){lo, hi};
}

/* Find the sections with code. One that would go beyond the last address is none. */
static void find_sections(struct spans *s, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		if (!(sh.sh_flags & SHF_EXECINSTR))
			continue;
		if (sh.sh_size == 0 || sh.sh_size > UINT64_MAX - sh.sh_addr)
			continue;
		add_span(s, sh.sh_addr, sh.sh_addr + sh.sh_size);
	}
}

/* For qsort: by the end. */
static int compare_ends(const void *va, const void *vb)
{
	const struct span *a = va, *b = vb;

	return order(a->hi, b->hi);
}

static void add_part(struct codeends *c, code_addr lo, code_addr hi, code_addr end)
{
	if (lo >= hi)
		return;
	c->part = memory_grow(c->part, &c->room, c->n + 1, sizeof(*c->part));
	c->part[c->n++] = (struct codeend){lo, hi, end};
}

/*
 * Add what only this section has of the addresses up to its end: those between the spans that came
 * before, which end before it. These become one with it, so that each is met once.
 */
static void add_section(struct codeends *c, struct spans *before, const struct span *section)
{
	code_addr lo = section->lo, hi = section->hi;
	const struct span *last;

	for (; before->n > 0; before->n--) {
		last = &before->at[before->n - 1];
		if (last->hi <= section->lo)
			break;
		add_part(c, last->hi, hi, section->hi);
		hi = last->lo;
		lo = order_min(lo, last->lo);
	}
	add_part(c, section->lo, hi, section->hi);
	add_span(before, lo, section->hi);
}

/* For qsort: by address. */
static int compare_parts(const void *va, const void *vb)
{
	const struct codeend *a = va, *b = vb;

	return order(a->lo, b->lo);
}

void codeends_read(struct codeends *c, void *elf)
{
	struct spans sections = {.n = 0}, before = {.n = 0};
	size_t i;

	*c = (struct codeends){.n = 0};
	find_sections(&sections, elf);
	if (sections.n)
		qsort(sections.at, sections.n, sizeof(*sections.at), compare_ends);
	for (i = 0; i < sections.n; i++)
		add_section(c, &before, &sections.at[i]);
	if (c->n)
		qsort(c->part, c->n, sizeof(*c->part), compare_parts);
	free(sections.at);
	free(before.at);
}

code_addr codeends_find(const struct codeends *c, code_addr pc)
{
	size_t n = sorted_below(c->part, c->n, sizeof(*c->part), pc + 1);

	if (n == 0)
		return UINT64_MAX;
	if (c->part[n - 1].hi <= pc)
		return UINT64_MAX;
	return c->part[n - 1].end;
}

void codeends_free(struct codeends *c)
{
	free(c->part);
}
