/*
 * What the kernel's files and its drivers both call, faked for hosted tests: locks, sleeping and
 * printing. It is included before anything of the kernel's: it stands in for kernel/machine/spin.h.
 */
#ifndef TESTS_FAKES_H
#define TESTS_FAKES_H

#include <setjmp.h>
#include <stdbool.h>

#define KERNEL_SPIN_H

struct spinlock;
struct mutex;

void spin_lock(struct spinlock *l);
void spin_unlock(struct spinlock *l);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);

extern unsigned fake_locks, fake_mutexes; /* held now */
extern unsigned fake_taken; /* how often a mutex was taken */
extern unsigned fake_spins; /* how often a spin lock was */
extern int (*fake_wait)(void); /* what happens while somebody sleeps; gives wait_on's answer */
extern char fake_log[4096];    /* what printk printed */

extern jmp_buf *fake_lacking;  /* where lacking() goes; NULL: it fails the test */

/* Tell whether printk printed s since the last call. */
bool fake_logged(const char *s);

#endif
