/*
 * What the kernel's core tells the profilers: the only names of theirs that it uses. With
 * empty hooks (tests/nohooks.c) a kernel has everything except its profilers.
 *
 * Unless noted, a hook is called by the process concerned, in the kernel, with interrupts on
 * and no spin lock held: it may sleep. After each hook stands the file that implements it.
 */
#pragma once

#include "kernel/abi/memprof.h"
#include "kernel/machine/isr.h"
#include "kernel/process/proc.h"

/* The bytes at the top of every program's stack that are the profilers'; a multiple of 16. */
#define HOOK_USER_STACK MEMPROF_TOP

/* Called when the rest of the child is ready, but its pid. False if out of memory: fork fails. */
bool hook_fork(struct proc *child); /* profil.c */

/* Fork can no longer fail; the child is not visible yet. Under proc_lock. */
void hook_forked(struct proc *child); /* module.c */

/* Called when the calling process has its new program, from that file, and is about to start it. */
void hook_exec(struct chan *program); /* module.c */

/* Called when nobody uses the address space any more, before it is freed. */
void hook_vm_free(struct vm *vm); /* memprof.c */

/* A panic is about to print what led to it: the calling process's calls are shown for ever. */
void hook_panic(void); /* calls.c */

/*
 * Handle a debug trap from user mode. Return true if it was the profilers': the process goes on.
 * From isr.asm, with interrupts off and only the registers saved that a call may change.
 */
bool hook_step(struct iretframe *to); /* cover.c */

/* System calls: syscall.c names them in its table, as it does all others. */
int32_t sys_profil(const uint32_t arg[5]); /* profil.c */
int32_t sys_sprofil(const uint32_t arg[5]); /* profil.c */
int32_t sys_memprof(const uint32_t arg[5]); /* memprof.c */

/* The functions that the inline hooks below call, and the word that they test. */
void profil_off(void);
void profil_update(void);
void cover_call(struct proc *p);
void cover_return(struct proc *p);
extern struct prof_module *memprof_heap;
void memprof_kmalloc(void *p, size_t n, const void *caller);
void memprof_kfree(void *p);
extern uint32_t waits_on;
void waits_ran(struct proc *p, enum prof_cause what, const uint32_t *frame);
void waits_woken(struct proc *p);
void calls_take(struct proc *p);
extern uint32_t hook_names;

/* The program of p, the calling process, ends by exit or exec; its memory is still there. */
static inline void hook_ends(struct proc *p)
{
	check_may_sleep();
	if (p->prof.profil)
		profil_off();
	if (p->prof.cover)
		cover_call(p);
}

/* p has another name, or will have one before anybody sees it. Under proc_lock. */
static inline void hook_named(struct proc *p)
{
	p->prof.named = ++hook_names;
}

/* p is taken off its CPU at that time, or is made then. Under the lock of its CPU. */
static inline void hook_left(struct proc *p, uint64_t now)
{
	p->prof.left = now;
}

/* p is given a CPU at that time. Under the lock of that. */
static inline void hook_came(struct proc *p, uint64_t now)
{
	p->prof.came = now;
}

/* p may run from now on. Under the lock of its CPU. */
static inline void hook_ready(struct proc *p)
{
	if (__builtin_expect(waits_on, 0))
		waits_woken(p);
}

/* p's kernel stack is about to be freed, or p is: it does not run any more. */
static inline void hook_free(struct proc *p)
{
	if (p->prof.calls)
		calls_take(p);
}

/* Return what a process waits for in q: a device if nothing is said. */
static inline enum prof_cause hook_cause(const struct waitq *q)
{
	if (q->cause == PROF_KERNEL)
		return PROF_DEVICE;
	return q->cause;
}

/*
 * The calling process runs, and did not before; because it was new, PROF_USER, or gave way,
 * PROF_KERNEL, or waited for that. The frame is the caller's. Under the lock of its CPU.
 */
static inline void hook_ran(struct proc *p, enum prof_cause what, const void *frame)
{
	if (__builtin_expect(waits_on, 0))
		waits_ran(p, what, frame);
}

/* Return 0 if neither of the next two hooks has anything to do for p. */
static inline uint32_t hook_any(const struct proc *p)
{
	return (uintptr_t)p->prof.profil | (uintptr_t)p->prof.cover;
}

/* p's trap has been handled, and p is about to resume; interrupts are as the handler left them. */
static inline void hook_trapped(struct proc *p)
{
	if (__builtin_expect(p->prof.profil != NULL, 0))
		profil_update();
}

/* p goes back to user mode now. Interrupts may be off; does not sleep. */
static inline void hook_user(struct proc *p)
{
	if (__builtin_expect(p->prof.cover != NULL, 0))
		cover_return(p);
}

/* The heap gave n bytes at p, or NULL, to the call that returns to caller. Any context but NMI. */
static inline void hook_kmalloc(void *p, size_t n, const void *caller)
{
	if (__builtin_expect(memprof_heap && p, 0))
		memprof_kmalloc(p, n, caller);
}

/* The heap is about to take back the block at p. Any context but NMI. */
static inline void hook_kfree(void *p)
{
	if (__builtin_expect(memprof_heap != NULL, 0))
		memprof_kfree(p);
}
