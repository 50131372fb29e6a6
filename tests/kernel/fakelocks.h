/* Locks as functions of fakes.c, in place of kernel/spin.h: before anything of the kernel's. */
#ifndef KERNEL_SPIN_H
#define KERNEL_SPIN_H

struct spinlock;
struct mutex;

void spin_lock(struct spinlock *l);
void spin_unlock(struct spinlock *l);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);

#endif
