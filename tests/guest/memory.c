/*
 * Memory: what a program may not touch kills it and nobody else; copies on write;
 * the break; what happens when there is no more.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define PAGE 4096
#define KERNEL_TEXT 0xc0100000u
#define STACK_TOP 0xbffff000u

static const int constant[2048] = { 1, 2, 3 };
static int data[2048] = { 1, 2, 3 };
static char zeros[5 * PAGE];

static void need_nx(void)
{
	if (!tap_cpu_has(0x80000001, 2, 20))
		tap_skip("this processor executes what it can read");
}

/* ---- what a program may not touch */

static void read_at(uintptr_t va)
{
	(void)*(volatile char *)va;
}

static void write_at(uintptr_t va)
{
	*(volatile char *)va = 1;
}

static void call_at(uintptr_t va)
{
	((void (*)(void))va)();
}

static const uintptr_t not_mine[] = {
	0, 4, PAGE - 1, PAGE, 0x3fffff, 0x10000000, 0x80000000, 0xbf7fe000,
	STACK_TOP, 0xbfffffff, 0xc0000000, KERNEL_TEXT, 0xc0200000, 0xe0000000, 0xfee00000,
	0xfffff000, 0xffffffff,
};

/* Check that each address kills the process that does this to it, and no other. */
static void each_kills(void (*fn)(uintptr_t va))
{
	for (size_t i = 0; i < nelem(not_mine); i++) {
		int status = tap_status(fn, not_mine[i]);

		if (status != SIGSEGV)
			dprintf(1, "# %08x: status 0x%x\n", (unsigned)not_mine[i], status);
		must(status == SIGSEGV);
	}
}

static void reads(void)
{
	each_kills(read_at);
}

static void writes(void)
{
	each_kills(write_at);
}

static void jumps(void)
{
	each_kills(call_at);
}

static void write_text(void)
{
	must(tap_status(write_at, (uintptr_t)write_text) == SIGSEGV);
	must(tap_status(read_at, (uintptr_t)write_text) == 0);
}

static void write_constant(void)
{
	must(tap_status(write_at, (uintptr_t)constant) == SIGSEGV);
	must(tap_status(write_at, (uintptr_t)&constant[2047]) == SIGSEGV);
	must(tap_status(write_at, (uintptr_t)data) == 0);
}

static void call_return(uintptr_t va)
{
	*(volatile uint8_t *)va = 0xc3; /* ret */
	call_at(va);
}

static void call_stack(uintptr_t unused)
{
	uint8_t code[16];

	(void)unused;
	call_return((uintptr_t)code);
}

static void execute_data(void)
{
	need_nx();
	must(tap_status(call_return, (uintptr_t)data) == SIGSEGV);
	must(tap_status(call_return, (uintptr_t)zeros) == SIGSEGV);
	must(tap_status(call_return, (uintptr_t)malloc(16)) == SIGSEGV);
}

static void execute_stack(void)
{
	need_nx();
	must(tap_status(call_stack, 0) == SIGSEGV);
}

static void execute_constants(void)
{
	need_nx();
	must(tap_status(call_at, (uintptr_t)constant) == SIGSEGV);
}

static void fresh_memory_is_zero(void)
{
	for (size_t i = 0; i < sizeof(zeros); i++)
		must(zeros[i] == 0);
}

/* ---- copies on write */

enum { NCOW = 64 };

static bool all_are(const volatile char *p, char c)
{
	for (size_t i = 0; i < NCOW * PAGE; i += 64)
		if (p[i] != c)
			return false;
	return true;
}

static void child_and_parent(void)
{
	char *p = malloc(NCOW * PAGE);
	pid_t pid;
	int fd[2];
	char c;

	must(p != NULL && pipe(fd) == 0);
	memset(p, 'a', NCOW * PAGE);
	pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		must(read(fd[0], &c, 1) == 1); /* the parent has written */
		must(all_are(p, 'a'));
		memset(p, 'b', NCOW * PAGE);
		must(all_are(p, 'b'));
		_exit(0);
	}
	memset(p, 'c', NCOW * PAGE);
	must(write(fd[1], "x", 1) == 1);
	tap_join(pid);
	must(all_are(p, 'c'));
}

