/* The namespace: which files a process and its group see under which names. */
#ifndef SYS_BIND_H
#define SYS_BIND_H

#include "kernel/abi/fcntl.h"

/* Show at `old` what `name` is: MREPL, MBEFORE or MAFTER, with MCREATE or without. */
int bind(const char *name, const char *old, int flags);
int unmount(const char *name, const char *old); /* name NULL: everything bound at old */
int rfork(int flags);				/* RFNAMEG, RFCNAMEG */

#endif
