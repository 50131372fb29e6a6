/* Histograms of where the program runs. */
#include <sys/profil.h>
#include "userland/libc/libc.h"

/*
 * Count from now on into one buffer, of 16-bit cells. A scale of 0 or 1 ends that. Always
 * return 0.
 */
int profil(unsigned short *buff, unsigned bufsiz, unsigned offset, unsigned scale)
{
	return sys5(SYS_profil, (int)buff, (int)bufsiz, (int)offset, (int)scale, 0);
}

/*
 * Count into profcnt buffers, or stop if that is 0, as the PROF_ bits of flags say. Store
 * the time between samples in *tvp unless it is NULL. E2BIG, EFAULT, EINVAL, ENOMEM, and
 * then nothing changes.
 */
int sprofil(const struct prof *profp, int profcnt, struct timeval *tvp, unsigned flags)
{
	return __sysret(sys5(SYS_sprofil, (int)profp, profcnt, (int)tvp, (int)flags, 0));
}

/* Count into 32-bit cells, one for each 4 bytes of text: a scale of 1, as fixed point. */
void __profil_words(void *cells, uint32_t size, uint32_t lowpc)
{
	const struct prof region = {cells, size, lowpc, 0x10000};

	sprofil(&region, size > 0, NULL, PROF_UINT);
}
