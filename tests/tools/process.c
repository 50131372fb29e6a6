/*
 * Programs apart from the kernel and from one another (gnomon-record(1), R6): each case is a list
 * of blocks that run one after the other, the path on which each is, and how processes are called.
 * Links: tools/record/plugin/shadow.c tools/record/plugin/calls.c tools/record/plugin/tree.c
 * Links: tools/record/plugin/table.c tools/record/plugin/decode.c
 * Links: tools/record/plugin/stacks.c tools/record/plugin/process.c tools/record/plugin/programs.c
 */
#include "tests/test.h"
#include "tests/tools/ends.h"
#include "tools/record/plugin/process.h"

#define SIZE 4 /* of a block */

/* Whose code a block is: of both programs, where they begin or not; of one; of none, or unknown. */
enum { UNKNOWN, START, BOTH, A, B, OTHER };
static struct programs_set sets[] = {
	[UNKNOWN] = {.may = UINT64_MAX}, [START] = {.may = 3, .has = 3, .begins = 3},
	[BOTH] = {.may = 3, .has = 3}, [A] = {.may = 1, .has = 1}, [B] = {.may = 2, .has = 2},
	[OTHER] = {.may = 0},
};
static const struct programs programs = {
	.program = {{.name = "A"}, {.name = "B"}}, .n = 2, .set = sets,
};

#define KERNEL 0x8000	/* where its text begins */
#define FIRMWARE 0x7000 /* and that of the firmware */

struct step {
	uint64_t pc;
	enum decode_end end;
	uint64_t target, address; /* what a call pushes to, what a return pops from */
	unsigned whose;
	const char *path; /* the root's letter, or P and the process, then the functions called */
};

/* Write a path as "K 8100" or "P1 200". */
static void print_path(const struct shadow *s, uint32_t path, char *to)
{
	uint64_t entry[16];
	size_t n = 0;

	for (; tree_is_call(&s->tree, path); path = s->tree.node[path].parent)
		entry[n++] = s->tree.node[path].entry;
	if (path < SHADOW_ROOTS)
		to += sprintf(to, "%c", "FUKI"[path]);
	else
		to += sprintf(to, "P%u", process_of(s, path));
	while (n > 0)
		to += sprintf(to, " %llx", (unsigned long long)entry[--n]);
}

/* Run a block. Return whether it is on its path, and say where it is instead. */
static bool run(struct shadow *s, const struct step *now, struct shadow_block *block)
{
	char got[200];
	bool kernel = now->pc >= KERNEL;

	*block = (struct shadow_block){
		.pc = now->pc, .next = now->pc + SIZE, .end = now->end, .target = now->target,
		.where = kernel ? SHADOW_INSIDE : SHADOW_PROGRAM, .pushes = true,
		.whose = (uint16_t)now->whose,
	};
	shadow_enter(s, 0, block);
	print_path(s, shadow_path(s, 0), got);
	if (now->end == DECODE_CALL)
		shadow_pushed(s, 0, now->address);
	if (now->end == DECODE_RETURN)
		shadow_popped(s, 0, now->address);
	if (strcmp(got, now->path) == 0)
		return true;
	print_error("at %llx: %s expected, %s\n", (unsigned long long)now->pc, now->path, got);
	return false;
}

/* Assert that all blocks, up to one without a path, are on theirs, and processes' names. */
static void runs(const struct step *step, const char *names)
{
	struct shadow_block block[64];
	struct shadow s;
	char got[64] = "";
	unsigned bad = 0;
	uint32_t i;

	shadow_init(&s);
	s.programs = &programs;
	*table_at(&s.firmware, FIRMWARE / SHADOW_PAGE, 0, 0) = 1;
	for (i = 0; step[i].path; i++)
		bad += !run(&s, &step[i], &block[i]);
	for (i = 1; i <= s.nprocess; i++) {
		const char *name = process_name(&s, i);

		strcat(got, name ? name : "-");
	}
	shadow_free(&s);
	assert_int_equal(bad, 0);
	assert_string_equal(got, names);
}

