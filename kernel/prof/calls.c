/*
 * Durations of calls (prof/prof_call.h): which functions are measured, the stacks of calls of the
 * processes, and what measuring costs.
 *
 * A process has its stack of calls from when measuring begins, or from fork, until it ends or
 * measuring does. At the end all CPUs stand still while the return addresses of all processes are
 * put back, so nothing of the profiler is left in any stack; and a stack of calls is freed when no
 * CPU is in a stub any more.
 */
#include "kernel/prof/calls.h"
#include "kernel/machine/image.h"
#include "kernel/machine/time.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/prof/patch.h"
#include "kernel/prof/profilers.h"
#include "kernel/sched/call.h"
#include "kernel/sched/switch.h"
#include "prof/prof_hooks.h"

#define ROUNDS 16	   /* the cost is the least of so many measurements */
#define CALL_LENGTH 5	   /* bytes of a call, or of a jump, of which the last 4 are the distance */
#define IS_CALL(op) (((op) & 0xfe) == 0xe8)

_Static_assert(sizeof(struct prof_call_stack) <= PAGE, "a process's calls have a page");
/* What mcount.asm knows. */
_Static_assert(offsetof(struct prof_call_cpu, cost) == 24, "struct calls");
_Static_assert(offsetof(struct prof_call_cpu, less) == 48, "struct calls");
_Static_assert(offsetof(struct prof_trace_ring, at) == 8, "struct ring");
_Static_assert(offsetof(struct prof_trace_record, entry) == 12, "struct record");
_Static_assert(offsetof(struct prof_call_frame, start) == 20, "struct frame");
_Static_assert(offsetof(struct prof_call_arc, span) == 56, "struct arc");

/* How far a function has been chosen. */
enum calls_choice { CALLS_NOT, CALLS_CHOSEN, CALLS_FOLLOW, CALLS_FOLLOWED };

void calls_nothing(void); /* mcount.asm */

static uint8_t *choice;		 /* prof_lock; of the function of each pad; NULL: none */
static char words[CALLS_WORDS] = "off"; /* prof_lock; what chose them */
static char trigger[CALLS_WORDS] = "panic"; /* prof_lock; what stops the records, beside that */
static bool measuring, tracing;	 /* prof_lock */
static uint32_t cost[2][2];	 /* prof_lock; of a measured call, and recorded: inside, around */
static struct prof_call_stack nobody; /* of processes that have none */
static bool replaced; /* changed while CPUs stand still, or before; return addresses may be */

static unsigned calls_npad(void)
{
	return (unsigned)(mcount_loc_end - mcount_loc);
}

bool calls_chosen(uint32_t pad)
{
	return choice && choice[pad] != CALLS_NOT;
}

const char *calls_words(void)
{
	return words;
}

/* Return whether the name is like the pattern. */
static bool calls_like(const char *name, const char *pattern)
{
	const char *star = NULL, *from = NULL; /* past the last star; past what it stands for */

	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			from = name;
		} else if (*pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == 0;
}

/* Return the name of the function of a pad; NULL: it cannot be measured. */
static const char *calls_name(unsigned pad)
{
	uint32_t off, function = mcount_loc[pad];

	/* One begins in one process and returns in another, one before its process's time does. */
	if (function == (uintptr_t)switch_to || function == (uintptr_t)sched_begin)
		return NULL;
	return ksym_name(function, &off);
}

/* Choose the functions that are like the pattern. Return how many those are. */
static unsigned calls_mark(uint8_t *to, const char *pattern, enum calls_choice as)
{
	unsigned n = 0;

	for (unsigned i = 0; i < calls_npad(); i++) {
		const char *name = calls_name(i);
		if (!name || !calls_like(name, pattern))
			continue;
		to[i] = as;
		n++;
	}
	return n;
}

/* Return where the function ends that begins there. */
static uint32_t calls_end(uint32_t function)
{
	for (uint32_t i = 0; i < ksym_count; i++)
		if (ksym_addr[i] > function)
			return ksym_addr[i];
	return (uintptr_t)etext;
}

/* Choose what is called, or jumped to, by code in [at, end), of those not followed yet. */
static void calls_mark_callees(uint8_t *to, uint32_t at, uint32_t end)
{
	for (; at + CALL_LENGTH <= end; at++) {
		const uint8_t *code = (const uint8_t *)(uintptr_t)at;
		uint32_t distance;
		if (!IS_CALL(*code))
			continue;
		memcpy(&distance, code + 1, sizeof(distance));
		for (unsigned i = 0; i < calls_npad(); i++) {
			if (mcount_loc[i] != at + CALL_LENGTH + distance || to[i] >= CALLS_FOLLOW)
				continue;
			if (calls_name(i))
				to[i] = CALLS_FOLLOW;
		}
	}
}

/* Choose all that the functions call that are to be followed, and so on. */
static void calls_follow(uint8_t *to)
{
	for (unsigned i = 0; i < calls_npad();) {
		if (to[i] != CALLS_FOLLOW) {
			i++;
			continue;
		}
		to[i] = CALLS_FOLLOWED;
		calls_mark_callees(to, mcount_loc[i], calls_end(mcount_loc[i]));
		i = 0;
	}
}

