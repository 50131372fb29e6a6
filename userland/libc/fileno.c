/* Asking a stream about itself. */
#include <errno.h>
#include "userland/libc/file.h"
#include "userland/libc/libc.h"

int fileno(FILE *f)
{
	return f->fd;
}

/* Whether a read found the end. */
int feof(FILE *f)
{
	return (f->flags & F_EOF) != 0;
}

/* Whether a read or write failed. */
int ferror(FILE *f)
{
	return (f->flags & F_ERR) != 0;
}

/* Forgets both, so that the next read asks again. */
void clearerr(FILE *f)
{
	f->flags &= ~(F_EOF | F_ERR);
}

/* Sets when the stream is written; 0, or EOF and EINVAL. */
int setvbuf(FILE *f, char *buf, int mode, size_t size)
{
	(void)buf;
	(void)size;
	if (mode < _IOFBF || mode > _IONBF)
		return __sysret(-EINVAL);
	f->mode = (uint8_t)mode;
	return 0;
}
