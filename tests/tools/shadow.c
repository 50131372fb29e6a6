/*
 * Call paths by what a machine executes (gnomon-record(1), R2): each case is a list of blocks that
 * run one after the other, and the path on which each is.
 * Links: tools/record/plugin/shadow.c tools/record/plugin/calls.c tools/record/plugin/tree.c
 * Links: tools/record/plugin/table.c
 * Links: tools/record/plugin/stacks.c tools/record/plugin/process.c tools/record/plugin/programs.c
 */
#include "tests/test.h"
#include "tests/tools/ends.h"
#include "tools/record/plugin/shadow.h"

#define KERNEL 0x100 /* where its text begins */
#define SIZE 4	     /* of a block */
#define FIRMWARE 0x100000 /* where the firmware begins */

struct step {
	uint64_t pc;
	enum decode_end end;
	uint64_t target, address; /* what a call pushes to, what a return pops from */
	const char *path;	  /* the root's letter, then the functions called */
	unsigned cpu;
};

/* Write a path as "K 100 200". */
static void print_path(const struct shadow *s, uint32_t path, char *to)
{
	uint64_t entry[16];
	size_t n = 0;

	for (; path >= SHADOW_ROOTS; path = s->tree.node[path].parent)
		entry[n++] = s->tree.node[path].entry;
	*to++ = "FUKI"[path];
	*to = 0;
	while (n > 0)
		to += sprintf(to, " %llx", (unsigned long long)entry[--n]);
}

/* Return the block of a step: the one that ran before, if it is the same, or else a new one. */
static struct shadow_block *block_of(struct shadow_block *block, size_t *n, const struct step *now)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (block[i].pc == now->pc && block[i].end == now->end &&
		    block[i].target == now->target)
			return &block[i];
	block[i] = (struct shadow_block){
		.pc = now->pc, .next = now->pc + SIZE, .end = now->end,
		.target = now->target, .where = now->pc >= KERNEL && now->pc < FIRMWARE,
	};
	return &block[(*n)++];
}

/* Enter a block as counts.c does, in one of two orders. */
static void enter(struct shadow *s, unsigned cpu, struct shadow_block *block, bool by_call)
{
	if (by_call && shadow_comes_by_call(s, cpu, block))
		return;
	if (!shadow_goes_on(s, cpu, block))
		shadow_enter(s, cpu, block);
}

/*
 * Run the blocks. Return how many of them are on another path than expected, and say which. Ask for
 * the path of one of so many alone, as samples do.
 */
static unsigned wrong_steps(const struct step *step, size_t n, bool pushes, size_t each,
			    bool by_call)
{
	struct shadow_block *block = calloc(n, sizeof(*block)), *b;
	size_t nblock = 0;
	struct shadow s;
	char got[200];
	unsigned bad = 0;
	size_t i;

	shadow_init(&s);
	for (i = 0; i < n; i++) {
		const struct step *now = &step[i];

		b = block_of(block, &nblock, now);
		b->pushes = pushes;
		if (now->pc >= FIRMWARE && !s.began)
			*table_at(&s.firmware, now->pc / SHADOW_PAGE, 0, 0) = 1;
		enter(&s, now->cpu, b, by_call);
		if (i % each == each - 1)
			print_path(&s, shadow_path(&s, now->cpu), got);
		if (i % each == each - 1 && strcmp(got, now->path) != 0) {
			print_error("step %zu at %llx: %s expected, %s\n", i,
				    (unsigned long long)now->pc, now->path, got);
			bad++;
		}
		if (!pushes)
			continue;
		if (now->end == DECODE_CALL)
			shadow_pushed(&s, now->cpu, now->address);
		if (now->end == DECODE_RETURN)
			shadow_popped(&s, now->cpu, now->address);
	}
	shadow_free(&s);
	free(block);
	return bad;
}

