/*
 * A profiler that counts ticks by page of a kernel's text. Lab 8 asks for the functions; test.c
 * calls them as a kernel with several CPUs would.
 */
#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>
#include <stdint.h>

#define PAGES_CPUS 4
#define PAGES_BYTES 4096u /* a page; the first begins where the text does */

/*
 * Begin to count: text is what lies from `text' up to `etext', which may end within a page. Memory
 * is allocated here and nowhere else. Return 0, or -1 without memory. It is called once.
 */
int pages_start(uintptr_t text, uintptr_t etext);

/*
 * Count a tick that met `pc' on a CPU: an NMI, which may come between any two instructions, but no
 * second one on the same CPU meanwhile. It takes no lock and waits for nobody. A pc outside of the
 * text is counted, too.
 */
void pages_tick(unsigned cpu, uintptr_t pc);

/*
 * Add up the CPUs' counts: that of ticks outside of the text first, then that of each page, but not
 * more than n counts. Return how many there are in all. Ticks may go on meanwhile.
 */
size_t pages_read(uint64_t *counts, size_t n);

#endif
