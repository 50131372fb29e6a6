/*
 * Which process counts as which module of prof(3). A process has its module from exec
 * on, or from the start of profiling; its children inherit it.
 */
#include "kernel/prof/module.h"
#include "kernel/file/file.h"
#include "kernel/machine/image.h"
#include "kernel/memory/heap.h"
#include "kernel/prof/hooks.h"
#include "kernel/prof/memprof.h"
#include "kernel/prof/patch.h"
#include "kernel/prof/profilers.h"
#include "prof/prof_hooks.h"

#define KERNEL_NAME "kernel"
#define KERNEL_PATH "/boot/gnomon" /* where the initrd has the kernel's image */

static bool chosen_only; /* prof_lock; coverage is for chosen processes */
static unsigned counted; /* prof_lock; the MODULES_ that are counted; 0: nothing is */

/* Return what the module of p's program is made from, with p's own strings. */
static struct prof_module_text modules_text_of(const struct proc *p)
{
	return (struct prof_module_text){
		.name = path_last(p->path), .path = p->path, .file = p->prof.file,
		.lo = p->text, .size = p->textsize,
		.others = p->payer != PAYER_OWNER,
	};
}

/* Return whether coverage, if that is for chosen processes alone, is for p. */
UNSEEN static inline bool modules_may_count(const struct proc *p)
{
	return !chosen_only || p->prof.chosen;
}

/* Return whether p has a program that is to be counted. */
static bool modules_wanted(const struct proc *p)
{
	if (!p->vm || p->textsize == 0 || !modules_may_count(p))
		return false;
	return prof_module_wanted(prof, path_last(p->path), p->path);
}

/* Have p count from now on in the module of its program, if there was room for that. */
static void modules_join(struct proc *p)
{
	struct prof_module_text text = modules_text_of(p);
	struct prof_module *m = prof_module_find(prof, &text);

	if (!m)
		return;
	p->prof.module = m;
	if (prof->module.kind == PROF_MODULE_COVER)
		p->prof.cover = m;
	memprof_ask(p->vm, true);
}

/*
 * Have all processes join that are to be counted. A module's memory takes long to clear, so it is
 * made while the processes may come and go: who comes now has a greater pid, or a parent that has
 * joined, and who runs another program now will wait for prof_lock. 0, -ENOMEM.
 */
static int modules_join_all(void)
{
	char *path = kzalloc_unseen(PATH_MAX);
	uint32_t pid = 0;

	if (!path)
		return -ENOMEM;
	spin_lock(&proc_lock);
	for (struct proc *p; (p = proc_from(pid + 1)) != NULL;) {
		pid = (uint32_t)p->pid;
		if (!modules_wanted(p))
			continue;
		struct prof_module_text text = modules_text_of(p);
		strlcpy(path, text.path, PATH_MAX);
		text.path = path;
		text.name = path_last(path);
		spin_unlock(&proc_lock);
		prof_module_get(prof, &text);
		spin_lock(&proc_lock);
		p = proc_find((int)pid); /* unless it has ended, or is not what it was, by now */
		if (p && modules_wanted(p))
			modules_join(p);
	}
	spin_unlock(&proc_lock);
	kfree(path);
	return 0;
}

/* Have the child count as its parent does. */
void hook_forked(struct proc *child)
{
	const struct proc_prof *parent = &proc_self()->prof;

	child->prof.named = parent->named;
	child->prof.file = parent->file;
	child->prof.chosen = parent->chosen;
	child->prof.module = parent->module;
	child->prof.cover = parent->cover;
	child->prof.stepped = parent->stepped;
	if (parent->module)
		memprof_ask(child->vm, true);
	if (parent->cover)
		cover_arm(child);
}

/* Have p count nowhere any more. */
static void modules_leave(struct proc *p)
{
	if (p->prof.module && p->vm)
		memprof_ask(p->vm, false);
	p->prof.chosen = false;
	p->prof.cover = NULL;
	p->prof.step_pc = 0;
	p->prof.module = NULL;
}

/* Mark the process as the one that is covered, if it has a program. -ESRCH. */
static int modules_choose(int pid)
{
	HOLD_SPIN(&proc_lock);
	struct proc *p = proc_find(pid);
	if (!p || !p->vm)
		return -ESRCH;
	p->prof.chosen = true;
	return 0;
}

