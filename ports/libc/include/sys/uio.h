/* readv(2) and writev(2). */
#ifndef _SYS_UIO_H
#define _SYS_UIO_H

#include <sys/types.h>

struct iovec {
	void *iov_base;
	size_t iov_len;
};

ssize_t readv(int fd, const struct iovec *pieces, int n);
ssize_t writev(int fd, const struct iovec *pieces, int n);

#endif