/* Assert that all blocks, up to one without a path, are on theirs. */
static void runs(const struct step *step, bool pushes)
{
	size_t n = 0, each;

	while (step[n].path)
		n++;
	for (each = 1; each <= n; each++) {
		assert_int_equal(wrong_steps(step, n, pushes, each, false), 0);
		assert_int_equal(wrong_steps(step, n, pushes, each, true), 0);
	}
}

/* What a block has gone on with it goes on with again, but on the path on which it is then. */
static void again(void **state)
{
	static const struct step steps[] = {
		{0x100, BRANCH, 0x110, 0, "K", 0}, {0x104, JUMP, 0x100, 0, "K", 0},
		{0x100, BRANCH, 0x110, 0, "K", 0}, {0x110, CALL, 0x200, 0x9000, "K", 0},
		{0x200, BRANCH, 0x200, 0, "K 200", 0}, {0x200, BRANCH, 0x200, 0, "K 200", 0},
		{0x400, RESUME, 0, 0, "I", 0}, /* an interrupt, and back into the loop */
		{0x200, BRANCH, 0x200, 0, "K 200", 0}, {0x204, RET, 0, 0x9000, "K 200", 0},
		{0x114, RESUME, 0, 0, "K", 0}, {0x10, TRAP, 0, 0, "U", 0}, /* a system call */
		{0x100, BRANCH, 0x110, 0, "K", 0}, {0x104, JUMP, 0x100, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
}

/* A block calls what a pointer tells, itself too. Each call has its path, whenever asked for. */
static void by_pointer(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0, 0x9000, "K", 0}, {0x200, CALL, 0, 0x8f00, "K 200", 0},
		{0x200, CALL, 0, 0x8e00, "K 200 200", 0},
		{0x300, RET, 0, 0x8e00, "K 200 200 300", 0},
		{0x204, RET, 0, 0x8f00, "K 200 200", 0}, {0x204, RET, 0, 0x9000, "K 200", 0},
		{0x104, JUMP, 0x100, 0, "K", 0}, {0x100, CALL, 0, 0x9000, "K", 0},
		{0x200, CALL, 0, 0x8f00, "K 200", 0}, {0x300, RET, 0, 0x8f00, "K 200 300", 0},
		{0x204, RET, 0, 0x9000, "K 200", 0}, {0x104, JUMP, 0x100, 0, "K", 0},
		{0x100, CALL, 0, 0x9000, "K", 0}, {0x300, RET, 0, 0x9000, "K 300", 0},
		{0x104, JUMP, 0x100, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
}

static void calls_and_returns(void **state)
{
	static const struct step steps[] = {
		{0x10, INDIRECT, 0, 0, "F", 0},
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x300, 0x8f00, "K 200", 0},
		{0x300, RET, 0, 0x8f00, "K 200 300", 0},
		{0x204, CALL, 0x300, 0x8f00, "K 200", 0},
		{0x300, RET, 0, 0x8f00, "K 200 300", 0},
		{0x208, RET, 0, 0x9000, "K 200", 0},
		{0x104, CALL, 0x108, 0x9000, "K", 0}, /* which only asks where it is */
		{0x108, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
}

/* R8: a function that takes longer than it may is noticed when it returns, not before. */
static void long_calls(void **state)
{
	static struct shadow_block b[] = {
		{.pc = 0x100, .next = 0x104, .end = CALL, .target = 0x200, .where = SHADOW_INSIDE},
		{.pc = 0x200, .next = 0x204, .end = RET, .where = SHADOW_INSIDE},
		{.pc = 0x104, .next = 0x108, .end = STEP, .where = SHADOW_INSIDE},
	};
	static const struct {
		uint64_t slow, took;
		bool late;
	} cases[] = {{0x200, 10, false}, {0x200, 11, true}, {0x300, 11, false}, {0, 11, false}};
	struct shadow s;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		shadow_init(&s);
		s.slow = cases[i].slow;
		s.limit = 10;
		shadow_enter(&s, 0, &b[0]);
		s.now = 5;
		shadow_enter(&s, 0, &b[1]);
		s.now += cases[i].took;
		assert_false(s.late);
		shadow_enter(&s, 0, &b[2]);
		assert_true(s.late == cases[i].late);
		shadow_free(&s);
	}
}

/* The callee of a tail call returns to its caller's caller. */
static void tail_calls(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, JUMP, 0x300, 0, "K 200", 0},
		{0x300, CALL, 0x400, 0x8ff0, "K 200", 0},
		{0x400, RET, 0, 0x8ff0, "K 200 400", 0},
		{0x304, RET, 0, 0x9000, "K 200", 0},
		{0x104, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
}

/* Frames that are jumped over go with the next return, or the next call above them. */
static void longjmp_and_noreturn(void **state)
{
	static const struct step jump[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x300, 0x8f00, "K 200", 0},
		{0x300, CALL, 0x400, 0x8e00, "K 200 300", 0},
		{0x400, INDIRECT, 0, 0, "K 200 300 400", 0},
		{0x204, RET, 0, 0x9000, "K 200 300 400", 0}, /* it is not known yet */
		{0x104, STEP, 0, 0, "K", 0},
		{.path = NULL},
	}, call[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x300, 0x8f00, "K 200", 0},
		{0x300, CALL, 0x400, 0x8e00, "K 200 300", 0},
		{0x400, INDIRECT, 0, 0, "K 200 300 400", 0},
		{0x104, CALL, 0x500, 0x9000, "K 200 300 400", 0},
		{0x500, STEP, 0, 0, "K 500", 0},
		{.path = NULL},
	};

	runs(jump, true);
	runs(jump, false);
	runs(call, true);
}

