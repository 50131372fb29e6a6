/* A process's file numbers: which open channel each of them is. */
#include "kernel/dev.h"
#include "kernel/memory.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

struct fdtable {
	uint32_t ref;	   /* atomic */
	struct spinlock l; /* guards the rest */
	struct chan *chan[NFD];
	bool cloexec[NFD];
};

/* A table without open files; NULL when out of memory. */
struct fdtable *fds_new(void)
{
	struct fdtable *t = kzalloc(sizeof(*t));

	if (t)
		t->ref = 1;
	return t;
}

/* A table with the same files open, for a child; NULL when out of memory. */
struct fdtable *fds_copy(struct fdtable *t)
{
	struct fdtable *new = fds_new();

	if (!new)
		return NULL;
	spin_lock(&t->l);
	for (int fd = 0; fd < NFD; fd++) {
		if (!t->chan[fd])
			continue;
		new->chan[fd] = chan_ref(t->chan[fd]);
		new->cloexec[fd] = t->cloexec[fd];
	}
	spin_unlock(&t->l);
	return new;
}

/* One user more. */
struct fdtable *fds_ref(struct fdtable *t)
{
	__atomic_add_fetch(&t->ref, 1, __ATOMIC_RELAXED);
	return t;
}

/* One user less; with the last everything is closed. NULL is fine. May sleep. */
void fds_put(struct fdtable *t)
{
	if (!t || __atomic_sub_fetch(&t->ref, 1, __ATOMIC_ACQ_REL))
		return;
	for (int fd = 0; fd < NFD; fd++) {
		if (t->chan[fd])
			chan_put(t->chan[fd]);
	}
	kfree(t);
}

/* Puts c (or NULL) in a row and hands back what was there, to be let go by the caller. */
static struct chan *fd_swap(struct fdtable *t, int fd, struct chan *c, bool cloexec)
{
	struct chan *old;

	spin_lock(&t->l);
	old = t->chan[fd];
	t->chan[fd] = c;
	t->cloexec[fd] = cloexec;
	spin_unlock(&t->l);
	return old;
}

/* Closes what was opened with O_CLOEXEC. */
void fds_exec(struct fdtable *t)
{
	for (int fd = 0; fd < NFD; fd++) {
		if (t->cloexec[fd])
			chan_put(fd_swap(t, fd, NULL, false));
	}
}

/* The lowest free number for c, whose reference is taken over; -EMFILE, and then c is let go. */
int fd_install(struct chan *c, bool cloexec)
{
	struct fdtable *t = proc_self()->fds;
	int fd = 0;

	spin_lock(&t->l);
	while (fd < NFD && t->chan[fd])
		fd++;
	if (fd < NFD) {
		t->chan[fd] = c;
		t->cloexec[fd] = cloexec;
	}
	spin_unlock(&t->l);
	if (fd < NFD)
		return fd;
	chan_put(c);
	return -EMFILE;
}

/* The channel of an open file, with a reference of the caller's own; -EBADF. */
int fd_chan(int fd, struct chan **out)
{
	struct fdtable *t = proc_self()->fds;
	struct chan *c;

	if ((unsigned)fd >= NFD)
		return -EBADF;
	spin_lock(&t->l);
	c = t->chan[fd];
	if (c)
		chan_ref(c);
	spin_unlock(&t->l);
	*out = c;
	return c ? 0 : -EBADF;
}

/* close(fd) */
int32_t sys_close(const uint32_t *arg)
{
	struct chan *c;

	if (arg[0] >= NFD)
		return -EBADF;
	c = fd_swap(proc_self()->fds, (int)arg[0], NULL, false);
	if (!c)
		return -EBADF;
	chan_put(c);
	return 0;
}

/* dup(fd) -> the lowest free number, which exec does not close */
int32_t sys_dup(const uint32_t *arg)
{
	struct chan *c;
	int err = fd_chan((int)arg[0], &c);

	return err ? err : fd_install(c, false);
}

/* dup2(fd, newfd) -> newfd; what was open there is closed */
int32_t sys_dup2(const uint32_t *arg)
{
	struct chan *c;
	int err;

	if (arg[1] >= NFD)
		return -EBADF;
	err = fd_chan((int)arg[0], &c);
	if (err)
		return err;
	if (arg[0] == arg[1])
		chan_put(c);
	else
		chan_put(fd_swap(proc_self()->fds, (int)arg[1], c, false));
	return (int32_t)arg[1];
}
