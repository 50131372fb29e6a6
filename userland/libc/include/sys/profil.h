/* Histograms of where a program runs: profil(2), sprofil(2). */
#ifndef SYS_PROFIL_H
#define SYS_PROFIL_H

#include <stdint.h>
#include "kernel/abi/profil.h"
#include <sys/time.h>

/* Text that is counted, and the buffer that its counts go to. */
struct prof {
	void *pr_base;	    /* the buffer */
	unsigned pr_size;   /* its bytes */
	uintptr_t pr_off;   /* the lowest address that is counted */
	unsigned pr_scale; /* bytes of buffer to a byte of text: 0x10000 is 1 */
};

int profil(unsigned short *buff, unsigned bufsiz, unsigned offset, unsigned scale);
int sprofil(const struct prof *profp, int profcnt, struct timeval *tvp, unsigned flags);

#endif
