/*
 * What user mode may not execute kills the program; strange processor states in
 * system calls do not harm the kernel.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

static int data[16] = { 1, 2, 3 };

#define INSTRUCTION(function, text) \
	static void function(uintptr_t unused) \
	{ \
		(void)unused; \
		__asm__ volatile(text : : "a"(0), "c"(0), "d"(0) : "memory"); \
	}

static int zero_bounds[2] __attribute__((used));
static char table_register[8] __attribute__((used));

INSTRUCTION(do_cli, "cli")
INSTRUCTION(do_sti, "sti")
INSTRUCTION(do_hlt, "hlt")
INSTRUCTION(do_in, "inb $0x60, %%al")
INSTRUCTION(do_in_dx, "inl %%dx, %%eax")
INSTRUCTION(do_out, "outb %%al, $0x80")
INSTRUCTION(do_mov_cr0, "movl %%cr0, %%eax")
INSTRUCTION(do_set_cr0, "movl %%eax, %%cr0")
INSTRUCTION(do_set_cr3, "movl %%eax, %%cr3")
INSTRUCTION(do_set_cr4, "movl %%eax, %%cr4")
INSTRUCTION(do_set_dr7, "movl %%eax, %%dr7")
INSTRUCTION(do_clts, "clts")
INSTRUCTION(do_invlpg, "invlpg 0x400000")
INSTRUCTION(do_wbinvd, "wbinvd")
INSTRUCTION(do_rdmsr, "movl $0x1b, %%ecx; rdmsr")
INSTRUCTION(do_wrmsr, "movl $0x1b, %%ecx; wrmsr")
INSTRUCTION(do_lgdt, "lgdt table_register")
INSTRUCTION(do_lidt, "lidt table_register")
INSTRUCTION(do_lldt, "lldt %%ax")
INSTRUCTION(do_ltr, "ltr %%ax")
INSTRUCTION(do_lmsw, "lmsw %%ax")
INSTRUCTION(do_sgdt, "sgdt table_register")
INSTRUCTION(do_sidt, "sidt table_register")
INSTRUCTION(do_str, "str %%ax")
INSTRUCTION(do_far_call, "lcall $0x08, $0xc0100000")
INSTRUCTION(do_far_jump, "ljmp $0x08, $0xc0100000")
INSTRUCTION(do_kernel_ds, "movl $0x10, %%eax; movl %%eax, %%ds")
INSTRUCTION(do_kernel_gs, "movl $0x28, %%eax; movl %%eax, %%gs")
INSTRUCTION(do_kernel_ss, "movl $0x10, %%eax; movl %%eax, %%ss")
INSTRUCTION(do_null_ss, "movl %%eax, %%ss")
INSTRUCTION(do_sysenter, "sysenter")
INSTRUCTION(do_int3, "int3")
INSTRUCTION(do_into, "movb $0x7f, %%al; incb %%al; into")
INSTRUCTION(do_bound, "movl $9, %%eax; boundl %%eax, zero_bounds")
INSTRUCTION(do_ud2, "ud2")
INSTRUCTION(do_divide, "divl %%ecx")
INSTRUCTION(do_idiv_overflow, "movl $0x80000000, %%eax; cltd; movl $-1, %%ecx; idivl %%ecx")
INSTRUCTION(do_iret_to_kernel, "pushf; pushl $0x08; pushl $0xc0100000; iret")
INSTRUCTION(do_ret_to_kernel, "pushl $0xc0100000; ret")
INSTRUCTION(do_nested_iret, "pushf; orl $0x4000, (%%esp); popf; "
			    "pushf; pushl %%cs; pushl $1f; iret; 1:")
INSTRUCTION(do_kernel_stack, "movl $0xc0200000, %%esp; pushl %%eax")
INSTRUCTION(do_null_stack, "xorl %%esp, %%esp; pushl %%eax")
INSTRUCTION(do_trap_flag, "pushf; orl $0x100, (%%esp); popf; nop; nop")
INSTRUCTION(do_iopl, "pushf; orl $0x3000, (%%esp); popf; cli")

/* Each instruction, with the signal that it kills a program by. */
static const struct {
	const char *name;
	void (*fn)(uintptr_t unused);
	int signal;
} instructions[] = {
	{ "cli", do_cli, SIGSEGV },
	{ "sti", do_sti, SIGSEGV },
	{ "hlt", do_hlt, SIGSEGV },
	{ "in", do_in, SIGSEGV },
	{ "in dx", do_in_dx, SIGSEGV },
	{ "out", do_out, SIGSEGV },
	{ "read cr0", do_mov_cr0, SIGSEGV },
	{ "write cr0", do_set_cr0, SIGSEGV },
	{ "write cr3", do_set_cr3, SIGSEGV },
	{ "write cr4", do_set_cr4, SIGSEGV },
	{ "write dr7", do_set_dr7, SIGSEGV },
	{ "clts", do_clts, SIGSEGV },
	{ "invlpg", do_invlpg, SIGSEGV },
	{ "wbinvd", do_wbinvd, SIGSEGV },
	{ "rdmsr", do_rdmsr, SIGSEGV },
	{ "wrmsr", do_wrmsr, SIGSEGV },
	{ "lgdt", do_lgdt, SIGSEGV },
	{ "lidt", do_lidt, SIGSEGV },
	{ "lldt", do_lldt, SIGSEGV },
	{ "ltr", do_ltr, SIGSEGV },
	{ "lmsw", do_lmsw, SIGSEGV },
	{ "far call", do_far_call, SIGSEGV },
	{ "far jump", do_far_jump, SIGSEGV },
	{ "kernel ds", do_kernel_ds, SIGSEGV },
	{ "kernel gs", do_kernel_gs, SIGSEGV },
	{ "kernel ss", do_kernel_ss, SIGSEGV },
	{ "null ss", do_null_ss, SIGSEGV },
	{ "sysenter", do_sysenter, SIGSEGV },
	{ "int3", do_int3, SIGTRAP },
	{ "into", do_into, SIGFPE },
	{ "bound", do_bound, SIGSEGV },
	{ "ud2", do_ud2, SIGILL },
	{ "division by zero", do_divide, SIGFPE },
	{ "division overflow", do_idiv_overflow, SIGFPE },
	{ "ret to the kernel", do_ret_to_kernel, SIGSEGV },
	{ "kernel stack", do_kernel_stack, SIGSEGV },
	{ "null stack", do_null_stack, SIGSEGV },
	{ "single step", do_trap_flag, SIGTRAP },
	{ "iopl", do_iopl, SIGSEGV },
};

