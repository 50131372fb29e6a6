/*
 * Signals that come to a process. A handler is entered on the way to user mode, with a frame on the
 * user's stack that sigreturn(2) takes back. Nothing in a frame is trusted: a forged one changes
 * what the program could change anyway. The library knows which function a signal's handler is.
 */
#include "kernel/process/signal.h"
#include "kernel/abi/syscall.h"
#include "kernel/abi/wait.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/time.h"
#include "kernel/memory/heap.h"
#include "kernel/process/fault.h"
#include "kernel/process/syscall.h"
#include "kernel/sched/fpu.h"

#define UNBLOCKABLE (SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP))
#define USER_EFLAGS 0xcd5u /* carry, parity, adjust, zero, sign, direction, overflow */
#define INT_SIZE 2u	   /* bytes of the instruction int 0x80 */

/* Calls that every handler ends, and sigreturn(2), whose result is another's. */
#define NOT_RESTARTED (1ull << SYS_nanosleep | 1ull << SYS_select | 1ull << SYS_sigsuspend | \
		       1ull << SYS_sigreturn)

/*
 * What a handler finds at its stack pointer. A path of calls leads from its frame by tf.ebp and the
 * word after that, to which tf.eip is copied, to the function that was interrupted.
 */
struct sigframe {
	uint32_t sig;
	uint32_t blocked; /* set: what was blocked before */
	uint32_t floats;  /* whether floating point follows: struct fpu */
	struct trapframe tf;
};
_Static_assert(offsetof(struct trapframe, oesp) == offsetof(struct trapframe, ebp) + 4, "a link");

static struct spinlock alarm_lock = {.name = "alarm"};
static struct skiplist alarms; /* alarm_lock; by time */

int signal_send(struct proc *p, int sig, int uid)
{
	if (p->state == PROC_ZOMBIE)
		return -ESRCH;
	if (uid != UID_EVE && uid != p->uid)
		return -EPERM;
	if (sig == 0)
		return 0;
	if (p->pid == 1)
		return -EPERM;
	if (!p->vm)
		return 0;
	if (sig == SIGCONT)
		sched_forget(p, SIGNALS_STOP);
	else if (SIGNAL_BIT(sig) & SIGNALS_STOP)
		sched_forget(p, SIGNAL_BIT(SIGCONT) & ~p->stopped); /* it may be on its way */
	sched_signal(p, sig);
	return 0;
}

/* Have p have a struct signals. False: no memory. */
static bool signals_make(struct proc *p)
{
	if (!p->signals)
		p->signals = kzalloc(sizeof(*p->signals));
	return p->signals;
}

bool signal_fork(struct proc *child)
{
	const struct proc *p = proc_self();

	child->ignored = p->ignored;
	child->blocked = p->blocked;
	child->caught = p->caught;
	if (!p->signals)
		return true;
	if (!signals_make(child))
		return false;
	*child->signals = *p->signals;
	child->signals->alarm.key = 0;
	return true;
}

void signal_exec(void)
{
	struct proc *p = proc_self();

	p->caught = 0;
	if (p->signals)
		p->signals->size = 0;
}

/* Return whether the stack pointer is in the stack for handlers. */
static bool signal_on_stack(const struct signals *s, uint32_t esp)
{
	return esp - s->base - 1 < s->size;
}

/* Return whether a signal has ended a system call. */
static bool signal_ended_call(const struct trapframe *tf)
{
	return tf->vector == VEC_SYSCALL && tf->eax == (uint32_t)-EINTR;
}

/* Have tf make the system call again that a signal has ended, if it is one to be restarted. */
static void signal_restart(struct trapframe *tf)
{
	if (!signal_ended_call(tf))
		return;
	if (NOT_RESTARTED >> tf->error & 1)
		return;
	tf->eax = tf->error; /* the call's number: syscall() */
	tf->eip -= INT_SIZE;
}

