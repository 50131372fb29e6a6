/*
 * What measures calls on i386: prof_call_entry is called at the entry of each function by
 * "gcc -pg -mfentry -mfentry-name=prof_call_entry", and prof_call_back is where measured functions
 * return to. PROF_CALL_HERE, of the kernel's configuration, finds the CPU's struct prof_call_cpu, or
 * 0; PROF_CALL_REGPARM is 1 there if prof_call.c is compiled with -mregparm=3. Interrupts are off
 * meanwhile, so that no other call comes in between; all registers are kept but ecx at the return.
 */
#include "prof/prof_config.h"

/* Call a C function with what is in eax, edx and, as 64 bits, on the stack. */
.macro c_call function
#if PROF_CALL_REGPARM
	call	\function
	addl	$8, %esp
#else
	pushl	%edx
	pushl	%eax
	call	\function
	addl	$16, %esp
#endif
.endm

	.text
	.balign	16
	.global	prof_call_entry
	.type	prof_call_entry, @function
prof_call_entry:
	pushl	%eax
	pushl	%ecx
	pushl	%edx
	pushfl
	cli
	cld
	PROF_CALL_HERE(%ecx)
	testl	%ecx, %ecx
	jz	.Llost
	rdtsc
	pushl	%edx
	pushl	%eax
	leal	24(%esp), %edx			/* the two return addresses: struct prof_call_site */
	movl	%ecx, %eax
	c_call	prof_call_enter
	testl	%eax, %eax
	jz	.Llost
	movl	%eax, %ecx
	rdtsc
	addl	%eax, (%ecx)			/* last of all */
	adcl	%edx, 4(%ecx)
.Llost:
	popfl
	popl	%edx
	popl	%ecx
	popl	%eax
	ret
	.size	prof_call_entry, . - prof_call_entry

	.balign	16
	.global	prof_call_back
	.type	prof_call_back, @function
prof_call_back:
	pushl	%eax				/* where the return address was, and will be again */
	pushl	%edx
	pushfl
	cli
	cld
	rdtsc
	pushl	%edx
	pushl	%eax
	leal	16(%esp), %edx
	PROF_CALL_HERE(%eax)
	c_call	prof_call_leave
	xchgl	%eax, 8(%esp)
	popfl
	popl	%edx
	ret
	.size	prof_call_back, . - prof_call_back

	.section .note.GNU-stack, "", @progbits
