/*
 * prof/prof_call.c: threads whose stacks are arrays, and a clock that goes on when it is told to.
 * Links: tests/prof/machine.c tests/prof/callmachine.c
 */
#include "tests/test.h"
#include "tests/prof/callmachine.h"

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
	assert_int_equal(own_of(a), a->total);
	assert_int_equal(a->shortest, 10);
	assert_int_equal(a->longest, 110);
	assert_int_equal(a->span[3], 1);
	assert_int_equal(a->span[5], 1);
	assert_int_equal(a->span[6], 1);
	assert_int_equal(prof.call.cpu[1]->arc[0].self, 0);
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
	assert_int_equal(own(), 0); /* so far the outermost is not over */
	assert_int_equal(inside(), 0);
	assert_int_equal(ret(), 0x11);
	assert_int_equal(arc(0x11, 0xa0)->total, 265);
	assert_int_equal(own_of(arc(0x11, 0xa0)), 5);
	assert_int_equal(own_of(arc(0xa5, 0xb0)), 60);
	assert_int_equal(own_of(arc(0xb5, 0xc0)), 200);
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
	assert_int_equal(own_of(arc(0xa5, 0xa0)), 10);
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
	assert_int_equal(own_of(arc(0x11, 0xa0)), 20);
	assert_int_equal(own_of(arc(0x91, 0xd0)), 1000);
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

	cpu()->stack = NULL;
	assert_null(prof_call_enter(cpu(), &at, now));
	assert_int_equal(at.ret, 0x11);
	assert_int_equal(cpu()->lost, 1);
}

/* The code that changes threads has the stack of one and the calls of the other, for a moment. */
static void foreign_stack(void **state)
{
	struct prof_call_site at = {0xa0, 0x11};

	assert_null(prof_call_enter(cpu(), &at, now));
	assert_null(
		prof_call_enter(cpu(), (struct prof_call_site *)(self->stack + WORDS - 1), now));
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
	run(&threads[1]);
	call(0x22, 0xb0);
	now += 500;
	assert_int_equal(ret(), 0x22);
	machine_cpu = 1;
	run(&threads[0]);
	now += 10;
	assert_int_equal(ret(), 0xa5);
	now += 4;
	assert_int_equal(ret(), 0x11);
	assert_int_equal(arc_of(0, 0xa5, 0xb0)->total, 10);
	assert_int_equal(arc_of(1, 0xa5, 0xb0)->total, 10);
	assert_int_equal(arc_of(1, 0xa5, 0xb0)->away, 500);
	assert_int_equal(arc_of(1, 0xa5, 0xb0)->longest, 20);
	assert_int_equal(arc_of(1, 0x11, 0xa0)->total, 14);
	assert_int_equal(own_of(arc_of(0, 0x11, 0xa0)), 3); /* what it took there */
	assert_int_equal(own_of(arc_of(1, 0x11, 0xa0)), 4);
	assert_int_equal(arc_of(1, 0x11, 0xa0)->away, 500);
	assert_int_equal(arc_of(0, 0x22, 0xb0)->total, 500);
	assert_int_equal(own(), 527);
	assert_int_equal(inside(), 527);
}

/* Time is known up to the end of a thread that ends in calls, or does not run any more. */
static void ends_in_calls(void **state)
{
	call(0x11, 0xa0);
	now += 3;
	call(0xa5, 0xb0);
	now += 10;
	run(&threads[1]);
	now += 100;
	prof_call_end(cpu(), &threads[0].calls, now - 100);
	assert_int_equal(cpu()->left, 2);
	assert_int_equal(arc(0xa5, 0xb0)->total, 10);
	assert_int_equal(arc(0x11, 0xa0)->total, 13);
	assert_int_equal(number(arc(0x11, 0xa0)), 0);
	assert_int_equal(inside(), 13);
	assert_int_equal(own(), 13);
}

/* A thread that ends inside calls takes its stack with it; those that were over stay counted. */
static void thread_ends(void **state)
{
	call(0x11, 0xa0);
	call(0xa5, 0xb0);
	now += 10;
	ret();
	thread_begin(self);
	run(self);
	call(0x12, 0xa0);
	now += 1;
	assert_int_equal(ret(), 0x12);
	assert_int_equal(number(arc(0xa5, 0xb0)), 1);
	assert_int_equal(arc(0x12, 0xa0)->total, 1);
	assert_int_equal(number(arc(0x11, 0xa0)), 0);
}

/*
 * A call that was left is forgotten by the next entry above it, or by the return of one above. Its
 * time ends there, and it is not counted.
 */
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
	assert_int_equal(arc(0xa5, 0xb0)->total, 1110);
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
	assert_int_equal(prof_call_real(cpu(), BACK), 0x11);
	assert_int_equal(ret(), 0x11);
	assert_int_equal(arc(0x11, 0xa0)->total, 111);
	assert_int_equal(own_of(arc(0x11, 0xa0)), 1);
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
	assert_int_equal(prof_call_real(cpu(), 0x77), 0x77);
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

