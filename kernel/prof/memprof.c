/*
 * Memory profiling: the kernel's heap and the C library of programs report every block, which
 * is charged to the call that asked for it. A word in a program's own memory tells its library
 * whether to report.
 */
#include "kernel/prof/memprof.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/page.h"
#include "kernel/memory/vm.h"
#include "kernel/prof/calls.h"
#include "kernel/prof/hooks.h"
#include "kernel/prof/profilers.h"
#include "kernel/prof/stack.h"

#define SLICE 512 /* entries of the table to look at with interrupts off */

_Static_assert(MEMPROF_ASKED == USER_TOP - 4, "the word is at the top of the stack");

/* kmalloc() may be called under any lock: under this one only the heap is, and frames are. */
struct spinlock memprof_lock = {.name = "memprof"};
static bool on, paths;			  /* memprof_lock; and of calls, too */
struct prof_module *memprof_heap;	  /* memprof_lock, atomic; NULL: the heap is not counted */

void memprof_count(bool programs, struct prof_module *kernel)
{
	HOLD_SPIN(&memprof_lock);
	on = programs;
	__atomic_store_n(&memprof_heap, kernel, __ATOMIC_RELAXED);
}

/* The table has 4 blocks for each free frame: it takes 3 % of the free memory. */
int memprof_begin(struct prof_module *kernel, bool with_paths)
{
	if (!prof_memprof_init(prof, frame_free_count() * 4))
		return -ENOMEM;
	if (with_paths && !prof_stack_open(prof, PROF_HEAP, 1000))
		return -ENOMEM;
	paths = with_paths; /* nothing is being counted */
	memprof_count(true, kernel);
	return 0;
}

/* Add the block, or NULL, to the path of p, the calling process, that begins at s->at. */
static UNSEEN void memprof_path(struct prof_memprof_block *b, struct prof_sample *s, struct proc *p)
{
	bool replaced = prof_wants(prof, PROF_REPLACED);

	if (!b)
		return;
	if (!paths)
		return;
	s->cpu = cpu_id();
	s->waited = b->bytes;
	stack_name(s, p);
	if (replaced)
		calls_show(p);
	b->path = prof_stack_add_times(&prof->heap, s);
	if (replaced)
		calls_hide(p);
}

/* The same in the kernel, in the function that has that frame or one of its callers. */
static UNSEEN void memprof_kpath(struct prof_memprof_block *b, const uint32_t *frame, uintptr_t ret)
{
	struct proc *p = proc_self();
	struct prof_sample s = {.what = PROF_KERNEL, .at.pc = calls_real(ret) - 1};
	uintptr_t stack = (uintptr_t)p->kstack;

	s.hi = stack + KSTACK_PAGES * PAGE;
	for (; in_range((uintptr_t)frame, stack, s.hi - 8); frame = (const uint32_t *)frame[0]) {
		if (frame[1] == ret) {
			s.at.fp = frame[0];
			s.lo = (uintptr_t)frame;
			s.stack = frame;
			memprof_path(b, &s, p);
			return;
		}
	}
}

/*
 * What returns to caller is charged to the last byte before it, which the call's line has. If this
 * function were measured, calls_real() would tell of it.
 */
UNSEEN void memprof_kmalloc(void *p, size_t n, const void *caller)
{
	uintptr_t ret = (uintptr_t)caller, pc = calls_real(ret) - 1;
	bool others = proc_self()->payer == PAYER_OTHERS;

	HOLD_SPIN(&memprof_lock);
	if (memprof_heap)
		memprof_kpath(prof_memprof_alloc(prof, NULL, (uintptr_t)p, memprof_heap, pc, n,
						 others), __builtin_frame_address(0), ret);
}

void memprof_kfree(void *p)
{
	HOLD_SPIN(&memprof_lock);
	if (memprof_heap)
		prof_memprof_free(prof, NULL, (uintptr_t)p);
}

/* Without memory for the stack's page the program is not asked: it will hardly get any other. */
void memprof_ask(struct vm *vm, bool yes)
{
	if (prof->module.kind == PROF_MODULE_MEMORY)
		page_poke(vm, MEMPROF_ASKED, yes);
}

/* Forget the blocks of vm, whose addresses mean nothing any more; they stay counted. */
void hook_vm_free(struct vm *vm)
{
	uint32_t at = 0;

	check_may_sleep();
	if (!prof->module.memory.nblock) /* a table that is made from now on has none of them */
		return;
	do {
		HOLD_SPIN(&memprof_lock);
		at = prof_memprof_forget(prof, vm, at, SLICE);
	} while (at);
}

/*
 * (old, new, n, pc, fp): the code before pc, whose frame is at fp, freed the block at old, unless
 * 0, and got one of n bytes at new, unless 0. Always 0.
 */
int32_t sys_memprof(const uint32_t arg[5])
{
	struct proc *p = proc_self();
	struct prof_sample s = {.what = PROF_USER, .at = {.pc = arg[3] - 1, .fp = arg[4]}};

	HOLD_SPIN(&memprof_lock);
	if (!on || !p->prof.module)
		return 0;
	if (arg[0])
		prof_memprof_free(prof, p->vm, arg[0]);
	if (arg[1])
		memprof_path(prof_memprof_alloc(prof, p->vm, arg[1], p->prof.module, s.at.pc,
					       arg[2], p->payer != PAYER_OWNER), &s, p);
	return 0;
}
