/*
 * Kernel stacks, kernel/sched/kstack.c: their guard pages, who pays for them, which of the free
 * ones stay mapped, and that a place is used again only when no processor remembers what was there.
 * They are at the kernel's addresses, where the address sanitizer has its data, so it is not used.
 * Flags: -fno-sanitize=address
 */
#include <sys/mman.h>
#include "tests/test.h"
#include "kernel/memory/account.h"
#include "kernel/memory/frame.h"
#include "kernel/sched/kstack.c"

#define NSLOT ((KVM_DEVICES - KVM_STACKS) / STACK_SLOT)
#define NSTACK (MAXKEPT + 4)
#define FRAME0 0x100000u /* the physical address of the first frame */

struct account accounts[NRESOURCE][NPAYER];
uint64_t pte_nx = 1ull << 63;
static uint64_t table[(KVM_DEVICES - KVM_STACKS) / PAGE];
static uint32_t tables_end;	/* from this address on there are no page tables */
static uint32_t frames_given;	/* so far: none is given twice */
static int frames_used;
static unsigned flushes, taken;
static bool stacks_change;	/* another thread uses the mutex */

void spin_lock(struct spinlock *l)
{
	assert_null(l->holder);
	l->holder = (struct cpu *)l;
	taken++;
}

void spin_unlock(struct spinlock *l)
{
	assert_ptr_equal(l->holder, l);
	l->holder = NULL;
}

void mutex_lock(struct mutex *m)
{
	assert_false(stacks_change);
	stacks_change = true;
}

void mutex_unlock(struct mutex *m)
{
	assert_true(stacks_change);
	stacks_change = false;
}

uint64_t *kvm_pte(uint32_t va, bool create)
{
	assert_in_range(va, KVM_STACKS, KVM_DEVICES - 1);
	return va < tables_end ? &table[(va - KVM_STACKS) / PAGE] : NULL;
}

void kvm_flush(void *arg)
{
	flushes++;
}

/* Other processors must not wait for a lock meanwhile. */
void cpus_call(void (*fn)(void *), void *arg)
{
	assert_null(lock.holder);
	assert_true(stacks_change);
	fn(arg);
}

void *frame_alloc_promised(void)
{
	frames_used++;
	return p2v(FRAME0 + frames_given++ * PAGE);
}

void frame_free_n(void *va, size_t n)
{
	assert_int_equal(n, 1);
	assert_in_range(v2p(va), FRAME0, FRAME0 + frames_given * PAGE - 1);
	assert_non_null(lock.holder); /* or another takes the place, and maps a new one there */
	frames_used--;
}

bool frame_promise(enum payer payer, uint32_t n)
{
	return account_charge(payer, ACCOUNT_PAGES, n);
}

void frame_unpromise(enum payer payer, uint32_t n)
{
	account_uncharge(payer, ACCOUNT_PAGES, n);
}

static struct account *pages(enum payer payer)
{
	return &accounts[ACCOUNT_PAGES][payer];
}

static int setup(void **state)
{
	nkept = 0;
	stack_next = KVM_STACKS;
	slots_clean = slots_used = 0;
	memset(table, 0, sizeof(table));
	tables_end = KVM_DEVICES;
	frames_given = 0;
	frames_used = 0;
	flushes = 0;
	for (enum payer who = 0; who < NPAYER; who++)
		*pages(who) = (struct account){.limit = UNLIMITED};
	return 0;
}

/* Return a page's entry. */
static uint64_t entry(const uint8_t *page)
{
	return *kvm_pte((uint32_t)(uintptr_t)page, false);
}

/* Check that a stack is mapped whole, each page to a frame of its own, and nothing below it. */
static void is_mapped(const uint8_t *stack)
{
	assert_non_null(stack);
	assert_int_equal((uintptr_t)stack % PAGE, 0);
	assert_false(entry(stack - PAGE) & PTE_P);
	for (unsigned i = 0; i < KSTACK_PAGES; i++) {
		uint64_t e = entry(stack + i * PAGE);

		assert_int_equal(e & ~PTE_ADDR, KVM_DATA | pte_nx);
		assert_true((e & PTE_ADDR) >= FRAME0);
		for (unsigned other = 0; other < i; other++)
			assert_int_not_equal(e, entry(stack + other * PAGE));
	}
}

static void is_unmapped(const uint8_t *stack)
{
	for (unsigned i = 0; i < KSTACK_PAGES; i++)
		assert_int_equal(entry(stack + i * PAGE), 0);
}