/* The first program begins, and calls a function that makes a system call. */
#define BEGUN \
	{0x7000, INDIRECT, 0, 0, UNKNOWN, "F"}, {0x8000, RESUME, 0, 0, UNKNOWN, "K"}, \
	{0x100, CALL, 0x200, 0x600, START, "P1"}, {0x200, CALL, 0x300, 0x5f0, A, "P1 200"}, \
	{0x300, TRAP, 0, 0, BOTH, "P1 200 300"}, {0x8100, CALL, 0x8200, 0x9f00, UNKNOWN, "K"}

static void calls_of_a_program(void **state)
{
	static const struct step steps[] = {
		BEGUN,
		{0x8200, RET, 0, 0x9f00, UNKNOWN, "K 8200"},
		{0x8104, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, RET, 0, 0x5f0, BOTH, "P1 200 300"},
		{0x204, RET, 0, 0x600, A, "P1 200"},
		{0x104, STEP, 0, 0, BOTH, "P1"},
		{.path = NULL},
	};

	runs(steps, "A");
}

/* An interrupt at any place, a fault that repeats its instruction, and a return after one. */
static void interrupted(void **state)
{
	static const struct step steps[] = {
		BEGUN,
		{0x8200, RET, 0, 0x9f00, UNKNOWN, "K 8200"},
		{0x8104, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, RET, 0, 0x5f0, BOTH, "P1 200 300"},
		{0x8300, RESUME, 0, 0, UNKNOWN, "I"},
		{0x204, STEP, 0, 0, A, "P1 200"},
		{0x8300, RESUME, 0, 0, UNKNOWN, "I"},
		{0x204, STEP, 0, 0, A, "P1 200"},
		{0x208, RET, 0, 0x600, A, "P1 200"},
		{0x104, STEP, 0, 0, BOTH, "P1"},
		{.path = NULL},
	};

	runs(steps, "A");
}

/* The child has its parent's path until it begins another program, which has the same start. */
static void fork_and_exec(void **state)
{
	static const struct step steps[] = {
		BEGUN,
		{0x8200, RET, 0, 0xaf00, UNKNOWN, "K 8200"}, /* to a stack made by hand */
		{0x8400, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, RET, 0, 0x5f0, BOTH, "P1 200 300"}, /* in the child */
		{0x204, TRAP, 0, 0, A, "P1 200"},
		{0x8100, RESUME, 0, 0, UNKNOWN, "K"},
		{0x100, CALL, 0x500, 0x600, START, "P2"},
		{0x500, TRAP, 0, 0, B, "P2 500"},
		{0x8100, CALL, 0x8200, 0xaf00, UNKNOWN, "K"},
		{0x8200, RET, 0, 0x9f00, UNKNOWN, "K 8200"}, /* to the parent's stack */
		{0x8104, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, RET, 0, 0x5f0, BOTH, "P1 200 300"},
		{0x204, STEP, 0, 0, A, "P1 200"},
		{.path = NULL},
	};

	runs(steps, "AB");
}

/* Two processes of one program wait at the same place, with stacks at the same addresses. */
static void alike(void **state)
{
	static const struct step steps[] = {
		BEGUN,
		{0x8200, RET, 0, 0xaf00, UNKNOWN, "K 8200"},
		{0x8400, RESUME, 0, 0, UNKNOWN, "K"},
		{0x100, CALL, 0x400, 0x600, START, "P2"},
		{0x400, CALL, 0x300, 0x5f0, A, "P2 400"},
		{0x300, TRAP, 0, 0, BOTH, "P2 400 300"},
		{0x8100, CALL, 0x8200, 0xaf00, UNKNOWN, "K"},
		{0x8200, RET, 0, 0x9f00, UNKNOWN, "K 8200"},
		{0x8104, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, TRAP, 0, 0, BOTH, "P1 200 300"},
		{0x8100, CALL, 0x8200, 0x9f00, UNKNOWN, "K"},
		{0x8200, RET, 0, 0xaf00, UNKNOWN, "K 8200"},
		{0x8104, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, STEP, 0, 0, BOTH, "P2 400 300"},
		{.path = NULL},
	};

	runs(steps, "AA");
}

/* A program that has the others' start and something else then is neither of them, nor was. */
static void another_program(void **state)
{
	static const struct step steps[] = {
		{0x7000, INDIRECT, 0, 0, UNKNOWN, "F"},
		{0x8000, RESUME, 0, 0, UNKNOWN, "K"},
		{0x100, CALL, 0x200, 0x600, START, "P1"},
		{0x200, CALL, 0x300, 0x5f0, OTHER, "P1"},
		{0x300, TRAP, 0, 0, BOTH, "P1"},
		{0x8100, RESUME, 0, 0, UNKNOWN, "K"},
		{0x900, STEP, 0, 0, UNKNOWN, "P2"},
		{.path = NULL},
	};

	runs(steps, "--");
}

