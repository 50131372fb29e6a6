/*
 * `#G`: the tree that sysctl(3) reads its kern.profiling variables from; gmon(4). Opening
 * a file for reading takes a picture of it.
 */
#include "drivers/clock/profspan.h"
#include "drivers/files/devices.h"
#include "drivers/files/picture.h"
#include "kernel/clock.h"
#include "kernel/memory.h"
#include "kernel/prof/userprof.h"

enum { QROOT, QKERN, QPROFILING, QPERCPU, QCPU, QSTATE, QCOUNT, QFROMS, QTOS, QPARAM, NROW };

/*
 * The tree: a row for each directory and file. The root is its own parent. The files are
 * below profiling, for all CPUs together, and once more below each cpuN.
 */
static const struct {
	const char *name;
	unsigned parent;
	uint32_t mode;
} rows[NROW] = {
	[QROOT] = {".", QROOT, S_IFDIR | 0555},
	[QKERN] = {"kern", QROOT, S_IFDIR | 0555},
	[QPROFILING] = {"profiling", QKERN, S_IFDIR | 0555},
	[QPERCPU] = {"percpu", QPROFILING, S_IFDIR | 0555},
	[QCPU] = {NULL, QPERCPU, S_IFDIR | 0555},
	[QSTATE] = {"state", QPROFILING, S_IFREG | 0600},
	[QCOUNT] = {"count", QPROFILING, S_IFREG | 0600},
	[QFROMS] = {"froms", QPROFILING, S_IFREG | 0600},
	[QTOS] = {"tos", QPROFILING, S_IFREG | 0600},
	[QPARAM] = {"gmonparam", QPROFILING, S_IFREG | 0400},
};

/*
 * A qid is a row and, from bit 8 on, 0 for all CPUs or a CPU's number + 1: PROF_GMON_ALL is all
 * ones, so adding 1 makes it 0, and the root's qid is 0, as everywhere.
 */
static uint64_t qid_of(unsigned row, unsigned which)
{
	return (uint64_t)(which + 1) << 8 | row;
}

/* Return the row of a file. */
static unsigned row_of(uint64_t qid)
{
	return qid & 0xff;
}

/* Return the number of the CPU that a file belongs to, or PROF_GMON_ALL. */
static unsigned which_of(uint64_t qid)
{
	return (unsigned)(qid >> 8) - 1;
}

/* Return the length of a file, or 0 for a directory. */
static uint32_t node_size(uint64_t qid)
{
	const struct prof_gmon_param *g = &_gmonparam;

	switch (row_of(qid)) {
	case QSTATE:
		return sizeof(g->state);
	case QCOUNT:
		return g->kcountsize;
	case QFROMS:
		return g->fromssize;
	case QTOS:
		return which_of(qid) == PROF_GMON_ALL ? g->tossize * (unsigned)ncpu : g->tossize;
	case QPARAM:
		return sizeof(*g);
	default:
		return 0;
	}
}

/* Whether the row is an entry of the other. A cpuN has all the files. */
static bool is_child(unsigned row, unsigned parent)
{
	return row != QROOT && (rows[row].parent == parent || (parent == QCPU && row > QCPU));
}

/* Find entry i of a directory; false when it has no more. */
static bool child(uint64_t dir, unsigned i, uint64_t *qid)
{
	unsigned row, parent = row_of(dir);

	if (parent == QPERCPU) {
		*qid = qid_of(QCPU, i);
		return i < (unsigned)ncpu;
	}
	for (row = QROOT; row < NROW; row++) {
		if (is_child(row, parent) && i-- == 0) {
			*qid = qid_of(row, which_of(dir));
			return true;
		}
	}
	return false;
}

/* The length of a file is that of the picture which opening it would take. */
static int gmon_stat(struct chan *c, struct stat *st)
{
	st->st_mode = rows[row_of(c->qid)].mode;
	st->st_size = node_size(c->qid);
	st->st_mtime = time_unix();
	return 0;
}

