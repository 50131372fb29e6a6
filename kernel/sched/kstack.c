/*
 * Kernel stacks, each with a guard page under it. Frames are promised before a stack is made, and
 * some free ones stay mapped, so that most forks map nothing.
 */
#include "kernel/sched/kstack.h"
#include "kernel/machine/paging.h"
#include "kernel/machine/string.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/kvm.h"
#include "kernel/sched/call.h"
#include "kernel/sched/mutex.h"

#define STACK_SLOT ((KSTACK_PAGES + 1) * PAGE)
#define MAXKEPT 8 /* free stacks that stay mapped */

static struct spinlock lock = {.name = "kstack"};
static void *kept[MAXKEPT];		/* lock; free stacks */
static unsigned nkept;			/* lock */
static uint32_t stack_next = KVM_STACKS; /* slot_take(); no place from here on was ever used */
static uint32_t slots_clean;		/* slot_take(); free places, which no processor remembers */
static uint32_t slots_used;		/* lock; free places, which some may remember */

/* Return where the place's guard page, which is never present, keeps the next place of its list. */
static uint64_t *slot_next(uint32_t base)
{
	return kvm_pte(base - PAGE, false);
}

/*
 * Take a place for a stack, with nothing mapped in it, that has its page tables; 0: there is none.
 * Processors may still remember the stacks that were in the used ones, so all of those are flushed
 * together. Of a new place only the last page can be without a table: the others are in the same
 * one, or in that of the page before the place.
 */
static uint32_t slot_take(void)
{
	static struct mutex taking = {.l.name = "stacks"};

	HOLD_MUTEX(&taking);
	if (!slots_clean) {
		spin_lock(&lock);
		slots_clean = slots_used;
		slots_used = 0;
		spin_unlock(&lock);
		if (slots_clean)
			cpus_call(kvm_flush, NULL);
	}
	uint32_t base = slots_clean, end = stack_next + STACK_SLOT;
	if (base) {
		slots_clean = *slot_next(base);
	} else if (end <= KVM_DEVICES && kvm_pte(end - PAGE, true)) {
		base = stack_next + PAGE;
		stack_next = end;
	}
	return base;
}

/* Unmap the stack at base, free its frames, and keep its place. Lock held. */
static void stack_unmake(uint32_t base)
{
	for (uint32_t va = base; va < base + KSTACK_PAGES * PAGE; va += PAGE) {
		uint64_t *pte = kvm_pte(va, false);
		frame_free(p2v((uint32_t)(*pte & PTE_ADDR)));
		*pte = 0;
	}
	*slot_next(base) = slots_used;
	slots_used = base;
}

/* Take a stack that is kept, for the account; NULL: there is none, or the account is full. */
static void *kept_take(enum payer payer)
{
	HOLD_SPIN(&lock);
	if (nkept == 0 || !account_move(PAYER_OWNER, payer, ACCOUNT_PAGES, KSTACK_PAGES))
		return NULL;
	return kept[--nkept];
}

/*
 * Return the lowest byte of a stack of KSTACK_PAGES pages, for the account; NULL. May sleep.
 * A new one is cleared: QEMU stores slowly into a page that it has taken instructions from,
 * by thousands of cycles, until the last is overwritten; times of this thread would be of that.
 */
void *kstack_alloc(enum payer payer)
{
	uint8_t *s = kept_take(payer);

	if (s || !frame_promise(payer, KSTACK_PAGES))
		return s;
	uint32_t base = slot_take();
	if (!base) {
		frame_unpromise(payer, KSTACK_PAGES);
		return NULL;
	}
	for (uint32_t va = base; va < base + KSTACK_PAGES * PAGE; va += PAGE) {
		*kvm_pte(va, false) = v2p(frame_alloc_promised()) | KVM_DATA | pte_nx;
		memset((void *)(uintptr_t)va, 0, PAGE);
	}
	return (void *)(uintptr_t)base;
}

UNSEEN void *kstack_of(uintptr_t address)
{
	uintptr_t slot = address - (address - KVM_STACKS) % STACK_SLOT;

	if (!in_range(address, KVM_STACKS, stack_next) || address - slot < PAGE)
		return NULL;
	return (void *)(slot + PAGE);
}

/* Keep the stack, which the account paid for, for the next process, or free it if enough are. */
void kstack_free(void *stack, enum payer payer)
{
	HOLD_SPIN(&lock);
	if (nkept < MAXKEPT && account_move(payer, PAYER_OWNER, ACCOUNT_PAGES, KSTACK_PAGES)) {
		kept[nkept++] = stack;
		return;
	}
	stack_unmake((uint32_t)(uintptr_t)stack);
	frame_unpromise(payer, KSTACK_PAGES);
}
