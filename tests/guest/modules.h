/* The device prof(3) for the guest tests: its ctl file, and the files of each module. */
#ifndef TESTS_GUEST_MODULES_H
#define TESTS_GUEST_MODULES_H

#include <stdint.h>

#define MODULES "/prof/"
#define KERNEL "/boot/gnomon" /* the path of the kernel as a module */
#define TEXT 0x400000u	      /* where a program's text starts (user.ld) */

/* Write one message; return 0, or -1 and errno. */
int ctl(const char *words);

/* Return the number of modules; check that their names are numbers. */
int modules(void);

/*
 * Return the path, until the next call, of a file of the module with that path, or of any module
 * if it is NULL. Return NULL if there is no such module.
 */
const char *modules_file(const char *module, const char *name);

/* Return the sum of hist or peak for program counters in [lo, hi); allocate no memory. */
uint64_t modules_sum(const char *module, const char *name, uint32_t lo, uint32_t hi);

/* The same of another column of peak: 2 bytes and 3 blocks ever allocated, 4 blocks freed. */
uint64_t modules_column(const char *module, const char *name, int column, uint32_t lo, uint32_t hi);

#endif
