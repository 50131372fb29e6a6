/* The call graph profile in a memory dump of a guest. */
#ifndef USERLAND_PROFILE_CORE_H
#define USERLAND_PROFILE_CORE_H

#include "prof/prof.h"

/*
 * Read a dump as QEMU's dump-guest-memory writes it, of the kernel whose image is `system`, into
 * gmon's tables in p, which are zero at first: prof_gmon_param() and its kin then tell what is in
 * it. Return the number of CPUs, or end the program with a message.
 */
unsigned core_read(struct prof *p, const char *core, const char *system);

#endif
