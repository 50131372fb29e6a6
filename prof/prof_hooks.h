/*
 * The hooks: the only functions that the profilers call. A port to a kernel implements them.
 * A call "from mcount" comes from the entry of any instrumented function, in any context, NMI
 * included; a hook called so must not be instrumented itself, which the attribute ensures,
 * must not call what is, and must not wait.
 */
#pragma once

#include "prof/prof.h"

PROF_BEGIN

/* Return the number of the CPU that calls, below PROF_MAXCPU. From mcount. Cannot fail. */
__attribute__((no_instrument_function)) unsigned prof_hook_cpu(void);

/*
 * Return zeroed memory, aligned for pointers, or NULL when there is none. What prof_kprof_init and
 * prof_gmon_init are given is never freed, all else by prof_hook_free, which takes NULL too. In
 * thread context. May be instrumented.
 */
void *prof_hook_alloc(size_t n);
void prof_hook_free(void *p);

/*
 * Return when every tick that was under way on any CPU is over, and ticks that begin
 * later see what was stored before. From clear, in thread context. May wait; cannot
 * fail; may be instrumented.
 */
void prof_hook_quiesce(void);

/*
 * Turn the calls at the entries of functions on or off. On return from off, no CPU is
 * within mcount and none will enter it. From start, stop and clear of gmon, in thread
 * context. May wait; cannot fail; may be instrumented.
 */
void prof_hook_entries(bool on);

/*
 * Return where the page of 4096 bytes that begins at that address of the program that runs on this
 * CPU, or has called the kernel there, can be read; NULL if it cannot. Any page may be asked for.
 * From a tick: no page fault, no lock, no wait.
 */
const void *prof_hook_user(prof_addr page);

/*
 * Return what was interrupted by the trap whose handler's frame is `frame`; room bytes of the
 * kernel's stack can be read from there on. For USER and KERNEL, fill in *at, with pc just past
 * an instruction, like a return address. If a register that should hold a frame pointer held
 * something else, `frame` is no frame, and what is returned may be wrong. From a tick.
 */
enum prof_stack_trap prof_hook_trap(const void *frame, size_t room, struct prof_stack_place *at);

/*
 * Let the machine's fast path on that CPU count arcs in g's tables by itself; or, when g is
 * NULL, have it hand every call to prof_mcount. From start and stop while the
 * entries are off; and, with NULL, from mcount on any CPU. Cannot fail.
 */
__attribute__((no_instrument_function)) void prof_hook_arcs(unsigned cpu,
							    const struct prof_gmon_param *g);

PROF_END
