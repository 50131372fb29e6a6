/* Histograms of where a program runs: profil(2), sprofil(2). */
#ifndef SYS_PROFIL_H
#define SYS_PROFIL_H

#include <stdint.h>
#include "kernel/abi/profil.h"
#include <sys/time.h>

/* A part of the text to count in, and the buffer for its counts. */
struct prof {
	void *pr_base;	    /* the buffer */
	unsigned pr_size;   /* its bytes */
	uintptr_t pr_off;   /* the lowest address to count */
	unsigned pr_scale; /* bytes of buffer to a byte of text: 0x10000 is 1 */
};

int profil(unsigned short *buff, unsigned bufsiz, unsigned offset, unsigned scale);
int sprofil(const struct prof *profp, int profcnt, struct timeval *tvp, unsigned flags);

#endif
