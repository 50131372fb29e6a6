/*
 * Address spaces as a whole, kernel/memory/vm.c: how they are made, shared, charged, copied and
 * freed (B6, B15). Page tables are faked, and what is freed is counted. An address space has no
 * room behind its regions: the address sanitizer tells of any that is one too far.
 * Links: tests/fakes.c kernel/memory/vm.c
 */
#include "tests/test.h"
#include "kernel/machine/paging.h"
#include "kernel/memory/vm.h"
#include "kernel/memory/space.h"
#include "kernel/memory/table.h"
#include "kernel/machine/smp.h"
#include "kernel/prof/hooks.h"

#define TEXT 0x00400000u
#define DATA 0x00800000u
#define ROOM 2

static struct proc owner = {.payer = PAYER_OWNER};
struct proc *fake_self = &owner;
uint64_t kernel_pd[512], pte_nx;
uint32_t account_reserve[NPAYER];
struct account accounts[NRESOURCE][NPAYER];
static struct frame table_of_frames[64];
struct frame *frames = table_of_frames;

static int allocs_left;	 /* kmalloc() that succeed; negative: all */
static int tables_left;	 /* the same of page tables */
static unsigned blocks;	 /* in use */
static unsigned flushed; /* under the lock */
static unsigned told, freed;
static struct region swept[16];
static unsigned nswept;
static uint32_t back; /* promises given back */

static struct table {
	const struct vm *vm;
	uint32_t number;
	uint64_t pte[512];
} table[8];

int fake_give_way(void)
{
	return 0;
}

void *kmalloc(size_t n)
{
	if (allocs_left == 0)
		return NULL;
	allocs_left -= allocs_left > 0;
	blocks++;
	return malloc(n);
}

void kfree(void *p)
{
	blocks--;
	free(p);
}

bool frame_promise(enum payer payer, uint32_t n)
{
	return account_charge(payer, ACCOUNT_PAGES, n);
}

void frame_unpromise(enum payer payer, uint32_t n)
{
	account_uncharge(payer, ACCOUNT_PAGES, n);
	back += n;
}

void hook_vm_free(struct vm *vm)
{
	told++;
}

void vm_flush(const struct vm *vm)
{
	flushed += fake_locks;
}

bool table_find(struct vm *vm, uint32_t va, bool create)
{
	struct table *t = table;

	while (t->vm && (t->vm != vm || t->number != va / BIGPAGE))
		t++;
	if (!t->vm && (!create || tables_left == 0))
		return false;
	tables_left -= !t->vm && tables_left > 0;
	assert_true(t < table + nelem(table) - 1);
	t->vm = vm;
	t->number = va / BIGPAGE;
	vm->near = t->number;
	vm->near_table = t->pte;
	return true;
}

void tables_sweep(struct vm *vm, uint32_t start, uint32_t end)
{
	assert_true(nswept < nelem(swept));
	swept[nswept++] = (struct region){.low = start, .high = end};
}

void tables_free(struct vm *vm)
{
	freed++;
}

static int setup(void **state)
{
	memset(table, 0, sizeof(table));
	memset(accounts, 0, sizeof(accounts));
	memset(table_of_frames, 0, sizeof(table_of_frames));
	accounts[ACCOUNT_PAGES][PAYER_OWNER].limit = 1000;
	accounts[ACCOUNT_PAGES][PAYER_OTHERS].limit = 20;
	allocs_left = tables_left = -1;
	blocks = flushed = told = freed = nswept = back = 0;
	fake_spins = 0;
	return 0;
}

static uint32_t paid(enum payer payer)
{
	return accounts[ACCOUNT_PAGES][payer].used;
}

/* One with text, of which pages 0 and 2 are present, and data, of which page 1 of 8 is. */
static struct vm *make(void)
{
	struct vm *vm = vm_new(ROOM);

	assert_non_null(vm);
	vm->region[0] = (struct region){
		.start = TEXT,
		.end = TEXT + 4 * PAGE,
		.low = TEXT,
		.high = TEXT + 3 * PAGE,
		.top = TEXT + 3 * PAGE,
		.promised = TEXT + 3 * PAGE,
		.prot = VM_R | VM_X,
	};
	vm->region[1] = (struct region){
		.start = DATA,
		.end = DATA + 8 * PAGE,
		.low = DATA + PAGE,
		.high = DATA + 2 * PAGE,
		.top = DATA + 8 * PAGE,
		.promised = DATA,
		.prot = VM_R | VM_W,
	};
	vm->nregion = ROOM;
	vm->heap = 1;
	vm->brk = DATA + 8 * PAGE - 5;
	vm->brk_low = DATA + 7;
	assert_true(region_promise(vm, 8));
	*pte_of(vm, TEXT, true) = 10 * PAGE | PTE_P;
	*pte_of(vm, TEXT + 2 * PAGE, true) = 12 * PAGE | PTE_P;
	*pte_of(vm, DATA + PAGE, true) = 20 * PAGE | PTE_P | PTE_W;
	vm->resident = 3;
	for (unsigned i = 10; i <= 20; i++)
		frames[i].users = 1;
	return vm;
}

