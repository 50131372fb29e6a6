/*
 * prof/prof_call.c: threads whose stacks are arrays, and a clock that goes on when it is told to.
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"

#define BACK 0xb000u /* the code that return addresses are replaced by */
#define WORDS 512

struct thread {
	prof_addr stack[WORDS];
	unsigned sp; /* of the last word in use */
	struct prof_call_stack calls;
};

static struct prof prof;
static struct thread threads[2], *self;
static uint64_t now;

static void thread_begin(struct thread *t)
{
	t->sp = WORDS;
	prof_call_thread(&t->calls, (prof_addr)t->stack, (prof_addr)(t->stack + WORDS));
}

static void begin(unsigned ncpu)
{
	machine_reset();
	prof = (struct prof){0};
	prof_call_init(&prof, ncpu, BACK);
	assert_true(prof_call_open(&prof, PROF_CALLS, 1));
	prof_start(&prof, PROF_CALLS);
	for (unsigned i = 0; i < nelem(threads); i++)
		thread_begin(&threads[i]);
	self = threads;
	now = 1000000;
}

static int power_on(void **state)
{
	begin(2);
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

static struct prof_call_cpu *cpu(void)
{
	return &prof.call.cpu[machine_cpu];
}

static void entry(prof_addr function)
{
	struct prof_call_site at = {function, self->stack[self->sp]};
	prof_addr *word = &self->stack[self->sp - 1];
	uint64_t *start;

	word[0] = at.self; /* the stub's return address, below that of the function */
	start = prof_call_enter(cpu(), &self->calls, (struct prof_call_site *)word);
	if (start)
		*start += now;
}

/* Call a function from that place: its entry. */
static void call(prof_addr from, prof_addr function)
{
	self->stack[--self->sp] = from;
	entry(function);
}

/* Jump to a function at the end of another. */
static void jump(prof_addr function)
{
	entry(function);
}

/* The innermost function returns. Return where to, in the end. */
static prof_addr ret(void)
{
	prof_addr *slot = &self->stack[self->sp++], to = *slot;

	while (to == BACK)
		to = prof_call_leave(cpu(), &self->calls, slot, now);
	return to;
}

/* Return what a CPU has counted of a pair. */
static const struct prof_call_arc *arc_of(unsigned n, prof_addr from, prof_addr function)
{
	static const struct prof_call_arc none;
	const struct prof_call_arc *a = prof.call.cpu[n].arc;

	for (unsigned i = 0; i < PROF_CALL_ARCS; i++)
		if (a[i].from == from && a[i].self == function)
			return &a[i];
	return &none;
}

static const struct prof_call_arc *arc(prof_addr from, prof_addr function)
{
	return arc_of(machine_cpu, from, function);
}

static uint64_t number(const struct prof_call_arc *a)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < PROF_CALL_SPANS; i++)
		n += a->span[i];
	return n;
}

/* Return the time in all functions themselves, of all CPUs. */
static uint64_t own(void)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < prof.call.ncpu; n++)
		for (unsigned i = 0; i < PROF_CALL_ARCS; i++)
			sum += prof.call.cpu[n].arc[i].own;
	return sum;
}

static uint64_t inside(void)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < prof.call.ncpu; n++)
		sum += prof.call.cpu[n].inside;
	return sum;
}

static void times(void **state)
{
	const struct prof_call_arc *a;

	for (unsigned i = 0; i < 3; i++) {
		call(0x11, 0xf0);
		now += 10 + 50 * i;
		assert_int_equal(ret(), 0x11);
		now += 7;
	}
	a = arc(0x11, 0xf0);
	assert_int_equal(number(a), 3);
	assert_int_equal(a->total, 10 + 60 + 110);
	assert_int_equal(a->own, a->total);
	assert_int_equal(a->shortest, 10);
	assert_int_equal(a->longest, 110);
	assert_int_equal(a->span[3], 1);
	assert_int_equal(a->span[5], 1);
	assert_int_equal(a->span[6], 1);
	assert_int_equal(prof.call.cpu[1].arc[0].self, 0);
}

static void ends_of_histogram(void **state)
{
	static const uint64_t spent[] = {0, 1, 2, 3, 4, 1ull << 47, 1ull << 62};

	for (unsigned i = 0; i < nelem(spent); i++) {
		call(0x11, 0xf0);
		now += spent[i];
		ret();
	}
	assert_int_equal(arc(0x11, 0xf0)->span[0], 2);
	assert_int_equal(arc(0x11, 0xf0)->span[1], 2);
	assert_int_equal(arc(0x11, 0xf0)->span[2], 1);
	assert_int_equal(arc(0x11, 0xf0)->span[PROF_CALL_SPANS - 1], 2);
	assert_int_equal(arc(0x11, 0xf0)->longest, 1ull << 62);
}

