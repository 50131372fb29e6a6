/* The namespace: the names under which a process and its group see files. */
#ifndef SYS_BIND_H
#define SYS_BIND_H

#include "kernel/abi/fcntl.h"

/* Make `name' appear at `old'. The flags are MREPL, MBEFORE or MAFTER, and perhaps MCREATE. */
int bind(const char *name, const char *old, int flags);
int unmount(const char *name, const char *old); /* NULL: all that is bound at old */
int rfork(int flags);				/* RFNAMEG, RFCNAMEG */

#endif
