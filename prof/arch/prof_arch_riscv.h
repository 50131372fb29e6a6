/* RISC-V, of 32 and 64 bits: included by prof_arch.h. */
#pragma once

#include "prof/arch/prof_arch_stack.h"

#define PROF_FRAME_BELOW (2 * sizeof(prof_addr))
#define PROF_ARCH_FRAME 2048u /* most bytes of a frame whose function calls none */
#define PROF_ARCH_STACK 65536u

/*
 * Return whether an instruction is at a function's edge, where ra is live and s0 the caller's: it
 * saves ra or s0, adds to sp, or returns.
 */
PROF_ARCH bool prof_arch_edge(uint32_t code)
{
	static const struct {
		uint32_t mask, value;
	} edge[] = {
		{0xc07f, 0xc006},   /* c.sdsp ra */
		{0xc07f, 0xc022},   /* c.sdsp s0 */
		{0x8f83, 0x0101},   /* c.addi sp */
		{0xfffff, 0x10113}, /* addi sp */
		{0xffff, 0x8082},   /* c.jr ra */
	};

	for (unsigned i = 0; i < sizeof(edge) / sizeof(edge[0]); i++)
		if ((code & edge[i].mask) == edge[i].value)
			return true;
	return false;
}

/*
 * The frame of a function that calls none has nothing but the caller's frame pointer, where others
 * have the return address, which is still in ra.
 */
PROF_ARCH void prof_arch_find(struct prof_sample *s, prof_addr sp, prof_addr link,
			      prof_addr lo, prof_addr hi)
{
	struct prof_stack_place *at = &s->at;
	const uint16_t *code = (const uint16_t *)at->pc;

	if (!prof_arch_stack(s, sp))
		return;
	if (at->pc - lo < hi - lo - 2 && prof_arch_edge(code[0] | (uint32_t)code[1] << 16)) {
		at->ret = link;
	} else if (at->fp % sizeof(sp) == 0 && at->fp - sp - 1 < PROF_ARCH_FRAME) {
		prof_addr fp = prof_arch_word(s, at->fp - sizeof(fp));
		if (fp - at->fp - 1 < PROF_ARCH_STACK) {
			at->ret = link;
			at->fp = fp;
		}
	}
}
