/* The device prof(3) in the guest tests: its control, and what it has of each module. */
#ifndef TESTS_GUEST_MODULES_H
#define TESTS_GUEST_MODULES_H

#include <stdint.h>

#define MODULES "/prof/"
#define KERNEL "/boot/gnomon" /* the path of the kernel as a module */
#define TEXT 0x400000u	      /* where a program's text starts (user.ld) */

/* Writes one message: 0, or -1 and errno. */
int ctl(const char *words);

int modules(void); /* how many there are; checks that their names are numbers */

/*
 * The path of a file of the module with that path, until the next call; of any if module is
 * NULL. NULL: there is no such module.
 */
const char *modules_file(const char *module, const char *name);

/* The sum of what hist or peak have for program counters in [lo, hi); allocates no memory. */
uint64_t modules_sum(const char *module, const char *name, uint32_t lo, uint32_t hi);

#endif
