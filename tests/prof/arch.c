/*
 * prof/arch/prof_arch.h on this machine: what is read of a stack when a tick came (A10), and what a
 * kernel need not say (A11). Around the stack no memory can be read, nor where the program's
 * registers lead.
 * Links: tests/prof/machine.c
 */
#include <sys/mman.h>
#include "tests/test.h"
#include "tests/prof/machine.h"
#include "prof/arch/prof_arch.h"

#define PAGE 4096u
#define WORDS (PAGE / sizeof(prof_addr))
#define FAR ((prof_addr)0xffff8000 << 32) /* where the kernel says that its stack is */

static struct prof prof;
static prof_addr *stack; /* a page between two that cannot be read */
static uint8_t *text;	 /* the same */
static prof_addr lo, hi; /* of text */

static int power_on(void **state)
{
	uint8_t *at = mmap(NULL, 5 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	assert_int_equal(mprotect(at + PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(mprotect(at + 3 * PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
	stack = (prof_addr *)(void *)(at + PAGE);
	text = at + 3 * PAGE;
	lo = (prof_addr)text;
	hi = lo + PAGE;
	memset(text, 0x90, PAGE);
	machine_reset();
	prof = (struct prof){0};
	prof_stack_init(&prof, 1, 0);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	prof_period(&prof, 1000);
	prof_start(&prof, PROF_STACK);
	return 0;
}

static int power_off(void **state)
{
	munmap((uint8_t *)stack - PAGE, 5 * PAGE);
	machine_reset();
	return 0;
}

static int put(void *to, const void *data, size_t n)
{
	return fwrite(data, 1, n, to) == n ? 0 : -1;
}

/* Return how many addresses the one path that was counted has. */
static unsigned addresses(void)
{
	char out[8192] = "";
	struct prof_sink to = {.write = put, .arg = fmemopen(out, sizeof(out), "w")};
	unsigned n = 0;

	assert_int_equal(prof_stack_write(&prof, PROF_STACK, &to), 0);
	fclose(to.arg);
	assert_non_null(strstr(out, " ticks=1 "));
	for (const char *at = strstr(out, ";0x"); at; at = strstr(at + 1, ";0x"))
		n++;
	return n;
}

/* A tick there, in a kernel that says where its stack is and can be read. */
static struct prof_sample found(enum prof_cause what, prof_addr pc, prof_addr sp, prof_addr fp)
{
	struct prof_sample s = {
		.what = what, .at = {.pc = pc, .fp = fp, .ret = 1},
		.lo = FAR, .hi = FAR + PAGE, .stack = stack,
	};

	prof_clear(&prof, PROF_STACK);
	prof_arch_find(&s, sp, lo, lo, hi);
	machine_tick(&prof, &s);
	return s;
}

/* Of a program no stack is read, whatever its registers are: not even the kernel's. */
static void A10_a_program_s_registers_are_not_followed(void **state)
{
	static const prof_addr any[] = {0, 8, FAR - 8, FAR, FAR + 8, FAR + PAGE - 8, FAR + PAGE,
					UINTPTR_MAX, UINTPTR_MAX - 7, (prof_addr)1 << 63};

	text[100] = PROF_RET;
	stack[0] = stack[1] = lo + 200;
	for (unsigned i = 0; i < nelem(any); i++) {
		for (unsigned j = 0; j < nelem(any); j++) {
			assert_int_equal(found(PROF_USER, lo + 100, any[i], any[j]).at.ret, 0);
			assert_int_equal(addresses(), 1);
			found(PROF_USER, any[i], any[j], any[j]);
			assert_int_equal(addresses(), 1);
		}
	}
}

/* At the kernel's entry both are the program's still, and the code is the kernel's. */
static void A10_a_stack_pointer_that_is_elsewhere_is_not_followed(void **state)
{
	static const prof_addr any[] = {0, 8, FAR - 8, FAR + 1, FAR + PAGE + 1, FAR + 2 * PAGE,
					UINTPTR_MAX, UINTPTR_MAX - 7, (prof_addr)1 << 63};

	text[100] = PROF_RET;
	for (unsigned i = 0; i < nelem(any); i++) {
		for (unsigned j = 0; j < nelem(any); j++) {
			assert_int_equal(found(PROF_KERNEL, lo + 100, any[i], any[j]).at.ret, 0);
			assert_int_equal(addresses(), 1);
		}
		found(PROF_KERNEL, lo + 100, any[i], FAR + 16);
		assert_int_equal(addresses(), 1);
	}
}

/* In the stack all is read up to its end, and nothing past it; its place is the kernel's matter. */
static void A10_a_stack_is_read_up_to_its_end(void **state)
{
	struct prof_sample s;

	stack[WORDS - 1] = lo + 200;
	stack[WORDS - 2] = 0;
	text[100] = PROF_RET;
	for (unsigned word = 0; word <= WORDS; word++) {
		s = found(PROF_KERNEL, lo + 100, FAR + 8 * word, FAR + 8 * word);
		assert_int_equal(s.at.ret, word == WORDS - 1 ? lo + 200 : 0);
		assert_int_equal(addresses(), word >= WORDS - 2 && word < WORDS ? 2 : 1);
		found(PROF_KERNEL, lo + 300, FAR + 8 * word, FAR + PAGE - 8);
		assert_int_equal(addresses(), 1);
		found(PROF_KERNEL, lo + 300, FAR + 8 * word, FAR + PAGE - 16);
		assert_int_equal(addresses(), word <= WORDS - 2 ? 2 : 1);
	}
}

/* Nor is code read past the ends of text. */
static void A10_text_is_read_up_to_its_ends(void **state)
{
	memset(text, PROF_CALL, PAGE);
	for (unsigned i = 0; i < 16; i++) {
		stack[0] = lo + i;
		stack[1] = hi - i;
		found(PROF_KERNEL, lo + i, FAR, 0);
		found(PROF_KERNEL, lo - i, FAR, 0);
		found(PROF_KERNEL, hi + i, FAR, 0);
		found(PROF_KERNEL, hi - i, FAR, 0);
	}
}

/* Bounds that are none lead nowhere, even if nobody has looked at the stack pointer. */
static void A10_bounds_that_are_none(void **state)
{
	static const prof_addr any[][2] = {
		{FAR, FAR}, {FAR, FAR + 15}, {FAR + 8, FAR}, {0, 0},
		{UINTPTR_MAX, 0}, {UINTPTR_MAX, FAR}, {UINTPTR_MAX - 7, 8},
	};
	struct prof_sample s = {.at = {.pc = lo}, .stack = stack};

	for (unsigned i = 0; i < nelem(any); i++) {
		for (unsigned j = 0; j < nelem(any); j++) {
			s.lo = any[i][0];
			s.hi = any[i][1];
			s.at.fp = any[j][0];
			prof_clear(&prof, PROF_STACK);
			machine_tick(&prof, &s);
			machine_tick(&prof, &s);
		}
	}
}

/* Write the paths to out, by a sink that says as much as *to. */
static void written(char *out, size_t n, struct prof_sink to)
{
	to.write = put;
	to.arg = fmemopen(out, n, "w");
	assert_int_equal(prof_stack_write(&prof, PROF_STACK, &to), 0);
	fclose(to.arg);
}

/* A sample needs neither, and such ticks are not taken for others. */
static void A11_a_name_and_idle_may_be_left_out(void **state)
{
	struct prof_sample s = {.at = {.pc = 0x11}};
	char out[400] = "";

	prof.stack.digits = 8;
	machine_tick(&prof, &s);
	s.what = PROF_IDLE;
	machine_tick(&prof, &s);
	written(out, sizeof(out), (struct prof_sink){0});
	assert_non_null(strstr(out, "kernel;[kernel];0x00000011 1\nkernel;[idle];0x00000011 1\n#"));
}

/* Of a kernel that was moved, the file has the image's addresses, and the programs' own. */
static void A11_addresses_of_a_kernel_that_was_moved(void **state)
{
	struct prof_sample s = {.at = {.pc = 0xc0300011, .ret = 0xc0300020}};
	char out[400] = "";

	prof.stack.digits = 8;
	machine_tick(&prof, &s);
	s = (struct prof_sample){.what = PROF_USER, .at = {.pc = 0xbfffffff}};
	machine_tick(&prof, &s);
	written(out, sizeof(out), (struct prof_sink){.moved = 0xc0000000, .by = 0x200000});
	assert_non_null(strstr(out, "kernel;[kernel];0xc0100020;0xc0100011 1\n"));
	assert_non_null(strstr(out, "kernel;[user];0xbfffffff 1\n"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, power_on, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(A10_a_program_s_registers_are_not_followed),
		TEST(A10_a_stack_pointer_that_is_elsewhere_is_not_followed),
		TEST(A10_a_stack_is_read_up_to_its_end),
		TEST(A10_text_is_read_up_to_its_ends),
		TEST(A10_bounds_that_are_none),
		TEST(A11_a_name_and_idle_may_be_left_out),
		TEST(A11_addresses_of_a_kernel_that_was_moved),
	};

	return RUN(tests, NULL, NULL);
}
