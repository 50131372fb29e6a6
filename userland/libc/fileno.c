/* Asking a stream about itself. */
#include <errno.h>
#include "userland/libc/file.h"
#include "userland/libc/libc.h"

/* Return the stream's descriptor. */
int fileno(FILE *f)
{
	return f->fd;
}

/* Return whether a read has met the end of the file. */
int feof(FILE *f)
{
	return (f->flags & F_EOF) != 0;
}

/* Return whether a read or a write has failed. */
int ferror(FILE *f)
{
	return (f->flags & F_ERR) != 0;
}

/* Clear both marks, so that the next read tries again. */
void clearerr(FILE *f)
{
	f->flags &= ~(F_EOF | F_ERR);
}

/* Choose when the stream is written. The buffer stays the library's own. EOF with EINVAL. */
int setvbuf(FILE *f, char *buf, int mode, size_t size)
{
	(void)buf;
	(void)size;
	if (mode < _IOFBF || mode > _IONBF)
		return __sysret(-EINVAL);
	f->mode = (uint8_t)mode;
	return 0;
}
