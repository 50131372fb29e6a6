/* poll(2), by select(2). */
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>

static const short asked[] = {POLLIN | POLLRDNORM, POLLOUT | POLLWRNORM};

/*
 * Wait until one of n files is ready, or for some milliseconds; -1: for ever. The end of a file is
 * POLLIN, and a pipe that nobody reads is POLLOUT: select(2) knows no POLLHUP and POLLERR.
 */
int poll(struct pollfd *fds, nfds_t n, int milliseconds)
{
	struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
	fd_set ready[2] = {0};
	struct pollfd *p;
	int i, found = 0;

	for (p = fds; p < fds + n; p++) {
		p->revents = p->fd >= 0 && fcntl(p->fd, F_GETFD) < 0 ? POLLNVAL : 0;
		found += p->revents != 0;
		for (i = 0; i < 2 && p->fd >= 0 && !p->revents; i++)
			if (p->events & asked[i])
				FD_SET(p->fd, &ready[i]);
	}
	if (found)
		time = (struct timeval){0, milliseconds = 0};
	if (select(FD_SETSIZE, &ready[0], &ready[1], NULL, milliseconds < 0 ? NULL : &time) < 0)
		return -1;
	for (p = fds; p < fds + n; p++) {
		if (p->fd < 0 || p->revents)
			continue;
		for (i = 0; i < 2; i++)
			if (FD_ISSET(p->fd, &ready[i]))
				p->revents |= p->events & asked[i];
		found += p->revents != 0;
	}
	return found;
}
