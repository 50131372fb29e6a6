/*
 * What "gcc -pg -mfentry" calls at the entry of each function for x86-64: an arc that is the first
 * in its caller's list is counted here, all others by prof_mcount(). All registers are kept but
 * r11, in which no function expects anything.
 *
 * Interrupts stay on. Which CPU's tables are used is read once; if the thread is moved to another
 * CPU meanwhile it counts in the tables of the first, by one locked instruction, and nothing is
 * lost. From the call to the return there are 22 instructions, and 5 when no calls are counted.
 * prof_mcount() is called with interrupts off, so no other thread finds the CPU within it.
 */
#include "prof/arch/prof_entry.h"

#ifndef PROF_ENTRY
#define PROF_ENTRY(reg) leaq prof_entry(%rip), reg
#endif

	.text
	.balign	16
	.global	__fentry__
	.type	__fentry__, @function
__fentry__:
	PROF_ENTRY(%r11)
	cmpq	$0, PROF_ENTRY_LIMIT(%r11)
	je	.Loff
	pushq	%rax
	movq	16(%rsp), %rax			/* frompc: where the function will return to */
	subq	PROF_ENTRY_LOW(%r11), %rax
	cmpq	PROF_ENTRY_LIMIT(%r11), %rax
	jae	.Lout				/* not from text */
	shrq	%rax
	andq	$-2, %rax			/* from bytes of text to bytes of froms */
	addq	PROF_ENTRY_FROMS(%r11), %rax
	movzwl	(%rax), %eax
	leaq	(%rax, %rax, 2), %rax
	movq	PROF_ENTRY_ARCS(%r11), %r11
	leaq	(%r11, %rax, 8), %r11		/* an arc has 24 bytes */
	movq	8(%rsp), %rax			/* selfpc: after the call */
	cmpq	%rax, -8(%r11)
	jne	.Lslow
#if PROF_PREEMPT
	lock
#endif
	incl	(%r11)
.Lout:
	popq	%rax
.Loff:
	ret

.Lslow:
	pushq	%rdi
	pushq	%rsi
	movq	32(%rsp), %rdi
	movq	24(%rsp), %rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%r8
	pushq	%r9
	pushq	%r10
#if PROF_ENTRY_USER
	call	prof_mcount
#else
	pushfq
	cli
	cld
	subq	$8, %rsp
	call	prof_mcount
	addq	$8, %rsp
	popfq
#endif
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	popq	%rax
	ret
	.size	__fentry__, . - __fentry__

	.section .note.GNU-stack, "", @progbits
