/* A process's file numbers: which open channel each of them stands for. */
#include "kernel/file/fd.h"
#include "kernel/memory/heap.h"
#include "kernel/process/syscall.h"

/* Make a table without open files; NULL: no memory. */
struct fdtable *fds_new(void)
{
	struct fdtable *t = kmalloc(sizeof(*t));

	if (t)
		*t = (struct fdtable){.ref = 1, .l.name = "fds"};
	return t;
}

/* Make a table with the same files open, for a child; NULL: no memory. */
struct fdtable *fds_copy(struct fdtable *t)
{
	struct fdtable *new = fds_new();

	if (!new)
		return NULL;
	HOLD_SPIN(&t->l);
	new->end = t->end;
	for (int fd = 0; fd < t->end; fd++) {
		if (!t->chan[fd])
			continue;
		new->chan[fd] = chan_ref(t->chan[fd]);
		new->cloexec[fd] = t->cloexec[fd];
	}
	return new;
}

/* Remove a user; when the last is gone, close all files. NULL is fine. May sleep. */
void fds_put(struct fdtable *t)
{
	if (!t || __atomic_sub_fetch(&t->ref, 1, __ATOMIC_ACQ_REL))
		return;
	for (int fd = 0; fd < t->end; fd++)
		if (t->chan[fd]) /* few are open, and each exit comes here */
			chan_put(t->chan[fd]);
	kfree(t);
}

/* Give the number to c (or NULL), and return what had it. The caller holds the lock. */
static inline struct chan *fd_place(struct fdtable *t, int fd, struct chan *c, bool cloexec)
{
	struct chan *old = t->chan[fd];

	check_guarded(&t->l, t->ref);
	t->chan[fd] = c;
	t->cloexec[fd] = cloexec;
	if (fd >= t->end)
		t->end = fd + 1;
	return old;
}

/* The same without the lock; the reference to what had the number is the caller's now. */
static struct chan *fd_swap(struct fdtable *t, int fd, struct chan *c, bool cloexec)
{
	HOLD_SPIN(&t->l);
	return fd_place(t, fd, c, cloexec);
}

/* Close what was opened with O_CLOEXEC. */
void fds_exec(struct fdtable *t)
{
	for (int fd = 0; fd < t->end; fd++)
		if (t->cloexec[fd])
			chan_put(fd_swap(t, fd, NULL, false));
}

/* Give c, with its reference, the lowest free number from there on; -EMFILE, and c is dropped. */
int fd_install(struct chan *c, int from, bool cloexec)
{
	struct fdtable *t = proc_self()->fds;
	int fd = from;

	spin_lock(&t->l);
	while (fd < NFD && t->chan[fd])
		fd++;
	if (fd < NFD)
		fd_place(t, fd, c, cloexec);
	spin_unlock(&t->l);
	if (fd < NFD)
		return fd;
	chan_put(c);
	return -EMFILE;
}

struct chan *fd_chan_shared(struct fdtable *t, uint32_t fd)
{
	HOLD_SPIN(&t->l);
	return fd_ref(t, fd);
}

/* Return the READY_ bits of an open file, or -EBADF for NULL. */
static inline int chan_ready(struct chan *c)
{
	if (!c)
		return -EBADF;
	if (!c->dev->ready)
		return READY_READ | READY_WRITE;
	return c->dev->ready(c);
}

/* The same for a number in a table that may change meanwhile. */
static NOT_INLINED int fd_ready_shared(int fd)
{
	DROPPED struct chan *c = fd_chan((uint32_t)fd);

	return chan_ready(c);
}

int fds_ready(const uint32_t want[2][NFD / 32], uint32_t is[2][NFD / 32])
{
	static const int bit[2] = {READY_READ, READY_WRITE};
	struct fdtable *t = proc_self()->fds;
	bool shared = __atomic_load_n(&t->ref, __ATOMIC_ACQUIRE) > 1;
	int n = 0, ready;

	for (int i = 0; i < NFD / 32; i++) {
		uint32_t left = want[0][i] | want[1][i];

		is[0][i] = is[1][i] = 0;
		for (int fd = 32 * i; left; fd++, left >>= 1) {
			if (!(left & 1))
				continue;
			if (__builtin_expect(shared, 0))
				ready = fd_ready_shared(fd);
			else
				ready = chan_ready(t->chan[fd]);
			if (ready < 0)
				return ready;
			for (int k = 0; ready && k < 2; k++) {
				uint32_t both = want[k][i] & 1u << fd % 32;
				if (!both || !(ready & bit[k]))
					continue;
				is[k][i] |= both;
				n++;
			}
		}
	}
	return n;
}

/* close(fd) */
int32_t sys_close(const uint32_t arg[5])
{
	if (arg[0] >= NFD)
		return -EBADF;
	struct chan *c = fd_swap(proc_self()->fds, (int)arg[0], NULL, false);
	if (!c)
		return -EBADF;
	chan_put(c);
	return 0;
}

/* fcntl(fd, command, value): -EBADF, -EMFILE, -EINVAL */
int32_t sys_fcntl(const uint32_t arg[5])
{
	struct fdtable *t = proc_self()->fds;
	uint32_t fd = arg[0], command = arg[1], value = arg[2];
	DROPPED struct chan *c = fd_chan(fd);

	if (!c)
		return -EBADF;
	switch (command) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		if (value >= NFD)
			return -EINVAL;
		return fd_install(chan_ref(c), (int)value, command == F_DUPFD_CLOEXEC);
	case F_DUP2FD:
		if (value >= NFD)
			return -EBADF;
		if (fd != value)
			chan_put(fd_swap(t, (int)value, chan_ref(c), false));
		return (int32_t)value;
	case F_GETFD:
		return t->cloexec[fd];
	case F_SETFD:
		t->cloexec[fd] = value & FD_CLOEXEC;
		return 0;
	case F_GETFL:
		return c->flags & (O_ACCMODE | O_APPEND);
	case F_SETFL:
		if (value & O_NONBLOCK)
			return -EINVAL;
		c->flags = (c->flags & ~O_APPEND) | ((int)value & O_APPEND);
		return 0;
	}
	return -EINVAL;
}
