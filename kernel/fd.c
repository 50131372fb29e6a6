/* A process's file numbers: which open channel each of them stands for. */
#include "kernel/dev.h"
#include "kernel/sys.h"

struct fdtable {
	uint32_t ref;	   /* atomic */
	struct spinlock l;
	struct chan *chan[NFD]; /* l; NULL: free */
	bool cloexec[NFD];	/* l */
	int end;		/* l; no number from here on was ever used */
};

/* Make a table without open files; NULL: no memory. */
struct fdtable *fds_new(void)
{
	struct fdtable *t = kzalloc(sizeof(*t));

	if (t) {
		t->ref = 1;
		t->l.name = "fds";
	}
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

/* Count one user more. */
struct fdtable *fds_ref(struct fdtable *t)
{
	__atomic_add_fetch(&t->ref, 1, __ATOMIC_RELAXED);
	return t;
}

/* Count one user less, and close all files after the last. NULL is fine. May sleep. */
void fds_put(struct fdtable *t)
{
	if (!t || __atomic_sub_fetch(&t->ref, 1, __ATOMIC_ACQ_REL))
		return;
	for (int fd = 0; fd < t->end; fd++)
		if (t->chan[fd]) /* few are open, and each exit comes here */
			chan_put(t->chan[fd]);
	kfree(t);
}

/* Give the number to c (or NULL), and return what had it, whose reference is the caller's now. */
static struct chan *fd_swap(struct fdtable *t, int fd, struct chan *c, bool cloexec)
{
	HOLD_SPIN(&t->l);
	struct chan *old = t->chan[fd];
	t->chan[fd] = c;
	t->cloexec[fd] = cloexec;
	if (fd >= t->end)
		t->end = fd + 1;
	return old;
}

/* Close what was opened with O_CLOEXEC. */
void fds_exec(struct fdtable *t)
{
	for (int fd = 0; fd < t->end; fd++)
		if (t->cloexec[fd])
			chan_put(fd_swap(t, fd, NULL, false));
}

/* Give c, with the caller's reference, the lowest free number; -EMFILE, and c is dropped. */
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
		if (fd >= t->end)
			t->end = fd + 1;
	}
	spin_unlock(&t->l);
	if (fd < NFD)
		return fd;
	chan_put(c);
	return -EMFILE;
}

/* Get the channel of an open file of a table that may change meanwhile; NULL: there is none. */
static struct chan *shared_chan(struct fdtable *t, int fd)
{
	HOLD_SPIN(&t->l);
	return t->chan[fd] ? chan_ref(t->chan[fd]) : NULL;
}

/* Return the channel of an open file, with a reference of the caller's own; NULL: there is none. */
struct chan *fd_chan(uint32_t fd)
{
	struct fdtable *t = proc_self()->fds;
	struct chan *c;

	if (fd >= NFD)
		return NULL;
	if (__atomic_load_n(&t->ref, __ATOMIC_ACQUIRE) > 1)
		return shared_chan(t, (int)fd);
	c = t->chan[fd]; /* nobody else can change it */
	return c ? chan_ref(c) : NULL;
}

/* close(fd) */
int32_t sys_close(const uint32_t *arg)
{
	struct chan *c = arg[0] < NFD ? fd_swap(proc_self()->fds, (int)arg[0], NULL, false) : NULL;

	chan_put(c);
	return c ? 0 : -EBADF;
}

/* dup(fd) -> the lowest free number, which exec does not close */
int32_t sys_dup(const uint32_t *arg)
{
	struct chan *c = fd_chan(arg[0]);

	return c ? fd_install(c, false) : -EBADF;
}

/* dup2(fd, newfd) -> newfd; what was open there is closed */
int32_t sys_dup2(const uint32_t *arg)
{
	struct chan *c = arg[1] < NFD ? fd_chan(arg[0]) : NULL;

	if (!c)
		return -EBADF;
	if (arg[0] != arg[1])
		c = fd_swap(proc_self()->fds, (int)arg[1], c, false);
	chan_put(c);
	return (int32_t)arg[1];
}
