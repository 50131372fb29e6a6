/*
 * What "gcc -pg" calls in each function for RISC-V, as _mcount(frompc), after it has saved what it
 * needs of the registers that a function may change: an arc that is the first in its caller's list
 * is counted here, all others by prof_mcount().
 *
 * Interrupts stay on. Which CPU's tables are used is read once; if the thread is moved to another
 * CPU meanwhile it counts in the tables of the first, by one atomic instruction, and nothing is
 * lost. From the compiler's two instructions to the return there are 23, and 6 when no calls are
 * counted. prof_mcount() is called with interrupts off, so no other thread finds the CPU within it.
 */
#include "prof/arch/prof_entry.h"

#ifndef PROF_ENTRY
#define PROF_ENTRY(reg) la reg, prof_entry
#endif
#ifndef PROF_ENTRY_STATUS
#define PROF_ENTRY_STATUS sstatus	/* mstatus in a kernel that runs in machine mode */
#endif
#define BIT_sstatus 2			/* the bit in it that lets interrupts in */
#define BIT_mstatus 8
#define PASTE(a, b) a##b
#define IRQS_OF(status) PASTE(BIT_, status)
#define IRQS IRQS_OF(PROF_ENTRY_STATUS)

	.text
	.balign	16
	.global	_mcount
	.type	_mcount, @function
_mcount:
	PROF_ENTRY(t0)
	ld	t2, PROF_ENTRY_LIMIT(t0)
	beqz	t2, .Lout
	ld	t1, PROF_ENTRY_LOW(t0)
	sub	t1, a0, t1
	bgeu	t1, t2, .Lout		/* not from text */
	ld	t2, PROF_ENTRY_FROMS(t0)
	srli	t1, t1, 1
	andi	t1, t1, -2		/* from bytes of text to bytes of froms */
	add	t1, t1, t2
	lhu	t1, (t1)
	ld	t2, PROF_ENTRY_ARCS(t0)
	slli	t0, t1, 1
	add	t1, t1, t0
	slli	t1, t1, 3		/* an arc has 24 bytes */
	add	t1, t1, t2
	ld	t2, -8(t1)
	bne	t2, ra, .Lslow		/* selfpc: after the call */
	li	t2, 1
	amoadd.w zero, t2, (t1)
.Lout:
	ret

.Lslow:
	addi	sp, sp, -16
	sd	ra, 8(sp)
	mv	a1, ra
#if PROF_ENTRY_USER
	call	prof_mcount
#else
	csrrci	t0, PROF_ENTRY_STATUS, IRQS
	sd	t0, 0(sp)
	call	prof_mcount
	ld	t0, 0(sp)
	andi	t0, t0, IRQS
	csrs	PROF_ENTRY_STATUS, t0
#endif
	ld	ra, 8(sp)
	addi	sp, sp, 16
	ret
	.size	_mcount, . - _mcount

	.section .note.GNU-stack, "", @progbits