/* Return why no function that can be measured is like the pattern, and say so. */
static int calls_no_match(const char *pattern)
{
	for (uint32_t i = 0; i < ksym_count; i++) {
		const char *name = ksym_names + ksym_off[i];
		if (!calls_like(name, pattern))
			continue;
		print_limited("calls: %s cannot be measured: it is assembly, or the profilers'\n",
			      name);
		return -ENOTSUP;
	}
	print_limited("calls: no function is like %s\n", pattern);
	return -ENOENT;
}

/* Do what a word says. */
static int calls_word(uint8_t *to, const char *word)
{
	enum calls_choice as = CALLS_CHOSEN;
	const char *pattern = word;

	if (*word == '+')
		as = CALLS_FOLLOW;
	else if (*word == '-')
		as = CALLS_NOT;
	if (as != CALLS_CHOSEN)
		pattern++;
	if (calls_mark(to, pattern, as) == 0)
		return calls_no_match(pattern);
	calls_follow(to);
	return 0;
}

/* Write the words behind each other, into CALLS_WORDS bytes. False: they are too many. */
static bool calls_join(char *to, unsigned n, char *const word[])
{
	size_t used = 0;

	*to = 0;
	for (unsigned i = 0; i < n; i++) {
		const char *blank = i > 0 ? " " : "";
		used += (size_t)snprintf(to + used, CALLS_WORDS - used, "%s%s", blank, word[i]);
		if (used >= CALLS_WORDS)
			return false;
	}
	return true;
}

/*
 * Give p a stack of calls, with none in it, whose page is cleared for the reason that
 * kstack_alloc() tells. Under proc_lock, or nobody else sees p.
 */
void calls_give(struct proc *p)
{
	uint32_t lo = (uintptr_t)p->kstack;

	if (!p->prof.calls)
		p->prof.calls = frame_alloc_zeroed(p->payer);
	if (p->prof.calls)
		prof_call_thread(p->prof.calls, lo, lo + KSTACK_PAGES * PAGE);
}

void calls_take(struct proc *p)
{
	struct prof_call_stack *s = __atomic_exchange_n(&p->prof.calls, NULL, __ATOMIC_ACQ_REL);

	if (!s)
		return;
	uint32_t flags = irq_save();
	prof_call_end(&cpu_self()->calls, s, rdtsc());
	irq_restore(flags);
	frame_free(s);
}

/* Do that with all processes, idle threads too. */
static void calls_each(void (*fn)(struct proc *p))
{
	HOLD_SPIN(&proc_lock);
	for (unsigned i = 0; i < ncpu; i++)
		fn(cpus[i]->idle);
	for (struct proc *p = proc_from(1); p; p = proc_from((uint32_t)p->pid + 1))
		fn(p);
}

/* CPUs stand still where they hold no spin lock, so nobody has proc_lock. */
void calls_undo(void)
{
	calls_each(calls_show);
	replaced = false;
}

UNSEEN void calls_ran(struct proc *p)
{
	bool none = !p->prof.calls || !replaced;

	prof_call_run(&cpu_self()->calls, none ? &nobody : p->prof.calls, rdtsc());
	prof_trace_run(&profilers, cpu_id(), (uint32_t)p->pid, p->payer == PAYER_OTHERS);
}

static void calls_adopt(void *)
{
	calls_ran(proc_self());
}

/* Have the pads of the functions chosen call the stub, or none. */
static void calls_measure(bool on)
{
	if (on == measuring)
		return;
	measuring = on;
	if (on) {
		calls_each(calls_give);
		prof_switch(prof, PROF_REPLACED, true);
		replaced = true;
		waits_changed();
		cpus_call(calls_adopt, NULL);
		patch_entries(ENTRY_CALLS, true);
		return;
	}
	/* First ticks cease to show and hide, for which CPUs do not stand still. */
	prof_switch(prof, PROF_REPLACED, false);
	patch_entries(ENTRY_CALLS, false);
	patch_entries(ENTRY_CALLS, false); /* now undoes what is left in stacks */
	cpus_call(calls_adopt, NULL);
	waits_changed();
	prof_hook_quiesce(); /* nobody is in a tick, or a change of process, that began before */
	calls_each(calls_take);
}

/* Have measured calls be recorded, or not. */
static void calls_trace(bool on)
{
	if (on != tracing)
		patch_entries(ENTRY_TRACED, on);
	tracing = on;
	prof_call_cost(prof, cost[on][0], cost[on][1]);
}

void calls_changed(void)
{
	calls_measure(prof_wants(prof, PROF_CALLS));
	/* Also while a reader holds the records up. */
	calls_trace(prof->trace.what & PROF_CALLS && prof_wants(prof, PROF_KPROF));
}

/* Return how long it takes, at least, to call a function that does nothing. */
static NOT_INLINED uint32_t calls_time_nothing(void)
{
	uint32_t least = UINT32_MAX;

	for (unsigned i = 0; i < ROUNDS; i++) {
		uint32_t flags = irq_save(), began = (uint32_t)rdtsc();
		calls_nothing();
		uint32_t took = (uint32_t)rdtsc() - began;
		irq_restore(flags);
		if (took < least)
			least = took;
	}
	return least;
}

