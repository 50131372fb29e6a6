/*
 * The start of a program that has functions compiled with -pg: mcount.asm brings this file
 * in, and crt0 calls it if it is there.
 * Host: no
 */
#include <sys/gmon.h>
#include <stdlib.h>
#include "userland/libc/libc.h"

extern char __text_start[], etext[]; /* user.ld */

/* Profile all of the text until the program ends. */
void __gmon_start(void)
{
	monstartup((unsigned long)__text_start, (unsigned long)etext);
	atexit(_mcleanup);
}
