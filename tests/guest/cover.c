/* Coverage by prof(3): every instruction, exactly. P3, P5, P10. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

#define EFL_TF 0x100u

/*
 * void loop(int n): entry 1, again n and n, done 1. calls: n system calls. strings: a
 * repeated instruction that goes 100 rounds, one that goes none, and one that goes one.
 */
void loop(int n);
void calls(int n);
void strings(char *to);
void own_flags(int n, unsigned set, unsigned clear);
extern char again[], done[], call[], many[], no_round[], one_round[], flags_loop[];
__asm__(".text\n"
	".globl loop, again, done, calls, call, strings, many, no_round, one_round\n"
	".globl own_flags, flags_loop\n"
	"loop:	mov	4(%esp), %ecx\n"
	"again:	dec	%ecx\n"
	"	jnz	again\n"
	"done:	ret\n"
	"calls:	push	%ebx\n"
	"	mov	8(%esp), %ebx\n"
	"1:	mov	getpid_number, %eax\n"
	"call:	int	$0x80\n"
	"	dec	%ebx\n"
	"	jnz	1b\n"
	"	pop	%ebx\n"
	"	ret\n"
	"strings: push	%edi\n"
	"	mov	8(%esp), %edi\n"
	"	xor	%eax, %eax\n"
	"	mov	$100, %ecx\n"
	"many:	rep stosb\n"
	"no_round: rep stosb\n"
	"	mov	$1, %ecx\n"
	"one_round: rep stosb\n"
	"	pop	%edi\n"
	"	ret\n"
	/* Each round loads flags, with some bits set and some cleared. */
	"own_flags: mov	4(%esp), %ecx\n"
	"flags_loop: pushf\n"
	"	mov	8+4(%esp), %eax\n"
	"	or	%eax, (%esp)\n"
	"	mov	12+4(%esp), %eax\n"
	"	not	%eax\n"
	"	and	%eax, (%esp)\n"
	"	popf\n"
	"	dec	%ecx\n"
	"	jnz	flags_loop\n"
	"	ret\n");

const int getpid_number __attribute__((used)) = 5;

/* Return the count of the instruction at pc in the only module, or of all if pc is NULL. */
static uint64_t count(const void *pc)
{
	uint32_t at = (uint32_t)(uintptr_t)pc - TEXT;

	return pc ? modules_sum(NULL, "hist", at, at + 1) :
		    modules_sum(NULL, "hist", 0, UINT32_MAX);
}

static void begin(void)
{
	must(ctl("end") == 0 && ctl("module cover") == 0 && ctl("startcp") == 0);
}

static void P3_a_loop_of_n_shows_n(void)
{
	begin();
	loop(1234);
	loop(1);
	must(ctl("stop") == 0);
	must(count(loop) == 2);
	must(count(again) == 1235 && count(again + 1) == 1235);
	must(count(done) == 2);
	must(ctl("end") == 0);
}

static void P3_system_calls_count(void)
{
	begin();
	calls(57);
	must(ctl("stop") == 0);
	must(count(calls) == 1 && count(call) == 57 && count(call + 2) == 57);
	must(ctl("end") == 0);
}

/* However many rounds it makes, even none, it counts as one instruction. */
static void P3_a_repeated_instruction_is_one(void)
{
	char to[128];

	begin();
	strings(to);
	must(ctl("stop") == 0);
	must(count(many) == 1 && count(no_round) == 1 && count(one_round) == 1);
	must(ctl("end") == 0);
}

/* Page faults, time slices and ticks come in between, and change nothing. */
static void P3_interrupts_do_not_count(void)
{
	char *fresh = malloc(200 * 4096);

	must(fresh != NULL);
	begin();
	for (int i = 0; i < 200; i++) {
		*(volatile char *)(fresh + i * 4096) = 1;
		loop(100);
	}
	must(ctl("stop") == 0);
	must(count(loop) == 200 && count(again) == 20000 && count(done) == 200);
	must(ctl("end") == 0);
	free(fresh);
}

/* Nor do samples of other profilers, at whatever instruction of a step they come. */
static void P3_samples_do_not_count(void)
{
	begin();
	must(kpctl("hz 20000") == 0 && kpctl("start") == 0);
	for (int i = 0; i < 300; i++)
		loop(300);
	must(kpctl("stop") == 0 && kpctl("hz 1000") == 0);
	must(ctl("stop") == 0);
	must(count(loop) == 300 && count(again) == 90000 && count(done) == 300);
	must(ctl("end") == 0);
}

static void P3_own_flags_change_nothing(void)
{
	begin();
	own_flags(100, 0, EFL_TF);
	own_flags(100, EFL_TF, 0);
	own_flags(100, 0, 0);
	must(ctl("stop") == 0);
	must(count(flags_loop) == 300);
	must(ctl("end") == 0);
}

/* Flags are saved while the process is covered and loaded after that has ended. */
static void P3_saved_flags_do_no_harm(void)
{
	unsigned flags;

	begin();
	__asm__ volatile("pushf; pop %0" : "=r"(flags));
	must(ctl("stop") == 0);
	uint64_t n = count(loop);
	for (int i = 0; i < 3; i++)
		__asm__ volatile("push %0; popf" : : "r"(flags | EFL_TF) : "cc");
	loop(10);
	must(count(loop) == n);
	must(ctl("end") == 0);
}

static void set_tf(uintptr_t arg)
{
	(void)arg;
	own_flags(3, EFL_TF, 0);
}

