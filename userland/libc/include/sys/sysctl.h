/* The kernel's named variables, which are the files below /sysctl: sysctl(3). */
#ifndef SYS_SYSCTL_H
#define SYS_SYSCTL_H

#include <stddef.h>

#define CTL_MAXNAME 12

#define CTL_KERN 1 /* first level */

#define KERN_PROF 16 /* below CTL_KERN */

#define GPROF_STATE 0	  /* below KERN_PROF; int: on, busy, error or off */
#define GPROF_COUNT 1	  /* the histogram */
#define GPROF_FROMS 2	  /* heads of the lists of arcs, by caller */
#define GPROF_TOS 3	  /* the arcs */
#define GPROF_GMONPARAM 4 /* the sizes of all of these */

int sysctl(const int *name, unsigned namelen, void *old, size_t *oldlenp, const void *new_,
	   size_t newlen);
int sysctlbyname(const char *name, void *old, size_t *oldlenp, const void *new_, size_t newlen);

#endif
