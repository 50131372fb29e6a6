/*
 * What measures calls on x86-64: prof_call_entry is called at the entry of each function by
 * "gcc -pg -mfentry -mfentry-name=prof_call_entry", and prof_call_back is where measured functions
 * return to. PROF_CALL_HERE, of the kernel's configuration, finds the CPU's struct prof_call_cpu, or 0.
 * Interrupts are off meanwhile, so that no other call comes in between; all registers are kept
 * but r11 at the entry, and rcx, rsi, rdi and r8 to r11 at the return.
 */
#include "prof/prof_config.h"

	.text
	.balign	16
	.global	prof_call_entry
	.type	prof_call_entry, @function
prof_call_entry:
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushfq
	cli
	cld
	PROF_CALL_HERE(%rdi)
	testq	%rdi, %rdi
	jz	.Llost
	leaq	72(%rsp), %rsi			/* the two return addresses: struct prof_call_site */
	rdtsc
	shlq	$32, %rdx
	orq	%rax, %rdx
	call	prof_call_enter
	testq	%rax, %rax
	jz	.Llost
	movq	%rax, %rcx
	rdtsc
	shlq	$32, %rdx
	orq	%rdx, %rax
	addq	%rax, (%rcx)			/* last of all */
.Llost:
	popfq
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	ret
	.size	prof_call_entry, . - prof_call_entry

	.balign	16
	.global	prof_call_back
	.type	prof_call_back, @function
prof_call_back:
	pushq	%rax				/* where the return address was, and will be again */
	pushfq
	cli
	cld
	pushq	%rax				/* what the function returns */
	pushq	%rdx
	rdtsc
	shlq	$32, %rdx
	orq	%rax, %rdx
	PROF_CALL_HERE(%rdi)
	leaq	24(%rsp), %rsi
	call	prof_call_leave
	movq	%rax, 24(%rsp)
	popq	%rdx
	popq	%rax
	popfq
	ret
	.size	prof_call_back, . - prof_call_back

	.section .note.GNU-stack, "", @progbits
