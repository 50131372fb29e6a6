/* Processes: birth, family, accounts, end. */
#include "kernel/process/proc.h"
#include "kernel/abi/prctl.h"
#include "kernel/abi/wait.h"
#include "kernel/file/fd.h"
#include "kernel/file/ns.h"
#include "kernel/machine/copy.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/vm.h"
#include "kernel/process/signal.h"
#include "kernel/process/syscall.h"
#include "kernel/sched/kstack.h"
#include "kernel/sched/switch.h"

struct spinlock proc_lock = {.name = "proc"};
static struct skiplist by_pid;	 /* proc_lock; all processes */
static struct skiplist by_group; /* proc_lock; the same, by group, then by pid */
static int last_pid;		 /* proc_lock */

struct proc *proc_from(uint32_t pid)
{
	const struct skipnode *n = skip_from(&by_pid, pid);

	if (!n)
		return NULL;
	return n->of;
}

struct proc *proc_find(int pid)
{
	struct proc *p = proc_from((uint32_t)pid);

	return p && p->pid == pid ? p : NULL;
}

/* Put p, which has a pid, into a group. */
static void group_add(struct proc *p, int pgid)
{
	p->pgid = pgid;
	p->by_group.key = (uint64_t)pgid << 32 | (uint32_t)p->pid;
	skip_add(&by_group, &p->by_group);
}

/*
 * Give p the next free pid, and put it into the lists of all, in the group pgid. The caller holds
 * the lock, unless there is no other process yet.
 */
static void proc_enter(struct proc *p, int pgid)
{
	do {
		if (last_pid == INT32_MAX)
			last_pid = 0;
		p->by_pid.key = (uint32_t)++last_pid;
	} while (!skip_add(&by_pid, &p->by_pid));
	p->pid = last_pid;
	group_add(p, pgid);
}

/* Take p off the lists of all. */
static void proc_leave(struct proc *p)
{
	skip_remove(&by_pid, &p->by_pid);
	skip_remove(&by_group, &p->by_group);
}

/* Put p first in a list of its parent's. */
static void sibling_add(struct proc **list, struct proc *p)
{
	p->sibling = *list;
	p->before = list;
	if (p->sibling)
		p->sibling->before = &p->sibling;
	*list = p;
}

static void sibling_remove(struct proc *p)
{
	*p->before = p->sibling;
	if (p->sibling)
		p->sibling->before = p->before;
}

/* Free what is left of a process that is in no list any more. */
static void proc_free(struct proc *p)
{
	hook_free(p);
	if (p->kstack)
		kstack_free(p->kstack, p->payer);
	account_uncharge(p->payer, ACCOUNT_PROCESSES, 1);
	kfree(p->fpu);
	kfree(p->signals);
	kfree(p->path);
	kfree(p->args);
	kfree(p);
}

/*
 * Make a process with a stack and nothing else, for the account. -EAGAIN when that has as many as
 * it may; -ENOMEM.
 */
static int proc_new(const char *name, enum payer payer, struct proc **out)
{
	if (!account_charge(payer, ACCOUNT_PROCESSES, 1))
		return -EAGAIN;
	struct proc *p = kmalloc(sizeof(*p));
	if (!p) {
		account_uncharge(payer, ACCOUNT_PROCESSES, 1);
		return -ENOMEM;
	}
	*p = (struct proc){
		.payer = payer, .kstack = kstack_alloc(payer), .deadline = NEVER,
		.cpu = cpu_self(), .waitchild.cause = PROF_CHILD,
		.by_pid.of = p, .by_group.of = p, .ignored = IGNORED_BY_DEFAULT,
	};
	if (!p->kstack) {
		proc_free(p);
		return -ENOMEM;
	}
	strlcpy(p->name, name, sizeof(p->name));
	hook_left(p, rdtsc());
	p->tf = (struct trapframe *)(void *)(p->kstack + KSTACK_PAGES * PAGE) - 1;
	*out = p;
	return 0;
}

/* Prepare p's stack so that switching to it goes to fn. */
static void proc_prepare(struct proc *p, void (*fn)(void), uint32_t *top)
{
	uint32_t fs;

	*--top = (uintptr_t)fn;
	for (int i = 0; i < 4; i++)
		*--top = 0; /* ebp, ebx, esi, edi */
	__asm__ volatile("movl %%fs, %0" : "=r"(fs));
	*--top = fs;
	p->esp = (uintptr_t)top;
}

/* Give back what a process uses while it lives; its vm and program may be taken from it. */
static void proc_release(struct proc *p, struct vm *vm, struct chan *program)
{
	vm_put(vm);
	chan_put(program);
	fds_put(p->fds);
	chan_put(p->cwd);
	ns_put(p->ns);
}

