/*
 * What "gcc -pg" calls in each function for AArch64, as _mcount(frompc), after it has saved what it
 * needs of the registers that a function may change: an arc that is the first in its caller's list
 * is counted here, all others by prof_mcount().
 *
 * Interrupts stay on. Which CPU's tables are used is read once; if the thread is moved to another
 * CPU meanwhile it counts in the tables of the first, atomically, and nothing is lost. From the
 * compiler's two instructions to the return there are 22, and 7 when no calls are counted.
 * prof_mcount() is called with interrupts off, so no other thread finds the CPU within it.
 */
#include "prof/arch/prof_entry.h"

#ifndef PROF_ENTRY
#define PROF_ENTRY(reg) adrp reg, prof_entry; add reg, reg, :lo12:prof_entry
#endif

	.text
	.balign	16
	.global	_mcount
	.type	_mcount, @function
_mcount:
	PROF_ENTRY(x9)
	ldp	x12, x13, [x9, PROF_ENTRY_LIMIT]	/* and froms */
	cbz	x12, .Lout
	ldp	x11, x10, [x9, PROF_ENTRY_ARCS]		/* and low */
	sub	x10, x0, x10
	cmp	x10, x12
	b.hs	.Lout			/* not from text */
	lsr	x10, x10, 2
	ldrh	w10, [x13, x10, lsl 1]
	add	x10, x10, x10, lsl 1
	add	x11, x11, x10, lsl 3	/* an arc has 24 bytes */
	ldur	x10, [x11, -8]
	cmp	x10, x30		/* selfpc: after the call */
	b.ne	.Lslow
#ifdef __ARM_FEATURE_ATOMICS
	mov	w10, 1
	stadd	w10, [x11]
#else
.Lagain:
	ldxr	w10, [x11]
	add	w10, w10, 1
	stxr	w12, w10, [x11]
	cbnz	w12, .Lagain
#endif
.Lout:
	ret

.Lslow:
	stp	x29, x30, [sp, -32]!
	mov	x29, sp
	mov	x1, x30
#if PROF_ENTRY_USER
	bl	prof_mcount
#else
	mrs	x9, daif
	str	x9, [sp, 16]
	msr	daifset, 2
	bl	prof_mcount
	ldr	x9, [sp, 16]
	msr	daif, x9
#endif
	ldp	x29, x30, [sp], 32
	ret
	.size	_mcount, . - _mcount

	.section .note.GNU-stack, "", @progbits
