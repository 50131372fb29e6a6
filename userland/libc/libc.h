/* Functions that the library's files share, and raw system calls. */
#ifndef LIBC_H
#define LIBC_H

#include <stddef.h>
#include <stdint.h>
#include "kernel/abi/syscall.h"

/*
 * Raw system calls, by number of arguments. The number is in eax, the arguments in ebx, ecx, edx,
 * esi and edi; a result in [-4095, -1] is a negated error number. Those with fewer arguments leave
 * the compiler more registers.
 */
static inline int sys5(int n, int a, int b, int c, int d, int e)
{
	int r;

	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(n), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory");
	return r;
}

static inline int sys3(int n, int a, int b, int c)
{
	int r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory");
	return r;
}

static inline int sys2(int n, int a, int b)
{
	int r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b) : "memory");
	return r;
}

static inline int sys1(int n, int a)
{
	int r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a) : "memory");
	return r;
}

static inline int sys0(int n)
{
	int r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(n) : "memory");
	return r;
}

/*
 * errno.c: turn an error into -1 and errno, and return everything else unchanged. The library
 * reports its own errors in the same way: return __sysret(-EINVAL).
 */
int __sysret(int r);

/* gmonstart.c: crt0 calls this if the program has it. */
void __gmon_start(void);

/* handler.asm: where the kernel enters handlers; it calls the function of sigaction.c. */
void __signal_entry(void);
void __signal_run(int sig);

/* monitor.c: mcount.asm calls this at the entry of each instrumented function. */
void _mcount(uint32_t frompc, uint32_t selfpc);

/*
 * profil.c, for monitor(3): count into a 32-bit cell for each 4 bytes of text from lowpc on. size
 * is that of the cells in bytes; 0 ends counting.
 */
void __profil_words(void *cells, uint32_t size, uint32_t lowpc);

/*
 * malloc.c and calloc.c: realloc() and reallocarray() for functions whose result is memory for
 * their caller. Memory profiling charges the memory to the address `caller'.
 */
#define CALLER __builtin_return_address(0)
void *__realloc(void *p, size_t n, const void *caller);
void *__reallocarray(void *p, size_t n, size_t size, const void *caller);

/* memprof.c: tell that old, unless NULL, was freed and new allocated, while *asked is not 0. */
extern const volatile uint32_t *const __memprof_asked;
void __memprof_tell(void *old, void *new, size_t n, const void *caller);

/* heapsort.c: qsort() where there is no memory. */
void __heapsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *));

/* memcmp.c: return how many bytes at the beginning of two areas of n bytes are the same. */
size_t __memsame(const void *a, const void *b, size_t n);

/* start.c: the program's arguments, as the kernel laid them out. */
extern char **__argv;

/*
 * What exit() does first, if the program has it. These are weak where they are called, so that a
 * program without atexit() or stdio does not carry them.
 */
void __atexit_run(void);
void __stdio_exit(void);

#endif
