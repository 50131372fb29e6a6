/* The call graph profile in a memory dump of a guest. */
#ifndef USERLAND_PROFILE_CORE_H
#define USERLAND_PROFILE_CORE_H

/*
 * Read a dump as QEMU's dump-guest-memory writes it, of the kernel whose image is
 * `system`, into prof/'s own tables: gmon_param() and its like then tell what is in it.
 * The number of CPUs. Ends the program with a message when that cannot be.
 */
unsigned core_read(const char *core, const char *system);

#endif
