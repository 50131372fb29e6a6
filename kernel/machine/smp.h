/* Requests from one CPU to the others. */
#pragma once

struct vm;

void smp_init(void);	     /* once there is a chip */
void smp_kick(unsigned cpu); /* have it look for something to run */
void smp_poll(void);	     /* serve flushes, from a loop with interrupts off */
void smp_stop(void);	     /* for good: a panic */

/* On return no CPU, or no other CPU, uses an old translation of vm any more. */
void vm_flush(const struct vm *vm);
void vm_flush_others(const struct vm *vm);