static void forbidden_instructions(void)
{
	bool ok = true;

	for (size_t i = 0; i < nelem(instructions); i++) {
		int status = tap_status(instructions[i].fn, 0);

		if (status == instructions[i].signal)
			continue;
		dprintf(1, "# %s: status 0x%x\n", instructions[i].name, status);
		ok = false;
	}
	must(ok);
}

/*
 * With SMAP the page fault of an iret cannot be mended, and must not be tried for ever: QEMU reads
 * the frame with the kernel's rights, which SMAP forbids.
 */
static void returns_from_interrupts(void)
{
	must(tap_status(do_iret_to_kernel, 0) == SIGSEGV);
	must(tap_status(do_nested_iret, 0) == SIGSEGV);
}

static void table_addresses(void)
{
	if (!tap_cpu_has(7, 1, 2))
		tap_skip("this processor tells everybody where its tables are");
	must(tap_status(do_sgdt, 0) == SIGSEGV);
	must(tap_status(do_sidt, 0) == SIGSEGV);
	must(tap_status(do_str, 0) == SIGSEGV);
}

/* Four bytes for each vector: int $N, ret. */
__asm__(".pushsection .text\n"
	"interrupts:\n"
	".set vector, 0\n"
	".rept 256\n"
	"	.byte 0xcd, vector, 0xc3, 0xcc\n"
	"	.set vector, vector + 1\n"
	".endr\n"
	".popsection");
extern char interrupts[];

static void call_at(uintptr_t va)
{
	((void (*)(void))va)();
}

static void every_interrupt(void)
{
	for (unsigned v = 0; v < 256; v++) {
		int want = v == 3 ? SIGTRAP : v == 4 ? SIGFPE : SIGSEGV;

		if (v == 0x80)
			continue;
		int status = tap_status(call_at, (uintptr_t)interrupts + 4 * v);
		if (status != want)
			dprintf(1, "# int 0x%x: status 0x%x\n", v, status);
		must(status == want);
	}
}

/* ---- strange states in system calls */

