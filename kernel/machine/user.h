/* What programs hand to the kernel: system calls, and memory whose address may be bad. */
#pragma once

#include "kernel/machine/check.h"

/* A system call: it takes five words and returns the result, or a negated error number. */
typedef int32_t syscall_fn(const uint32_t arg[5]);

/* Copy; return how many bytes are left, which is 0 unless a user address is bad. */
size_t user_copy(void *to, const void *from, size_t n);

/* Addresses in user_copy: after a fault between stac and clac, it continues at failed. */
extern const struct user_copy_sites {
	uint32_t stac, clac, failed;
} user_copy_sites;

/*
 * Copy n bytes, where both sides are kernel memory, or one is a program's that lies below KERNBASE.
 * Return how many were copied, which are the first: fewer if the program's is not accessible.
 */
static inline size_t copy_bytes(void *to, const void *from, size_t n)
{
	check_may_fault();
	return n - user_copy(to, from, n);
}

/* Return the program's pointer that a system call's argument holds. */
static inline void *user_ptr(uint32_t arg)
{
	return (void *)(uintptr_t)arg;
}
