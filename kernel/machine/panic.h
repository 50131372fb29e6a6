/* Panics, and switching the machine off. */
#pragma once

#include "kernel/machine/print.h"

void panic(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Stop for want of something that the machine or the boot loader should provide. */
void lacking(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void backtrace(uint32_t eip, uint32_t ebp, uint32_t esp); /* only the first prints */
/* Return the function that pc lies in, and how far into it; NULL outside of the kernel's text. */
const char *ksym_name(uint32_t pc, uint32_t *off);
void machine_off(int status) __attribute__((noreturn)); /* power off, or leave QEMU with status */
extern void (*machine_off_hook)(int status); /* boot/ sets it; it may return if it could not */