/* An interrupt is where a block does not go on by itself; what it interrupted goes on. */
static void nested_interrupts(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, STEP, 0, 0, "K 200", 0},
		{0x700, CALL, 0x710, 0x8e00, "I", 0},
		{0x710, STEP, 0, 0, "I 710", 0},
		{0x700, CALL, 0x710, 0x8c00, "I", 0},
		{0x710, RET, 0, 0x8c00, "I 710", 0},
		{0x704, RESUME, 0, 0, "I", 0},
		{0x714, RET, 0, 0x8e00, "I 710", 0},
		{0x704, RESUME, 0, 0, "I", 0},
		{0x204, RET, 0, 0x9000, "K 200", 0},
		{0x700, RESUME, 0, 0, "I", 0}, /* at once after a return, its handler known */
		{0x104, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
}

/* What an interrupt came right after goes on when that is over: a call, and a return. */
static void interrupted_at_a_call(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x700, RESUME, 0, 0, "I", 0},
		{0x200, RET, 0, 0x9000, "K 200", 0},
		{0x700, RESUME, 0, 0, "I", 0},
		{0x104, CALL, 0, 0x9000, "K", 0},
		{0x700, RESUME, 0, 0, "I", 0},
		{0x300, RET, 0, 0x9000, "K 300", 0},
		{0x108, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
}

/*
 * Where each interrupt comes after a return its handler is known when the first one is over. What
 * is resumed elsewhere is a thread, to which somebody has jumped.
 */