/* Give the child a copy of what its parent has, or a share in it. False: no memory. */
static bool proc_inherit(struct proc *p, struct proc *from, uint32_t share)
{
	p->vm = share & PR_SADDR ? vm_ref(from->vm) : vm_fork(from->vm);
	p->fds = share & PR_SFDS ? fds_ref(from->fds) : fds_copy(from->fds);
	p->path = kstrdup(from->path);
	p->args = kstrdup(from->args);
	if (!p->vm || !p->fds)
		return false;
	if (!p->path || !p->args)
		return false;
	if (!fpu_fork(p) || !signal_fork(p))
		return false;
	if (!hook_fork(p))
		return false;
	p->program = chan_ref(from->program);
	p->ns = ns_ref(from->ns);
	p->cwd = chan_ref(from->cwd);
	p->uid = from->uid;
	p->umask = from->umask;
	return true;
}

/*
 * Make a child of the calling process that shares with it what the PR_ bits of share say, and
 * has a copy of the rest. It goes on from tf, with 0 as the result. Return its pid, -EAGAIN when
 * the user has too many processes, or -ENOMEM.
 */
int proc_fork(const struct trapframe *tf, uint32_t share)
{
	struct proc *self = proc_self(), *p;
	int err = proc_new(self->name, self->payer, &p);

	if (err)
		return err;
	if (!proc_inherit(p, self, share)) {
		proc_release(p, p->vm, NULL);
		proc_free(p);
		return -ENOMEM;
	}
	*p->tf = *tf;
	p->tf->eax = 0;
	proc_prepare(p, fork_return, (uint32_t *)(void *)p->tf);
	p->parent = self;
	p->ppid = self->pid;
	spin_lock(&proc_lock);
	p->text = self->text;
	p->textsize = self->textsize;
	hook_forked(p);
	proc_enter(p, self->pgid);
	sibling_add(&self->child, p);
	int pid = p->pid;
	spin_unlock(&proc_lock);
	sched_ready(p);
	return pid;
}

/*
 * Make the children of p orphans; return the list, by sibling, of those that are dead already. What
 * has stopped gets a hangup and goes on: there is nobody left who would see to that.
 */
static struct proc *proc_disown(struct proc *p)
{
	struct proc *gone = p->dead;

	for (struct proc *c = p->child; c; c = c->sibling) {
		c->parent = NULL;
		__atomic_store_n(&c->ppid, 1, __ATOMIC_RELAXED);
		if (!c->stopped)
			continue;
		sched_signal(c, SIGHUP);
		sched_signal(c, SIGCONT);
	}
	for (struct proc *c = gone; c; c = c->sibling)
		proc_leave(c);
	p->child = p->dead = NULL;
	return gone;
}

/* End the calling process, with its status in the form that waitpid gives. */
void proc_exit(int status)
{
	struct proc *p = proc_self();

	if (p->pid == 1)
		panic("the first process ended with status 0x%x", status);
	hook_ends(p);
	signal_exit(p);
	spin_lock(&proc_lock); /* others find the address space whole, or gone */
	struct vm *vm = p->vm;
	struct chan *program = p->program;
	p->vm = NULL;
	p->program = NULL;
	p->status = status;
	struct proc *gone = proc_disown(p);
	spin_unlock(&proc_lock);
	vm_use(cpu_self(), NULL);
	proc_release(p, vm, program);
	for (struct proc *next; gone; gone = next) {
		next = gone->sibling;
		proc_free(gone);
	}
	sched_exit();
}

/* Tell a process that there is something to know of a child. The caller holds the lock. */
static void proc_tell(struct proc *parent)
{
	if (parent->caught & SIGNAL_BIT(SIGCHLD))
		sched_signal(parent, SIGCHLD);
	if (parent->waitchild.head)
		wait_wake(&parent->waitchild);
}

void proc_stopped(int status)
{
	struct proc *p = proc_self();

	HOLD_SPIN(&proc_lock);
	p->untold = status;
	if (status && p->parent)
		proc_tell(p->parent);
}

/* p is dead and off its stack: tell its parent, or free it if it has none. */
static void proc_left(struct proc *p)
{
	hook_free(p);
	kstack_free(p->kstack, p->payer);
	spin_lock(&proc_lock);
	bool orphan = !p->parent;
	p->kstack = NULL;
	if (orphan) {
		proc_leave(p);
	} else {
		sibling_remove(p);
		sibling_add(&p->parent->dead, p);
		proc_tell(p->parent);
	}
	spin_unlock(&proc_lock);
	if (orphan)
		proc_free(p);
}

/*
 * Make the calling context, on the stack whose lowest byte is given, this CPU's idle thread,
 * which has pid 0.
 */
void proc_init(void *stack)
{
	struct proc *p = kmalloc(sizeof(*p));

	if (!p)
		panic("no memory for an idle thread");
	*p = (struct proc){
		.kstack = stack, .payer = PAYER_OWNER, .name = "idle", .deadline = NEVER,
		.cputime = -rdtsc(), .state = PROC_RUNNING, .cpu = cpu_self(),
	};
	sched_init(p, proc_left);
}

/*
 * Take a dead child off the lists and return it, or NULL; *any: there is a child to wait for. With
 * WUNTRACED it may be one that has stopped.
 */
