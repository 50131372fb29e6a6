/* The system calls that take names. */
#include "kernel/file/fd.h"
#include "kernel/file/file.h"
#include "kernel/file/ns.h"
#include "kernel/file/open.h"
#include "kernel/file/walk.h"
#include "kernel/machine/copy.h"
#include "kernel/memory/heap.h"
#include "kernel/process/syscall.h"

#define PATH_STACK 128 /* bytes; paths up to this need no heap */

/* A path in kernel memory. */
struct path {
	char *s; /* NULL: not copied */
	char small[PATH_STACK];
};
/* Marks a local path whose memory is freed where its block ends. */
#define FREED __attribute__((cleanup(path_free)))
static inline void path_free(struct path *p)
{
	if (p->s != p->small)
		kfree(p->s);
}

/* Copy the user's path into the kernel; it is FREED even then: -EFAULT, -ENAMETOOLONG, -ENOMEM. */
static int path_arg(uint32_t user, struct path *p)
{
	p->s = p->small;
	int n = copyinstr(p->s, user_ptr(user), sizeof(p->small));
	if (n == -ENAMETOOLONG) {
		p->s = kmalloc(PATH_MAX);
		if (!p->s)
			return -ENOMEM;
		n = copyinstr(p->s, user_ptr(user), PATH_MAX);
	}
	return n < 0 ? n : 0;
}

/* Copy two paths; both are FREED whatever this returns. */
static int path_args(const uint32_t user[2], struct path *a, struct path *b)
{
	int err = path_arg(user[0], a), err_b = path_arg(user[1], b);

	return err ? err : err_b;
}

/* Walk to what the user's path names. */
static int path_walk(uint32_t user, unsigned how, struct chan **out)
{
	FREED struct path path;
	int err = path_arg(user, &path);

	return err ? err : ns_find(path.s, how, out);
}

/* open(path, flags, mode) -> fd */
int32_t sys_open(const uint32_t arg[5])
{
	FREED struct path path;
	struct chan *c;
	int err = path_arg(arg[0], &path);

	if (!err)
		err = ns_open(path.s, (int)arg[1], arg[2], &c);
	return err ? err : fd_install(c, 0, arg[1] & O_CLOEXEC);
}

/* stat(path, &st, 0 or FIND_LINK) */
int32_t sys_stat(const uint32_t arg[5])
{
	DROPPED struct chan *c = NULL;
	int err = path_walk(arg[0], arg[2] & FIND_LINK, &c);

	return err ? err : stat_out(c, arg[1]);
}

/* mkdir(path, mode) */
int32_t sys_mkdir(const uint32_t arg[5])
{
	FREED struct path path;
	int err = path_arg(arg[0], &path);

	return err ? err : ns_mkdir(path.s, arg[1]);
}

/* remove(path, kind): S_IFDIR, only a directory; S_IFREG, no directory; 0 */
int32_t sys_remove(const uint32_t arg[5])
{
	FREED struct path path;
	int err = path_arg(arg[0], &path);

	return err ? err : ns_remove(path.s, arg[1]);
}

/* symlink(target, path) */
int32_t sys_symlink(const uint32_t arg[5])
{
	FREED struct path to, path;
	int err = path_args(arg, &to, &path);

	if (!err)
		err = ns_symlink(to.s, path.s);
	return err;
}

/* readlink(path, buf, n) -> bytes; -EINVAL: it is no symbolic link */
int32_t sys_readlink(const uint32_t arg[5])
{
	DROPPED struct chan *c = NULL;
	FREED struct path to;

	to.s = kmalloc(PATH_MAX);
	if (!to.s)
		return -ENOMEM;
	int err = path_walk(arg[0], FIND_LINK, &c);
	if (err)
		return err;
	if (c->type != S_IFLNK)
		return -EINVAL;
	ssize_t n = c->dev->read(c, to.s, min_size(arg[2], PATH_MAX), 0);
	if (copyout(user_ptr(arg[1]), to.s, (size_t)n) != 0)
		return -EFAULT;
	return n;
}

/* rename(from, to), and link() */
static int path_move(const uint32_t user[2], bool link)
{
	FREED struct path from, to;
	int err = path_args(user, &from, &to);

	return err ? err : ns_rename(from.s, to.s, link);
}

int32_t sys_rename(const uint32_t arg[5])
{
	return path_move(arg, false);
}

int32_t sys_link(const uint32_t arg[5])
{
	return path_move(arg, true);
}

/* bind(name, old, flags) */
int32_t sys_bind(const uint32_t arg[5])
{
	FREED struct path name, old;
	int err = path_args(arg, &name, &old);

	return err ? err : ns_bind(name.s, old.s, (int)arg[2]);
}

/* unmount(name or NULL, old) */
int32_t sys_unmount(const uint32_t arg[5])
{
	FREED struct path name, old;
	int err = path_arg(arg[1], &old);

	name.s = NULL;
	if (!err && arg[0])
		err = path_arg(arg[0], &name);
	return err ? err : ns_unmount(name.s, old.s);
}

/* chmod(path, mode) */
int32_t sys_chmod(const uint32_t arg[5])
{
	DROPPED struct chan *c = NULL;
	int err = path_walk(arg[0], 0, &c);

	return err ? err : chan_set(c, FSET_MODE, arg[1]);
}

/* chdir(path): -ENOTDIR, -EACCES if it may not be searched */
int32_t sys_chdir(const uint32_t arg[5])
{
	struct proc *p = proc_self();
	DROPPED struct chan *c = NULL;
	int err = path_walk(arg[0], FIND_NAMED, &c);

	if (err)
		return err;
	if (c->type != S_IFDIR)
		return -ENOTDIR;
	err = union_permit(c, MAY_EXEC);
	if (err)
		return err;
	chan_put(p->cwd);
	p->cwd = chan_ref(c);
	return 0;
}

/* realpath(path, buf, n) -> length with the NUL, without links; -ERANGE if it is longer than n */
int32_t sys_realpath(const uint32_t arg[5])
{
	DROPPED struct chan *c = NULL;
	int err = path_walk(arg[0], FIND_NAMED, &c);

	if (err)
		return err;
	size_t n = strlen(c->name) + 1;
	if (n > arg[2])
		return -ERANGE;
	err = copyout(user_ptr(arg[1]), c->name, n);
	return err ? err : (int32_t)n;
}

/* rfork(RFNAMEG or RFCNAMEG): a copy of the namespace, or one of only the root */
int32_t sys_rfork(const uint32_t arg[5])
{
	struct proc *p = proc_self();

	if (arg[0] != RFNAMEG && arg[0] != RFCNAMEG)
		return -EINVAL;
	struct ns *ns = arg[0] == RFNAMEG ? ns_copy(p->ns) : ns_new(p->ns->root);
	if (!ns)
		return -ENOMEM;
	ns_put(p->ns);
	p->ns = ns;
	return 0;
}
