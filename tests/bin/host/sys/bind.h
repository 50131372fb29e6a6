/* Gnomon's <sys/bind.h> for commands that are built for the host: see ../gnomon.c. */
#ifndef SYS_BIND_H
#define SYS_BIND_H

#define MREPL 0
#define MBEFORE 1
#define MAFTER 2
#define MCREATE 4
#define RFNAMEG 1

int bind(const char *name, const char *old, int flags);
int unmount(const char *name, const char *old);
int rfork(int flags);

#endif