/*
 * Find out what measuring costs, by a function that only returns: its shortest time is the cost
 * inside, and the rest is around it. Then records, if they are made, go nowhere.
 */
static void calls_find_cost(bool traced)
{
	uint32_t off, on, *c = cost[traced];

	calls_mark(choice, "calls_nothing", CALLS_CHOSEN);
	off = calls_time_nothing();
	c[0] = c[1] = 0;
	prof_start(prof, PROF_CALLS);
	calls_measure(true);
	calls_trace(traced);
	on = calls_time_nothing();
	prof_stop(prof, PROF_CALLS);
	calls_trace(false);
	calls_measure(false);
	c[0] = (uint32_t)prof_call_shortest(prof);
	c[1] = on - off - c[0];
	prof_clear(prof, PROF_CALLS);
}

/* Have nothing chosen. */
static void calls_forget(void)
{
	prof_stop(prof, PROF_CALLS);
	calls_changed();
	prof_call_close(prof, PROF_CALLS);
	kfree(choice);
	choice = NULL;
	strlcpy(words, "off", sizeof(words));
}

/* Use the choice from now on, of which nothing is counted yet. */
static int calls_begin(uint8_t *to)
{
	calls_forget();
	choice = kzalloc(calls_npad());
	if (!choice || !prof_call_open(prof, PROF_CALLS, 0)) {
		calls_forget();
		return -ENOMEM;
	}
	prof_call_thread(&nobody, 1, 0);
	calls_find_cost(true);
	calls_find_cost(false);
	memcpy(choice, to, calls_npad());
	return 0;
}

int calls_choose(unsigned n, char *const word[])
{
	char joined[CALLS_WORDS];
	int err = 0;

	prof_trace_trigger(prof, 0, 0, 0);
	strlcpy(trigger, "panic", sizeof(trigger));
	if (n == 1 && strcmp(word[0], "off") == 0) {
		calls_forget();
		return 0;
	}
	if (!calls_join(joined, n, word)) {
		print_limited("calls: more than %u characters\n", CALLS_WORDS - 1);
		return -E2BIG;
	}
	uint8_t *to = kzalloc(calls_npad());
	if (!to)
		return -ENOMEM;
	for (unsigned i = 0; i < n && !err; i++)
		err = calls_word(to, word[i]);
	if (!err)
		err = calls_begin(to);
	if (!err)
		memcpy(words, joined, sizeof(words));
	kfree(to);
	return err;
}

/*
 * Return the address, as in struct prof_call_site, of a function whose calls are measured; 0: they
 * are not, and the console says so.
 */
static uint32_t calls_function(const char *name)
{
	for (unsigned i = 0; i < calls_npad(); i++)
		if (calls_chosen(i) && strcmp(calls_name(i), name) == 0)
			return mcount_loc[i] + ENTRY_PAD;
	print_limited("trigger: calls of %s are not measured\n", name);
	return 0;
}

/* Return a time, such as 500us, in units of the clock; 0: it is none. */
static uint64_t calls_time(const char *word)
{
	char number[12];
	uint32_t us;
	size_t n = strlcpy(number, word, sizeof(number));

	if (!in_range(n, 3, sizeof(number)) || strcmp(number + n - 2, "us") != 0)
		return 0;
	number[n - 2] = 0;
	if (!parse_uint(number, &us))
		return 0;
	return prof_divide((uint64_t)us * time_tsc_khz(), 1000);
}

int calls_trigger(unsigned n, char *const word[])
{
	uint64_t time[2] = {0, 0}; /* the limit, and how long records still come then */

	for (unsigned i = 1; i < n; i++) {
		time[i - 1] = calls_time(word[i]);
		if (time[i - 1] == 0) {
			print_limited("trigger: %s is no time, such as 500us\n", word[i]);
			return -EINVAL;
		}
	}
	if (strlen(word[0]) >= PROF_TRACE_MARK)
		return -E2BIG;
	uint32_t function = 0;
	if (n > 1) {
		function = calls_function(word[0]);
		if (!function)
			return -ENOENT;
	}
	calls_join(trigger, n, word);
	prof_trace_trigger(prof, function, time[0], time[1]);
	return 0;
}

const char *calls_trigger_words(void)
{
	return trigger;
}

UNSEEN uintptr_t calls_real(uintptr_t ret)
{
	return prof_call_real(&cpu_self()->calls, ret);
}

UNSEEN void calls_show(struct proc *p)
{
	if (p->prof.calls)
		prof_call_show(&cpu_self()->calls, p->prof.calls);
}

/* The records of what led to it are kept, too. */
void hook_panic(void)
{
	prof_switch(prof, PROF_TRACE, false);
	calls_show(proc_self());
}

UNSEEN void calls_hide(struct proc *p)
{
	if (p->prof.calls)
		prof_call_hide(&cpu_self()->calls, p->prof.calls);
}