/* Setting TF still kills a program that was never covered: this must be the first case. */
static void P3_tf_is_a_trap_elsewhere(void)
{
	int status = tap_status(set_tf, 0);

	must(WIFSIGNALED(status) && WTERMSIG(status) == SIGTRAP);
}

static void loop_100(uintptr_t unused)
{
	(void)unused;
	loop(100);
}

static void P3_children_count_too(void)
{
	begin();
	tap_together(3, loop_100);
	loop(100);
	must(ctl("stop") == 0);
	must(count(loop) == 4 && count(again) == 400);
	must(ctl("end") == 0);
}

static void loop_arg(void *n)
{
	loop((int)(intptr_t)n);
}

static void P3_threads_count_too(void)
{
	pid_t pid[4];

	begin();
	for (int i = 0; i < 4; i++)
		pid[i] = sproc(loop_arg, PR_SALL, (void *)500);
	for (int i = 0; i < 4; i++)
		tap_join(pid[i]);
	must(ctl("stop") == 0);
	must(count(loop) == 4 && count(again) == 2000);
	must(ctl("end") == 0);
}

/* A program is counted from its first instruction on. */
static void P3_exec_from_the_first_instruction(void)
{
	must(ctl("end") == 0 && ctl("module true") == 0 && ctl("startcp") == 0);
	tap_program((char *[]){"/bin/true", NULL});
	must(ctl("stop") == 0);
	must(count((void *)TEXT) == 1);
	uint64_t n = count(NULL);
	must(n > 10 && n < 10000);
	must(ctl("end") == 0);
}

/* A covered process that runs another program is no longer covered. */
static void P3_exec_leaves_the_mode(void)
{
	begin();
	pid_t pid = fork();
	if (pid == 0) {
		loop(10);
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	tap_join(pid);
	must(ctl("stop") == 0);
	must(count(again) == 10);
	must(ctl("end") == 0);
}

static void P3_one_process_alone(void)
{
	char words[32];
	int go[2];
	char c;

	must(ctl("end") == 0 && ctl("module cover") == 0 && pipe(go) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		read(go[0], &c, 1);
		loop(77);
		pid_t own = fork();
		if (own == 0) {
			loop(23);
			_exit(0);
		}
		waitpid(own, NULL, 0);
		_exit(0);
	}
	snprintf(words, sizeof(words), "startcp %d", (int)pid);
	must(ctl(words) == 0);
	loop(1000);
	must(write(go[1], "x", 1) == 1);
	tap_join(pid);
	must(ctl("stop") == 0);
	must(count(again) == 100);
	must(ctl("end") == 0);
	must_fail(ctl("startcp 999999"), ESRCH);
	must_fail(ctl("startcp 0"), EINVAL);
	must_fail(ctl("startcp x"), EINVAL);
}

static void P5_kill_and_stop_in_the_middle(void)
{
	int status;

	for (int i = 0; i < 20; i++) {
		begin();
		pid_t pid = fork();
		if (pid == 0)
			for (;;)
				loop(10);
		tap_sleep(i % 4);
		if (i % 2)
			must(ctl(i % 3 ? "stop" : "end") == 0);
		kill(pid, SIGKILL);
		must(waitpid(pid, &status, 0) == pid);
		must(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	}
	must(ctl("end") == 0);
}

/* A process works on unharmed while coverage is switched on and off. */
static void P5_start_and_stop_do_no_harm(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		for (volatile int i = 0; i < 3000000; i++)
			;
		_exit(0);
	}
	for (int i = 0; i < 30; i++) {
		begin();
		tap_sleep(1);
		must(ctl("stop") == 0);
		uint64_t n = count(NULL);
		tap_sleep(1);
		must(count(NULL) == n);
	}
	must(ctl("end") == 0);
	tap_join(pid);
}

static void P10_kinds_exclude_each_other(void)
{
	begin();
	must_fail(ctl("start"), EBUSY);
	must_fail(ctl("startcp"), EBUSY);
	loop(10);
	must(ctl("stop") == 0 && count(again) == 10);
	must(ctl("start") == 0);
	must_fail(ctl("startcp"), EBUSY);
	must(ctl("stop") == 0);
	must(ctl("startcp") == 0);
	loop(5);
	must(ctl("stop") == 0);
	must(count(again) == 5);
	must(ctl("end") == 0);
}

static const struct tap_case cases[] = {
	{"P3 without coverage TF is a trap", P3_tf_is_a_trap_elsewhere},
	{"P3 a loop of n rounds shows n", P3_a_loop_of_n_shows_n},
	{"P3 system calls count", P3_system_calls_count},
	{"P3 a repeated string instruction counts once", P3_a_repeated_instruction_is_one},
	{"P3 faults and interrupts do not count", P3_interrupts_do_not_count},
	{"P3 samples of other profilers do not count", P3_samples_do_not_count},
	{"P3 a program that sets its flags changes nothing", P3_own_flags_change_nothing},
	{"P3 flags saved under coverage do no harm later", P3_saved_flags_do_no_harm},
	{"P3 children count too", P3_children_count_too},
	{"P3 threads count too", P3_threads_count_too},
	{"P3 a program counts from its first instruction", P3_exec_from_the_first_instruction},
	{"P3 exec ends coverage of a process", P3_exec_leaves_the_mode},
	{"P3 one process and its children alone", P3_one_process_alone},
	{"P5 kill and stop in the middle", P5_kill_and_stop_in_the_middle},
	{"P5 start and stop do no harm", P5_start_and_stop_do_no_harm},
	{"P10 the kinds of profiling exclude each other", P10_kinds_exclude_each_other},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
