/*
 * `#G`: the tree that sysctl(3) reads its kern.profiling variables from; gmon(4). To
 * open a file for reading is to take a picture of it.
 */
#include "devgmon.h"
#include "kernel.h"
#include "picture.h"
#include "profclock.h"
#include "prof/prof.h"

enum { QROOT, QKERN, QPROFILING, QSTATE, QCOUNT, QFROMS, QTOS, QPARAM, NNODE };

/* The tree: its root is its own parent. */
static const struct {
	const char *name;
	uint64_t parent;
	uint32_t mode;
} nodes[NNODE] = {
	[QROOT] = {".", QROOT, S_IFDIR | 0555},
	[QKERN] = {"kern", QROOT, S_IFDIR | 0555},
	[QPROFILING] = {"profiling", QKERN, S_IFDIR | 0555},
	[QSTATE] = {"state", QPROFILING, S_IFREG | 0600},
	[QCOUNT] = {"count", QPROFILING, S_IFREG | 0600},
	[QFROMS] = {"froms", QPROFILING, S_IFREG | 0600},
	[QTOS] = {"tos", QPROFILING, S_IFREG | 0600},
	[QPARAM] = {"gmonparam", QPROFILING, S_IFREG | 0400},
};

static uint32_t node_size(uint64_t qid)
{
	switch (qid) {
	case QSTATE:
		return sizeof(_gmonparam.state);
	case QCOUNT:
		return _gmonparam.kcountsize;
	case QFROMS:
		return _gmonparam.fromssize;
	case QTOS:
		return _gmonparam.tossize;
	case QPARAM:
		return sizeof(_gmonparam);
	default:
		return 0;
	}
}

static bool is_child(uint64_t qid, uint64_t parent)
{
	return qid != QROOT && nodes[qid].parent == parent;
}

static int gmon_walk(struct chan *c, const char *name)
{
	uint64_t qid;

	if ((nodes[c->qid].mode & S_IFMT) != S_IFDIR)
		return -ENOTDIR;
	for (qid = QROOT; qid < NNODE; qid++) {
		if (is_child(qid, c->qid) && strcmp(nodes[qid].name, name) == 0) {
			c->qid = qid;
			c->type = nodes[qid].mode & S_IFMT;
			return 0;
		}
	}
	return -ENOENT;
}

static struct stat node_stat(const struct chan *c, uint64_t qid)
{
	return (struct stat){
		.st_dev = (uint8_t)c->dev->letter,
		.st_mode = nodes[qid].mode,
		.st_ino = qid,
		.st_size = node_size(qid),
		.st_uid = UID_EVE,
		.st_nlink = 1,
		.st_mtime = time_unix(),
	};
}

static int gmon_stat(struct chan *c, struct stat *st)
{
	*st = node_stat(c, c->qid);
	return 0;
}

static int gmon_entry(struct chan *c, unsigned i, char *name, struct stat *st)
{
	uint64_t qid;

	for (qid = QROOT; qid < NNODE; qid++) {
		if (is_child(qid, c->qid) && i-- == 0) {
			strlcpy(name, nodes[qid].name, NAME_MAX + 1);
			*st = node_stat(c, qid);
			return 0;
		}
	}
	return -ENOENT;
}

/* The clock is held from start to stop. With prof=boot that began before there was a clock. */
static void gmon_dev_init(void)
{
	if (_gmonparam.state == GMON_PROF_ON)
		profclock_hold();
}

static void start(void)
{
	if (_gmonparam.state != GMON_PROF_ON)
		profclock_hold();
	gmon_start(prof);
}

static void stop(void)
{
	if (_gmonparam.state == GMON_PROF_ON)
		profclock_release();
	gmon_stop(prof);
}

/* Both halves of the arcs, of which the picture is to be one. -ENOMEM. */
static int arcs_picture(uint64_t qid, void *out)
{
	bool froms = qid == QFROMS;
	void *other = kmalloc(node_size(froms ? QTOS : QFROMS));

	if (!other)
		return -ENOMEM;
	gmon_arcs(froms ? out : other, froms ? other : out);
	kfree(other);
	return 0;
}

/* What the file holds now. */
static int fill(uint64_t qid, void *out)
{
	int32_t state = gmon_state();

	switch (qid) {
	case QSTATE:
		memcpy(out, &state, sizeof(state));
		return 0;
	case QCOUNT:
		gmon_count(out);
		return 0;
	case QPARAM:
		gmon_param(prof, out);
		return 0;
	default:
		return arcs_picture(qid, out);
	}
}

static int gmon_open(struct chan *c, int flags)
{
	struct picture *pic;
	int err;

	c->aux = NULL;
	if (node_size(c->qid) == 0 || (flags & O_ACCMODE) == O_WRONLY)
		return 0;
	pic = picture_new(c, node_size(c->qid));
	if (!pic)
		return -ENOMEM;
	mutex_lock(&prof_lock);
	err = fill(c->qid, pic->data);
	mutex_unlock(&prof_lock);
	if (err)
		picture_close(c);
	return err;
}

/* state takes one number: ON or OFF. */
static int write_state(const void *buf, size_t n, uint64_t off)
{
	int32_t state;

	if (n != sizeof(state) || off != 0)
		return -EINVAL;
	memcpy(&state, buf, sizeof(state));
	if (state != GMON_PROF_ON && state != GMON_PROF_OFF)
		return -EINVAL;
	if (state == GMON_PROF_ON)
		start();
	else
		stop();
	return 0;
}

/* Data can be zeroed and nothing else: zeros, however many, clear the set that they go to. */
static int write_zeros(uint64_t qid, const uint8_t *buf, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (buf[i] != 0)
			return -EINVAL;
	if (qid == QCOUNT)
		gmon_clear_count(prof);
	else
		gmon_clear_arcs(prof);
	return 0;
}

static ssize_t gmon_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	int err;

	if (c->qid == QPARAM)
		return -EPERM;
	mutex_lock(&prof_lock);
	err = c->qid == QSTATE ? write_state(buf, n, off) : write_zeros(c->qid, buf, n);
	mutex_unlock(&prof_lock);
	return err ? err : (ssize_t)n;
}

const struct dev gmondev = {
	.letter = 'G',
	.name = "gmon",
	.init = gmon_dev_init,
	.walk = gmon_walk,
	.entry = gmon_entry,
	.stat = gmon_stat,
	.open = gmon_open,
	.close = picture_close,
	.read = picture_read,
	.write = gmon_write,
};
