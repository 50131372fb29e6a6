/* Memory: physical frames, the kernel's heap, address spaces, copies from and to programs. */
#pragma once

#include "kernel/abi/errno.h"
#include "kernel/check.h"
#include "kernel/i386.h"
#include "kernel/lib.h"

struct account;

/* frame.c: frames of 4 KB in the direct map, charged to the user of the calling process */
void frame_add(uint32_t pa, uint32_t end); /* free memory; its whole pages are taken */
void *frame_alloc_n(size_t n); /* n contiguous frames, content undefined; or NULL */
void *frame_alloc_for(struct account *a, size_t n); /* the same, charged to that account */
void frame_free_n(void *va, size_t n);
/* A promise is charged at once; it makes frame_alloc_promised() succeed n times, later. */
bool frame_promise(struct account *a, uint32_t n);
void frame_unpromise(struct account *a, uint32_t n); /* when those frames are free again */
void *frame_alloc_promised(void);
size_t frame_free_count(void);
size_t frame_count(void); /* of all frames, those included that nobody can be given */
size_t frame_left(void); /* how many the calling process could be given now */

static inline void *frame_alloc(void)
{
	return frame_alloc_n(1);
}

static inline void frame_free(void *va)
{
	frame_free_n(va, 1);
}

/* heap.c: kernel memory of any size; 16-byte aligned; NULL when there is none */
void *kmalloc(size_t n);
void *kzalloc_unseen(size_t n); /* zeros, which memory profiling does not count */
void kfree(void *p);

/* These two are inline so that memory profiling sees their caller call kmalloc(). */
static inline void *kzalloc(size_t n)
{
	void *p = kmalloc(n);

	return p ? memset(p, 0, n) : NULL;
}

static inline char *kstrdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = kmalloc(n);

	return copy ? memcpy(copy, s, n) : NULL;
}

/* vm.c: address spaces */
struct vm;
struct vm *vm_new(unsigned room); /* for that many regions; NULL if out of memory */
struct vm *vm_ref(struct vm *vm);
void vm_put(struct vm *vm);
bool vm_charge(struct vm *vm, struct account *a);
struct vm *vm_fork(struct vm *vm); /* copy on write; NULL if out of memory */
#define VM_R 4
#define VM_W 2
#define VM_X 1
int vm_map(struct vm *vm, uint32_t start, uint32_t end, int prot); /* zeros on first touch */
int vm_stack(struct vm *vm); /* the same, for the stack: below USER_TOP */
int vm_brk(struct vm *vm, uint32_t addr, uint32_t *now);
int vm_setbrk(struct vm *vm, uint32_t start);
int vm_fault(struct vm *vm, uint32_t va, uint32_t error); /* 0, -EFAULT, -ENOMEM */
size_t vm_resident(struct vm *vm); /* pages */

/* kvm.c: the kernel's own gigabyte */
void vm_init(uint32_t ram_end);
void kvm_use(void);	  /* this CPU, from here on */
/* A stack's lowest usable byte, with a guard page below it; NULL if the account may not have it. */
void *kstack_alloc(struct account *a);
void kstack_free(void *stack, struct account *a);
void *map_device(uint32_t pa, size_t n); /* uncached; panics when there is no room */
/* Write n <= 8 bytes of text, inside 8 aligned bytes, by one store. */
void text_write(uint32_t va, const void *from, size_t n);

/* Return the program's pointer that a system call's argument holds. */
static inline void *user_ptr(uint32_t arg)
{
	return (void *)(uintptr_t)arg;
}

/* user.asm: copy; return how many bytes are left, which is 0 unless a user address is bad. */
size_t user_copy(void *to, const void *from, size_t n);

/*
 * Copy n bytes, where both sides are kernel memory, or one is a program's that lies below KERNBASE.
 * Return how many were copied, which are the first: fewer if the program's is not accessible.
 */
static inline size_t copy_bytes(void *to, const void *from, size_t n)
{
	check_may_fault();
	return n - user_copy(to, from, n);
}

/* trap.c: copies from and to user memory return -EFAULT if it is not accessible */
int copyin(void *to, const void *user, size_t n);
int copyout(void *user, const void *from, size_t n);
int copyinstr(char *to, const char *user, size_t size); /* or length, -ENAMETOOLONG */
