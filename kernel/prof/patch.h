/* Calls at the entries of the kernel's functions, patched in and out. */
#pragma once

#include <stdbool.h>

/* Bits for the users of entry calls. */
#define ENTRY_ARCS 1u  /* gmon */
#define ENTRY_COVER 2u /* the coverage of prof(3), which module_entered() counts */
#define ENTRY_CALLS 4u /* the measuring of calls, of the functions that calls_chosen() tells */
#define ENTRY_TRACED 8u /* the recording of calls that are measured */
#define ENTRY_PAD 5u   /* size of the pad: the call's return address less the function's start */

/* Turn the calls on or off for these users. On return from off, no CPU is in such a call. */
void patch_entries(unsigned who, bool on);
