/* Gnomon's <sys/sysctl.h> for commands that are built for the host: see ../gnomon.c. */
#ifndef SYS_SYSCTL_H
#define SYS_SYSCTL_H

#include <stddef.h>

int sysctlbyname(const char *name, void *old, size_t *oldlen, const void *new_, size_t newlen);

#endif