static void callees(void **state)
{
	call(0x11, 0xa0);
	now += 5;
	for (unsigned i = 0; i < 2; i++) {
		call(0xa5, 0xb0);
		now += 30;
		call(0xb5, 0xc0);
		now += 100;
		assert_int_equal(ret(), 0xb5);
		assert_int_equal(ret(), 0xa5);
	}
	assert_int_equal(own(), 260); /* so far the outermost is not over */
	assert_int_equal(inside(), 0);
	assert_int_equal(ret(), 0x11);
	assert_int_equal(arc(0x11, 0xa0)->total, 265);
	assert_int_equal(arc(0x11, 0xa0)->own, 5);
	assert_int_equal(arc(0xa5, 0xb0)->own, 60);
	assert_int_equal(arc(0xb5, 0xc0)->own, 200);
	assert_int_equal(inside(), 265);
	assert_int_equal(own(), 265);
}

static void recursion(void **state)
{
	for (unsigned i = 0; i < 10; i++) {
		call(0xa5, 0xa0);
		now += 1;
	}
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(ret(), 0xa5);
	assert_int_equal(number(arc(0xa5, 0xa0)), 10);
	assert_int_equal(arc(0xa5, 0xa0)->total, 55);
	assert_int_equal(arc(0xa5, 0xa0)->own, 10);
	assert_int_equal(inside(), 10);
}

/* What does not fit is not measured, and what did is as right as ever. */
static void full(void **state)
{
	for (unsigned i = 0; i < PROF_CALL_DEPTH + 5; i++) {
		call(0x100 + i, 0xa0);
		now += 1;
	}
	for (unsigned i = PROF_CALL_DEPTH + 5; i-- > 0;)
		assert_int_equal(ret(), 0x100 + i);
	assert_int_equal(cpu()->lost, 5);
	assert_int_equal(arc(0x100, 0xa0)->total, PROF_CALL_DEPTH + 5);
	assert_int_equal(inside(), PROF_CALL_DEPTH + 5);
	assert_int_equal(own(), inside());
}

/* An interrupt's calls are on the stack of the thread that it has interrupted. */
static void interrupts(void **state)
{
	call(0x11, 0xa0);
	now += 10;
	self->sp -= 5; /* what the interrupt pushes */
	call(0x91, 0xd0);
	now += 1000;
	assert_int_equal(ret(), 0x91);
	self->sp += 5;
	now += 10;
	assert_int_equal(ret(), 0x11);
	assert_int_equal(arc(0x11, 0xa0)->own, 20);
	assert_int_equal(arc(0x91, 0xd0)->own, 1000);
}

/* An NMI that comes while a stack is being changed finds it busy: its calls are lost. */
static void nmi_within(void **state)
{
	call(0x11, 0xa0);
	self->calls.busy = true;
	call(0x91, 0xd0);
	assert_int_equal(self->stack[self->sp], 0x91);
	assert_int_equal(ret(), 0x91);
	self->calls.busy = false;
	assert_int_equal(ret(), 0x11);
	assert_int_equal(cpu()->lost, 1);
	assert_int_equal(number(arc(0x91, 0xd0)), 0);
}

static void thread_without_stack(void **state)
{
	struct prof_call_site at = {0xa0, 0x11};

	assert_null(prof_call_enter(cpu(), NULL, &at));
	assert_int_equal(at.ret, 0x11);
	assert_int_equal(cpu()->lost, 1);
}

/* The code that changes threads has the stack of one and the calls of the other, for a moment. */
static void foreign_stack(void **state)
{
	struct prof_call_site at = {0xa0, 0x11};

	assert_null(prof_call_enter(cpu(), &self->calls, &at));
	assert_null(prof_call_enter(cpu(), &self->calls,
				    (struct prof_call_site *)(self->stack + WORDS - 1)));
	assert_int_equal(at.ret, 0x11);
	assert_int_equal(cpu()->lost, 2);
}

/* The time of another thread, on this CPU or another, is told apart. */
static void preemption(void **state)
{
	call(0x11, 0xa0);
	now += 3;
	call(0xa5, 0xb0);
	now += 10;
	self = &threads[1];
	call(0x22, 0xb0);
	now += 500;
	assert_int_equal(ret(), 0x22);
	self = &threads[0];
	machine_cpu = 1;
	prof_call_away(cpu(), &self->calls, 500);
	now += 10;
	assert_int_equal(ret(), 0xa5);
	now += 4;
	assert_int_equal(ret(), 0x11);
	assert_int_equal(arc_of(1, 0xa5, 0xb0)->total, 20);
	assert_int_equal(arc_of(1, 0xa5, 0xb0)->away, 500);
	assert_int_equal(arc_of(1, 0xa5, 0xb0)->longest, 20);
	assert_int_equal(arc_of(1, 0x11, 0xa0)->total, 27);
	assert_int_equal(arc_of(1, 0x11, 0xa0)->own, 7);
	assert_int_equal(arc_of(1, 0x11, 0xa0)->away, 500);
	assert_int_equal(arc_of(0, 0x22, 0xb0)->total, 500);
	assert_int_equal(own(), 527);
	assert_int_equal(inside(), 527);
}

