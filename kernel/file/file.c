/*
 * Reading and writing open channels, for the kernel and for programs.
 *
 * A regular file's offset stays locked until it has moved, so that two processes that
 * share it take turns. A stream's (S_IFCHR) does not, for its read may wait long and
 * must not keep a writer out; pipes have no offset at all.
 *
 * User memory is reached through a bounce buffer, on the stack if it is small: what a device gets
 * is kernel memory, unless its `direct` says that it can do without.
 */
#include "kernel/file/file.h"
#include "kernel/file/dirtab.h"
#include "kernel/file/fd.h"
#include "kernel/file/union.h"
#include "kernel/machine/copy.h"
#include "kernel/memory/heap.h"
#include "kernel/process/syscall.h"
#include "kernel/sched/sched.h"

#define BOUNCE_STACK 256       /* bytes; transfers up to this need no heap */
#define PIECE 16384	       /* bytes; longer ones go in pieces of this, or of a page */
#define RESULT_MAX 0x7ffff000u /* bytes; the most that one call transfers */

/* The furthest an offset may be. */
#define OFFSET_MAX ((uint64_t)INT64_MAX)

/*
 * Get c's stat. Fields that its device leaves alone say that it is the host owner's. This calls
 * itself once, and so does chan_pread(), for the file that a process's text leads to.
 */
int chan_stat(struct chan *c, struct stat *st)
{
	const struct dev *dev = c->dev;

	/* With all fields named, none is cleared first: each name in a path comes here. */
	*st = (struct stat){.st_dev = (uint8_t)dev->letter, .st_mode = c->type, .st_ino = c->qid,
			    .st_size = 0, .st_uid = UID_EVE, .st_nlink = 1, .st_mtime = 0};
	if (dev->stat)
		return dev->stat(c, st);
	if (dev->dir.row)
		return dirtab_stat(c, st);
	return 0;
}

/* Copy c's stat to user memory. */
int stat_out(struct chan *c, uint32_t user)
{
	struct stat st;
	int err = chan_stat(c, &st);

	return err ? err : copyout(user_ptr(user), &st, sizeof(st));
}

/* Return whether c was opened for this: O_RDONLY (reading) or O_WRONLY (writing). */
static bool opened_for(const struct chan *c, int access)
{
	int mode = c->flags & O_ACCMODE; /* plus 1 it is a bit for each, and O_RDWR both */

	return c->opened && (mode + 1) & (access + 1);
}

/* Return where to read or write. A file's lock is kept; a stream's is not, for that may sleep. */
static inline uint64_t offset_take(struct chan *c)
{
	mutex_lock(&c->lock);
	uint64_t off = c->offset;
	if (c->type == S_IFCHR)
		mutex_unlock(&c->lock);
	return off;
}

/* Move the offset by the result of that, and release the lock. */
static inline void offset_move(struct chan *c, ssize_t by)
{
	if (c->type == S_IFCHR)
		mutex_lock(&c->lock);
	if (by > 0)
		c->offset += (uint32_t)by;
	mutex_unlock(&c->lock);
}

/* Read at most n bytes (and IO_MAX) at off; the channel's offset stays. */
inline ssize_t chan_pread(struct chan *c, void *buf, size_t n, uint64_t off)
{
	if (!opened_for(c, O_RDONLY))
		return -EBADF;
	if (c->type == S_IFDIR)
		return -EISDIR;
	if (!c->dev->read || off > OFFSET_MAX)
		return -EINVAL;
	if (n == 0 && !c->dev->whole)
		return 0;
	return c->dev->read(c, buf, min_size(n, IO_MAX), off);
}

/* Read at most n bytes from where the channel is, and move it on; 0 at the end. */
ssize_t chan_read(struct chan *c, void *buf, size_t n)
{
	if (c->type == S_IFIFO)
		return chan_pread(c, buf, n, 0);
	ssize_t r = chan_pread(c, buf, n, offset_take(c));
	offset_move(c, r);
	return r;
}

/* Move the offset, which the caller has taken, to the end of the file. */
static NOT_INLINED int offset_end(struct chan *c, uint64_t *off)
{
	struct stat st;
	int err = chan_stat(c, &st);

	if (!err)
		c->offset = *off = st.st_size;
	return err;
}

