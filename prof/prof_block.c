/* block: tells programs outside of the kernel where the profilers' tables are. */
#include "prof/prof_block.h"

#define P ((struct prof *)0) /* makes offsets of addresses */
#define PARAM(part) PROF_BLOCK_IN(P->gmon.cpu, .param, struct prof_gmon_param, part)

static const struct prof_block_field table[PROF_BLOCK_TABLES] = {
	[PROF_BLOCK_KPROF_FIRST] = PROF_BLOCK_AT(P->kprof.first),
	[PROF_BLOCK_KPROF_SIZE] = PROF_BLOCK_AT(P->kprof.size),
	[PROF_BLOCK_KPROF_NBUCKET] = PROF_BLOCK_AT(P->kprof.nbucket),
	[PROF_BLOCK_KPROF_NCPU] = PROF_BLOCK_AT(P->kprof.ncpu),
	[PROF_BLOCK_KPROF_PACE] = PROF_BLOCK_AT(P->kprof.pace),
	[PROF_BLOCK_KPROF_CELL] = PROF_BLOCK_EACH(P->kprof.cell, ),
	[PROF_BLOCK_GMON_NCPU] = PROF_BLOCK_AT(P->gmon.ncpu),
	[PROF_BLOCK_GMON_PACE] = PROF_BLOCK_EACH(P->gmon.cpu, .pace),
	[PROF_BLOCK_GMON_LOWPC] = PARAM(lowpc),
	[PROF_BLOCK_GMON_TEXTSIZE] = PARAM(textsize),
	[PROF_BLOCK_GMON_KCOUNT] = PARAM(kcount),
	[PROF_BLOCK_GMON_TOS] = PARAM(tos),
	[PROF_BLOCK_GMON_TOLIMIT] = PARAM(tolimit),
	[PROF_BLOCK_STACK_NCPU] = PROF_BLOCK_AT(P->stack.ncpu),
	[PROF_BLOCK_STACK_DEPTH] = PROF_BLOCK_AT(P->stack.depth),
	[PROF_BLOCK_STACK_PACE] = PROF_BLOCK_AT(P->stack.pace),
	[PROF_BLOCK_STACK_WORD] = PROF_BLOCK_EACH(P->stack.cpu, .word),
	[PROF_BLOCK_STACK_USED] = PROF_BLOCK_EACH(P->stack.cpu, .used),
	[PROF_BLOCK_WAIT_WORD] = PROF_BLOCK_EACH(P->wait.cpu, .word),
	[PROF_BLOCK_TRACE_RING] = PROF_BLOCK_EACH(P->trace.ring, ), /* both classes' */
	[PROF_BLOCK_CALL_ARC] = PROF_BLOCK_IN(P->call.cpu, , struct prof_call_cpu, arc),
	[PROF_BLOCK_TRACE_PER_MS] = PROF_BLOCK_AT(P->trace.per_ms),
	[PROF_BLOCK_TRACE_START] = PROF_BLOCK_AT(P->trace.start),
};

void prof_block_init(struct prof_block *b, const struct prof *p,
		     const struct prof_block_field *clock, const uint8_t *build)
{
	uint32_t i, from = offsetof(struct prof_block, width);

	b->version = PROF_BLOCK_VERSION;
	b->bytes = sizeof(*b);
	b->width = sizeof(uintptr_t);
	b->tables = PROF_BLOCK_TABLES;
	b->clocks = PROF_BLOCK_CLOCKS;
	b->self = (uintptr_t)b;
	b->prof = (uintptr_t)p;
	b->table = (uintptr_t)table;
	b->clock = (uintptr_t)clock;
	b->build = (uintptr_t)build;
	b->sum = prof_block_sum((const uint8_t *)b + from, sizeof(*b) - from);
	for (i = 0; i < 4; i++)
		b->magic[i] = PROF_BLOCK_MAGIC(i);
}
