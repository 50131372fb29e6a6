/* Places inside assembly code that C has to know: where faults are mended, what SMAP changes. */
#ifndef KERNEL_TRAP_H
#define KERNEL_TRAP_H

#include <stddef.h>
#include <stdint.h>

/* user.asm: 0, or -1 at a bad user address. */
int user_copy(void *to, const void *from, size_t n);

/* Inside user_copy: a fault between stac and clac goes on at failed. */
extern const struct user_copy_sites {
	uint32_t stac, clac, failed;
} user_copy_sites;

/* isr.asm: entries by vector, a shorter one, and the instructions that become clac. */
extern const uint32_t isr_table[256], isr_clac_sites[2];
extern const uint8_t isr_return[]; /* where trap() returns to */
void isr_step(void);

#endif
