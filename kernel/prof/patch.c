/* Entry calls: the pad at the start of each instrumented function is a nop, or calls mcount.asm. */
#include "kernel/prof/patch.h"
#include "kernel/machine/image.h"
#include "kernel/machine/smp.h"
#include "kernel/machine/string.h"
#include "kernel/machine/text.h"
#include "kernel/prof/calls.h"
#include "kernel/prof/profilers.h"
#include "kernel/sched/call.h"

extern void __fentry__(void), entry_cover(void), entry_both(void);
extern void entry_calls(void), entry_calls_cover(void), entry_calls_real(void), entry_all(void);
extern void entry_real(void), entry_real_cover(void), entry_traced(void);

#define ENTRY_OTHERS 16u /* in place of ENTRY_CALLS: measured are calls of other functions */

/* What pads call, by the set of ENTRY_ bits that want it; NULL: they are nops. */
static void (*const target[])(void) = {
	[ENTRY_ARCS] = __fentry__,
	[ENTRY_COVER] = entry_cover,
	[ENTRY_ARCS | ENTRY_COVER] = entry_both,
	[ENTRY_CALLS] = entry_calls,
	[ENTRY_CALLS | ENTRY_ARCS] = entry_calls_real,
	[ENTRY_CALLS | ENTRY_COVER] = entry_calls_cover,
	[ENTRY_CALLS | ENTRY_ARCS | ENTRY_COVER] = entry_all,
	[ENTRY_CALLS | ENTRY_TRACED] = entry_traced,
	[ENTRY_OTHERS | ENTRY_ARCS] = entry_real,
	[ENTRY_OTHERS | ENTRY_COVER] = entry_cover,
	[ENTRY_OTHERS | ENTRY_ARCS | ENTRY_COVER] = entry_real_cover,
};

/* A place in mcount.asm where other code begins while calls are recorded, by a jump to it. */
struct patch_place {
	uint32_t va;
	uint8_t other[ENTRY_PAD]; /* what is to be there otherwise than now */
} __attribute__((packed));
extern struct patch_place calls_places[2];

static unsigned wanted; /* prof_lock */

/* Return what a pad calls for that set of those who want it. */
static void (*patch_target(uint32_t pad, unsigned who))(void)
{
	if (who & ENTRY_CALLS && !calls_chosen(pad))
		who ^= ENTRY_CALLS | ENTRY_OTHERS;
	if (who & (ENTRY_ARCS | ENTRY_COVER | ENTRY_OTHERS))
		who &= ~ENTRY_TRACED;
	return target[who];
}

#define PAD_BITS ((1ull << 8 * ENTRY_PAD) - 1) /* of 8 bytes those of a pad at their begin */

/* Return the instruction for the pad at va, as PAD_BITS: a call, or a nop when to is NULL. */
static inline uint64_t patch_code(uint32_t va, void (*to)(void))
{
	uint32_t distance = (uint32_t)(uintptr_t)to - (va + ENTRY_PAD);

	if (!to)
		return 0x0000441f0f;
	return (uint64_t)distance << 8 | 0xe8;
}

/*
 * Switch all pads from what one set of those who want calls says to what the other does, each by a
 * single store, so that an NMI finds a whole instruction. A pad that holds anything else, or is not
 * at 8 aligned bytes (functions are aligned to 16), is left alone.
 */
static void patch_all(unsigned from, unsigned to)
{
	for (uint32_t i = 0; &mcount_loc[i] < mcount_loc_end; i++) {
		uint32_t va = mcount_loc[i];
		uint64_t *pad = (uint64_t *)(uintptr_t)va, now = *pad;
		uint64_t was = patch_code(va, patch_target(i, from));

		if (va % 8 == 0 && (now & PAD_BITS) == was)
			text_store(pad, now - was + patch_code(va, patch_target(i, to)));
	}
}

/* Change over to the other code. */
static void patch_place(struct patch_place *at)
{
	uint8_t was[ENTRY_PAD];

	memcpy(was, (void *)(uintptr_t)at->va, ENTRY_PAD);
	text_write(at->va, at->other, ENTRY_PAD);
	memcpy(at->other, was, ENTRY_PAD);
}

/* Return how often that CPU has changed process; the lower half is enough. */
static uint32_t patch_changes(unsigned cpu)
{
	return (uint32_t)*(const volatile uint64_t *)&cpus[cpu]->switches;
}

/*
 * Return when every CPU has left the code whose calls were patched out, such as mcount. That
 * runs with interrupts on, so a CPU that answers one may still be in there. But kernel code is not
 * preempted, and interrupt handlers do not sleep: a CPU that changes process, or clears `resched`,
 * as only the scheduler and the idle loop do, has left all functions whose entry it was in. It
 * costs the calls nothing.
 */
static void patch_wait_outside(void)
{
	unsigned self = cpu_self()->id, i;
	uint32_t before[MAXCPU];

	for (i = 0; i < ncpu; i++) {
		before[i] = patch_changes(i);
		if (i == self)
			continue;
		__atomic_store_n(&cpus[i]->resched, RESCHED, __ATOMIC_SEQ_CST);
		smp_kick(i);
	}
	for (i = 0; i < ncpu; i++)
		while (i != self && patch_changes(i) == before[i] &&
		       __atomic_load_n(&cpus[i]->resched, __ATOMIC_ACQUIRE))
			cpu_relax();
}

/* A change of all pads, while all CPUs stand still for it. */
struct patching {
	unsigned now;  /* the set of those who want calls */
	unsigned came; /* atomic; CPUs that stand still */
	bool done;     /* atomic */
};

/*
 * Stand still with all other CPUs, while the last of them to come switches the pads: only then may
 * one processor change another's instructions (SDM 3A, section 8.1.3). It is a vector that asks for
 * it, by cpus_call(), and no NMI, which could not be told from one that is a tick. So a CPU comes
 * once it holds no spin lock, and serves flushes for those that wait for one of it until then.
 * Ticks may come, by NMI: of what they execute nothing is instrumented.
 */
UNSEEN static void patch_together(void *with)
{
	struct patching *p = with;

	if (__atomic_add_fetch(&p->came, 1, __ATOMIC_ACQ_REL) == ncpu) {
		/* Of what is called here, half would be recorded. */
		for (unsigned i = 0; i < ncpu; i++)
			cpus[i]->calls.ring = &prof->trace.none;
		patch_all(wanted, p->now);
		for (size_t i = 0; i < nelem(calls_places) && (wanted ^ p->now) & ENTRY_TRACED; i++)
			patch_place(&calls_places[i]);
		prof_trace_calls(prof);
		if (!((wanted | p->now) & ENTRY_CALLS)) /* and no CPU is in a stub any more */
			calls_undo();
		wanted = p->now;
		__atomic_store_n(&p->done, true, __ATOMIC_RELEASE);
	}
	while (!__atomic_load_n(&p->done, __ATOMIC_ACQUIRE)) {
		smp_poll();
		cpu_relax();
	}
	cpuid(0); /* forgets what was read ahead of the old instructions */
}

/*
 * Switch all pads to what the set of those who want calls says. After switching off, no CPU is in
 * such a call any more.
 */
void patch_entries(unsigned who, bool on)
{
	struct patching p = {.now = on ? wanted | who : wanted & ~who};

	cpus_call(patch_together, &p);
	if (!on)
		patch_wait_outside();
}