static void each_interrupted_at_a_return(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, RET, 0, 0x9000, "K 200", 0},
		{0x700, CALL, 0x710, 0x8f00, "K", 0}, /* as a jump */
		{0x710, RET, 0, 0x8f00, "K 710", 0},
		{0x704, RESUME, 0, 0, "K", 0},
		{0x104, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x300, 0x8f00, "K 200", 0},
		{0x300, RET, 0, 0x8f00, "K 200 300", 0},
		{0x700, CALL, 0x710, 0x8d00, "I", 0},
		{0x710, RET, 0, 0x8d00, "I 710", 0},
		{0x704, RESUME, 0, 0, "I", 0},
		{0x204, RET, 0, 0x9000, "K 200", 0},
		{0x108, CALL, 0x900, 0x9000, "K", 0},
		{.path = NULL},
	};
	static const struct step jump[] = {
		{0x100, CALL, 0x900, 0x9000, "K", 0}, /* the call of a retpoline */
		{0x900, RET, 0, 0x9000, "K 900", 0},
		{0x300, RESUME, 0, 0, "K", 0}, /* what changes threads */
		{0x500, CALL, 0x600, 0x7000, "K", 0},
		{0x600, RET, 0, 0x7000, "K 600", 0},
		{0x504, CALL, 0x900, 0x7000, "K", 0},
		{0x900, RET, 0, 0x7000, "K 900", 0},
		{0x300, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
	runs(jump, true);
}

/* What faulted begins anew, and has called nothing before. */
static void fault_before_a_call(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0, "K", 0},
		{0x700, RESUME, 0, 0, "I", 0},
		{0x102, CALL, 0x200, 0x9000, "K", 0},
		{0x200, STEP, 0, 0, "K 200", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
}

/* A function that calls itself may return to the block that returns. */
static void return_to_the_same_block(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x200, 0x8ff0, "K 200", 0},
		{0x200, CALL, 0x200, 0x8fe0, "K 200 200", 0},
		{0x200, BRANCH, 0x204, 0, "K 200 200 200", 0},
		{0x204, RET, 0, 0x8fe0, "K 200 200 200", 0},
		{0x204, RET, 0, 0x8ff0, "K 200 200", 0},
		{0x204, RET, 0, 0x9000, "K 200", 0},
		{0x104, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
}

/* A block that is left in its middle and goes on there was not interrupted. */
static void rest_of_a_block(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0, "K", 0},
		{0x102, CALL, 0x200, 0x9000, "K", 0},
		{0x200, STEP, 0, 0, "K 200", 0},
		{.path = NULL},
	};

	runs(steps, true);
}

/* Each thread's calls go on where they were, also on another processor. */
static void threads(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x800, 0x8f00, "K 200", 0}, /* 800 changes stacks */
		{0x800, RET, 0, 0x5fff0, "K 200 800", 0},
		{0x400, CALL, 0x500, 0x5fff0, "K", 0}, /* a new thread */
		{0x500, CALL, 0x800, 0x5ff00, "K 500", 0},
		{0x800, RET, 0, 0x8f00, "K 500 800", 0},
		{0x204, CALL, 0x800, 0x8f00, "K 200", 0},
		{0x800, RET, 0, 0x5ff00, "K 200 800", 0},
		{0x504, CALL, 0x600, 0x5ff00, "K 500", 0},
		{0x600, CALL, 0x800, 0x5fe00, "K 500 600", 0},
		{0x100, STEP, 0, 0, "K", 1},
		{0x104, CALL, 0x800, 0x2000, "K", 1},
		{0x800, RET, 0, 0x8f00, "K 800", 1},
		{0x208, STEP, 0, 0, "K 200", 1},
		{.path = NULL},
	};

	runs(steps, true);
}

/* Stacks whose last calls are alike are told apart by where the return address lies. */
static void threads_that_wait_alike(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x800, 0x8f00, "K 200", 0},
		{0x800, RET, 0, 0x5fff0, "K 200 800", 0},
		{0x400, CALL, 0x200, 0x5fff0, "K", 0},
		{0x200, CALL, 0x800, 0x5ff00, "K 200", 0},
		{0x800, RET, 0, 0x8f00, "K 200 800", 0},
		{0x204, RET, 0, 0x9000, "K 200", 0},
		{0x104, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
}

/* A change of stacks that nothing told of shows with the next call. */
static void change_unseen(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x800, 0x8f00, "K 200", 0},
		{0x800, RET, 0, 0x5fff0, "K 200 800", 0},
		{0x400, CALL, 0x500, 0x5fff0, "K", 0},
		{0x500, INDIRECT, 0, 0, "K 500", 0},
		{0x210, CALL, 0x300, 0x8ef0, "K 500", 0},
		{0x300, STEP, 0, 0, "K 200 800 300", 0},
		{.path = NULL},
	};

	runs(steps, true);
}