/* Call getpid with these bits set in the flags, and clear them again. */
static int getpid_with_flags(uint32_t bits)
{
	int r;

	__asm__ volatile("pushf\n\t"
			 "orl %2, (%%esp)\n\t"
			 "popf\n\t"
			 "int $0x80\n\t"
			 "pushf\n\t"
			 "andl %3, (%%esp)\n\t"
			 "popf"
			 : "=a"(r)
			 : "a"(SYS_getpid), "r"(bits), "r"(~bits)
			 : "memory", "cc");
	return r;
}

static void do_nothing(uintptr_t unused)
{
	(void)unused;
}

static void odd_flags(void)
{
	static const uint32_t bits[] = { 0x400, 0x4000, 0x40000, 0x200000, 0x44400, 0x8d5 };

	for (size_t i = 0; i < nelem(bits); i++) {
		must(getpid_with_flags(bits[i]) == getpid());
		must(tap_status(do_nothing, 0) == 0);
	}
}

static void step_into_kernel(uintptr_t unused)
{
	(void)unused;
	getpid_with_flags(0x100);
}

static void single_step_into_kernel(void)
{
	must(tap_status(step_into_kernel, 0) == SIGTRAP);
}

/* Data are copied in the right order when the direction flag is set. */
static void backwards(void)
{
	int fd = open("file", O_RDWR | O_CREAT, 0644), r;
	static char out[3000], in[3000];

	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (char)(i * 7);
	__asm__ volatile("std; int $0x80; cld"
			 : "=a"(r)
			 : "a"(SYS_write), "b"(fd), "c"(out), "d"(sizeof(out))
			 : "memory");
	must(r == sizeof(out) && lseek(fd, 0, SEEK_SET) == 0);
	__asm__ volatile("std; int $0x80; cld"
			 : "=a"(r)
			 : "a"(SYS_read), "b"(fd), "c"(in), "d"(sizeof(in))
			 : "memory");
	must(r == sizeof(in) && memcmp(in, out, sizeof(in)) == 0);
}

/* A call reads memory with AC set: under SMAP the kernel must not rely on the flag. */
static void alignment_flag(void)
{
	int r, fd = open("file", O_RDWR | O_CREAT, 0644);

	__asm__ volatile("pushf; orl $0x40000, (%%esp); popf; int $0x80\n\t"
			 "pushf; andl $~0x40000, (%%esp); popf"
			 : "=a"(r)
			 : "a"(SYS_write), "b"(fd), "c"(data), "d"(64)
			 : "memory", "cc");
	must(r == 64);
}

/* Fork with null in every segment register that may hold it. */
static void null_segments(void)
{
	pid_t pid;

	__asm__ volatile("pushl %%ds; pushl %%es; pushl %%fs; pushl %%gs\n\t"
			 "xorl %%ecx, %%ecx\n\t"
			 "movl %%ecx, %%ds; movl %%ecx, %%es\n\t"
			 "movl %%ecx, %%fs; movl %%ecx, %%gs\n\t"
			 "int $0x80\n\t"
			 "popl %%gs; popl %%fs; popl %%es; popl %%ds"
			 : "=a"(pid)
			 : "a"(SYS_fork)
			 : "ecx", "memory", "cc");
	must(pid >= 0);
	if (pid == 0)
		_exit(0);
	tap_join(pid);
}

/* The kernel neither needs nor changes a program's registers. */
static void registers_stay(void)
{
	uint32_t b = 0x11111111, c = 0x22222222, d = 0x33333333, s = 0x44444444, t = 0x55555555;
	int r;

	__asm__ volatile("int $0x80"
			 : "=a"(r), "+b"(b), "+c"(c), "+d"(d), "+S"(s), "+D"(t)
			 : "0"(SYS_sched_yield)
			 : "memory");
	must(r == 0 && b == 0x11111111 && c == 0x22222222 && d == 0x33333333);
	must(s == 0x44444444 && t == 0x55555555);
}

static const struct tap_case cases[] = {
	{ "privileged instructions kill", forbidden_instructions },
	{ "B7: iret", returns_from_interrupts },
	{ "the processor's tables are not shown", table_addresses },
	{ "every interrupt number", every_interrupt },
	{ "system calls with odd flags", odd_flags },
	{ "a single step into the kernel", single_step_into_kernel },
	{ "system calls with the direction flag", backwards },
	{ "system calls with the alignment flag", alignment_flag },
	{ "system calls with null segments", null_segments },
	{ "system calls keep the registers", registers_stay },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
