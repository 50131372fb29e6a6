/* See callmachine.h. */
#include "tests/test.h"
#include "tests/prof/callmachine.h"

struct prof prof;
struct thread threads[2], *self;
uint64_t now;
static struct prof_call_cpu cpus[2];

void thread_begin(struct thread *t)
{
	t->sp = WORDS;
	prof_call_thread(&t->calls, (prof_addr)t->stack, (prof_addr)(t->stack + WORDS));
}

/* That thread runs from now on, and had not for that long. */
void run(struct thread *t)
{
	self = t;
	prof_call_run(prof.call.cpu[machine_cpu], &t->calls, now);
}

void begin(unsigned ncpu)
{
	machine_reset();
	prof = (struct prof){0};
	for (unsigned i = 0; i < ncpu; i++)
		prof_call_init(&prof, i, &cpus[i], BACK);
	assert_true(prof_call_open(&prof, PROF_CALLS, 1));
	prof_start(&prof, PROF_CALLS);
	for (unsigned i = 0; i < nelem(threads); i++)
		thread_begin(&threads[i]);
	now = 1000000;
	run(threads);
}

int power_on(void **state)
{
	begin(2);
	return 0;
}

int power_off(void **state)
{
	machine_reset();
	return 0;
}

struct prof_call_cpu *cpu(void)
{
	return prof.call.cpu[machine_cpu];
}

static void entry(prof_addr function)
{
	struct prof_call_site at = {function, self->stack[self->sp]};
	prof_addr *word = &self->stack[self->sp - 1];
	uint64_t *start;

	word[0] = at.self; /* the stub's return address, below that of the function */
	start = prof_call_enter(cpu(), (struct prof_call_site *)word, now);
	if (start)
		*start += now;
}

/* Call a function from that place: its entry. */
void call(prof_addr from, prof_addr function)
{
	self->stack[--self->sp] = from;
	entry(function);
}

/* Jump to a function at the end of another. */
void jump(prof_addr function)
{
	entry(function);
}

/* The innermost function returns. Return where to, in the end. */
prof_addr ret(void)
{
	prof_addr *slot = &self->stack[self->sp++], to = *slot;

	while (to == BACK)
		to = prof_call_leave(cpu(), slot, now);
	return to;
}

/* Return what a CPU has counted of a pair. */
const struct prof_call_arc *arc_of(unsigned n, prof_addr from, prof_addr function)
{
	static const struct prof_call_arc none;
	const struct prof_call_arc *a = prof.call.cpu[n]->arc;

	for (unsigned i = 0; i < PROF_CALL_ARCS; i++)
		if (a[i].from == from && a[i].self == function)
			return &a[i];
	return &none;
}

const struct prof_call_arc *arc(prof_addr from, prof_addr function)
{
	return arc_of(machine_cpu, from, function);
}

uint64_t number(const struct prof_call_arc *a)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < PROF_CALL_SPANS; i++)
		n += a->span[i];
	return n;
}

/* Return the time in a function itself; while it runs, what its callees have taken is missing. */
uint64_t own_of(const struct prof_call_arc *a)
{
	return a->total - a->inner;
}

/* Return the time in all functions themselves, of all CPUs. */
uint64_t own(void)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < prof.call.ncpu; n++)
		for (unsigned i = 0; i < PROF_CALL_ARCS; i++)
			sum += own_of(&prof.call.cpu[n]->arc[i]);
	return sum;
}

uint64_t inside(void)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < prof.call.ncpu; n++)
		sum += prof.call.cpu[n]->arc[PROF_CALL_ARCS].inner;
	return sum;
}