/* A kernel entered from a program begins with an empty stack, whatever was left there. */
static void reused_stacks(void **state)
{
	static const struct step steps[] = {
		{0x100, INDIRECT, 0, 0, "K", 0},
		{0x10, TRAP, 0, 0, "U", 0},
		{0x500, CALL, 0x510, 0x9000, "K", 0},
		{0x510, CALL, 0x800, 0x8f00, "K 510", 0},
		{0x800, RET, 0, 0x5fff0, "K 510 800", 0}, /* its process ends here */
		{0x400, RESUME, 0, 0, "K", 0},
		{0x20, TRAP, 0, 0, "U", 0},
		{0x500, CALL, 0x510, 0x9000, "K", 0},
		{0x510, CALL, 0x800, 0x8f00, "K 510", 0},
		{0x800, RET, 0, 0x8f00, "K 510 800", 0},
		{0x514, RET, 0, 0x9000, "K 510", 0},
		{0x504, RESUME, 0, 0, "K", 0},
		{0x14, STEP, 0, 0, "U", 0},
		{0x700, RESUME, 0, 0, "I", 0},
		{0x18, STEP, 0, 0, "U", 0},
		{.path = NULL},
	};

	runs(steps, true);
}

/* Where stack pointers are not known, a return to where no call has gone on begins a thread. */
static void threads_by_return_addresses(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0, "K", 0},
		{0x200, CALL, 0x800, 0, "K 200", 0},
		{0x800, RET, 0, 0, "K 200 800", 0},
		{0x400, CALL, 0x500, 0, "K", 0},
		{0x500, CALL, 0x800, 0, "K 500", 0},
		{0x800, RET, 0, 0, "K 500 800", 0},
		{0x204, STEP, 0, 0, "K 200", 0},
		{.path = NULL},
	};

	runs(steps, false);
}

/* An address that was pushed to be returned to is a jump's. */
static void pushed_and_returned_to(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, RET, 0, 0x8ff0, "K 200", 0},
		{0x300, RET, 0, 0x9000, "K 200", 0},
		{0x104, CALL, 0x900, 0x9000, "K", 0}, /* the call of a retpoline */
		{0x900, RET, 0, 0x9000, "K 900", 0},
		{0x300, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
}

/*
 * Firmware interrupts the kernel as it returns, to its caller or to another thread, and as it
 * resumes from an interrupt that the firmware has passed on.
 */
