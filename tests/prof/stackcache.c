/*
 * prof/prof_stackcache.c: a path that was met lately with the same place and frame pointer is
 * known, and not written down again; one that differs in anything is not taken for it.
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"
#include "prof/prof_stacktable.h"

#define TRAP 0xc0100999u /* where trap handlers return to */
#define LO ((prof_addr)0xf8001000u) /* the kernel's stack */
#define WORDS 256u
#define USER ((prof_addr)0xbffe0000u) /* the program's */
#define PAGE (PROF_STACK_PAGE / sizeof(prof_addr)) /* words */
#define W sizeof(prof_addr)

static struct prof prof;
static struct prof_sample s; /* the next tick's */
static prof_addr kernel[WORDS], user[3 * PAGE];
static enum prof_stack_trap trapped;
static struct prof_stack_place trapped_at;
static unsigned peeks; /* pages of the program's that were asked for */
static bool written; /* whether the last tick's path was written down */

static const void *peek(prof_addr addr)
{
	peeks++;
	return addr - USER < sizeof(user) ? (const uint8_t *)user + (addr - USER) : NULL;
}

static enum prof_stack_trap trap(const void *frame, size_t room, struct prof_stack_place *at)
{
	*at = trapped_at;
	return trapped;
}

static int power_on(void **state)
{
	machine_reset();
	machine.user = peek;
	machine.trap = trap;
	trapped = PROF_STACK_AT_NOTHING;
	prof = (struct prof){0};
	memset(kernel, 0, sizeof(kernel));
	memset(user, 0, sizeof(user));
	s = (struct prof_sample){
		.at = {0xc0100011, LO, 0}, .what = PROF_KERNEL, .lo = LO,
		.hi = LO + sizeof(kernel), .stack = kernel, .pid = 7, .name = "sh", .named = 1,
	};
	prof_stack_init(&prof, 2, TRAP);
	prof_stack_depth(&prof, PROF_STACK_MAXDEPTH);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

/* The entry of a tick. A path is written where the next entry would be, and has a shape. */
static prof_addr *tick(void)
{
	struct prof_stack_cpu *c = &prof.stack.cpu[s.cpu];
	prof_addr *e, *shape = c->word + c->used + PROF_STACK_SHAPE;

	*shape = 0;
	e = prof_stackcache_find(&prof.stack, &s);
	written = *shape != 0;
	return e;
}

/* The path was not met yet, and then it is known. Return its entry. */
static prof_addr *tick_of_new_path(uint32_t addresses)
{
	const struct prof_stack_cpu *c = &prof.stack.cpu[s.cpu];
	uint32_t used = c->used;
	prof_addr *e = tick();

	assert_true(written);
	assert_ptr_equal(e, c->word + used);
	assert_int_equal(prof_stack_entry_frames(e[PROF_STACK_SHAPE]), addresses);
	for (unsigned i = 0; i < 3; i++) {
		assert_ptr_equal(tick(), e);
		assert_false(written);
	}
	return e;
}

/* n frames from word i of a stack on, which follow each other; the last one's next is `last'. */
static void frames(prof_addr *stack, prof_addr lo, uint32_t i, uint32_t n, prof_addr last)
{
	for (; n > 0; n--, i += 2) {
		stack[i] = n > 1 ? lo + (i + 2) * W : last;
		stack[i + 1] = 0xc0200000 + i;
	}
}

static void kernel_frames(uint32_t i, uint32_t n, uint32_t last)
{
	frames(kernel, LO, i, n, LO + last * W);
}

static void user_frames(uint32_t i, uint32_t n, prof_addr last)
{
	frames(user, USER, i, n, last);
}

/* The next ticks are in a system call whose program's frame is word i of its stack. */
static void system_call(uint32_t i)
{
	kernel_frames(0, 1, 4);
	kernel[4] = 0;
	kernel[5] = TRAP;
	trapped = PROF_STACK_AT_USER;
	trapped_at = (struct prof_stack_place){0x400011, USER + i * W, 0};
	s.entered++;
}

static void the_kernel_s_paths_are_known(void **state)
{
	for (uint32_t n = 0; n < 40; n++) {
		s.at.pc += 16;
		s.at.fp = n > 0 ? LO : LO + sizeof(kernel);
		kernel_frames(0, n, WORDS); /* past the end of the stack */
		tick_of_new_path(1 + n);
		kernel_frames(0, n, 2 * n); /* a frame without a return address */
		memset(&kernel[2 * n], 0, 2 * W);
		s.at.fp = LO;
		s.at.pc += 16;
		tick_of_new_path(1 + n);
		s.at.ret = 0xc0300000;
		s.at.pc += 16;
		tick_of_new_path(2 + n);
		s.at.ret = 0;
	}
}

static void a_program_s_paths_are_known(void **state)
{
	s.what = PROF_USER;
	s.at.fp = USER + 8 * W;
	for (uint32_t n = 0; n < 40; n++) {
		memset(user, 0, sizeof(user));
		s.at.pc += 16;
		user_frames(8, n, 0); /* to nowhere */
		tick_of_new_path(1 + n);
		s.at.pc += 16;
		user_frames(8, n, USER + (8 + 2 * n) * W); /* a frame without a return address */
		tick_of_new_path(1 + n);
		s.at.ret = 0x400300;
		s.at.pc += 16;
		tick_of_new_path(2 + n);
		s.at.ret = 0;
		s.at.pc += 16;
		user_frames(8, n, USER + PAGE * W); /* more in another page, and in a third */
		user_frames(PAGE, n, USER + 2 * PAGE * W);
		if (n == 0)
			continue;
		tick_of_new_path(1 + 2 * n);
	}
}

/* Where a program's frames lead down it is not followed, and neither from the last of a page. */
static void a_program_s_path_ends_where_it_ends(void **state)
{
	s.what = PROF_USER;
	s.at.fp = USER + (PAGE + 8) * W;
	user_frames(PAGE + 8, 3, USER + 16 * W);
	user_frames(16, 3, 0);
	tick_of_new_path(1 + 3);
	s.at.pc += 16;
	user_frames(PAGE + 8, 3, USER + (2 * PAGE - 2) * W);
	tick_of_new_path(1 + 3);
	user[2 * PAGE - 1] = 0x400500; /* it does have a return address */
	tick_of_new_path(1 + 4);
	user[2 * PAGE - 2] = USER + 2 * PAGE * W;
	user_frames(2 * PAGE, 1, 0); /* and a caller in the page after */
	tick_of_new_path(1 + 5);
}

/* While the process is in one system call its program stands still and is not read again. */
static void a_program_is_read_once_in_a_system_call(void **state)
{
	prof_addr *e;

	user_frames(8, 20, 0);
	system_call(8);
	e = tick_of_new_path(2 + 1 + 20);
	peeks = 0;
	assert_ptr_equal(tick(), e);
	assert_int_equal(peeks, 0);
	s.entered++;
	assert_ptr_equal(tick(), e);
	assert_false(written);
	assert_int_equal(peeks, 1);
	s.pid++; /* another process in a call of that number */
	assert_ptr_equal(tick(), e);
	assert_false(written);
	assert_int_equal(peeks, 2);
	user[9] = 0x400123;
	assert_ptr_equal(tick(), e);
	s.entered++;
	tick_of_new_path(2 + 1 + 20);
}

/* All but the place and the frame pointer may be different. */
static void what_differs_is_another_path(void **state)
{
	user_frames(8, 3, 0);
	system_call(8);
	tick_of_new_path(2 + 1 + 3);
	s.entered++;
	trapped_at.pc++;
	tick_of_new_path(2 + 1 + 3);
	s.entered++;
	trapped_at.ret = 0x400600;
	tick_of_new_path(2 + 1 + 4);
	s.entered++;
	trapped_at.ret++;
	tick_of_new_path(2 + 1 + 4);
	s.entered++;
	user_frames(8, 4, 0);
	tick_of_new_path(2 + 1 + 5);
	s.entered++;
	user_frames(8, 2, 0);
	tick_of_new_path(2 + 1 + 3);
	s.entered++;
	s.named++;
	s.name = "shell";
	tick_of_new_path(2 + 1 + 3);
	kernel[1]++;
	tick_of_new_path(2 + 1 + 3);
	s.cpu = 1;
	tick_of_new_path(2 + 1 + 3);
	trapped = PROF_STACK_AT_INTERRUPT;
	s.entered++;
	tick_of_new_path(2);
	kernel[5] = 0xc0300000; /* where the trap's frame was the kernel has a caller, */
	tick_of_new_path(3);
	kernel[5] = 0; /* and here it has none */
	tick_of_new_path(2);
	kernel[5] = 0xc0300000;
	assert_int_equal(prof_stack_entry_frames(tick()[PROF_STACK_SHAPE]), 3);
	s.what = PROF_IDLE;
	tick_of_new_path(3);
	s.at.ret = 0xc0300000;
	tick_of_new_path(4);
	s.at.ret++;
	tick_of_new_path(4);
}

/* A path with a fault in the kernel, or that was cut, is looked up each time. */
static void some_paths_equal_none(void **state)
{
	prof_addr *e;

	prof_stack_close(&prof, PROF_STACK);
	prof_stack_depth(&prof, 12);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	kernel_frames(0, 20, WORDS);
	e = tick();
	assert_int_equal(prof_stack_entry_frames(e[PROF_STACK_SHAPE]), 12);
	assert_ptr_equal(tick(), e);
	assert_true(written);
	system_call(8);
	trapped = PROF_STACK_AT_KERNEL;
	trapped_at = (struct prof_stack_place){0xc0400000, LO + 16 * W, 0};
	kernel_frames(16, 2, WORDS);
	e = tick();
	assert_int_equal(prof_stack_entry_frames(e[PROF_STACK_SHAPE]), 2 + 1 + 2);
	assert_ptr_equal(tick(), e);
	assert_true(written);
}

/* Paths of several hundred places are known at a time, but for those that have one place here. */
static void most_ticks_find_their_path(void **state)
{
	const unsigned n = 300;
	unsigned again = 0;

	for (unsigned i = 0; i < 2 * n; i++) {
		s.at.pc = 0xc0100000 + 37 * (i % n);
		s.at.fp = LO + (i % n & 3) * 12 * W;
		tick();
		if (i >= n)
			again += written;
	}
	assert_in_range(again, 0, n / 3);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, power_on, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_kernel_s_paths_are_known),
		TEST(a_program_s_paths_are_known),
		TEST(a_program_s_path_ends_where_it_ends),
		TEST(a_program_is_read_once_in_a_system_call),
		TEST(what_differs_is_another_path),
		TEST(some_paths_equal_none),
		TEST(most_ticks_find_their_path),
	};

	return RUN(tests, NULL, NULL);
}
