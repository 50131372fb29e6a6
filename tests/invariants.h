/* What must hold of the kernel's memory and processes, for the test device. */
#ifndef TESTS_INVARIANTS_H
#define TESTS_INVARIANTS_H

#include <stddef.h>

void invariants_check(void);	 /* on one CPU: panics unless all of it does */
size_t invariants_charges(void); /* what accounts have paid for, without pages of small objects */
size_t invariants_frames(void); /* in use, but for those that small objects lie in */

#endif
