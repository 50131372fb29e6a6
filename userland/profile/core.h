/* The call graph profile in a memory dump of a guest. */
#ifndef USERLAND_PROFILE_CORE_H
#define USERLAND_PROFILE_CORE_H

/*
 * Read a dump as QEMU's dump-guest-memory writes it, of the kernel whose image is `system`, into
 * this program's own tables of prof/prof_gmon.c: prof_gmon_param() and its kin then tell what is
 * in it. Return the number of CPUs, or end the program with a message.
 */
unsigned core_read(const char *core, const char *system);

#endif
