/*
 * What measures calls on RISC-V: prof_call_entry is called at the entry of each function, before
 * the function saves anything, by "auipc t0, ...; jalr t0, ..." in the place of the 8 bytes of nops
 * that "gcc -fpatchable-function-entry" leaves there; and prof_call_back is where measured functions
 * return to. PROF_CALL_HERE, of the kernel's configuration, finds the CPU's struct prof_call_cpu, or
 * 0. Interrupts are off meanwhile, so that no other call comes in between; all registers are kept
 * but t0 to t6.
 *
 * The return address is in ra, and what prof_call.h calls its place is the word below the stack
 * pointer of the caller: where the function keeps it, if it has a frame pointer.
 */
#include "prof/prof_config.h"

#ifndef PROF_CALL_CLOCK
#define PROF_CALL_CLOCK(reg) rdtime reg
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
	.global	prof_call_entry
	.type	prof_call_entry, @function
prof_call_entry:
	addi	sp, sp, -96
	sd	a0, 0(sp)
	sd	a1, 8(sp)
	sd	a2, 16(sp)
	sd	a3, 24(sp)
	sd	a4, 32(sp)
	sd	a5, 40(sp)
	sd	a6, 48(sp)
	sd	a7, 56(sp)
	csrrci	t1, PROF_ENTRY_STATUS, IRQS
	sd	t1, 64(sp)
	sd	t0, 80(sp)			/* the two return addresses: struct prof_call_site */
	sd	ra, 88(sp)
	PROF_CALL_HERE(a0)
	beqz	a0, .Llost
	addi	a1, sp, 80
	PROF_CALL_CLOCK(a2)
	call	prof_call_enter
	beqz	a0, .Llost
	ld	a1, (a0)
	PROF_CALL_CLOCK(a2)
	add	a1, a1, a2			/* last of all */
	sd	a1, (a0)
.Llost:
	ld	t1, 64(sp)
	andi	t1, t1, IRQS
	csrs	PROF_ENTRY_STATUS, t1
	ld	a0, 0(sp)
	ld	a1, 8(sp)
	ld	a2, 16(sp)
	ld	a3, 24(sp)
	ld	a4, 32(sp)
	ld	a5, 40(sp)
	ld	a6, 48(sp)
	ld	a7, 56(sp)
	ld	t0, 80(sp)
	ld	ra, 88(sp)
	addi	sp, sp, 96
	jr	t0
	.size	prof_call_entry, . - prof_call_entry

	.balign	16
	.global	prof_call_back
	.type	prof_call_back, @function
prof_call_back:
	addi	sp, sp, -32
	sd	a0, 0(sp)			/* what the function returns */
	sd	a1, 8(sp)
	csrrci	t1, PROF_ENTRY_STATUS, IRQS
	sd	t1, 16(sp)
	PROF_CALL_CLOCK(a2)
	PROF_CALL_HERE(a0)
	addi	a1, sp, 24
	call	prof_call_leave
	mv	ra, a0
	ld	t1, 16(sp)
	andi	t1, t1, IRQS
	csrs	PROF_ENTRY_STATUS, t1
	ld	a0, 0(sp)
	ld	a1, 8(sp)
	addi	sp, sp, 32
	ret
	.size	prof_call_back, . - prof_call_back

	.section .note.GNU-stack, "", @progbits
