/* What the checking kernel looks after; see check.h. Nothing of this is in the usual kernel. */
#include "kernel/machine/check.h"
#include "kernel/machine/cpu.h"
#include "kernel/machine/i386.h"
#include "kernel/machine/lib.h"
#include "kernel/machine/panic.h"
#include "kernel/machine/spin.h"
#include "kernel/machine/string.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/space.h"
#include "kernel/process/proc.h"
#include "kernel/sched/mutex.h"

/*
 * Memory. A free frame, and a free object but for its first byte (heap.c's link), holds POISON.
 * Of an object in use all behind the n bytes asked for is a zone; a small one's last word is n.
 */
#define POISON 0xdbu
#define ZONE 0xbdu
#define SMALL_MAX 2048u
#define ZONE_MIN (4 + sizeof(uint32_t))

size_t check_objects; /* atomic */

size_t check_room(size_t n)
{
	size_t room = 16;

	if (n > SMALL_MAX)
		return n; /* whole frames: the zone is what is left of the last, if anything is */
	while (room < n + ZONE_MIN)
		room *= 2; /* an object whose size is a power of two is aligned to it */
	return room;
}

/* Return the first of n bytes that is not b, or NULL. */
static const uint8_t *differs(const uint8_t *p, uint8_t b, size_t n)
{
	const uint8_t *start = p, *end = p + n;
	size_t words = n / 4;

	__asm__ volatile("repe scasl" : "+D"(p), "+c"(words) : "a"(b * 0x01010101u) : "memory");
	for (p = p > start ? p - 4 : p; p < end; p++)
		if (*p != b)
			return p;
	return NULL;
}

/* Return the bytes from the object's first to the end of its zone. */
static size_t object_size(const struct frame *f)
{
	return f->kind == FRAME_LARGE ? f->pages * PAGE : class_size[f->order] - sizeof(uint32_t);
}

/* Return where it stands how many bytes were asked for. */
static uint32_t *object_asked(void *p, struct frame *f)
{
	return f->kind == FRAME_LARGE ? &f->check.asked :
					(uint32_t *)(void *)((uint8_t *)p + object_size(f));
}

void check_free_object(const void *p)
{
	const uint8_t *first = (const uint8_t *)p + 1, *bad;

	bad = differs(first, POISON, class_size[frame_of(p)->order] - 1u);
	if (bad)
		panic("object %p was written at %p after it was freed", p, bad);
}

void check_given(void *p, size_t n)
{
	if (!p)
		return;
	struct frame *f = frame_of(p);
	size_t size = object_size(f);
	if (f->kind == FRAME_SLAB)
		check_free_object(p);
	memset((uint8_t *)p + n, ZONE, size - n);
	*object_asked(p, f) = (uint32_t)n;
	__atomic_add_fetch(&check_objects, 1, __ATOMIC_RELAXED);
}

void check_object(void *p)
{
	struct frame *f = frame_of(p);
	size_t size = object_size(f), n = *object_asked(p, f);

	if (n > size)
		panic("object %p of at most %u bytes: freed twice, or written behind", p, size);
	const uint8_t *bad = differs((uint8_t *)p + n, ZONE, size - n);
	if (bad)
		panic("object %p of %u bytes was written behind, at %p", p, n, bad);
}

void check_freed(void *p)
{
	struct frame *f = frame_of(p);

	if (f->kind != FRAME_SLAB && f->kind != FRAME_LARGE)
		return; /* heap.c says so itself */
	check_object(p);
	__atomic_sub_fetch(&check_objects, 1, __ATOMIC_RELAXED);
	if (f->kind == FRAME_SLAB)
		memset(p, POISON, class_size[f->order]);
}

void check_frames_given(const void *va, size_t n)
{
	const uint8_t *bad = differs(va, POISON, n * PAGE);

	if (bad)
		panic("frame %x was written at %p while it was free", v2p(va), bad);
}

void check_frames_freed(void *va, size_t n)
{
	memset(va, POISON, n * PAGE);
}