/* A handler of signals has a path of its own, and what it interrupted goes on. */
static void handler(void **state)
{
	static const struct step steps[] = {
		BEGUN,
		{0x8200, RET, 0, 0x9f00, UNKNOWN, "K 8200"},
		{0x8104, RESUME, 0, 0, UNKNOWN, "K"},
		{0x700, CALL, 0x200, 0x580, A, "P1"},
		{0x200, RET, 0, 0x580, A, "P1 200"},
		{0x704, TRAP, 0, 0, A, "P1"},
		{0x8100, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, RET, 0, 0x5f0, BOTH, "P1 200 300"},
		{0x204, STEP, 0, 0, A, "P1 200"},
		{.path = NULL},
	};

	runs(steps, "A");
}

/* A kernel with one stack for all programs. */
static void one_stack(void **state)
{
	static const struct step steps[] = {
		BEGUN,
		{0x8200, RESUME, 0, 0, UNKNOWN, "K 8200"},
		{0x100, CALL, 0x500, 0x600, START, "P2"},
		{0x500, TRAP, 0, 0, B, "P2 500"},
		{0x8100, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, RET, 0, 0x5f0, BOTH, "P1 200 300"},
		{0x204, TRAP, 0, 0, A, "P1 200"},
		{0x8100, RESUME, 0, 0, UNKNOWN, "K"},
		{0x504, RET, 0, 0x600, B, "P2 500"},
		{0x104, STEP, 0, 0, BOTH, "P2"},
		{.path = NULL},
	};

	runs(steps, "AB");
}

/* The kernel keeps its path while it asks the firmware, or is interrupted by it. */
static void firmware(void **state)
{
	static const struct step steps[] = {
		{0x7000, INDIRECT, 0, 0, UNKNOWN, "F"},
		{0x8000, CALL, 0x8200, 0x9f00, UNKNOWN, "K"},
		{0x8200, TRAP, 0, 0, UNKNOWN, "K 8200"},
		{0x7100, CALL, 0x7200, 0x5f0, UNKNOWN, "F"},
		{0x7200, RET, 0, 0x5f0, UNKNOWN, "F"},
		{0x7104, RESUME, 0, 0, UNKNOWN, "F"},
		{0x8204, STEP, 0, 0, UNKNOWN, "K 8200"},
		{0x7100, RESUME, 0, 0, UNKNOWN, "F"},
		{0x8208, STEP, 0, 0, UNKNOWN, "K 8200"},
		{0x7100, RESUME, 0, 0, UNKNOWN, "F"}, /* which passes it on */
		{0x8600, RESUME, 0, 0, UNKNOWN, "I"},
		{0x820c, RET, 0, 0x9f00, UNKNOWN, "K 8200"},
		{0x8004, STEP, 0, 0, UNKNOWN, "K"},
		{.path = NULL},
	};

	runs(steps, "");
}

/* What comes between a program's instructions without the kernel is the firmware's. */
static void firmware_in_a_program(void **state)
{
	static const struct step steps[] = {
		BEGUN,
		{0x8200, RET, 0, 0x9f00, UNKNOWN, "K 8200"},
		{0x8104, RESUME, 0, 0, UNKNOWN, "K"},
		{0x304, STEP, 0, 0, BOTH, "P1 200 300"},
		{0x7100, RESUME, 0, 0, UNKNOWN, "F"},
		{0x308, RET, 0, 0x5f0, BOTH, "P1 200 300"},
		{0x204, STEP, 0, 0, A, "P1 200"},
		{.path = NULL},
	};

	runs(steps, "A");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_of_a_program),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(fork_and_exec),
		cmocka_unit_test(alike),
		cmocka_unit_test(another_program),
		cmocka_unit_test(handler),
		cmocka_unit_test(one_stack),
		cmocka_unit_test(firmware),
		cmocka_unit_test(firmware_in_a_program),
	};

	return RUN(tests, NULL, NULL);
}