/* What a stub's quick way goes by: between these two neither bound changes, and 0 is below both. */
static void bounds(void **state)
{
	static const struct {
		uint64_t spent;
		uint32_t least, most;
	} t[] = {{70, 70, 70},
		 {50, 50, 70},
		 {90, 50, 90},
		 {1ull << 32, 50, UINT32_MAX},
		 {0, 1, UINT32_MAX}};

	for (unsigned i = 0; i < nelem(t); i++) {
		call(0x11, 0xf0);
		now += t[i].spent;
		ret();
		assert_int_equal(arc(0x11, 0xf0)->least, t[i].least);
		assert_int_equal(arc(0x11, 0xf0)->most, t[i].most);
	}
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
	assert_int_equal(own_of(arc(0x11, 0xa0)), 1);
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

/* A call that was measured is counted, also if no other is any more. */
static void stopped(void **state)
{
	call(0x11, 0xa0);
	prof_stop(&prof, PROF_CALLS);
	now += 5;
	assert_int_equal(ret(), 0x11);
	assert_int_equal(cpu()->lost, 0);
	assert_int_equal(number(arc(0x11, 0xa0)), 1);
	assert_int_equal(own(), 5);
	call(0x11, 0xa0);
	assert_int_equal(ret(), 0x11);
	assert_int_equal(number(arc(0x11, 0xa0)), 1);
	assert_int_equal(inside(), 5);
}

/* What a call took so far is shown if another thread runs. */
static void under_way(void **state)
{
	const char *at;

	prof.call.digits = 4;
	call(0x11, 0xa0);
	now += 5;
	assert_int_equal(ret(), 0x11);
	call(0x11, 0xa0);
	now += 100;
	run(&threads[1]);
	at = text();
	assert_non_null(strstr(at, " inside=105 "));
	assert_non_null(strstr(at, "0;0x0011;0x00a0 1 105 105 0 5 5 2:1\n"));
	run(&threads[0]);
	at = text();
	assert_non_null(strstr(at, " inside=5 "));
	assert_non_null(strstr(at, "0;0x0011;0x00a0 1 5 5 0 5 5 2:1\n"));
}

static void file(void **state)
{
	prof.call.digits = 8;
	call(0x11, 0xa0);
	now += 9;
	ret();
	call(0x11, 0xa0);
	now += 100;
	run(&threads[1]);
	now += 50;
	run(&threads[0]);
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

/* Tables that are made again take the place of those before; without a thread nothing is hidden. */
static void made_again(void **state)
{
	unsigned given = machine_given();

	call(0x11, 0xa0);
	assert_true(prof_call_open(&prof, PROF_CALLS, 1));
	assert_int_equal(machine_given(), given);
	assert_null(cpu()->stack);
	assert_int_equal(prof_call_real(cpu(), BACK), BACK);
}

/* What a function took itself is less than what it took with those that it called. */
static void a_file_of_callees(void **state)
{
	prof.call.digits = 4;
	call(0x11, 0xa0);
	now += 5;
	call(0xa5, 0xb0);
	now += 30;
	ret();
	ret();
	assert_non_null(strstr(text(), "0;0x0011;0x00a0 1 35 5 0 35 35 5:1\n"));
	assert_non_null(strstr(text(), "0;0x00a5;0x00b0 1 30 30 0 30 30 4:1\n"));
	free(out);
	out = NULL;
}

/* It is ready as soon as it has tables, with one CPU as with more, and as long as it has them. */
static void ready_with_tables(void **state)
{
	for (unsigned n = 1; n <= 2; n++) {
		begin(n);
		assert_int_equal(prof_ready(&prof), PROF_CALLS);
		assert_int_equal(prof_running(&prof), PROF_CALLS);
		prof_call_close(&prof, PROF_CALLS);
		assert_int_equal(prof_ready(&prof), 0);
		prof_start(&prof, PROF_ALL);
		assert_int_equal(prof_running(&prof), 0);
	}
	prof = (struct prof){0};
	assert_int_equal(prof_ready(&prof), 0);
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

#define T(name, f)                                 \
	{                                          \
		name, f, power_on, power_off, NULL \
	}

static const struct CMUnitTest tests[] = {
	T("T1 number, total, shortest, longest, histogram by powers of two", times),
	T("T1 the ends of the histogram", ends_of_histogram),
	T("T1 what callees take is not a function's own; all adds up", callees),
	T("T1 the file, and clearing", file),
	T("T1 more pairs than there is room for are lost, and known", no_room_for_pairs),
	T("T1 calls that return when no more are counted", stopped),
	T("T1 calls under way while the file is read", under_way),
	T("T1 tables that are made again", made_again),
	T("T1 the file of functions that call others", a_file_of_callees),
	T("T1 it is ready with its tables", ready_with_tables),
	T("T1 no memory", no_memory),
	T("T3 recursion", recursion),
	T("T3 a full stack of returns: lost, nothing is overwritten", full),
	T("T3 interrupts", interrupts),
	T("T3 an NMI within an entry or a return", nmi_within),
	T("T3 a thread without a stack of returns", thread_without_stack),
	T("T3 entries on a stack that is not the thread's", foreign_stack),
	T("T1 T3 preemption: another thread's time is kept apart, CPUs change", preemption),
	T("T3 threads that end inside a function", thread_ends),
	T("T3 the time until they end", ends_in_calls),
	T("T3 functions that are left and never return", never_returns),
	T("T3 a function that jumps to another at its end", jumps),
	T("T3 real return addresses are shown, and hidden again", shown),
	T("T2 calls under way when all is undone", undone),
	T("T4 the cost of measuring is taken off", cost),
	T("T4 bounds of 32 bits", bounds),
};

int main(void)
{
	return RUN(tests, NULL, NULL);
}
