/* See qemuturns.h. Names in comments are those of QEMU's functions. */
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include "tests/drivers/qemuturns.h"

#define STACK (256 << 10)
#define KICK (QEMU_TIMERS - 1) /* rr_kick_vcpu_timer: the next CPU's turn begins in any case */
#define KICK_NS 100000000

struct guest {
	ucontext_t context;
	char *stack;
	uint64_t budget; /* instructions */
	bool exit;	 /* exit_request */
	bool halted;
	bool taken; /* an interrupt was accepted and its handler is to run next */
};

uint64_t qemu_time;
unsigned fake_cpu;
void (*qemu_turned)(const struct qemu_turn *turn);
static struct guest guests[QEMU_CPUS];
static uint64_t timers[QEMU_TIMERS];
static const struct qemu_machine *machine;
static unsigned cpus_there, next;
static bool dividing, in_guest;
static ucontext_t scheduler;

static uint64_t earliest(void)
{
	uint64_t at = QEMU_NEVER;

	for (unsigned i = 0; i < QEMU_TIMERS; i++)
		if (timers[i] < at)
			at = timers[i];
	return at;
}

/* icount_get_limit() */
static uint64_t limit(void)
{
	uint64_t at = earliest();

	if (at <= qemu_time)
		return 0;
	if (at - qemu_time > INT32_MAX)
		return INT32_MAX / QEMU_NS;
	return (at - qemu_time + QEMU_NS - 1) / QEMU_NS;
}

/* rr_kick_vcpu_thread() */
static void kick_all(void)
{
	for (unsigned i = 0; i < cpus_there; i++)
		guests[i].exit = true;
}

/* End the turn of the guest CPU that calls. */
static void leave(void)
{
	in_guest = false;
	swapcontext(&guests[fake_cpu].context, &scheduler);
}

/* timer_mod_ns(): one that is due before all others has every CPU leave its turn. */
void qemu_arm(unsigned timer, uint64_t at)
{
	timers[timer] = QEMU_NEVER;
	if (at < earliest())
		kick_all();
	timers[timer] = at;
	if (in_guest && guests[fake_cpu].exit)
		leave();
}

void qemu_disarm(unsigned timer)
{
	timers[timer] = QEMU_NEVER;
}

/* icount_notify_aio_contexts() */
static void run_timers(void)
{
	unsigned due = 0;

	kick_all();
	for (;;) {
		for (unsigned i = 0; i < QEMU_TIMERS; i++)
			if (timers[i] < timers[due])
				due = i;
		if (timers[due] > qemu_time)
			return;
		timers[due] = QEMU_NEVER;
		if (due == KICK)
			qemu_arm(KICK, qemu_time + KICK_NS);
		else
			machine->expired(due);
	}
}

void qemu_run_for(uint32_t n)
{
	struct guest *g = &guests[fake_cpu];

	for (;;) {
		if (g->taken || machine->take(fake_cpu)) {
			g->taken = false;
			machine->handle(fake_cpu);
		} else if (n == 0) {
			return;
		} else if (g->budget == 0) {
			leave();
		} else {
			uint64_t some = n < g->budget ? n : g->budget;

			g->budget -= some;
			qemu_time += some * QEMU_NS;
			n -= (uint32_t)some;
		}
	}
}

void qemu_pause(void)
{
	qemu_run_for(1);
	leave();
	qemu_run_for(0);
}

void qemu_halt(void)
{
	guests[fake_cpu].halted = true;
	leave();
	qemu_run_for(0);
}

/* cpu_exec(): a CPU that has halted keeps its exit request; whoever has none begins to run. */
static void execute(struct guest *g)
{
	if (g->halted && !machine->work(fake_cpu))
		return;
	g->halted = false;
	if (!g->taken)
		g->taken = machine->take(fake_cpu);
	if (!g->exit && g->budget > 0) {
		in_guest = true;
		swapcontext(&scheduler, &g->context);
	}
	g->exit = false;
}

/* One CPU's turn in rr_cpu_thread_fn(), with icount_prepare_for_run() and what follows it. */
static void turn(uint64_t share)
{
	struct qemu_turn t = {.cpu = next, .start = qemu_time};
	struct guest *g = &guests[next];

	fake_cpu = next;
	g->budget = limit();
	if (g->budget > share)
		g->budget = share;
	if (g->budget == 0)
		run_timers();
	execute(g);
	t.end = qemu_time;
	if (qemu_turned && (!g->halted || t.end > t.start))
		qemu_turned(&t);
	next++;
}

/* Skip to the next timer when all CPUs have halted, as with sleep=off. */
static void skip_idle(void)
{
	for (unsigned i = 0; i < cpus_there; i++)
		if (!guests[i].halted || machine->work(i))
			return;
	timers[KICK] = QEMU_NEVER;
	if (earliest() > qemu_time)
		qemu_time = earliest();
}

/* icount_percpu_budget() of QEMU 8.1 */
static uint64_t divide(void)
{
	uint64_t all = limit();

	if (!dividing)
		return UINT64_MAX;
	if (all < cpus_there)
		return all;
	return all / cpus_there;
}

bool qemu_run(uint64_t until)
{
	uint64_t share;

	while (qemu_time < until) {
		skip_idle();
		if (qemu_time == QEMU_NEVER)
			return false;
		if (timers[KICK] == QEMU_NEVER && cpus_there > 1)
			qemu_arm(KICK, qemu_time + KICK_NS);
		if (limit() == 0)
			run_timers();
		if (next == cpus_there)
			next = 0;
		share = divide();
		while (next < cpus_there && !guests[next].exit)
			turn(share);
		if (next < cpus_there)
			guests[next].exit = false;
	}
	return true;
}

static void begin(void)
{
	machine->main(fake_cpu);
	abort();
}

static void prepare(struct guest *g)
{
	char *stack = g->stack;

	if (!stack)
		stack = malloc(STACK);
	memset(g, 0, sizeof(*g));
	g->stack = stack;
	getcontext(&g->context);
	g->context.uc_stack.ss_sp = g->stack;
	g->context.uc_stack.ss_size = STACK;
	makecontext(&g->context, begin, 0);
}

void qemu_start(unsigned n, bool divides, const struct qemu_machine *m)
{
	machine = m;
	cpus_there = n;
	dividing = divides;
	next = 0;
	qemu_time = 0;
	in_guest = false;
	for (unsigned i = 0; i < QEMU_TIMERS; i++)
		timers[i] = QEMU_NEVER;
	for (unsigned i = 0; i < n; i++)
		prepare(&guests[i]);
	guests[0].exit = true;
}
