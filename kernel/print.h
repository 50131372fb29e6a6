/* The kernel's messages, panics, and switching the machine off. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* print.c: formats as snprintf() in lib.h; in any context but NMI */
void printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for what users cause: ten lines a second, then how many more there were. */
void print_limited(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void print_tick(uint64_t now); /* with the system clock's tick: time_ns() is now */
/* Set the functions for printk(), in any context but NMI, and for panics, by polling. */
void print_sink(void (*write)(const char *s, size_t n), void (*sync)(const char *s, size_t n));
void print_panic(void); /* from now on text is written at once, past all locks */
size_t print_log(char *buf, size_t n, size_t off); /* of the last 16 KB printed, from off on */

/* panic.c */
void panic(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Stop for want of something that the machine or the boot loader should provide. */
void lacking(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void backtrace(uint32_t eip, uint32_t ebp, uint32_t esp); /* only the first prints */
void machine_off(int status) __attribute__((noreturn)); /* power off, or leave QEMU with status */
extern void (*machine_off_hook)(int status); /* boot/ sets it; it may return if it could not */
