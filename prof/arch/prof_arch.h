/*
 * Stacks, by machine. A frame is two words, the caller's frame pointer and the address that the
 * function returns to. It lies PROF_FRAME_BELOW bytes below where the frame pointer points, and
 * prof_arch_strip() takes from a return address what is not of the address.
 *
 * prof_arch_find() completes the sample of a tick whose [s->lo, s->hi) is all of the kernel's
 * stack: it leaves of that what is in use, from the stack pointer on, and finds the caller,
 * s->at.ret, of a function that has no frame, or not yet, or no longer. The stack pointer and,
 * where there is one, the link register are those that were interrupted; code can be read in text
 * [lo, hi). Nothing else is read; and no stack at all for a tick that came in a program, or if the
 * stack pointer is not in that stack, as at the kernel's entry and between two stacks. What it
 * finds is nearly always right, and else one caller is missing.
 */
#pragma once

#include "prof/arch/prof_arch_stack.h"

PROF_BEGIN
#if defined(__i386__) || defined(__x86_64__)
#include "prof/arch/prof_arch_x86.h"
#elif defined(__riscv)
#include "prof/arch/prof_arch_riscv.h"
#else /* on AArch64 each function has a frame, with -mno-omit-leaf-frame-pointer */
#define PROF_FRAME_BELOW 0u
PROF_ARCH void prof_arch_find(struct prof_sample *s, prof_addr sp, prof_addr link,
			      prof_addr lo, prof_addr hi)
{
	(void)link, (void)lo, (void)hi;
	prof_arch_stack(s, sp);
}
#endif

#ifdef __aarch64__
/* Take off what authenticates a pointer (xpaclri, which older processors take for a nop). */
PROF_ARCH prof_addr prof_arch_strip(prof_addr ret)
{
	register prof_addr lr __asm__("x30") = ret;

	__asm__("hint 7" : "+r"(lr));
	return lr;
}
#else
#define prof_arch_strip(ret) (ret)
#endif
PROF_END
