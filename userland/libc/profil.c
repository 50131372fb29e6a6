/* Histograms of where the program runs. */
#include <sys/profil.h>
#include "userland/libc/libc.h"

/* Counts into one buffer from now on, of 16-bit cells; a scale of 0 or 1 ends that. Always 0. */
int profil(unsigned short *buff, unsigned bufsiz, unsigned offset, unsigned scale)
{
	return sys5(SYS_profil, (int)buff, (int)bufsiz, (int)offset, (int)scale, 0);
}

/*
 * Counts into profcnt buffers, none ends that; PROF_ bits in flags. The time between samples
 * goes to *tvp, unless that is NULL. E2BIG, EFAULT, EINVAL, ENOMEM, and then nothing changes.
 */
int sprofil(const struct prof *profp, int profcnt, struct timeval *tvp, unsigned flags)
{
	return __sysret(sys5(SYS_sprofil, (int)profp, profcnt, (int)tvp, (int)flags, 0));
}

void __profil_words(void *cells, uint32_t size, uint32_t lowpc)
{
	const struct prof region = {cells, size, lowpc, 0x10000};

	sprofil(&region, size > 0, NULL, PROF_UINT);
}