/* Return the kernel's own module; NULL if it is not wanted, or left out. */
static struct prof_module *modules_kernel(void)
{
	uint32_t unit = prof->module.kind == PROF_MODULE_COVER ? MODULE_ENTRY : 1;
	struct prof_module_text text = {.name = KERNEL_NAME, .path = KERNEL_PATH,
		.lo = (uintptr_t)ktzero / unit,
		.size = ((uint32_t)(etext - ktzero) + unit - 1) / unit};

	return prof_module_wanted(prof, text.name, text.path) ? prof_module_get(prof, &text) : NULL;
}

/* Do all of modules_start() that may fail. What finds no room is left out. */
static int modules_prepare(enum prof_module_kind kind, unsigned which, struct prof_module **kernel)
{
	int err = 0;

	prof->module.kind = kind;
	prof->module.nleft = 0;
	*kernel = which & MODULES_KERNEL ? modules_kernel() : NULL;
	if (which & MODULES_PROGRAMS)
		err = modules_join_all();
	if (!err && kind == PROF_MODULE_MEMORY)
		err = memprof_begin(*kernel, which & MODULES_PATHS);
	return err;
}

/* Free modules by fn, and memory's paths, while nothing uses the table of blocks. */
static void modules_forget(void (*fn)(struct prof *p))
{
	prof_stack_close(prof, PROF_HEAP);
	HOLD_SPIN(&memprof_lock);
	fn(prof);
}

/* Counts of another kind cannot be mixed with those to come, and are dropped. */
int modules_start(enum prof_module_kind kind, unsigned which, int pid)
{
	struct prof_module *kernel;

	if (prof->module.on)
		return -EBUSY;
	int err = pid ? modules_choose(pid) : 0;
	if (err)
		return err;
	if (prof->module.kind != kind)
		modules_forget(prof_module_free);
	chosen_only = pid != 0;
	counted = which;
	err = modules_prepare(kind, which, &kernel);
	if (err) {
		modules_stop();
		return err;
	}
	prof_module_start(prof, kind, kernel);
	if (kind == PROF_MODULE_COVER && kernel)
		patch_entries(ENTRY_COVER, true);
	prof_hook_quiesce(); /* each CPU is interrupted, and arms what it runs as it goes back */
	return 0;
}

/* On return, all steps and entries that were begun with a module are over. */
void modules_stop(void)
{
	if (prof->module.kind == PROF_MODULE_COVER && prof->module.kernel)
		patch_entries(ENTRY_COVER, false);
	counted = 0;
	memprof_count(false, NULL);
	prof_module_stop(prof);
	spin_lock(&proc_lock);
	for (struct proc *p = proc_from(1); p; p = proc_from((uint32_t)p->pid + 1))
		modules_leave(p);
	spin_unlock(&proc_lock);
	prof_hook_quiesce();
}

/* Back to the beginning. */
void modules_end(void)
{
	modules_forget(prof_module_forget);
}

/* With a chosen process only its calls count, and those of interrupts that come meanwhile. */
UNSEEN void module_entered(uint32_t pc)
{
	if (modules_may_count(proc_self()))
		prof_module_ran(prof->module.kernel, (pc - ENTRY_PAD) / MODULE_ENTRY);
}

/*
 * Note which file the program is: its place, and when it was changed, for another build may take
 * the place of one. If there is no room for its counts it is left out, and runs all the same.
 */
void hook_exec(struct chan *program)
{
	struct proc *p = proc_self();
	struct stat st;

	if (chan_stat(program, &st) != 0)
		st.st_mtime = 0;
	HOLD_MUTEX(&prof_lock);
	p->prof.file.device = (uint8_t)program->dev->letter;
	p->prof.file.number = program->qid;
	p->prof.file.version = (uint64_t)st.st_mtime;
	p->prof.module = NULL;
	p->prof.cover = NULL;
	p->prof.stepped = false;
	if (counted & MODULES_PROGRAMS && modules_wanted(p)) {
		struct prof_module_text text = modules_text_of(p);
		prof_module_get(prof, &text);
		modules_join(p);
	}
}