/* Write n bytes (at most IO_MAX), at the end of a file opened to append. Return how many. */
ssize_t chan_write(struct chan *c, const void *buf, size_t n)
{
	ssize_t r = 0;

	if (!opened_for(c, O_WRONLY))
		return -EBADF;
	if (!c->dev->write)
		return -EINVAL;
	if (n == 0 && !c->dev->whole)
		return 0;
	n = min_size(n, IO_MAX);
	if (c->type == S_IFIFO)
		return c->dev->write(c, buf, n, 0);
	uint64_t off = offset_take(c);
	if (c->flags & O_APPEND && c->type == S_IFREG)
		r = offset_end(c, &off);
	if (!r)
		r = off > OFFSET_MAX - n ? -EFBIG : c->dev->write(c, buf, n, off);
	offset_move(c, r);
	return r;
}

/* Read or write a piece, by way of buf, unless that is NULL. */
static INLINED ssize_t file_piece(struct chan *c, uint8_t *user, size_t n, uint8_t *buf, bool out)
{
	if (!buf)
		return out ? chan_write(c, user, n) : chan_read(c, user, n);
	if (out)
		return copyin(buf, user, n) ? -EFAULT : chan_write(c, buf, n);
	ssize_t r = chan_read(c, buf, n);
	return r > 0 && copyout(user, buf, (size_t)r) ? -EFAULT : r;
}

/*
 * Read or write piece by piece until one is not full, by way of buf, unless that is NULL. After a
 * full piece only a regular file is read again: elsewhere that might wait.
 */
static ssize_t file_pieces(struct chan *c, uint8_t *user, size_t n, uint8_t *buf, size_t room,
			   bool out)
{
	bool again = out || c->type == S_IFREG;
	size_t done = 0, want;
	ssize_t r;

	do {
		want = min_size(n - done, room);
		r = file_piece(c, user + done, want, buf, out);
		if (r < 0)
			break;
		done += (size_t)r;
		if ((size_t)r < want || done == n || !again)
			break;
		r = give_way();
	} while (!r);
	return done ? (ssize_t)done : r;
}

/*
 * Read or write through a bounce buffer. When no large piece is free, a page will do for all but a
 * stream that wants its requests whole.
 */
static NOT_INLINED ssize_t file_bounced(struct chan *c, uint8_t *user, size_t n, bool out)
{
	size_t whole = c->dev->whole, room = min_size(n, whole ? whole : PIECE);
	uint8_t small[BOUNCE_STACK];

	if (room <= sizeof(small))
		return file_pieces(c, user, n, small, room, out);
	uint8_t *buf = kmalloc(room);
	if (!buf && room > PAGE && (!whole || c->type == S_IFREG)) {
		room = PAGE;
		buf = kmalloc(PAGE);
	}
	if (!buf)
		return -ENOMEM;
	ssize_t r = file_pieces(c, user, n, buf, room, out);
	kfree(buf);
	return r;
}

/* Read or write for a program. */
static INLINED int32_t file_transfer(const uint32_t *arg, bool out)
{
	size_t n = min_size(arg[2], RESULT_MAX);
	DROPPED struct chan *c = fd_chan(arg[0]);
	uint8_t *user = user_ptr(arg[1]);

	if (!c)
		return -EBADF;
	if (!c->dev->direct)
		return file_bounced(c, user, n, out);
	if (arg[1] >= KERNBASE)
		return -EFAULT;
	n = min_size(n, KERNBASE - arg[1]);
	if (n > PIECE)
		return file_pieces(c, user, n, NULL, PIECE, out);
	return file_piece(c, user, n, NULL, out);
}

/* read(fd, buf, n) */
int32_t sys_read(const uint32_t arg[5])
{
	return file_transfer(arg, false);
}

/* write(fd, buf, n) */
int32_t sys_write(const uint32_t arg[5])
{
	return file_transfer(arg, true);
}