/* A CPU's directory is named by its number. */
static int gmon_entry(struct chan *c, uint64_t *at, char *name, struct stat *st)
{
	uint64_t qid;

	if (!child(c->qid, (unsigned)(*at)++, &qid))
		return -ENOENT;
	st->st_ino = qid;
	st->st_mode = rows[row_of(qid)].mode;
	if (row_of(qid) == QCPU)
		return snprintf(name, NAME_MAX + 1, "cpu%u", which_of(qid));
	return (int)strlcpy(name, rows[row_of(qid)].name, NAME_MAX + 1);
}

/*
 * The clock is held while any CPU counts. With prof=boot that began before there was a
 * clock.
 */
static void gmon_dev_init(void)
{
	profspan_run(&profspan_gmon, prof_wants(prof, PROF_GMON));
}

/* Both halves of the arcs are taken in one picture, of which one is shown. -ENOMEM. */
static int arcs_fill(uint64_t qid, void *out)
{
	unsigned which = which_of(qid);
	bool froms = row_of(qid) == QFROMS;
	void *other = kmalloc(node_size(qid_of(froms ? QTOS : QFROMS, which)));

	if (!other)
		return -ENOMEM;
	if (froms)
		prof_gmon_arcs(prof, which, out, other);
	else
		prof_gmon_arcs(prof, which, other, out);
	kfree(other);
	return 0;
}

/* Picture what the file holds now. */
static ssize_t gmon_fill(struct chan *c, char *out, size_t size)
{
	unsigned which = which_of(c->qid);
	int32_t state = prof_gmon_state(prof, which);
	int err = 0;

	switch (row_of(c->qid)) {
	case QSTATE:
		memcpy(out, &state, sizeof(state));
		break;
	case QCOUNT:
		prof_gmon_count(prof, which, (void *)out);
		break;
	case QPARAM:
		prof_gmon_param(prof, which, (void *)out);
		break;
	default:
		err = arcs_fill(c->qid, out);
	}
	return err ? err : (ssize_t)size;
}

/* Only files have a picture, and not for a channel that can only be written. */
static int gmon_open(struct chan *c, int flags)
{
	size_t size = node_size(c->qid);

	if (size == 0 || (flags & O_ACCMODE) == O_WRONLY)
		return 0;
	HOLD_MUTEX(&prof_lock);
	return picture_take(c, size, gmon_fill);
}

/* state takes one number: ON or OFF. */
static int write_state(unsigned which, const void *buf, size_t n, uint64_t off)
{
	int32_t state;

	if (n != sizeof(state) || off != 0)
		return -EINVAL;
	memcpy(&state, buf, sizeof(state));
	if (state == PROF_GMON_ON)
		prof_gmon_start(prof, which);
	else if (state == PROF_GMON_OFF)
		prof_gmon_stop(prof, which);
	else
		return -EINVAL;
	return 0;
}

/* Zeros, however many, clear the counts or arcs; nothing else can be written to them. */
static int write_zeros(uint64_t qid, const uint8_t *buf, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (buf[i] != 0)
			return -EINVAL;
	if (row_of(qid) == QCOUNT) {
		prof_gmon_clear_count(prof, which_of(qid));
		profspan_clear(&profspan_gmon);
	} else {
		prof_gmon_clear_arcs(prof, which_of(qid));
	}
	return 0;
}

/*
 * Only gmonparam refuses to be written: it follows from the rest. The clock is needed from the
 * first start to the last stop.
 */
static ssize_t gmon_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	unsigned row = row_of(c->qid);
	int err;

	if (row == QPARAM)
		return -EPERM;
	HOLD_MUTEX(&prof_lock);
	err = row == QSTATE ? write_state(which_of(c->qid), buf, n, off)
			    : write_zeros(c->qid, buf, n);
	profspan_run(&profspan_gmon, prof_wants(prof, PROF_GMON));
	return err ? err : (ssize_t)n;
}

const struct dev gmondev = {
	.letter = 'G',
	.name = "gmon",
	.init = gmon_dev_init,
	.entry = gmon_entry,
	.stat = gmon_stat,
	.open = gmon_open,
	.close = picture_close,
	.read = picture_read,
	.write = gmon_write,
};
