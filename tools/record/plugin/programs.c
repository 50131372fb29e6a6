/* The guest's programs, by the bytes of their code: see programs.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/record/plugin/programs.h"

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

int programs_add(struct programs *p, const char *line)
{
	struct program *program = &p->program[p->n];
	char name[256], path[4096];
	uint64_t offset;

	if (p->n == PROGRAMS_MOST)
		return -1;
	if (sscanf(line, "program %255s %" SCNx64 " %" SCNx64 " %" SCNx64 " %4095[^\n]", name,
		   &program->lo, &offset, &program->n, path) != 5)
		return -1;
	program->code = programs_read(path, offset, program->n);
	if (!program->code)
		return -1;
	program->name = memory_string(name, strlen(name));
	p->n++;
	return 0;
}

uint64_t programs_all(const struct programs *p)
{
	if (p->n == 0)
		return 0;
	return UINT64_MAX >> (64 - p->n);
}

/* Return whether a program has these bytes at an address. */
static int programs_has(const struct program *program, uint64_t at, const uint8_t *byte, size_t n)
{
	uint64_t from = at - program->lo;

	if (from >= program->n)
		return 0;
	if (n > program->n - from)
		return 0;
	return memcmp(program->code + from, byte, n) == 0;
}

uint64_t programs_with(const struct programs *p, uint64_t some, uint64_t at, const uint8_t *byte,
		       size_t n)
{
	uint64_t with = 0;
	unsigned i;

	for (i = 0; i < p->n; i++)
		if (programs_has(&p->program[i], at, byte, n))
			with |= 1ull << i;
	return with & some;
}
