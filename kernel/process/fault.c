/*
 * What traps of programs lead to: system calls, page faults, and signals for what a program must
 * not do. The same in the kernel is the end of it.
 */
#include "kernel/process/fault.h"
#include "kernel/process/signal.h"
#include "kernel/machine/trap.h"
#include "kernel/memory/page.h"
#include "kernel/memory/vm.h"
#include "kernel/process/syscall.h"
#include "kernel/sched/fpu.h"
#include "kernel/sched/sched.h"

/* An exception's name and the signal that stands for it. */
static const struct {
	const char *name;
	int signal;
} exceptions[32] = {
	[0] = {"divide error", SIGFPE},
	[1] = {"debug trap", SIGTRAP},
	[3] = {"breakpoint", SIGTRAP},
	[4] = {"overflow", SIGFPE},
	[5] = {"bound exceeded", SIGSEGV},
	[6] = {"invalid instruction", SIGILL},
	[7] = {"floating point (there is none)", SIGFPE},
	[10] = {"invalid task", SIGSEGV},
	[11] = {"segment not present", SIGSEGV},
	[12] = {"stack segment fault", SIGSEGV},
	[13] = {"protection fault", SIGSEGV},
	[14] = {"page fault", SIGSEGV},
	[16] = {"floating point error", SIGFPE},
	[17] = {"misaligned access", SIGBUS},
	[18] = {"machine check", SIGKILL},
	[19] = {"vector floating point error", SIGFPE},
};

void fault_end(int sig, const char *what)
{
	const struct proc *p = proc_self();
	void (*print)(const char *fmt, ...) = print_limited;

	if (is_eve())
		print = printk;
	print("%s (%d): %s at %08x\n", p->name, p->pid, what, p->tf->eip);
	proc_exit(sig);
}

/* Say where the kernel went wrong, and stop; or have the program get the signal, or end it. */
static void fault(struct trapframe *tf, int sig, const char *what)
{
	struct proc *p = proc_self();

	if (!tf_user(tf))
		trap_fatal(tf, what);
	if (p->caught & ~p->blocked & SIGNAL_BIT(sig)) {
		sched_signal(p, sig);
		return;
	}
	irq_on();
	fault_end(sig, what);
}

static void exception(struct trapframe *tf)
{
	const char *name = exceptions[tf->vector].name;
	char what[48];

	if (name) {
		fault(tf, exceptions[tf->vector].signal, name);
		return;
	}
	snprintf(what, sizeof(what), "exception %u", tf->vector);
	fault(tf, SIGILL, what);
}

/* Give the program its floating point, or end it if it cannot have any. */
static void floating_point(struct trapframe *tf)
{
	int err = -ENOSYS;

	if (tf_user(tf))
		err = fpu_use();
	if (err == -ENOMEM)
		fault(tf, SIGSEGV, "floating point: out of memory");
	else if (err)
		exception(tf);
}

/* Return whether a program, or a copy for it, touched an address that may be the program's. */
static inline bool fault_at_user(const struct trapframe *tf, uint32_t va, bool copying)
{
	if (va >= KERNBASE)
		return false;
	if (tf_user(tf))
		return tf->error & PF_USER;
	return copying;
}

/* What messages call an access that needs a right. */
static const char *const access[] = {[VM_R] = "read", [VM_W] = "write", [VM_X] = "execution"};

/* Bring in a user page, or fail the copy that touched a bad address, or end the program. */
static void page_fault(struct trapframe *tf)
{
	uint32_t va = read_cr2();
	struct vm *vm = cpu_self()->vm;
	bool copying = in_range(tf->eip, user_copy_sites.stac, user_copy_sites.clac);
	const char *why = "not allowed";
	char what[64];

	cpu_self()->faults++;
	if (vm && fault_at_user(tf, va, copying)) {
		int err = page_resolve(vm, va, tf->error);
		if (err == 0)
			return;
		if (err == -ENOMEM)
			why = "out of memory";
	}
	if (copying && va < KERNBASE) {
		tf->eip = user_copy_sites.failed;
		return;
	}
	snprintf(what, sizeof(what), "%s of %08x: %s", access[page_access(tf->error)], va, why);
	fault(tf, SIGSEGV, what);
}

/* Take the vectors that programs cause, and what is to be done before one goes on. */
void fault_init(void)
{
	for (unsigned v = 0; v < nelem(exceptions); v++)
		if (v != VEC_NMI)
			trap_set(v, exception);
	trap_set(VEC_NM, floating_point);
	trap_set(VEC_PF, page_fault);
	trap_set(VEC_SYSCALL, syscall);
	trap_leave(sched_resched, signal_deliver);
}
