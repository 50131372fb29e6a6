/* i386 and x86-64: included by prof_arch.h. */
#pragma once

#include "prof/arch/prof_arch_stack.h"

#define PROF_FRAME_BELOW 0u

/* Code as compilers make it; with 64 bits a prefix stands before the mov. */
#define PROF_PUSH_BP 0x55
#define PROF_MOV_BP (sizeof(prof_addr) == 8 ? 0xe58948u : 0xe589u)
#define PROF_RET 0xc3
#define PROF_CALL 0xe8
#define PROF_NOP 0x0f	      /* of 5 bytes, where a call of __fentry__ can be patched in */
#define PROF_CALL_LENGTH 5u
#define PROF_ARCH_LEAF 512u /* most bytes of a function that are looked through */

typedef int32_t __attribute__((aligned(1), may_alias)) prof_arch_int;

/* Return whether the instruction that makes the stack pointer the frame pointer stands there. */
PROF_ARCH bool prof_arch_mov(const uint8_t *code)
{
	uint32_t two = code[0] | (uint32_t)code[1] << 8; /* a single load, perhaps misaligned */

	return (PROF_MOV_BP > 0xffff ? two | (uint32_t)code[2] << 16 : two) == PROF_MOV_BP;
}

/*
 * Return how far above the stack pointer the return address is, if the code is at a function's
 * entry or its return, where the frame pointer is the caller's; -1 elsewhere. 9 bytes can be read
 * at code, and one before it.
 */
PROF_ARCH int prof_arch_above(const uint8_t *code)
{
	switch (code[0]) {
	case PROF_PUSH_BP:
		return prof_arch_mov(code + 1) ? 0 : -1;
	case PROF_MOV_BP & 0xff:
		if (code[-1] != PROF_PUSH_BP || !prof_arch_mov(code))
			return -1;
		return (int)sizeof(prof_addr);
	case PROF_RET:
		return 0;
	case PROF_CALL:
	case PROF_NOP:
		code += PROF_CALL_LENGTH;
		return code[0] == PROF_PUSH_BP && prof_arch_mov(code + 1) ? 0 : -1;
	default:
		return -1;
	}
}

/* Find the caller at a function's entry or its return, in a sample that prof_arch_stack() took. */
PROF_ARCH void prof_arch_edge(struct prof_sample *s, prof_addr lo, prof_addr hi)
{
	int above = -1;

	if (s->at.pc - lo - 1 < hi - lo - 9)
		above = prof_arch_above((const uint8_t *)s->at.pc);
	if (above >= 0)
		s->at.ret = prof_arch_word(s, s->lo + (prof_addr)above);
}

/*
 * Return whether ret is where the function at pc will return to, which has made no frame yet, or
 * makes none: it was called right before ret, and the stack pointer has not become the frame
 * pointer on the way to pc.
 */
PROF_ARCH bool prof_arch_frameless(prof_addr pc, prof_addr ret, prof_addr lo, prof_addr hi)
{
	const uint8_t *call = (const uint8_t *)(ret - PROF_CALL_LENGTH);

	if (ret - lo - PROF_CALL_LENGTH >= hi - lo - PROF_CALL_LENGTH || call[0] != PROF_CALL)
		return false;
	ret += (prof_addr)(intptr_t)*(const prof_arch_int *)(call + 1);
	if (ret < lo || pc - ret > PROF_ARCH_LEAF)
		return false;
	while (ret < pc && !prof_arch_mov((const uint8_t *)ret))
		ret++;
	return ret == pc;
}

/* Without a frame, at most the frame pointer has been pushed. */
PROF_ARCH void prof_arch_find(struct prof_sample *s, prof_addr sp, prof_addr link,
			      prof_addr lo, prof_addr hi)
{
	(void)link;
	if (!prof_arch_stack(s, sp) || s->at.pc - lo >= hi - lo)
		return;
	prof_arch_edge(s, lo, hi);
	for (prof_addr n = 0; !s->at.ret && n < 2; n++) {
		prof_addr ret = prof_arch_word(s, sp + n * sizeof(ret));
		if (prof_arch_frameless(s->at.pc, ret, lo, hi))
			s->at.ret = ret;
	}
}
