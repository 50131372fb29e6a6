/* The guest's programs, by the bytes of their code: see programs.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/record/plugin/programs.h"

void programs_init(struct programs *p)
{
	*p = (struct programs){.n = 0};
	p->set = memory_grow(p->set, &p->room, 1, sizeof(*p->set));
	p->set[p->nset++] = (struct programs_set){.may = UINT64_MAX};
}

/* Read a part of a file. Return NULL: it is not there. */
static uint8_t *programs_read(const char *path, uint64_t offset, uint64_t n)
{
	FILE *from = fopen(path, "r");
	uint8_t *code;
	size_t had;

	if (!from)
		return NULL;
	code = memory_zeroed(n, 1);
	fseek(from, (long)offset, SEEK_SET);
	had = fread(code, 1, n, from);
	fclose(from);
	if (had == n)
		return code;
	free(code);
	return NULL;
}

/* Add a part of the program that was added last. */
static int programs_add_part(struct programs *p, const char *line)
{
	struct programs_part part = {.program = (unsigned)p->n - 1};
	uint64_t offset;

	if (p->n == 0 || p->nparts == PROGRAMS_MOST)
		return -1;
	if (sscanf(line, "part %" SCNx64 " %" SCNx64 " %" SCNx64, &part.lo, &offset, &part.n) != 3)
		return -1;
	part.code = programs_read(p->program[part.program].path, offset, part.n);
	if (!part.code)
		return -1;
	p->part[p->nparts++] = part;
	return 0;
}

int programs_add(struct programs *p, const char *line)
{
	struct program program;
	char name[256], path[4096];

	if (strncmp(line, "part ", 5) == 0)
		return programs_add_part(p, line);
	if (p->n == PROGRAMS_MOST)
		return -1;
	if (sscanf(line, "program %255s %" SCNx64 " %4095[^\n]", name, &program.entry, path) != 3)
		return -1;
	program.name = memory_string(name, strlen(name));
	program.path = memory_string(path, strlen(path));
	p->program[p->n++] = program;
	return 0;
}

/* None is a case of its own: a shift by all 64 bits means nothing in C. */
uint64_t programs_all(const struct programs *p)
{
	if (p->n == 0)
		return 0;
	return UINT64_MAX >> (64 - p->n);
}

/* An instruction that is not wholly in a part is none of its program's: it says nothing of that. */
void programs_look(const struct programs *p, struct programs_set *set, uint64_t at,
		   const uint8_t *byte, size_t n)
{
	uint64_t has = 0, other = 0, from;
	size_t i;

	for (i = 0; i < p->nparts; i++) {
		const struct programs_part *part = &p->part[i];

		from = at - part->lo;
		if (from >= part->n || n > part->n - from)
			continue;
		if (memcmp(part->code + from, byte, n) == 0)
			has |= 1ull << part->program;
		else
			other |= 1ull << part->program;
	}
	set->may &= ~other;
	set->has &= has;
}

/* There are few sets, for nearly all code of a program gives the same one: a walk will do. */
uint16_t programs_number(struct programs *p, struct programs_set *set, uint64_t pc)
{
	size_t i;

	set->has &= set->may;
	set->begins = 0;
	for (i = 0; i < p->n; i++)
		if (set->has >> i & 1 && p->program[i].entry == pc)
			set->begins |= 1ull << i;
	for (i = 0; i < p->nset; i++)
		if (memcmp(&p->set[i], set, sizeof(*set)) == 0)
			return (uint16_t)i;
	if (p->nset > UINT16_MAX)
		return 0;
	p->set = memory_grow(p->set, &p->room, p->nset + 1, sizeof(*p->set));
	p->set[p->nset] = *set;
	return (uint16_t)p->nset++;
}