static void each_has_its_pages_and_a_guard(void **state)
{
	uint8_t *a = kstack_alloc(PAYER_OTHERS), *b;
	unsigned before = taken;

	b = kstack_alloc(PAYER_OWNER);
	assert_int_equal(taken, before + 2); /* for one that is kept, and for a place */
	is_mapped(a);
	is_mapped(b);
	assert_int_equal((uintptr_t)a, KVM_STACKS + PAGE);
	assert_ptr_equal(b, a + STACK_SLOT);
	assert_int_equal(frames_used, 2 * KSTACK_PAGES);
	assert_int_equal(pages(PAYER_OTHERS)->used, KSTACK_PAGES);
	assert_int_equal(pages(PAYER_OWNER)->used, KSTACK_PAGES);
	assert_int_equal(flushes, 0); /* nobody has been there */
}

static void an_address_is_of_the_stack_around_it(void **state)
{
	uintptr_t a = (uintptr_t)kstack_alloc(PAYER_OWNER);
	uintptr_t b = (uintptr_t)kstack_alloc(PAYER_OWNER);

	assert_null(kstack_of(0));
	assert_null(kstack_of(KVM_STACKS - 1));
	assert_null(kstack_of(KVM_STACKS));
	assert_null(kstack_of(a - 1));
	assert_int_equal((uintptr_t)kstack_of(a), a);
	assert_int_equal((uintptr_t)kstack_of(a + KSTACK_PAGES * PAGE - 1), a);
	assert_null(kstack_of(a + KSTACK_PAGES * PAGE)); /* the guard of b */
	assert_null(kstack_of(b - 1));
	assert_int_equal((uintptr_t)kstack_of(b), b);
	assert_int_equal((uintptr_t)kstack_of(b + KSTACK_PAGES * PAGE - 1), b);
	assert_null(kstack_of(b + KSTACK_PAGES * PAGE));
	assert_null(kstack_of(b + STACK_SLOT)); /* never used */
}

/* Some free ones stay mapped, at the owner's cost, and go to whoever asks next. */
static void free_ones_are_kept_for_the_next(void **state)
{
	uint8_t *s[NSTACK], *again;
	unsigned i;

	for (i = 0; i < NSTACK; i++)
		s[i] = kstack_alloc(PAYER_OTHERS);
	for (i = 0; i < NSTACK; i++) {
		unsigned before = taken;

		kstack_free(s[i], PAYER_OTHERS);
		assert_true(taken > before);
	}
	for (i = 0; i < MAXKEPT; i++)
		is_mapped(s[i]);
	for (; i < NSTACK; i++)
		is_unmapped(s[i]);
	assert_int_equal(frames_used, MAXKEPT * KSTACK_PAGES);
	assert_int_equal(pages(PAYER_OTHERS)->used, 0);
	assert_int_equal(pages(PAYER_OWNER)->used, MAXKEPT * KSTACK_PAGES);

	/* The last one first, and then those before it. */
	for (i = MAXKEPT; i-- > 0;) {
		unsigned before = taken;

		again = kstack_alloc(PAYER_OTHERS);
		assert_ptr_equal(again, s[i]);
		assert_int_equal(taken, before + 1);
		assert_int_equal(pages(PAYER_OTHERS)->used, (MAXKEPT - i) * KSTACK_PAGES);
		assert_int_equal(pages(PAYER_OWNER)->used, i * KSTACK_PAGES);
	}
	assert_int_equal(frames_used, MAXKEPT * KSTACK_PAGES);
	assert_int_equal(flushes, 0);

	/* One that is free is kept again: it does not count as more than there are. */
	kstack_free(s[0], PAYER_OTHERS);
	assert_int_equal(pages(PAYER_OWNER)->used, KSTACK_PAGES);
	is_mapped(s[0]);
}

/* Processors remember what they have seen there: one flush for all the places, not before it. */
static void places_are_used_again_after_a_flush(void **state)
{
	uint8_t *s[NSTACK];
	unsigned i, back = 0;

	for (i = 0; i < NSTACK; i++)
		s[i] = kstack_alloc(PAYER_OWNER);
	for (i = 0; i < NSTACK; i++)
		kstack_free(s[i], PAYER_OWNER);
	for (i = 0; i < MAXKEPT; i++)
		kstack_alloc(PAYER_OWNER);
	assert_int_equal(flushes, 0);
	for (i = MAXKEPT; i < NSTACK; i++) {
		uint8_t *again = kstack_alloc(PAYER_OWNER);

		is_mapped(again);
		assert_int_equal(flushes, 1);
		for (unsigned k = MAXKEPT; k < NSTACK; k++)
			back += again == s[k];
	}
	assert_int_equal(back, NSTACK - MAXKEPT);
	assert_int_equal(frames_used, NSTACK * KSTACK_PAGES);

	/* There is none any more: the next has a new place, which wants no flush. */
	assert_ptr_equal(kstack_alloc(PAYER_OWNER), s[NSTACK - 1] + STACK_SLOT);
	assert_int_equal(flushes, 1);
}