static struct proc *proc_reap(struct proc *self, int pid, int options, bool *any)
{
	struct proc *c;

	if (pid == -1) {
		c = self->dead;
		*any = c || self->child;
		if (!c && options & WUNTRACED)
			for (c = self->child; c && !c->untold;)
				c = c->sibling;
	} else {
		c = proc_find(pid);
		if (c && c->parent != self)
			c = NULL;
		*any = c;
	}
	if (!c)
		return NULL;
	if (!c->kstack) {
		sibling_remove(c);
		proc_leave(c);
		return c;
	}
	if (!(options & WUNTRACED))
		return NULL;
	if (!c->untold)
		return NULL;
	return c;
}

/*
 * Wait for the child pid, or any when -1, to end, or, with WUNTRACED, to be stopped by a signal.
 * Return its pid; 0 with WNOHANG when none has; -ECHILD without such a child, -EINTR, -EFAULT.
 */
int32_t sys_waitpid(const uint32_t arg[5])
{
	struct proc *self = proc_self(), *c;
	bool last = arg[2] & WNOHANG, ended = false, any;
	int pid = 0, status = 0, err = 0;

	spin_lock(&proc_lock);
	for (;; last = err != 0) {
		c = proc_reap(self, (int)arg[0], (int)arg[2], &any);
		if (c || !any || last)
			break;
		err = wait_on(&self->waitchild, &proc_lock, NEVER);
	}
	if (c) {
		pid = c->pid;
		status = c->untold;
		c->untold = 0;
		ended = !c->kstack;
	}
	spin_unlock(&proc_lock);
	if (!any)
		return -ECHILD;
	if (!c)
		return err;
	if (ended) {
		self->cutime += c->utime + c->cutime;
		self->cstime += c->cputime - c->utime + c->cstime;
		status = c->status;
		proc_free(c);
	}
	if (copyout_wanted(user_ptr(arg[1]), &status, sizeof(status)) != 0)
		return -EFAULT;
	return pid;
}

int proc_interrupt_group(int pgid, int sig, int uid)
{
	int err = -ESRCH;

	HOLD_SPIN(&proc_lock);
	const struct skipnode *n = skip_from(&by_group, (uint64_t)pgid << 32);
	for (; n && n->key >> 32 == (uint32_t)pgid; n = n->next[0]) {
		int sent = signal_send(n->of, sig, uid);
		if (sent > err) /* the lowest is -ESRCH, then comes -EPERM */
			err = sent;
	}
	return err;
}

/*
 * Signal the process id, or every process of the group -id; sig 0 only asks whether that
 * could be done. -ESRCH, -EPERM.
 */
int proc_kill(int id, int sig)
{
	int uid = proc_self()->uid;

	if (id < 0)
		return proc_interrupt_group(-id, sig, uid);
	HOLD_SPIN(&proc_lock);
	struct proc *p = proc_find(id);
	return p ? signal_send(p, sig, uid) : -ESRCH;
}

/* Move a process, the caller or its child, to another group: 0 means that of its pid. -ESRCH. */
int32_t sys_setpgid(const uint32_t arg[5])
{
	struct proc *self = proc_self();
	int pid = (int)arg[0], pgid = (int)arg[1];

	if (pid == 0)
		pid = self->pid;
	if (pgid == 0)
		pgid = pid;
	if (pid < 0 || pgid < 0)
		return -EINVAL;
	HOLD_SPIN(&proc_lock);
	struct proc *p = proc_find(pid);
	if (!p || (p != self && p->parent != self))
		return -ESRCH;
	skip_remove(&by_group, &p->by_group);
	group_add(p, pgid);
	return 0;
}

/*
 * Give the calling process another program, whose text is [text, text + textsize), and free
 * what it had. The strings and the reference to the file become its own.
 */
void proc_becomes(struct vm *vm, struct chan *program, char *path, char *args, uint32_t text,
		  uint32_t textsize)
{
	struct proc *p = proc_self();

	hook_ends(p);
	fpu_reset();
	signal_exec();
	spin_lock(&proc_lock);
	struct vm *old = p->vm;
	struct chan *old_program = p->program;
	char *old_path = p->path, *old_args = p->args;
	p->vm = vm;
	p->program = program;
	p->path = path;
	p->args = args;
	p->text = text;
	p->textsize = textsize;
	hook_named(p);
	strlcpy(p->name, path_last(path), sizeof(p->name));
	spin_unlock(&proc_lock);
	vm_use(cpu_self(), vm);
	vm_put(old);
	chan_put(old_program);
	kfree(old_path);
	kfree(old_args);
}

/* Start the first process, which has nothing yet, at fn. */
void proc_first(void (*fn)(void))
{
	struct proc *p;

	if (proc_new("init", PAYER_OWNER, &p) != 0)
		panic("no memory for the first process");
	proc_enter(p, 1); /* its own group, for it has the first pid */
	hook_named(p);
	proc_prepare(p, fn, (uint32_t *)(void *)p->tf);
	sched_ready(p);
}
