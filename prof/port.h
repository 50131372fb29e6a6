/*
 * The hooks: all that the profilers call, and what whoever takes them into a kernel
 * writes. A call "from mcount" comes from the entry of any instrumented function, in
 * any context, NMI included; a hook called so must itself not be instrumented, must
 * not call what is, and must not wait. The declarations see to the first.
 */
#ifndef PROF_PORT_H
#define PROF_PORT_H

#include <stdbool.h>
#include <stddef.h>

#include <stdint.h>
#include "prof/prof.h"

/* The number of the CPU that calls, below PROF_MAXCPU. From mcount. Cannot fail. */
__attribute__((no_instrument_function)) unsigned prof_port_cpu(void);

/*
 * Zeroed memory, aligned for pointers; NULL when there is none. For good from
 * kprof_init and kmstartup, else until prof_port_free, which takes NULL too. In thread
 * context. May be instrumented.
 */
void *prof_port_alloc(size_t n);
void prof_port_free(void *p);

/*
 * Return when every tick that was under way on any CPU is over, and ticks that begin
 * later see what was stored before. From clear, in thread context. May wait; cannot
 * fail; may be instrumented.
 */
void prof_port_quiesce(void);

/*
 * Turn the calls at the entries of functions on or off. On return from off, no CPU is
 * within mcount and none will enter it. From start, stop and clear of gmon, in thread
 * context. May wait; cannot fail; may be instrumented.
 */
void prof_port_entries(bool on);

/*
 * Where the memory of the program that the tick interrupted, or that is in the kernel on
 * this CPU, can be read at addr and up to the end of that page of 4096 bytes; NULL: it
 * cannot. From a tick: no page fault, no lock, no wait. Anything may be asked for.
 */
const void *prof_port_user(uint32_t addr);

/*
 * What was interrupted by the trap whose handler has that frame, of which room bytes, and
 * what lies above it on the kernel's stack, can be read. Unless it is an interrupt or
 * nothing, *at is filled in; its pc as a return address would be, behind an instruction.
 * The frame may be none, if the registers were not a frame's. From a tick.
 */
enum stack_trap prof_port_trap(const void *frame, size_t room, struct stack_place *at);

/*
 * The machine's fast path on that CPU may count arcs in c's tables by itself; or,
 * when c is NULL, must hand every call to _mcount. From start and stop while the
 * entries are off, and from mcount, for the CPU that calls. Cannot fail.
 */
__attribute__((no_instrument_function)) void prof_port_arcs(unsigned cpu, const struct gmon_cpu *c);

#endif