/* A thread that ends inside calls takes its stack with it; those that were over stay counted. */
static void thread_ends(void **state)
{
	call(0x11, 0xa0);
	call(0xa5, 0xb0);
	now += 10;
	ret();
	thread_begin(self);
	call(0x12, 0xa0);
	now += 1;
	assert_int_equal(ret(), 0x12);
	assert_int_equal(number(arc(0xa5, 0xb0)), 1);
	assert_int_equal(arc(0x12, 0xa0)->total, 1);
	assert_int_equal(number(arc(0x11, 0xa0)), 0);
}

/* A call that was left is forgotten by the next entry above it, or by the return of one above. */
static void never_returns(void **state)
{
	unsigned top;

	call(0x11, 0xa0);
	now += 1;
	top = self->sp;
	call(0xa5, 0xb0);
	now += 10;
	call(0xb5, 0xc0);
	now += 100;
	ret();
	now += 1000;
	self->sp = top; /* a longjmp to the outermost function */
	assert_int_equal(ret(), 0x11);
	assert_int_equal(cpu()->left, 1);
	assert_int_equal(number(arc(0xa5, 0xb0)), 0);
	assert_int_equal(arc(0x11, 0xa0)->total, 1111);
	assert_int_equal(arc(0x11, 0xa0)->own, 1011);
	assert_int_equal(own(), inside());

	call(0x11, 0xa0);
	call(0xa5, 0xc0);
	now += 20;
	ret();
	self->sp = WORDS; /* the stack begins anew */
	call(0x12, 0xa0);
	now += 2;
	assert_int_equal(ret(), 0x12);
	assert_int_equal(cpu()->left, 2);
	assert_int_equal(arc(0x12, 0xa0)->total, 2);
	assert_int_equal(own(), inside());
}

/* The first two have the same place for a return address, and return together. */
static void jumps(void **state)
{
	call(0x11, 0xa0);
	now += 1;
	jump(0xb0);
	now += 10;
	call(0xb5, 0xc0);
	now += 100;
	assert_int_equal(ret(), 0xb5);
	prof_call_show(cpu(), &self->calls);
	assert_int_equal(self->stack[self->sp], 0x11);
	prof_call_hide(cpu(), &self->calls);
	assert_int_equal(self->stack[self->sp], BACK);
	assert_int_equal(prof_call_real(cpu(), &self->calls, BACK), 0x11);
	assert_int_equal(ret(), 0x11);
	assert_int_equal(arc(0x11, 0xa0)->total, 111);
	assert_int_equal(arc(0x11, 0xa0)->own, 1);
	assert_int_equal(arc(0xa0, 0xb0)->total, 110);
	assert_int_equal(own(), inside());
	assert_int_equal(cpu()->left, 0);
}

/* Calls that were left have slots that are others' now: those are shown, and hidden, once. */
static void shown(void **state)
{
	call(0x11, 0xa0);
	call(0xa5, 0xb0);
	self->stack[self->sp - 3] = BACK; /* below the stack pointer: nobody's */
	prof_call_show(cpu(), &self->calls);
	assert_int_equal(self->stack[self->sp], 0xa5);
	assert_int_equal(self->stack[self->sp + 1], 0x11);
	prof_call_hide(cpu(), &self->calls);
	assert_int_equal(self->stack[self->sp], BACK);
	assert_int_equal(self->stack[self->sp + 1], BACK);
	assert_int_equal(self->stack[self->sp - 3], BACK);
	assert_int_equal(prof_call_real(cpu(), &self->calls, 0x77), 0x77);
	self->stack[self->sp] = 0x77; /* what was interrupted on its way to its return address */
	prof_call_show(cpu(), &self->calls);
	prof_call_hide(cpu(), &self->calls);
	assert_int_equal(self->stack[self->sp], 0x77);
}

/* Functions that were shown for good return by themselves; new calls are measured right. */
static void undone(void **state)
{
	call(0x11, 0xa0);
	call(0xa5, 0xb0);
	prof_call_show(cpu(), &self->calls);
	assert_int_equal(ret(), 0xa5);
	assert_int_equal(ret(), 0x11);
	call(0x12, 0xa0);
	now += 5;
	assert_int_equal(ret(), 0x12);
	assert_int_equal(arc(0x12, 0xa0)->total, 5);
}