static void a_new_one_is_empty_and_has_the_kernel(void **state)
{
	struct vm *vm = vm_new(ROOM);

	assert_int_equal(vm->pdpt[3], v2p(kernel_pd) | PTE_P);
	assert_int_equal(vm->pdpt[0] | vm->pdpt[1] | vm->pdpt[2], 0);
	assert_int_equal(vm->ref, 1);
	assert_int_equal(vm->room, ROOM);
	assert_int_equal(vm->nregion, 0);
	assert_int_equal(vm_resident(vm), 0);
	assert_null(region_at(vm, TEXT));
	vm_put(vm);
	assert_int_equal(blocks, 0);
	allocs_left = 0;
	assert_null(vm_new(ROOM));
}

static void B15_the_last_reference_frees_all(void **state)
{
	struct vm *vm = make();

	assert_ptr_equal(vm_ref(vm), vm);
	vm_put(NULL);
	vm_put(vm);
	assert_int_equal(blocks, 1);
	assert_int_equal(told + freed + nswept, 0);
	vm_put(vm);
	assert_int_equal(blocks, 0);
	assert_int_equal(told, 1);
	assert_int_equal(freed, 1);
	assert_int_equal(nswept, 2);
	assert_int_equal(swept[0].low, TEXT);
	assert_int_equal(swept[0].high, TEXT + 3 * PAGE);
	assert_int_equal(swept[1].low, DATA + PAGE);
	assert_int_equal(paid(PAYER_OWNER), 0);
	assert_int_equal(back, 8);
}

static void B15_another_account_pays_unless_it_is_shared(void **state)
{
	struct vm *vm = make();

	vm_ref(vm);
	assert_true(vm_charge(vm, PAYER_OTHERS));
	assert_int_equal(paid(PAYER_OTHERS), 0);
	vm->ref = 1;
	accounts[ACCOUNT_PAGES][PAYER_OTHERS].limit = 7;
	assert_false(vm_charge(vm, PAYER_OTHERS));
	assert_int_equal(vm->payer, PAYER_OWNER);
	assert_int_equal(paid(PAYER_OWNER), 8);
	accounts[ACCOUNT_PAGES][PAYER_OTHERS].limit = 8;
	assert_true(vm_charge(vm, PAYER_OTHERS));
	assert_int_equal(vm->payer, PAYER_OTHERS);
	assert_int_equal(paid(PAYER_OWNER), 0);
	vm_put(vm);
	assert_int_equal(paid(PAYER_OTHERS), 0);
}

static void B6_a_copy_is_promised_as_much_and_shares_what_is_present(void **state)
{
	struct vm *vm = make(), *child;

	*pte_of(vm, TEXT + 3 * PAGE, true) = 13 * PAGE | PTE_P; /* right behind the region */
	child = vm_fork(vm);
	assert_non_null(child);
	assert_int_equal(fake_locks, 0);
	assert_int_equal(fake_spins, 1);
	assert_int_equal(flushed, 1);
	assert_int_equal(vm_resident(child), 3);
	assert_int_equal(child->nregion, ROOM);
	assert_memory_equal(child->region, vm->region, sizeof(vm->region[0]) * ROOM);
	assert_int_equal(child->heap, 1);
	assert_int_equal(child->brk, vm->brk);
	assert_int_equal(child->brk_low, vm->brk_low);
	assert_int_equal(paid(PAYER_OWNER), 16);
	assert_int_equal(*pte_of(child, TEXT, false), 10 * PAGE | PTE_P);
	assert_int_equal(*pte_of(child, TEXT + PAGE, false), 0);
	assert_int_equal(*pte_of(child, TEXT + 2 * PAGE, false), 12 * PAGE | PTE_P);
	assert_int_equal(*pte_of(child, DATA + PAGE, false), 20 * PAGE | PTE_P | PTE_COW);
	assert_int_equal(*pte_of(vm, DATA + PAGE, false), 20 * PAGE | PTE_P | PTE_COW);
	assert_int_equal(*pte_of(child, DATA + 2 * PAGE, false), 0);
	assert_int_equal(frames[10].users, 2);
	assert_int_equal(frames[11].users, 1);
	assert_int_equal(frames[13].users, 1);
	assert_int_equal(frames[20].users, 2);
	vm_put(child);
	vm_put(vm);
	assert_int_equal(blocks, 0);
	assert_int_equal(paid(PAYER_OWNER), 0);
}

/* Without memory for itself, its promises, or a page table, there is none, and nothing is kept. */
static void B15_a_copy_that_fails_keeps_nothing(void **state)
{
	struct vm *vm = make();

	allocs_left = 0;
	assert_null(vm_fork(vm));
	allocs_left = -1;
	accounts[ACCOUNT_PAGES][PAYER_OWNER].limit = 15;
	assert_null(vm_fork(vm));
	accounts[ACCOUNT_PAGES][PAYER_OWNER].limit = 16;
	for (tables_left = 0; tables_left < 2;) {
		int had = tables_left;

		memset(table + 2, 0, sizeof(table) - 2 * sizeof(*table));
		assert_null(vm_fork(vm));
		tables_left = had + 1;
	}
	assert_int_equal(fake_locks, 0);
	assert_int_equal(blocks, 1);
	assert_int_equal(paid(PAYER_OWNER), 8);
	vm_put(vm);
}

#define TEST(f) cmocka_unit_test_setup(f, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_new_one_is_empty_and_has_the_kernel),
		TEST(B15_the_last_reference_frees_all),
		TEST(B15_another_account_pays_unless_it_is_shared),
		TEST(B6_a_copy_is_promised_as_much_and_shares_what_is_present),
		TEST(B15_a_copy_that_fails_keeps_nothing),
	};

	return RUN(tests, NULL, NULL);
}