/* Put a frame on the user's stack, and have tf enter a handler. -EFAULT: it has no room. */
static int signal_enter(struct proc *p, struct trapframe *tf, uint32_t sig, uint32_t blocked)
{
	const struct signals *s = p->signals;
	struct sigframe f = {sig, blocked, p->fpu != NULL, *tf};
	uint32_t esp = tf->esp;

	if (s->flags[sig] & SA_ONSTACK && s->size && !signal_on_stack(s, esp))
		esp = s->base + s->size;
	if (f.floats)
		esp -= sizeof(struct fpu);
	esp = ((esp - sizeof(f)) & ~15u) - 12; /* the argument is at a multiple of 16 */
	f.tf.oesp = f.tf.eip;
	int err = copyout(user_ptr(esp), &f, sizeof(f));
	if (!err && f.floats)
		err = fpu_out(user_ptr(esp + sizeof(f)));
	tf->eip = s->entry;
	tf->esp = esp;
	tf->ebp = esp + offsetof(struct sigframe, tf.ebp);
	tf->eax = 0;
	tf->eflags &= ~USER_EFLAGS;
	return err;
}

/*
 * The calling process stops for a signal, unless SIGCONT has come since and made it be forgotten.
 * From when it says that it is stopped, whoever sends SIGCONT makes that pending. What was
 * interrupted goes on afterwards.
 */
static void signal_stop(struct proc *p, uint32_t sig)
{
	uint32_t blocked = p->blocked;
	uint64_t deadline = p->deadline;

	p->stopped = SIGNAL_BIT(SIGCONT);
	if (sched_forget(p, SIGNAL_BIT(sig))) {
		p->blocked = ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGCONT));
		proc_stopped(WSTOPPED_WORD((int)sig));
		while (!(p->pending & ~p->blocked))
			sleep_until(NEVER);
		proc_stopped(0);
		p->blocked = blocked;
	}
	p->stopped = 0;
	sched_forget(p, p->ignored & SIGNAL_BIT(SIGCONT));
	if (signal_ended_call(p->tf) && p->tf->error == SYS_nanosleep)
		p->tf->eax = (uint32_t)sleep_until(deadline);
	signal_restart(p->tf);
}

/*
 * Do what the calling process wants done about a signal; what is blocked then is given. One that is
 * not caught ends it, or stops it.
 */
static void signal_act(struct proc *p, uint32_t sig, uint32_t blocked)
{
	if (!(p->caught & SIGNAL_BIT(sig))) {
		if (!(SIGNAL_BIT(sig) & SIGNALS_STOP))
			proc_exit((int)sig);
		signal_stop(p, sig);
		return;
	}
	sched_forget(p, SIGNAL_BIT(sig));
	if (p->signals->flags[sig] & SA_RESTART)
		signal_restart(p->tf);
	if (signal_enter(p, p->tf, sig, blocked) != 0)
		fault_end(SIGSEGV, "no room on the stack for a signal");
	p->blocked |= p->signals->mask[sig] & ~UNBLOCKABLE;
}

void signal_deliver(void)
{
	struct proc *p = proc_self();
	uint32_t due;

	while ((due = p->pending & ~p->blocked) != 0)
		signal_act(p, (uint32_t)__builtin_ctz(due), p->blocked);
}

/* (): a handler is over, and its frame is at the stack pointer; what it interrupted goes on */
int32_t sys_sigreturn(const uint32_t[5])
{
	struct proc *p = proc_self();
	struct trapframe *tf = p->tf;
	struct sigframe f;

	int err = copyin(&f, user_ptr(tf->esp), sizeof(f));
	if (!err && f.floats)
		err = fpu_in(user_ptr(tf->esp + sizeof(f)));
	else
		fpu_reset();
	if (err)
		fault_end(SIGSEGV, "no frame of a signal to return from");
	p->blocked = f.blocked & ~UNBLOCKABLE;
	memcpy(&tf->edi, &f.tf.edi, offsetof(struct trapframe, eax) -
	       offsetof(struct trapframe, edi));
	tf->eip = f.tf.eip;
	tf->esp = f.tf.esp;
	tf->eflags = (tf->eflags & ~USER_EFLAGS) | (f.tf.eflags & USER_EFLAGS);
	return (int32_t)f.tf.eax;
}