void check_frame_zeroed(const void *va)
{
	const uint8_t *bad = differs(va, 0, PAGE);

	if (bad)
		panic("frame %x is not all zeros at %p", v2p(va), bad);
}

/*
 * Locks, outermost first, as docs/design.md lists them: mutexes, then spin locks. A lock with
 * another name is a driver's.
 */
static const char *const order[] = {
	"chan", "bind", "tree", "file", "place", "session", "prof", "profil", "profclock",
	"stacks", "call", "out", "driver", "fds", "ns", "pipe", "proc", "vm", "kstack",
	"memprof", "heap", "frame", "print", "screen", "uart", "sched",
};
#define DRIVER 12u /* order[DRIVER] is "driver" */

/* Return the place of the lock of that name in the order. */
static unsigned rank(const char *name)
{
	static const char *seen[nelem(order)]; /* strings that were found equal */

	if (!name)
		panic("a lock has no name");
	for (unsigned i = 0; i < nelem(order); i++)
		if (seen[i] == name)
			return i;
	for (unsigned i = 0; i < nelem(order); i++) {
		if (strcmp(order[i], name) == 0) {
			seen[i] = name;
			return i;
		}
	}
	return DRIVER;
}

/* Panic unless a lock that comes later may be taken while one of the earlier name is held. */
static void in_order(const char *earlier, const char *later)
{
	if (rank(later) <= rank(earlier))
		panic("lock %s taken while %s is held", later, earlier);
}

void check_lock(const struct spinlock *l)
{
	struct check_cpu *c = &cpu_self()->check;

	if (c->nmi)
		panic("lock %s taken in an NMI", l->name);
	for (unsigned i = 0; i < c->n; i++)
		in_order(c->held[i]->name, l->name);
	if (c->n == CHECK_HELD)
		panic("lock %s is one too many", l->name);
	c->held[c->n++] = l;
}

void check_unlock(const struct spinlock *l)
{
	struct check_cpu *c = &cpu_self()->check;
	unsigned i = 0;

	while (i < c->n && c->held[i] != l)
		i++;
	if (i < c->n)
		c->held[i] = c->held[--c->n];
}

void check_guarded(const struct spinlock *l, uint32_t users)
{
	const struct check_cpu *c = &cpu_self()->check;
	unsigned i = 0;

	while (i < c->n && c->held[i] != l)
		i++;
	if (users > 1 && i == c->n)
		panic("what %u share is touched without lock %s", users, l->name);
}

void check_mutex_lock(const struct mutex *m)
{
	struct proc *p = proc_self();

	check_may_sleep();
	for (unsigned i = 0; i < p->check.n; i++)
		in_order(p->check.held[i]->l.name, m->l.name);
	if (p->check.n == CHECK_HELD)
		panic("mutex %s is one too many", m->l.name);
	p->check.held[p->check.n++] = m;
}

void check_mutex_unlock(const struct mutex *m)
{
	struct proc *p = proc_self();
	unsigned i = 0;

	while (i < p->check.n && p->check.held[i] != m)
		i++;
	if (i == p->check.n)
		panic("mutex %s released by a process that has not taken it", m->l.name);
	p->check.held[i] = p->check.held[--p->check.n];
}

UNSEEN void check_irqs_off(void)
{
	if (read_eflags() & EFL_IF)
		panic("interrupts are on");
}

void check_may_fault(void)
{
	const struct check_cpu *c = &cpu_self()->check;

	if (c->n > 0)
		panic("user memory touched while lock %s is held", c->held[0]->name);
}

/* Booting and idle threads have interrupts off where they like, for they do not sleep. */
void check_may_sleep(void)
{
	const struct cpu *c = cpu_self();

	if (c->check.n > 0)
		panic("what may sleep is called while lock %s is held", c->check.held[0]->name);
	if (c->proc != c->idle && !(read_eflags() & EFL_IF))
		panic("what may sleep is called with interrupts off");
}

