/* A row for each profiler, and what all of them have in common: see prof_profilers.h. */
#include "prof/prof_hooks.h"

const struct prof_profiler prof_profilers[] = {
#if PROF_HAVE_KPROF
	{.bit = PROF_KPROF, .name = "kprof", .clear = prof_kprof_clear, .write = prof_kprof_write,
	 .period = prof_kprof_period},
#endif
#if PROF_HAVE_GMON
	{.bit = PROF_GMON, .name = "gmon", .period = prof_gmon_period},
#endif
#if PROF_HAVE_STACK
	{.bit = PROF_STACK, .name = "stacks", .open = prof_stack_open, .close = prof_stack_close,
	 .clear = prof_stack_clear, .write = prof_stack_write, .period = prof_stack_period},
	{.bit = PROF_WAIT, .name = "waits", .open = prof_stack_open, .close = prof_stack_close,
	 .clear = prof_stack_clear, .write = prof_stack_write},
	{.bit = PROF_HEAP, .name = "memory", .write = prof_stack_write},
	{.bit = PROF_TRACE, .name = "trace", .close = prof_trace_close, .clear = prof_trace_clear,
	 .write = prof_trace_write},
#endif
#if PROF_HAVE_CALL
	{.bit = PROF_CALLS, .name = "calls", .open = prof_call_open, .close = prof_call_close,
	 .clear = prof_call_clear, .write = prof_call_write},
#endif
	{.bit = 0},
};

#define PROFILERS_END (prof_profilers + sizeof(prof_profilers) / sizeof(prof_profilers[0]) - 1)

void prof_switch(struct prof *p, uint32_t mask, bool on)
{
	if (on)
		__atomic_fetch_or(&p->on, mask, __ATOMIC_SEQ_CST);
	else
		__atomic_fetch_and(&p->on, ~mask, __ATOMIC_SEQ_CST);
	if (PROF_HAVE_STACK * PROF_HAVE_CALL && mask & PROF_TRACE)
		prof_trace_calls(p);
}

bool prof_pause(struct prof *p, uint32_t mask)
{
	bool on = prof_wants(p, mask);

	prof_switch(p, mask, false);
	prof_hook_quiesce();
	return on;
}

/* The profilers of this library that are started and stopped here. */
#define PROFILERS_STARTED \
	(PROF_HAVE_KPROF * PROF_KPROF | PROF_HAVE_STACK * PROF_PATHS | PROF_HAVE_CALL * PROF_CALLS)

uint32_t prof_ready(const struct prof *p)
{
	uint32_t ready = 0;

	if (p->kprof.ncpu > 0)
		ready |= PROF_KPROF;
	if (PROF_HAVE_CALL && p->call.ncpu && p->call.cpu[0]->arc)
		ready |= PROF_CALLS;
	if (!PROF_HAVE_STACK)
		return ready;
	if (p->stack.cpu[0].word)
		ready |= PROF_STACK;
	if (p->wait.cpu[0].word)
		ready |= PROF_WAIT;
	if (p->trace.size > 0 && !p->trace.fired && !p->trace.readers)
		ready |= PROF_TRACE;
	return ready;
}

void prof_start(struct prof *p, uint32_t mask)
{
	prof_switch(p, mask & prof_ready(p), true);
}

void prof_stop(struct prof *p, uint32_t mask)
{
	prof_switch(p, mask & PROFILERS_STARTED, false);
}

/* A tick under way could still store an old count. What empties the tables empties the rings. */
void prof_clear(struct prof *p, uint32_t mask)
{
	if (mask & (PROF_STACK | PROF_WAIT | PROF_CALLS))
		mask |= PROF_TRACE;
	mask &= PROFILERS_STARTED;
	uint32_t ran = prof_running(p) & mask;
	prof_pause(p, mask);
	for (const struct prof_profiler *r = prof_profilers; r < PROFILERS_END; r++)
		if (mask & r->bit)
			r->clear(p, r->bit);
	prof_switch(p, ran, true);
}

void prof_period(struct prof *p, uint32_t us)
{
	for (const struct prof_profiler *r = prof_profilers; r < PROFILERS_END; r++)
		if (r->period)
			r->period(p, us);
	prof_store(&p->us, us);
}
