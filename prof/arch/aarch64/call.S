/*
 * What measures calls on AArch64: prof_call_entry is called at the entry of each function, before
 * the function saves anything, by "mov x9, x30; bl prof_call_entry" in the place of the two nops
 * that "gcc -fpatchable-function-entry=2" leaves there; and prof_call_back is where measured
 * functions return to. PROF_CALL_HERE, of the kernel's configuration, finds the CPU's struct
 * prof_call_cpu, or 0. Interrupts are off meanwhile, so that no other call comes in between; all
 * registers are kept but x9 to x17 and the flags.
 *
 * The return address is in x30, and what prof_call.h calls its place is the word below the stack
 * pointer of the caller, where it is while this runs alone: where the function keeps it is not known.
 */
#include "prof/prof_config.h"

#ifndef PROF_CALL_CLOCK
#define PROF_CALL_CLOCK(reg) mrs reg, cntvct_el0
#endif

	.text
	.balign	16
	.global	prof_call_entry
	.type	prof_call_entry, @function
prof_call_entry:
	sub	sp, sp, 112
	stp	x0, x1, [sp]
	stp	x2, x3, [sp, 16]
	stp	x4, x5, [sp, 32]
	stp	x6, x7, [sp, 48]
	mrs	x10, daif
	stp	x8, x10, [sp, 64]
	stp	x30, x9, [sp, 96]		/* the two return addresses: struct prof_call_site */
	msr	daifset, 2
	PROF_CALL_HERE(x0)
	cbz	x0, .Llost
	add	x1, sp, 96
	PROF_CALL_CLOCK(x2)
	bl	prof_call_enter
	cbz	x0, .Llost
	ldr	x1, [x0]
	PROF_CALL_CLOCK(x2)
	add	x1, x1, x2			/* last of all */
	str	x1, [x0]
.Llost:
	ldp	x8, x10, [sp, 64]
	msr	daif, x10
	ldp	x0, x1, [sp]
	ldp	x2, x3, [sp, 16]
	ldp	x4, x5, [sp, 32]
	ldp	x6, x7, [sp, 48]
	ldp	x9, x30, [sp, 96]
	add	sp, sp, 112
	ret	x9
	.size	prof_call_entry, . - prof_call_entry

	.balign	16
	.global	prof_call_back
	.type	prof_call_back, @function
prof_call_back:
	sub	sp, sp, 32
	stp	x0, x1, [sp]			/* what the function returns */
	mrs	x10, daif
	str	x10, [sp, 16]
	msr	daifset, 2
	PROF_CALL_CLOCK(x2)
	PROF_CALL_HERE(x0)
	add	x1, sp, 24
	bl	prof_call_leave
	mov	x30, x0
	ldr	x10, [sp, 16]
	msr	daif, x10
	ldp	x0, x1, [sp], 32
	ret
	.size	prof_call_back, . - prof_call_back

	.section .note.GNU-stack, "", @progbits
