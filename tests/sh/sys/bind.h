/* The part of Gnomon's <sys/bind.h> that the shell uses, for its build on the host. */
#ifndef SYS_BIND_H
#define SYS_BIND_H

#define RFNAMEG 1
#define RFCNAMEG 2

int rfork(int flags);

#endif
