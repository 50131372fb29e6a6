/*
 * Which process counts as which module of prof(3). A process has its module from exec
 * on, or from the start of profiling; its children inherit it.
 */
#include "kernel/prof/module.h"
#include "kernel/prof/hooks.h"
#include "kernel/image.h"
#include "kernel/memory.h"
#include "kernel/prof/memprof.h"
#include "kernel/prof/patch.h"
#include "kernel/prof/userprof.h"
#include "prof/port.h"

#define KERNEL_NAME "kernel"
#define KERNEL_PATH "/boot/gnomon" /* where the initrd has the kernel's image */

static bool chosen_only; /* prof_lock; coverage is for chosen processes */
static unsigned counted; /* prof_lock; the MODULES_ that are counted, or were last */

/* Have p count in its program's module from now on, if that is wanted. 0, -ENOMEM. */
static int join(struct proc *p)
{
	if (!p->vm || !p->path || p->textsize == 0 || (chosen_only && !p->prof.chosen) ||
	    !module_wanted(prof, p->name, p->path))
		return 0;
	struct prof_module *m = module_get(prof, p->name, p->path, p->text, p->textsize);
	if (!m)
		return -ENOMEM;
	p->prof.module = m;
	if (prof->module.kind == MODULE_COVER)
		p->prof.cover = m;
	if (prof->module.kind == MODULE_MEMORY)
		memprof_ask(p->vm, true);
	return 0;
}

/* For proc_each(): the first error ends it. */
static bool join_each(struct proc *p, void *err)
{
	return (*(int *)err = join(p)) == 0;
}

/* Have the child count as its parent does. */
void hook_forked(struct proc *child)
{
	const struct proc_prof *parent = &proc_self()->prof;

	child->prof.chosen = parent->chosen;
	child->prof.module = parent->module;
	child->prof.cover = parent->cover;
	child->prof.stepped = parent->stepped;
	if (parent->module && prof->module.kind == MODULE_MEMORY)
		memprof_ask(child->vm, true);
	if (parent->cover)
		cover_arm(child, child->tf);
}

/* For proc_each(): have p count nowhere any more. */
static bool take_module(struct proc *p, void *)
{
	if (p->prof.module && p->vm && prof->module.kind == MODULE_MEMORY)
		memprof_ask(p->vm, false);
	p->prof.chosen = false;
	p->prof.cover = NULL;
	p->prof.step_pc = 0;
	p->prof.module = NULL;
	return true;
}

/* For proc_each(): mark the process *pid as the one that is covered, if it has a program. */
static bool choose(struct proc *p, void *arg)
{
	int *pid = arg;

	if (p->pid != *pid || !p->vm)
		return true;
	p->prof.chosen = true;
	*pid = 0;
	return false;
}

/* Get the kernel's own module, if it is wanted. 0, -ENOMEM. */
static int kernel_module(struct prof_module **out)
{
	uint32_t lo = (uint32_t)(uintptr_t)ktzero, hi = (uint32_t)(uintptr_t)etext;

	if (!module_wanted(prof, KERNEL_NAME, KERNEL_PATH))
		return 0;
	*out = module_get(prof, KERNEL_NAME, KERNEL_PATH, lo, hi - lo);
	return *out ? 0 : -ENOMEM;
}

/* Do all of modules_start() that may fail. */
static int prepare(enum module_kind kind, unsigned which, struct prof_module **kernel)
{
	*kernel = NULL;
	prof->module.kind = kind;
	int err = which & MODULES_KERNEL ? kernel_module(kernel) : 0;
	if (!err && which & MODULES_PROGRAMS)
		proc_each(join_each, &err);
	if (!err && kind == MODULE_MEMORY)
		err = memprof_begin(*kernel);
	return err;
}

/* Free modules by fn, while nothing uses the table of blocks. */
static void forget(void (*fn)(struct prof *p))
{
	spin_lock(&memprof_lock);
	fn(prof);
	spin_unlock(&memprof_lock);
}

/* Counts of another kind cannot be mixed with those to come, and are dropped. */
int modules_start(enum module_kind kind, unsigned which, int pid)
{
	struct prof_module *kernel;
	int err, left = pid;

	if (prof->module.on)
		return -EBUSY;
	if (pid) {
		proc_each(choose, &left);
		if (left)
			return -ESRCH;
	}
	if (prof->module.kind != kind)
		forget(module_free);
	chosen_only = pid != 0;
	counted = which;
	err = prepare(kind, which, &kernel);
	if (err) {
		modules_stop();
		return err;
	}
	module_start(prof, kind, kernel);
	if (kind == MODULE_COVER && kernel)
		patch_entries(ENTRY_COVER, true);
	prof_port_quiesce(); /* each CPU is interrupted, and arms what it runs as it goes back */
	return 0;
}

/* On return, all steps and entries that were begun with a module are over. */
void modules_stop(void)
{
	if (prof->module.kind == MODULE_COVER && prof->module.kernel)
		patch_entries(ENTRY_COVER, false);
	memprof_end();
	module_stop(prof);
	proc_each(take_module, NULL);
	prof_port_quiesce();
}

/* Back to the beginning; it may be stopped already. */
void modules_end(void)
{
	modules_stop();
	forget(module_forget);
}

/* With a chosen process only its calls count, and those of interrupts that come meanwhile. */
UNSEEN void module_entered(uint32_t pc)
{
	if (!chosen_only || proc_self()->prof.chosen)
		module_ran(prof->module.kernel, pc - ENTRY_PAD);
}

/* If there is no memory for its counts they are missing; the program runs all the same. */
void hook_exec(void)
{
	struct proc *p = proc_self();

	mutex_lock(&prof_lock);
	p->prof.module = NULL;
	p->prof.cover = NULL;
	p->prof.stepped = false;
	if (prof->module.on && counted & MODULES_PROGRAMS)
		join(p);
	mutex_unlock(&prof_lock);
}