/* (signal, where handlers are entered or SIG_..._WORD, mask, SA_ bits) -> SIG_IGN_WORD if it was */
int32_t sys_sigaction(const uint32_t arg[5])
{
	const uint32_t flags = SA_ASK | SA_ONSTACK | SA_RESTART;
	struct proc *p = proc_self();
	uint32_t bit = SIGNAL_BIT(arg[0] % NSIG);
	int32_t old = (p->ignored & ~IGNORED_BY_DEFAULT & bit) != 0;

	if (!in_range(arg[0], 1, NSIG) || arg[3] & ~flags)
		return -EINVAL;
	if (arg[3] & SA_ASK)
		return old;
	if (bit & UNBLOCKABLE)
		return -EINVAL;
	if (arg[1] > SIG_IGN_WORD && !signals_make(p))
		return -ENOMEM;
	p->caught &= ~bit;
	p->ignored &= ~bit;
	if (arg[1] > SIG_IGN_WORD) {
		p->signals->entry = arg[1];
		p->signals->mask[arg[0]] = arg[2];
		p->signals->flags[arg[0]] = (uint8_t)arg[3];
		p->caught |= bit;
	} else if (arg[1] == SIG_IGN_WORD || bit & IGNORED_BY_DEFAULT) {
		p->ignored |= bit;
		sched_forget(p, bit);
	}
	return old; /* SIG_IGN_WORD or SIG_DFL_WORD */
}

/* (set to unblock, set to block, uint32_t old[2]: what was blocked, and what of that is pending) */
int32_t sys_sigprocmask(const uint32_t arg[5])
{
	struct proc *p = proc_self();
	uint32_t old[] = {p->blocked, p->pending & p->blocked};
	int err = copyout(user_ptr(arg[2]), old, sizeof(old));

	if (!err)
		p->blocked = ((p->blocked & ~arg[0]) | arg[1]) & ~UNBLOCKABLE;
	return err;
}

/* (set): block those and no others until a handler is called: -EINTR */
int32_t sys_sigsuspend(const uint32_t arg[5])
{
	struct proc *p = proc_self();
	uint32_t blocked = p->blocked, due, caught;

	p->blocked = arg[0] & ~UNBLOCKABLE;
	p->tf->eax = (uint32_t)-EINTR;
	do {
		while ((due = p->pending & ~p->blocked) == 0)
			sleep_until(NEVER);
		caught = p->caught & due & -due;
		signal_act(p, (uint32_t)__builtin_ctz(due), blocked);
	} while (!caught);
	return -EINTR;
}

/* (base, size; 0: none): handlers may have this stack. -EPERM while one runs there, -ENOMEM */
int32_t sys_sigaltstack(const uint32_t arg[5])
{
	struct proc *p = proc_self();

	if (!signals_make(p))
		return -ENOMEM;
	if (signal_on_stack(p->signals, p->tf->esp))
		return -EPERM;
	p->signals->base = arg[0];
	p->signals->size = arg[1];
	return 0;
}

/* Have the alarm go off at that time; 0: never. The caller holds the lock. */
static void alarm_move(struct skipnode *n, uint64_t at)
{
	if (n->key)
		skip_remove(&alarms, n);
	n->key = at;
	while (n->key && !skip_add(&alarms, n))
		n->key++;
}

void signal_exit(struct proc *p)
{
	if (!p->signals)
		return;
	HOLD_SPIN(&alarm_lock);
	alarm_move(&p->signals->alarm, 0);
}

/* Signal those whose alarm goes off now; at each tick. */
static void alarm_tick(uint64_t now)
{
	struct skipnode *n;

	HOLD_SPIN(&alarm_lock);
	while ((n = skip_from(&alarms, 0)) != NULL && n->key <= now) {
		struct proc *p = n->of;
		uint64_t every = p->signals->every, next = n->key + every;

		if (every && next <= now) /* of many that are late each has a time of its own */
			next = now + 1 + (uint16_t)p->pid;
		alarm_move(n, every ? next : 0);
		sched_signal(p, SIGALRM);
	}
}

/* (ns until the first, 0: none, and ns between others, 0: none, each two words; uint64_t old[2]) */
int32_t sys_setitimer(const uint32_t arg[5])
{
	struct proc *p = proc_self();
	uint64_t now = time_ns(), new[2], old[2] = {0, 0};

	if (!signals_make(p))
		return -ENOMEM;
	struct skipnode *n = &p->signals->alarm;
	memcpy(new, arg, sizeof(new));
	sched_alarm = alarm_tick;
	spin_lock(&alarm_lock);
	if (n->key > now)
		old[0] = n->key - now;
	old[1] = p->signals->every;
	n->of = p;
	p->signals->every = new[1];
	alarm_move(n, new[0] ? now + new[0] : 0);
	spin_unlock(&alarm_lock);
	return copyout(user_ptr(arg[4]), old, sizeof(old));
}