/* What the kernel writes into one process does not show in the other. */
static void kernel_writes(uintptr_t p)
{
	int fd = open("#c/zero", O_RDONLY);

	must(read(fd, (void *)p, NCOW * PAGE) > 0);
	must(((char *)p)[100] == 0);
	must(stat("/", (struct stat *)(p + PAGE)) == 0);
}

static void copies_for_the_kernel(void)
{
	char *p = malloc(NCOW * PAGE);

	memset(p, 'a', NCOW * PAGE);
	must(tap_status(kernel_writes, (uintptr_t)p) == 0);
	must(all_are(p, 'a'));
	memset(p, 'b', NCOW * PAGE);
	must(all_are(p, 'b'));
}

static void grandchild(uintptr_t p)
{
	must(tap_status(write_at, p) == 0);
	must(*(char *)p == 'a');
	*(char *)p = 'b';
	must(tap_status(write_at, p) == 0);
	must(*(char *)p == 'b');
}

static void generations(void)
{
	char *p = malloc(PAGE);

	*p = 'a';
	must(tap_status(grandchild, (uintptr_t)p) == 0);
	must(*p == 'a');
}

/* ---- the break */

static void break_moves(void)
{
	char *start = sbrk(0);

	must(sbrk(1) == start && sbrk(0) == start + 1);
	must(brk(start) == 0 && sbrk(0) == start);
	must_fail(brk((void *)0xb0000000), ENOMEM); /* more than all of the memory */
	must(sbrk(0) == start);
	must(sbrk(10 * PAGE) == start);
	for (size_t i = 0; i < 10 * PAGE; i++)
		must(start[i] == 0);
	memset(start, 'x', 10 * PAGE);
	must(sbrk(-10 * PAGE) == start + 10 * PAGE && sbrk(0) == start);
}

static void touch_above_break(uintptr_t unused)
{
	(void)unused;
	write_at((uintptr_t)sbrk(0) + PAGE);
}

static void break_takes_away(void)
{
	char *start = sbrk(8 * PAGE);

	memset(start, 'x', 8 * PAGE);
	must(sbrk(-6 * PAGE) != (void *)-1);
	must(tap_status(touch_above_break, 0) == SIGSEGV);
	must(start[PAGE] == 'x');
	must(sbrk(6 * PAGE) != (void *)-1);
	for (size_t i = 3 * PAGE; i < 7 * PAGE; i++)
		must(start[i] == 0);
}

/* Raise the break by some megabytes, touch them, and lower it again. */
static void up_and_down(uintptr_t megabytes)
{
	intptr_t size = (intptr_t)(megabytes << 20);
	char *p = sbrk(size);

	must(p != (void *)-1);
	for (intptr_t i = 0; i < size; i += PAGE)
		p[i] = 1;
	must(sbrk(-size) != (void *)-1);
}

static void break_does_not_leak(void)
{
	size_t before = 0;

	for (int i = 0; i < 10; i++) {
		if (i == 2)
			before = tap_memory_left();
		must(tap_status(up_and_down, 5) == 0);
	}
	must(tap_memory_back(before, 2));
}

static void break_refusals(void)
{
	void *start = sbrk(0);

	must_fail(brk((void *)PAGE), ENOMEM);
	must_fail(brk((void *)0x400000), ENOMEM);
	must_fail(brk((void *)STACK_TOP), ENOMEM);
	must_fail(brk((void *)0xc0000000), ENOMEM);
	must_fail(brk((void *)0xffffffff), ENOMEM);
	must(sbrk(0x7fffffff) == (void *)-1 && errno == ENOMEM);
	must(sbrk(0) == start);
}

