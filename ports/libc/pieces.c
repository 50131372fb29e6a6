/* readv(2) and writev(2): one call for memory that is in pieces, by a copy that is in one. */
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/uio.h>
#include "ports/libc/calls.h"

static ssize_t move(int call, int fd, const struct iovec *pieces, int n)
{
	size_t size = 0, at = 0;
	ssize_t r;
	char *all;
	int i;

	for (i = 0; i < n; i++)
		size += pieces[i].iov_len;
	all = malloc(size);
	for (i = 0; all && call == SYS_write && i < n; at += pieces[i++].iov_len)
		memcpy(all + at, pieces[i].iov_base, pieces[i].iov_len);
	r = all ? __sysret(sys3(call, fd, (int)all, (int)size)) : -1;
	for (i = 0, at = 0; call == SYS_read && (ssize_t)at < r; at += pieces[i++].iov_len)
		memcpy(pieces[i].iov_base, all + at, MIN(pieces[i].iov_len, (size_t)r - at));
	free(all);
	return r;
}

ssize_t readv(int fd, const struct iovec *pieces, int n)
{
	return move(SYS_read, fd, pieces, n);
}

ssize_t writev(int fd, const struct iovec *pieces, int n)
{
	return move(SYS_write, fd, pieces, n);
}