static void who_may_have_no_more_gets_none(void **state)
{
	uint8_t *s = kstack_alloc(PAYER_OWNER);

	pages(PAYER_OTHERS)->limit = KSTACK_PAGES - 1;
	assert_null(kstack_alloc(PAYER_OTHERS));
	kstack_free(s, PAYER_OWNER);
	assert_null(kstack_alloc(PAYER_OTHERS)); /* nor one that is kept */
	assert_int_equal(pages(PAYER_OTHERS)->used, 0);
	assert_int_equal(pages(PAYER_OWNER)->used, KSTACK_PAGES);
	assert_int_equal(frames_used, KSTACK_PAGES);
	assert_ptr_equal(kstack_alloc(PAYER_OWNER), s);

	pages(PAYER_OTHERS)->limit = KSTACK_PAGES;
	s = kstack_alloc(PAYER_OTHERS);
	is_mapped(s);
	pages(PAYER_OWNER)->limit = KSTACK_PAGES; /* the owner cannot pay for a free one */
	kstack_free(s, PAYER_OTHERS);
	is_unmapped(s);
	assert_int_equal(pages(PAYER_OTHERS)->used, 0);
	assert_int_equal(pages(PAYER_OWNER)->used, KSTACK_PAGES);
	assert_int_equal(frames_used, KSTACK_PAGES);
}

/* There is a table for the guard and some of its pages, and no memory for the next one. */
static void a_stack_without_all_its_tables_is_not_begun(void **state)
{
	uint8_t *s;

	tables_end = KVM_STACKS + PAGE + (KSTACK_PAGES - 1) * PAGE;
	assert_null(kstack_alloc(PAYER_OTHERS));
	assert_int_equal(frames_used, 0);
	assert_int_equal(pages(PAYER_OTHERS)->used, 0);

	tables_end = KVM_DEVICES;
	s = kstack_alloc(PAYER_OTHERS);
	assert_int_equal((uintptr_t)s, KVM_STACKS + PAGE); /* its place is not lost */
	is_mapped(s);
	assert_int_equal(flushes, 0); /* nobody has been there */

	tables_end = KVM_STACKS + STACK_SLOT; /* not even for the next guard */
	assert_null(kstack_alloc(PAYER_OTHERS));
	assert_int_equal(pages(PAYER_OTHERS)->used, KSTACK_PAGES);
	tables_end = KVM_DEVICES;
	assert_ptr_equal(kstack_alloc(PAYER_OTHERS), s + STACK_SLOT);
}

static void places_run_out(void **state)
{
	uint8_t *s = NULL, *last;
	unsigned i;

	for (i = 0; i < NSLOT; i++) {
		last = kstack_alloc(PAYER_OWNER);
		assert_true(last > s);
		s = last;
	}
	assert_true((uintptr_t)s + KSTACK_PAGES * PAGE <= KVM_DEVICES);
	assert_null(kstack_alloc(PAYER_OWNER));
	assert_int_equal(pages(PAYER_OWNER)->used, NSLOT * KSTACK_PAGES);
	kstack_free(s, PAYER_OWNER);
	assert_ptr_equal(kstack_alloc(PAYER_OWNER), s);
}

/* Memory where the stacks are: each is cleared when it is made. */
static int map_stacks(void **state)
{
	void *at = (void *)(uintptr_t)KVM_STACKS;

	return mmap(at, KVM_DEVICES - KVM_STACKS, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0) != at;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_has_its_pages_and_a_guard, setup),
		cmocka_unit_test_setup(an_address_is_of_the_stack_around_it, setup),
		cmocka_unit_test_setup(free_ones_are_kept_for_the_next, setup),
		cmocka_unit_test_setup(places_are_used_again_after_a_flush, setup),
		cmocka_unit_test_setup(who_may_have_no_more_gets_none, setup),
		cmocka_unit_test_setup(a_stack_without_all_its_tables_is_not_begun, setup),
		cmocka_unit_test_setup(places_run_out, setup),
	};

	return RUN(tests, map_stacks, NULL);
}