#define MB ((size_t)1 << 20)

/* Allocate blocks of a megabyte until there are no more; return how many there were. */
static size_t eat(void)
{
	size_t n = 0;

	for (char *p; (p = malloc(MB)) != NULL; n++)
		memset(p, 'x', MB);
	must(errno == ENOMEM);
	return n;
}

static void eat_in_child(uintptr_t at_least)
{
	must(eat() >= at_least);
}

/* Running out of memory is an error, and all memory comes back. */
static void out_of_memory(void)
{
	size_t before, n = 0;

	must(tap_status(eat_in_child, 1) == 0);
	before = tap_memory_left();
	n = before * PAGE / (MB + MB / 16); /* malloc asks for whole sixteenths */
	must(tap_status(eat_in_child, n > 2 ? n - 2 : 1) == 0);
	must(tap_memory_back(before, 8));
}

/* Take as much as can be had, share it with a child, and write every page on both sides. */
static void take_all(uintptr_t bytes)
{
	char *p = sbrk((intptr_t)bytes);
	pid_t pid;

	must(p != (void *)-1);
	pid = fork();
	for (size_t i = 0; i < bytes; i += PAGE)
		p[i] = 1;
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		tap_join(pid);
	must(pid > 0 || errno == ENOMEM);
}

/* B6: Whoever was promised memory has it: fork fails, or parent and child can write all of it. */
static void promised(void)
{
	size_t before = tap_memory_left();

	for (size_t n = before - 64; n > 64; n = n * 3 / 4)
		must(tap_status(take_all, n * PAGE) == 0);
	must(tap_memory_back(before, 8));
}

/* Ask for a little memory again and again, without touching it, until there is no more. */
static void promises(uintptr_t least)
{
	size_t n = 0;

	while (sbrk(16 * PAGE) != (void *)-1)
		n += 16;
	must(errno == ENOMEM && n >= least);
	for (char *p = (char *)sbrk(0) - n * PAGE; p < (char *)sbrk(0); p += PAGE)
		*p = 1;
}

/* B6: The same in small steps. */
static void promised_in_steps(void)
{
	size_t before = tap_memory_left();

	must(tap_status(promises, before - 128) == 0);
	must(tap_memory_back(before, 8));
}

/* Fork with a stack of which the top and a page far below are there, and no page tables between. */
static void stack_with_a_gap_is_forked(void)
{
	volatile char *far = (char *)(0xbffff000u - (4300u << 10));
	pid_t pid;

	*far = 2;
	pid = fork();
	if (pid < 0)
		tap_skip("too little memory");
	if (pid == 0)
		_exit(*far == 2 && far[2 << 20] == 0 ? 0 : 1);
	tap_join(pid);
	must(far[2 << 20] == 0 && *far == 2);
}

static const struct tap_case cases[] = {
	{ "reading outside our memory kills", reads },
	{ "writing outside our memory kills", writes },
	{ "jumping outside our memory kills", jumps },
	{ "text cannot be written", write_text },
	{ "constants cannot be written", write_constant },
	{ "data cannot be executed", execute_data },
	{ "the stack cannot be executed", execute_stack },
	{ "constants cannot be executed", execute_constants },
	{ "fresh memory is zero", fresh_memory_is_zero },
	{ "copy on write: child and parent", child_and_parent },
	{ "copy on write: writes by the kernel", copies_for_the_kernel },
	{ "copy on write: generations", generations },
	{ "the break moves", break_moves },
	{ "lowering the break takes memory away", break_takes_away },
	{ "moving the break leaks no memory", break_does_not_leak },
	{ "what the break refuses", break_refusals },
	{ "malloc until memory runs out", out_of_memory },
	{ "B1: a stack without tables in its middle is forked", stack_with_a_gap_is_forked },
	{ "B6: what fork was promised can be written", promised },
	{ "B6: what brk promised in steps can be written", promised_in_steps },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
