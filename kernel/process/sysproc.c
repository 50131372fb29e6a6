/* The system calls on processes, memory and time; abi/syscall.h says what their arguments are. */
#include "kernel/process/syscall.h"
#include "kernel/abi/time.h"
#include "kernel/abi/signal.h"
#include "kernel/file/ns.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/time.h"
#include "kernel/memory/vm.h"
#include "kernel/process/args.h"
#include "kernel/process/proc.h"
#include "kernel/sched/sched.h"

int32_t sys_exit(const uint32_t arg[5])
{
	proc_exit((int)(arg[0] & 0xff) << 8);
}

int32_t sys_fork(const uint32_t[5])
{
	return proc_fork(proc_self()->tf, 0);
}

/* Fork, but the new process begins at the address arg[2] with the stack pointer arg[1]. */
int32_t sys_sproc(const uint32_t arg[5])
{
	struct trapframe tf = *proc_self()->tf;

	tf.esp = arg[1];
	tf.eip = arg[2];
	return proc_fork(&tf, arg[0]);
}

/* execve(path, argv, envp): returns only if it fails */
int32_t sys_execve(const uint32_t arg[5])
{
	struct args *a = args_new();

	if (!a)
		return -ENOMEM;
	int err = copyinstr(a->path, user_ptr(arg[0]), sizeof(a->path));
	if (err >= 0)
		err = args_in(a, arg[1], &a->argc);
	if (err >= 0)
		err = args_in(a, arg[2], &a->envc);
	if (err >= 0)
		err = exec(a, proc_self()->tf);
	args_free(a);
	return err;
}

int32_t sys_getpid(const uint32_t[5])
{
	return proc_self()->pid;
}

int32_t sys_getppid(const uint32_t[5])
{
	return __atomic_load_n(&proc_self()->ppid, __ATOMIC_RELAXED);
}

/* Send a signal: pid > 0 means that process, < -1 the group -pid, 0 the caller's group. */
int32_t sys_kill(const uint32_t arg[5])
{
	int pid = (int)arg[0];

	if (arg[1] >= NSIG || pid == -1 || pid == INT32_MIN)
		return -EINVAL;
	if (pid == 0)
		pid = -proc_self()->pgid;
	return proc_kill(pid, (int)arg[1]);
}

int32_t sys_getuid(const uint32_t[5])
{
	return proc_self()->uid;
}

/* Set the bits that new files of this process are without. Return those that were set. */
int32_t sys_umask(const uint32_t arg[5])
{
	uint32_t old = proc_self()->umask;

	proc_self()->umask = arg[0] & 0777;
	return (int32_t)old;
}

/*
 * Have another account pay for the calling process, its stack and its memory from now on. -EAGAIN
 * when that has as many processes as it may, -ENOMEM when it has too much memory.
 */
static int charge(struct proc *p, enum payer to)
{
	enum payer from = p->payer;

	if (!account_move(from, to, ACCOUNT_PROCESSES, 1))
		return -EAGAIN;
	bool stack = account_move(from, to, ACCOUNT_PAGES, KSTACK_PAGES);
	if (!stack || !vm_charge(p->vm, to)) {
		if (stack)
			account_move(to, from, ACCOUNT_PAGES, KSTACK_PAGES);
		account_move(to, from, ACCOUNT_PROCESSES, 1);
		return -ENOMEM;
	}
	p->payer = to;
	return 0;
}

/*
 * Change the user: only the host owner may, and there is no way back. What the new user binds does
 * not change what the others see.
 */
int32_t sys_setuid(const uint32_t arg[5])
{
	struct proc *p = proc_self();

	if (arg[0] > UID_NONE)
		return -EINVAL;
	if ((int)arg[0] == p->uid)
		return 0;
	if (p->uid != UID_EVE)
		return -EPERM;
	struct ns *own = ns_copy(p->ns);
	if (!own)
		return -ENOMEM;
	int err = charge(p, payer_of((int)arg[0]));
	if (err) {
		ns_put(own);
		return err;
	}
	ns_put(p->ns);
	p->ns = own;
	p->uid = (int)arg[0];
	return 0;
}

int32_t sys_brk(const uint32_t arg[5])
{
	return vm_brk(proc_self()->vm, arg[0]);
}

int32_t sys_nanosleep(const uint32_t arg[5])
{
	struct timespec ts;
	uint64_t deadline;

	if (copyin(&ts, user_ptr(arg[0]), sizeof(ts)) != 0)
		return -EFAULT;
	int err = time_after(ts.tv_sec, ts.tv_nsec, 1000000000, &deadline);
	return err ? err : sleep_until(deadline);
}

/* Convert nanoseconds to the unit of struct tms. */
static uint32_t clock_unit(uint64_t ns)
{
	return (uint32_t)(ns / (1000000000u / CLK_TCK));
}

int32_t sys_times(const uint32_t arg[5])
{
	struct proc *p = proc_self();
	uint64_t system = proc_spent(&p->cputime) - p->utime;
	struct tms t = {clock_unit(time_cycles(p->utime)), clock_unit(time_cycles(system)),
			 clock_unit(time_cycles(p->cutime)), clock_unit(time_cycles(p->cstime))};

	if (copyout_wanted(user_ptr(arg[0]), &t, sizeof(t)) != 0)
		return -EFAULT;
	return (int32_t)(clock_unit(time_ns()) & INT32_MAX);
}

int32_t sys_sched_yield(const uint32_t[5])
{
	sched_yield();
	return 0;
}