/* Put together a 64-bit argument, which comes in two words. */
static uint64_t offset_arg(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

/*
 * lseek(fd, low, high, whence, &result): -ESPIPE for pipes and streams, -EOVERFLOW, -EINVAL
 *
 * A directory can only be set to its beginning. A device that takes each request as a whole ignores
 * the offset.
 */
int32_t sys_lseek(const uint32_t arg[5])
{
	DROPPED struct chan *c = fd_chan(arg[0]);
	int64_t now = (int64_t)offset_arg(arg[1], arg[2]);

	if (!c)
		return -EBADF;
	if (c->type == S_IFIFO || (c->type == S_IFCHR && !c->dev->whole))
		return -ESPIPE; /* it has no offset that could be set */
	if (arg[3] > SEEK_END)
		return -EINVAL;
	HOLD_MUTEX(&c->lock);
	struct stat st = {.st_size = arg[3] == SEEK_CUR ? c->offset : 0};
	int err = arg[3] == SEEK_END ? chan_stat(c, &st) : 0;
	if (err)
		return err;
	if (__builtin_add_overflow(now, (int64_t)st.st_size, &now))
		return -EOVERFLOW;
	if (now < 0 || (c->type == S_IFDIR && now > 0))
		return -EINVAL;
	c->mount_at = 0;
	c->offset = (uint64_t)now;
	return copyout(user_ptr(arg[4]), &now, sizeof(now));
}

/* ioctl(fd, command, argument): -ENOTTY for a file without commands; the device's result */
int32_t sys_ioctl(const uint32_t arg[5])
{
	DROPPED struct chan *c = fd_chan(arg[0]);

	if (!c)
		return -EBADF;
	return c->dev->ioctl ? c->dev->ioctl(c, arg[1], arg[2]) : -ENOTTY;
}

/* fstat(fd, &st) */
int32_t sys_fstat(const uint32_t arg[5])
{
	DROPPED struct chan *c = fd_chan(arg[0]);

	return c ? stat_out(c, arg[1]) : -EBADF;
}

/*
 * Set an attribute of c's file. -EINVAL for the size unless it is open for writing; -EPERM for the
 * others unless the file is the caller's, or the caller is eve, and where the device cannot.
 */
int chan_set(struct chan *c, uint32_t what, uint64_t value)
{
	struct stat st;
	int err = chan_stat(c, &st);

	if (err)
		return err;
	if (what > FSET_MTIME || value > OFFSET_MAX)
		return -EINVAL;
	if (what == FSET_SIZE && !opened_for(c, O_WRONLY))
		return -EINVAL;
	if (what == FSET_MODE)
		value &= 0777;
	bool may = what == FSET_SIZE || is_eve() || st.st_uid == (uint32_t)proc_self()->uid;
	if (!c->dev->set || !may)
		return -EPERM;
	return c->dev->set(c, what, value);
}

/* fset(fd, what, low, high) */
int32_t sys_fset(const uint32_t arg[5])
{
	DROPPED struct chan *c = fd_chan(arg[0]);

	return c ? chan_set(c, arg[1], offset_arg(arg[2], arg[3])) : -EBADF;
}

/* Copy entries to user memory while they fit. Return the bytes used. The caller holds c->lock. */
static int32_t file_list(struct chan *c, uint32_t user, uint32_t n)
{
	struct dirent d;
	struct stat st;
	uint32_t used = 0;
	uint64_t next;
	int err;

	while ((err = union_next(c, &next, d.d_name, &st)) > 0) {
		size_t len = offsetof(struct dirent, d_name) + (size_t)err + 1;
		size_t padded = (len + 7) & ~(size_t)7;

		if (padded > n - used) {
			err = -EINVAL; /* unless others did fit */
			break;
		}
		d.d_ino = st.st_ino;
		d.d_reclen = (uint16_t)padded;
		d.d_type = (uint8_t)((st.st_mode & S_IFMT) >> 12);
		err = copyout(user_ptr(user + used), &d, len);
		if (err)
			break;
		used += (uint32_t)padded;
		c->offset = next;
		err = give_way();
		if (err)
			break;
	}
	if (used > 0 || err == -ENOENT)
		return (int32_t)used;
	return err;
}

/* getdents(fd, buf, n): -ENOTDIR, -EINVAL when not even one entry fits */
int32_t sys_getdents(const uint32_t arg[5])
{
	DROPPED struct chan *c = fd_chan(arg[0]);

	if (!c)
		return -EBADF;
	if (c->type != S_IFDIR)
		return -ENOTDIR;
	HOLD_MUTEX(&c->lock);
	return file_list(c, arg[1], min_size(arg[2], IO_MAX));
}
