/* Floating point of programs: saved, restored, inherited. */
#include "kernel/sched/fpu.h"
#include "kernel/machine/copy.h"
#include "kernel/memory/heap.h"

/* As FNINIT leaves it, and MXCSR as a reset does: all exceptions masked, round to nearest. */
static const struct fpu initial = {.control = 0x37f, .mxcsr = 0x1f80};

static void fxsave(struct fpu *to)
{
	__asm__ volatile("fxsave %0" : "=m"(*to));
}

static void fxrstor(const struct fpu *from)
{
	__asm__ volatile("fxrstor %0" : : "m"(*from));
}

/*
 * The registers are cleared: some processors let a program guess, by timing, what it finds there
 * before CR0.TS stops it.
 */
void fpu_save(struct cpu *c)
{
	fxsave(c->fpu);
	fxrstor(&initial);
	c->fpu = NULL;
	write_cr0(read_cr0() | CR0_TS); /* the next such instruction leads to fpu_use() */
}

int fpu_use(void)
{
	struct proc *p = proc_self();

	if (read_cr0() & CR0_EM)
		return -ENOSYS; /* without FXSAVE: cpu_protect() */
	if (!p->fpu) {
		p->fpu = kmalloc(sizeof(*p->fpu));
		if (!p->fpu)
			return -ENOMEM;
		*p->fpu = initial;
	}
	__asm__ volatile("clts");
	fxrstor(p->fpu);
	cpu_self()->fpu = p->fpu;
	return 0;
}

bool fpu_fork(struct proc *child)
{
	const struct cpu *c = cpu_self();
	const struct proc *p = proc_self();

	if (!p->fpu)
		return true;
	child->fpu = kmalloc(sizeof(*child->fpu));
	if (!child->fpu)
		return false;
	if (c->fpu)
		fxsave(c->fpu);
	*child->fpu = *p->fpu;
	return true;
}

void fpu_reset(void)
{
	struct proc *p = proc_self();

	if (cpu_self()->fpu)
		fpu_save(cpu_self());
	kfree(p->fpu);
	p->fpu = NULL;
}

int fpu_out(void *user)
{
	struct proc *p = proc_self();

	if (cpu_self()->fpu)
		fpu_save(cpu_self());
	int err = copyout(user, p->fpu, sizeof(*p->fpu));
	*p->fpu = initial;
	return err;
}

/* With a reserved bit of MXCSR set, FXRSTOR faults (SDM 1, 11.6.6 says how to know them). */
int fpu_in(const void *user)
{
	int err = fpu_use();

	if (err)
		return err;
	fpu_save(cpu_self()); /* which tells the mask */
	struct fpu *to = proc_self()->fpu;
	uint32_t mask = to->mxcsr_mask ? to->mxcsr_mask : 0xffbf;
	err = copyin(to, user, sizeof(*to));
	to->mxcsr &= mask;
	return err;
}
