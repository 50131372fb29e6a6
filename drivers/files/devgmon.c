/*
 * `#G`: the tree that sysctl(3) reads its kern.profiling variables from; gmon(4). Opening
 * a file for reading takes a picture of it.
 */
#include "drivers/clock/profspan.h"
#include "drivers/files/devices.h"
#include "kernel/memory/heap.h"
#include "kernel/prof/profilers.h"

enum { QROOT, QKERN, QPROFILING, QPERCPU, QCPU, QSTATE, QCOUNT, QFROMS, QTOS, QPARAM };

/* Return the number of the CPU that a file belongs to, or PROF_GMON_ALL, which is -1. */
static unsigned gmon_which(const struct chan *c)
{
	return dirtab_which(c) - 1;
}

/* Return the size of the picture that opening a file takes; a directory has none. */
static uint64_t gmon_size_of(unsigned row, unsigned which)
{
	const struct prof_gmon_param *g = &_gmonparam;
	const uint32_t size[] = {
		[QSTATE] = sizeof(g->state),
		[QCOUNT] = g->kcountsize,
		[QFROMS] = g->fromssize,
		[QTOS] = which == PROF_GMON_ALL ? g->tossize * ncpu : g->tossize,
		[QPARAM] = sizeof(*g),
	};

	return size[row];
}

static uint64_t gmon_length(const struct chan *c)
{
	return gmon_size_of(dirtab_row(c), gmon_which(c));
}

/*
 * The clock is held while any CPU counts. With prof=boot that began before there was a
 * clock.
 */
static void gmon_dev_init(void)
{
	profspan_run(&profspan_gmon, prof_wants(prof, PROF_GMON));
}

/*
 * Write what the file holds now, which has the length that is told. Both halves of the arcs, froms
 * and tos, are taken at once, of which one is shown.
 */
static int gmon_show(struct chan *c, struct picture *to)
{
	unsigned which = gmon_which(c), row = dirtab_row(c);
	void *out = to->data, *half[2];
	bool second = row == QTOS;

	to->len = gmon_length(c);
	if (row == QSTATE) {
		*(int32_t *)out = prof_gmon_state(prof, which);
	} else if (row == QCOUNT) {
		prof_gmon_count(prof, which, out);
	} else if (row == QPARAM) {
		prof_gmon_param(prof, which, out);
	} else {
		half[second] = out;
		half[!second] = kzalloc(gmon_size_of(QFROMS + !second, which));
		if (!half[!second])
			return -ENOMEM;
		memset(out, 0, to->len);
		prof_gmon_arcs(prof, which, half[0], half[1]);
		kfree(half[!second]);
	}
	return 0;
}

/* state takes one number: ON or OFF. */
static int gmon_write_state(unsigned which, const void *buf, size_t n, uint64_t off)
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
static int gmon_write_zeros(unsigned row, unsigned which, const uint8_t *buf, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (buf[i] != 0)
			return -EINVAL;
	if (row == QCOUNT) {
		prof_gmon_clear_count(prof, which);
		profspan_clear(&profspan_gmon);
	} else {
		prof_gmon_clear_arcs(prof, which);
	}
	return 0;
}

/*
 * Only gmonparam cannot be opened for writing: it follows from the rest. The clock is needed from
 * the first start to the last stop.
 */
static ssize_t gmon_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	unsigned row = dirtab_row(c), which = gmon_which(c);

	HOLD_MUTEX(&prof_lock);
	int err = row == QSTATE ? gmon_write_state(which, buf, n, off) :
				  gmon_write_zeros(row, which, buf, n);
	profspan_run(&profspan_gmon, prof_wants(prof, PROF_GMON));
	return err ? err : (ssize_t)n;
}

/* The files are below profiling, for all CPUs together, and once more below each cpuN. */
#define FILES (1u << QPROFILING | 1u << QCPU)
#define GMON_FILE .length = gmon_length, .show = gmon_show, .in = FILES

static const struct dirtab rows[] = {
	[QROOT] = {".", S_IFDIR | 0555},
	[QKERN] = {"kern", S_IFDIR | 0555},
	[QPROFILING] = {"profiling", S_IFDIR | 0555, .in = 1u << QKERN},
	[QPERCPU] = {"percpu", S_IFDIR | 0555, .in = 1u << QPROFILING},
	[QCPU] = {"cpu", S_IFDIR | 0555, .in = 1u << QPERCPU, .each = dirtab_each_cpu},
	[QSTATE] = {"state", S_IFREG | 0600, GMON_FILE},
	[QCOUNT] = {"count", S_IFREG | 0600, GMON_FILE},
	[QFROMS] = {"froms", S_IFREG | 0600, GMON_FILE},
	[QTOS] = {"tos", S_IFREG | 0600, GMON_FILE},
	[QPARAM] = {"gmonparam", S_IFREG | 0400, GMON_FILE},
};

const struct dev gmondev = {
	.letter = 'G', .name = "gmon", .dir = {rows, nelem(rows), &prof_lock}, .read = dirtab_read,
	.init = gmon_dev_init, .open = picture_open, .close = picture_close, .write = gmon_write,
};
