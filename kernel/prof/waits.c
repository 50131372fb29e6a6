/*
 * Waits: how long processes waited and were ready to run, by the path on which they did. What one
 * waited for is the `cause` of the wait queue; prof/prof_cause.h has what there is.
 */
#include "kernel/prof/calls.h"
#include "kernel/prof/hooks.h"
#include "kernel/prof/profilers.h"
#include "kernel/prof/stack.h"
#include "prof/prof_hooks.h"

uint32_t waits_on;	     /* of prof->on: PROF_WAIT, and PROF_REPLACED, as calls are measured */
static uint64_t waits_since; /* when waits were last begun to be counted, by the TSC */
static uint64_t waits_until; /* when counting ended before that; 0: what was then is forgotten */

/* Note how long p was away and not counted: up to now, waits_since, which was `before' before. */
static void waits_skip(struct proc *p, uint64_t before)
{
	if (waits_until == 0 || p->prof.left >= waits_until)
		p->prof.skipped = waits_since - p->prof.left;
	else if (p->prof.left >= before)
		p->prof.skipped = waits_since - waits_until;
	else
		p->prof.skipped += waits_since - waits_until;
}

/* Count from now on. A wait that was counted when counting ended, and still lasts, goes on. */
static void waits_begin(void)
{
	uint64_t before = waits_since;

	HOLD_SPIN(&proc_lock);
	waits_since = rdtsc();
	for (struct proc *p = proc_from(1); p; p = proc_from((uint32_t)p->pid + 1))
		waits_skip(p, before);
}

void waits_forget(void)
{
	waits_until = 0;
}

/* Note that waits are counted, or that they no longer are, as prof->on tells; or are needed. */
void waits_changed(void)
{
	uint32_t on = prof_running(prof) & (PROF_WAIT | PROF_REPLACED);

	if (on & ~waits_on & PROF_WAIT) {
		prof_hook_quiesce(); /* nobody is to see half of this */
		waits_begin();
	}
	if (waits_on & ~on & PROF_WAIT)
		waits_until = rdtsc();
	waits_on = on;
}

UNSEEN void waits_woken(struct proc *p)
{
	p->prof.woken = rdtsc();
	if (prof_running(&profilers) & PROF_TRACE)
		prof_trace_woken(&profilers, cpu_id(), (uint32_t)p->pid,
				 p->payer == PAYER_OTHERS, p->prof.woken);
}

/* Have the path begin in the program if that did not call the kernel. An idle thread has none. */
static inline UNSEEN void waits_in_program(struct prof_sample *s, const struct trapframe *tf)
{
	if (s->what == PROF_KERNEL) {
		if (!tf || tf->vector == VEC_SYSCALL)
			return;
		if (tf->vector < VEC_IRQ) /* an exception is a call, too */
			return;
		s->at.ret = stack_user_ret(tf->eip, tf->esp);
	}
	s->at.pc = tf->eip;
	s->at.fp = tf->ebp;
	s->what = PROF_USER;
}

/*
 * Add to the path of p, the calling process, how long it waited and was ready to run until it was
 * given this CPU. It waited in the kernel, in the function that has that frame, unless a trap that
 * was no call of the program's took its CPU away, or it is new: then its path is the program's
 * alone. What of that time is not counted is left out.
 */
static INLINED UNSEEN void waits_count(struct proc *p, enum prof_cause what, const uint32_t *frame)
{
	uint64_t left = p->prof.left;
	struct prof_sample s;

	if (__builtin_expect(left < waits_since, 0))
		left += p->prof.skipped;
	s.cpu = cpu_id();
	s.what = what;
	s.at.pc = frame[1] - 1; /* in the call */
	s.at.fp = frame[0];
	s.at.ret = 0;
	s.lo = (uintptr_t)frame;
	s.hi = (uintptr_t)p->kstack + KSTACK_PAGES * PAGE;
	s.stack = frame;
	stack_name(&s, p);
	s.waited = 0;
	if (!prof_cause_waits(what)) {
		waits_in_program(&s, p->tf);
	} else if (p->prof.woken > left) {
		s.waited = p->prof.woken - left;
		left = p->prof.woken;
	}
	s.ready = p->prof.came - left;
	uint32_t on = prof_running(&profilers);
	if (on & PROF_WAIT && p->pid)
		prof_stack_wait(&profilers, &s);
	if (on & PROF_TRACE && profilers.trace.what & PROF_WAIT)
		prof_trace_switch(&profilers, &s, p->prof.came);
}

/* The same while calls are measured, whose return addresses are replaced on the stack. */
static UNSEEN NOT_INLINED void waits_ran_measured(struct proc *p, enum prof_cause what,
						  const uint32_t *frame)
{
	calls_ran(p);
	calls_show(p);
	if (waits_on & PROF_WAIT)
		waits_count(p, what, frame);
	calls_hide(p);
}

UNSEEN void waits_ran(struct proc *p, enum prof_cause what, const uint32_t *frame)
{
	check_irqs_off();
	if (waits_on & PROF_REPLACED)
		waits_ran_measured(p, what, frame);
	else
		waits_count(p, what, frame);
}