/* A handler that jumps to another one, or has pushed its address, is over when that one is. */
static void handed_over(void **state)
{
	static const struct step steps[] = {
		{0x100, CALL, 0x200, 0x9000, "K", 0}, {0x200, BRANCH, 0x200, 0, "K 200", 0},
		{0x700, RESUME, 0, 0, "I", 0}, /* the system's own, by itself */
		{0x200, BRANCH, 0x200, 0, "K 200", 0}, {0x800, CALL, 0x300, 0x8e00, "I", 0},
		{0x300, RET, 0, 0x8e00, "I 300", 0}, {0x804, RET, 0, 0x8e08, "I", 0},
		{0x700, RESUME, 0, 0, "I", 0}, {0x200, BRANCH, 0x200, 0, "K 200", 0},
		{0x900, INDIRECT, 0, 0, "I", 0}, {0x700, RESUME, 0, 0, "I", 0},
		{0x200, BRANCH, 0x200, 0, "K 200", 0}, {0x204, RET, 0, 0x9000, "K 200", 0},
		{0x104, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
}

/* Code outside of the kernel has no paths, however plainly the kernel calls it. */
static void firmware_called(void **state)
{
	static const struct step steps[] = {
		{0x100010, INDIRECT, 0, 0, "F", 0},
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x100010, 0x8f00, "K 200", 0},
		{0x100010, RET, 0, 0x8f00, "F", 0}, {0x204, RET, 0, 0x9000, "K 200", 0},
		{0x104, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
}

static void firmware_in_between(void **state)
{
	static const struct step steps[] = {
		{0x100000, INDIRECT, 0, 0, "F", 0},
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200, CALL, 0x300, 0x8f00, "K 200", 0},
		{0x300, RET, 0, 0x8f00, "K 200 300", 0},
		{0x100010, RESUME, 0, 0, "F", 0}, /* within a return */
		{0x204, CALL, 0x300, 0x8f00, "K 200", 0},
		{0x300, RET, 0, 0x8f00, "K 200 300", 0},
		{0x100010, RESUME, 0, 0, "F", 0}, /* which passes it on */
		{0x700, RESUME, 0, 0, "I", 0},
		{0x100010, RESUME, 0, 0, "F", 0}, /* within a resume */
		{0x208, CALL, 0x800, 0x8f00, "K 200", 0},
		{0x800, RET, 0, 0x5fff0, "K 200 800", 0},
		{0x400, CALL, 0x800, 0x5fff0, "K", 0},
		{0x800, RET, 0, 0x8f00, "K 800", 0},
		{0x100010, RESUME, 0, 0, "F", 0}, /* within a change of threads */
		{0x20c, INDIRECT, 0, 0, "K 200", 0},
		{0x100010, RESUME, 0, 0, "F", 0}, /* within a jump */
		{0x500, RET, 0, 0x9000, "K 200", 0},
		{0x104, STEP, 0, 0, "K", 0},
		{.path = NULL},
	};

	runs(steps, true);
	runs(steps, false);
}

/* What a CPU runs before it has come to the kernel is firmware, whatever the others have begun. */
static void firmware_on_each_cpu(void **state)
{
	static const struct step steps[] = {
		{0x100000, INDIRECT, 0, 0, "F", 0},
		{0x100000, INDIRECT, 0, 0, "F", 1},
		{0x100, CALL, 0x200, 0x9000, "K", 0},
		{0x200000, STEP, 0, 0, "F", 1},
		{0x200, RET, 0, 0x9000, "K 200", 0},
		{0x200004, INDIRECT, 0, 0, "F", 1},
		{0x100, CALL, 0x200, 0x8000, "K", 1},
		{0x200, TRAP, 0, 0, "K 200", 1},
		{0x100000, RESUME, 0, 0, "F", 1},
		{0x204, RET, 0, 0x8000, "K 200", 1},
		{0x104, INDIRECT, 0, 0, "K", 1},
		{0x200000, STEP, 0, 0, "U", 1},
		{.path = NULL},
	};

	runs(steps, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_and_returns), cmocka_unit_test(again),
		cmocka_unit_test(by_pointer),
		cmocka_unit_test(long_calls), cmocka_unit_test(tail_calls),
		cmocka_unit_test(longjmp_and_noreturn), cmocka_unit_test(nested_interrupts),
		cmocka_unit_test(rest_of_a_block), cmocka_unit_test(interrupted_at_a_call),
		cmocka_unit_test(each_interrupted_at_a_return),
		cmocka_unit_test(fault_before_a_call), cmocka_unit_test(return_to_the_same_block),
		cmocka_unit_test(threads), cmocka_unit_test(threads_that_wait_alike),
		cmocka_unit_test(change_unseen), cmocka_unit_test(reused_stacks),
		cmocka_unit_test(threads_by_return_addresses),
		cmocka_unit_test(pushed_and_returned_to), cmocka_unit_test(firmware_in_between),
		cmocka_unit_test(firmware_on_each_cpu), cmocka_unit_test(firmware_called),
		cmocka_unit_test(handed_over),
	};

	return RUN(tests, NULL, NULL);
}
