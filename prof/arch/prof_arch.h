/*
 * Stacks, by machine. A frame is two words, the caller's frame pointer and the address that the
 * function returns to. It lies PROF_FRAME_BELOW bytes below where the frame pointer points, and
 * prof_arch_strip() takes from a return address what is not of the address.
 *
 * prof_arch_find() makes a sample's `at`, which has pc and frame pointer as they were interrupted,
 * fit for a function that has no such frame, or not yet, or no longer: it sets at->ret. The stack
 * pointer and, where there is one, the link register are those that were interrupted; code can be
 * read in text [lo, hi). What it finds is nearly always right, and else one caller is missing.
 */
#pragma once

#include "prof/prof_sample.h"

#if defined(__i386__) || defined(__x86_64__)
#include "prof/arch/prof_arch_x86.h"
#elif defined(__riscv)
#include "prof/arch/prof_arch_riscv.h"
#else /* on AArch64 each function has a frame, with -mno-omit-leaf-frame-pointer */
#define PROF_FRAME_BELOW 0u
#define prof_arch_find(at, sp, link, lo, hi) ((void)0)
#endif

#ifdef __aarch64__
/* Take off what authenticates a pointer (xpaclri, which older processors take for a nop). */
static inline __attribute__((no_instrument_function)) uintptr_t prof_arch_strip(uintptr_t ret)
{
	register uintptr_t lr __asm__("x30") = ret;

	__asm__("hint 7" : "+r"(lr));
	return lr;
}
#else
#define prof_arch_strip(ret) (ret)
#endif
