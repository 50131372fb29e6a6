/* Profiling a program from within: monitor(3). */
#ifndef SYS_GMON_H
#define SYS_GMON_H

#include <stddef.h>

/* Text is [lowpc, highpc). The profile is written to gmon.out by _mcleanup(). */
void monstartup(unsigned long lowpc, unsigned long highpc);
void moncontrol(int mode);
void monitor(int (*lowpc)(void), int (*highpc)(void), void *buffer, size_t bufsize,
	     size_t nfunc);
void _mcleanup(void);

#endif
