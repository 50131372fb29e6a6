/*
 * What assembly code has to know of C's constants and structs. This file is only compiled to
 * assembly; from that the Makefile makes offsets.inc, with an equ for each line here.
 */
#include "kernel/machine/isr.h"
#include "kernel/process/proc.h"

#define EQU(name, value) __asm__ volatile("#equ " #name " %c0" : : "i"(value))

__attribute__((used)) static void offsets(void)
{
	EQU(SEL_KDATA, SEL_KDATA);
	EQU(SEL_CPU, SEL_CPU);
	EQU(IRET_CS, offsetof(struct iretframe, cs));
	EQU(CPU_CALLS, offsetof(struct cpu, calls));
	EQU(CALLS_HASH, PROF_CALL_HASH);
	EQU(CALLS_MASK, (PROF_CALL_TABLE - 1) * PROF_CALL_CELL);
}
