/*
 * What starts profiling in a program compiled with -pg, in place of the library's: with FAST in
 * its environment it samples itself every millisecond, and not every ten.
 */
#include <sys/gmon.h>
#include <sys/profil.h>
#include <stdlib.h>
#include "userland/libc/libc.h"

extern char __text_start[], etext[]; /* user.ld */

void __gmon_start(void)
{
	unsigned start = (unsigned)__text_start, size = ((unsigned)etext - start + 3) & ~3u;
	const struct prof region = {calloc(1, size), size, start, 0x10000};

	monitor((int (*)(void))__text_start, (int (*)(void))etext, region.pr_base, size, 0);
	if (getenv("FAST"))
		sprofil(&region, 1, NULL, PROF_UINT | PROF_FAST);
	atexit(_mcleanup);
}