/* What measuring takes is told, and is in no time. */
static void cost(void **state)
{
	prof_call_cost(&prof, 3, 20);
	call(0x11, 0xa0);
	now += 3;
	for (unsigned i = 0; i < 10; i++) {
		call(0xa5, 0xb0);
		now += 3 + 7;
		ret();
		now += 20;
	}
	now += 1;
	ret();
	assert_int_equal(arc(0xa5, 0xb0)->total, 70);
	assert_int_equal(arc(0xa5, 0xb0)->shortest, 7);
	assert_int_equal(arc(0x11, 0xa0)->total, 71);
	assert_int_equal(arc(0x11, 0xa0)->own, 1);
}

static void no_room_for_pairs(void **state)
{
	uint64_t counted = 0;

	for (unsigned i = 0; i < 2 * PROF_CALL_ARCS; i++) {
		call(0x1000 + i * 7, 0xa0);
		now += 1;
		ret();
	}
	for (unsigned i = 0; i < PROF_CALL_ARCS; i++)
		counted += number(&cpu()->arc[i]);
	assert_int_equal(counted + cpu()->lost, 2 * PROF_CALL_ARCS);
	assert_true(counted > PROF_CALL_ARCS * 9 / 10);
}

static char *out;

static const char *text(void)
{
	struct prof_sink to = {.write = machine_put};
	size_t n;

	free(out);
	to.arg = open_memstream(&out, &n);
	assert_int_equal(prof_call_write(&prof, PROF_CALLS, &to), 0);
	fclose(to.arg);
	return out;
}

/* A call that returns while calls are not counted is lost. */
static void stopped(void **state)
{
	call(0x11, 0xa0);
	prof_stop(&prof, PROF_CALLS);
	now += 5;
	assert_int_equal(ret(), 0x11);
	assert_int_equal(cpu()->lost, 1);
	assert_int_equal(own(), 0);
	assert_int_equal(inside(), 0);
}

static void file(void **state)
{
	prof.call.digits = 8;
	call(0x11, 0xa0);
	now += 9;
	ret();
	call(0x11, 0xa0);
	now += 100;
	prof_call_away(cpu(), &self->calls, 50);
	now += 50;
	ret();
	assert_string_equal(text(), "# cpu=0 inside=109 lost=0 left=0\n"
			    "0;0x00000011;0x000000a0 2 109 109 50 9 100 3:1 6:1\n"
			    "# cpu=1 inside=0 lost=0 left=0\n# pairs=1\n");
	prof_clear(&prof, PROF_CALLS);
	assert_string_equal(text(), "# cpu=0 inside=0 lost=0 left=0\n"
			    "# cpu=1 inside=0 lost=0 left=0\n# pairs=0\n");
	assert_true(prof_wants(&prof, PROF_CALLS));
	free(out);
	out = NULL;
}

/* Without memory for all CPUs there are no tables, and nothing is kept. */
static void no_memory(void **state)
{
	prof_call_close(&prof, PROF_CALLS);
	machine.allocs_left = 1;
	assert_false(prof_call_open(&prof, PROF_CALLS, 1));
	assert_int_equal(machine_given(), 0);
	prof_start(&prof, PROF_CALLS);
	assert_false(prof_wants(&prof, PROF_CALLS));
}

#define T(name, f) {name, f, power_on, power_off, NULL}

static const struct CMUnitTest tests[] = {
	T("T1 number, total, shortest, longest, histogram by powers of two", times),
	T("T1 the ends of the histogram", ends_of_histogram),
	T("T1 what callees take is not a function's own; all adds up", callees),
	T("T1 the file, and clearing", file),
	T("T1 more pairs than there is room for are lost, and known", no_room_for_pairs),
	T("T1 calls that return while nothing is counted are lost", stopped),
	T("T1 no memory", no_memory),
	T("T3 recursion", recursion),
	T("T3 a full stack of returns: lost, nothing is overwritten", full),
	T("T3 interrupts", interrupts),
	T("T3 an NMI within an entry or a return", nmi_within),
	T("T3 a thread without a stack of returns", thread_without_stack),
	T("T3 entries on a stack that is not the thread's", foreign_stack),
	T("T1 T3 preemption: another thread's time is kept apart, CPUs change", preemption),
	T("T3 threads that end inside a function", thread_ends),
	T("T3 functions that are left and never return", never_returns),
	T("T3 a function that jumps to another at its end", jumps),
	T("T3 real return addresses are shown, and hidden again", shown),
	T("T2 calls under way when all is undone", undone),
	T("T4 the cost of measuring is taken off", cost),
};

int main(void)
{
	return RUN(tests, NULL, NULL);
}
