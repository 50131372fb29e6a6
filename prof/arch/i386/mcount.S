/*
 * What "gcc -pg -mfentry" calls at the entry of each function for i386: an arc that is the first in
 * its caller's list is counted here, all others by prof_mcount(). The function's arguments may be
 * in registers, so all are kept.
 *
 * Interrupts stay on: only this CPU writes its tables, the increment is one instruction, and an
 * entry once taken never becomes another arc's. From the call to the return there are 19
 * instructions, and 8 when no calls are counted. In a kernel that preempts (PROF_PREEMPT), a
 * thread could leave the CPU between the loads, so interrupts are off, and there are 3 more.
 */
#include "prof/arch/prof_entry.h"

#ifndef PROF_ENTRY
#define PROF_ENTRY(field) prof_entry + field
#endif
#define ARC_SHIFT 4

#if PROF_PREEMPT
#define FLAGS 4
#else
#define FLAGS 0
#endif

	.text
	.balign	16
	.global	__fentry__
	.type	__fentry__, @function
__fentry__:
#if PROF_PREEMPT
	pushfl
	cli
#endif
	pushl	%eax
	movl	FLAGS + 8(%esp), %eax		/* frompc: where the function will return to */
	subl	PROF_ENTRY(PROF_ENTRY_LOW), %eax
	cmpl	PROF_ENTRY(PROF_ENTRY_LIMIT), %eax
	jae	.Lout				/* not from text, or nothing is counted */
	pushl	%edx
	shrl	$2, %eax
	movl	PROF_ENTRY(PROF_ENTRY_FROMS), %edx
	movzwl	(%edx, %eax, 2), %eax
	shll	$ARC_SHIFT, %eax		/* from an index to bytes */
	addl	PROF_ENTRY(PROF_ENTRY_ARCS), %eax
	movl	FLAGS + 8(%esp), %edx		/* selfpc: after the call */
	cmpl	%edx, -4(%eax)
	jne	.Lslow
	incl	(%eax)
	popl	%edx
.Lout:
	popl	%eax
#if PROF_PREEMPT
	popfl
#endif
	ret

	/* The arguments are on the stack and in registers, where code with -mregparm wants them. */
.Lslow:
	movl	FLAGS + 12(%esp), %eax
	movl	FLAGS + 8(%esp), %edx
	pushl	%ecx
	pushfl
	cli
	pushl	%edx
	pushl	%eax
	call	prof_mcount
	addl	$8, %esp
	popfl
	popl	%ecx
	popl	%edx
	jmp	.Lout
	.size	__fentry__, . - __fentry__

	.section .note.GNU-stack, "", @progbits