void check_leave(void)
{
	const struct proc *p = proc_self();

	if (p->check.n > 0)
		panic("%s leaves the kernel with mutex %s", p->name, p->check.held[0]->l.name);
	if (cpu_self()->check.n > 0)
		panic("%s leaves the kernel with lock %s", p->name,
		      cpu_self()->check.held[0]->name);
}

/* A fault may end in a change of process or in its end, so it is counted with the process. */
UNSEEN void check_trap(uint32_t vector, int by)
{
	if (vector == VEC_NMI)
		cpu_self()->check.nmi += (unsigned)by;
	else if (vector == VEC_PF)
		proc_self()->check.faulting += by;
}

/* Return which of the address space's page directories there are; NULL: all. */
static uint32_t views_of(const struct vm *vm)
{
	uint32_t bits = 0;

	for (unsigned i = 0; vm && i < 4; i++)
		bits |= (uint32_t)(vm->pdpt[i] & PTE_P) << i;
	return vm ? bits : ~0u;
}

void check_loaded(const struct vm *vm)
{
	__atomic_store_n(&cpu_self()->check.views, views_of(vm), __ATOMIC_SEQ_CST);
}

void check_views(const struct vm *vm)
{
	for (unsigned i = 0; i < ncpu; i++)
		if (__atomic_load_n(&cpus[i]->vm, __ATOMIC_ACQUIRE) == vm &&
		    views_of(vm) & ~__atomic_load_n(&cpus[i]->check.views, __ATOMIC_ACQUIRE))
			panic("processor %u has not seen a new page directory", i);
}

/* Failing on purpose. */
uint32_t check_fail(uint32_t n)
{
	struct check_proc *c = &proc_self()->check;
	uint32_t asked = c->asked;

	c->asked = 0;
	c->fails = n;
	return asked;
}

bool check_fails(void)
{
	struct proc *p = proc_self();

	return p->vm && !p->check.faulting && ++p->check.asked == p->check.fails;
}

uint32_t check_refuse(uint32_t n)
{
	struct check_proc *c = &proc_self()->check;
	uint32_t charged = c->charged;

	c->charged = 0;
	c->refused = n;
	return charged;
}

bool check_refuses(void)
{
	struct proc *p = proc_self();

	return p->vm && !p->check.faulting && ++p->check.charged == p->check.refused;
}

/*
 * Undefined behaviour. The compiler calls these before it would happen; each is given where, as
 * the first member of what it passes. gcc, "Instrumentation Options", -fsanitize=undefined.
 */
struct place {
	const char *file;
	uint32_t line, column;
};

#define UNDEFINED(name, what) \
	_Noreturn void __ubsan_handle_##name##_abort(const struct place *at); \
	_Noreturn void __ubsan_handle_##name##_abort(const struct place *at) \
	{ \
		panic("%s:%u: %s", at->file, at->line, what); \
	}

UNDEFINED(add_overflow, "a sum overflows")
UNDEFINED(sub_overflow, "a difference overflows")
UNDEFINED(mul_overflow, "a product overflows")
UNDEFINED(negate_overflow, "a negation overflows")
UNDEFINED(divrem_overflow, "a division by 0, or one that overflows")
UNDEFINED(shift_out_of_bounds, "a shift too far, or of a negative number")
UNDEFINED(pointer_overflow, "a pointer wraps")
UNDEFINED(out_of_bounds, "an index is outside of its array")
UNDEFINED(type_mismatch_v1, "a pointer is NULL, misaligned or outside of its object")
UNDEFINED(load_invalid_value, "a bool or enum is none")
UNDEFINED(vla_bound_not_positive, "an array of no size")
UNDEFINED(nonnull_arg, "NULL is passed")
UNDEFINED(invalid_builtin, "0 has no bit to find")

_Noreturn void __ubsan_handle_builtin_unreachable(const struct place *at);

_Noreturn void __ubsan_handle_builtin_unreachable(const struct place *at)
{
	panic("%s:%u: this cannot be reached", at->file, at->line);
}
