/*
 * `#P`: prof(3). ctl, a directory for each module, newest first, and left when one was left out.
 * Opening one of a module's files with counts takes a picture of them, from which all reads are
 * served.
 */
#include "drivers/clock/profclock.h"
#include "drivers/files/devices.h"
#include "drivers/files/picture.h"
#include "kernel/memory.h"
#include "kernel/prof/memprof.h"
#include "kernel/prof/module.h"
#include "kernel/prof/userprof.h"

/*
 * A qid is a module's id and the kind of file; id 0 is the root, whose files are ctl and left.
 * Ids are not used again, so a channel whose module was forgotten finds no other in its place.
 */
enum kind { DIR, NAME, PATH, HISTOGRAM, HIST, PCTL, PEAK, MEMORY, NKIND };
#define CTL 1u
#define LEFT 2u

#define MINREAD 20u /* the shortest read of a histogram */
#define LINE 24u    /* bytes that a pair takes at most: two numbers of ten digits, and a NUL */
#define SPARE 16u   /* instructions, see take_lines() */
#define MEMORYTEXT 160u /* bytes of the file memory, at most */
#define ROOTTEXT 80u	/* bytes of ctl, without the names in it, or of left */
#define MAXINTERVAL 1000000 /* ms */

/* Return the id of the module whose file the channel is at; 0 for the root. */
static uint32_t qid_id(const struct chan *c)
{
	return (uint32_t)(c->qid >> 3);
}

static unsigned qid_kind(const struct chan *c)
{
	return c->qid & 7;
}

/* Find the channel's module; NULL when it was forgotten. The caller holds prof_lock. */
static const struct prof_module *module_of(const struct chan *c)
{
	const struct prof_module *m = prof->module.newest;

	while (m && m->id != qid_id(c))
		m = m->older;
	return m;
}

/* Whether the channel's module was forgotten. */
static bool gone(const struct chan *c)
{
	if (qid_id(c) == 0)
		return false;
	HOLD_MUTEX(&prof_lock);
	return !module_of(c);
}

/*
 * A read of the histogram gives one pair without its newline: the next one, or, at offset 0,
 * the first. Readers set the offset back to begin anew.
 */
static ssize_t read_pair(struct chan *c, void *buf, size_t n, uint64_t off)
{
	struct picture *pic = c->aux;
	const char *line;
	size_t len;

	if (n < MINREAD)
		return -EINVAL;
	if (off == 0)
		pic->at = 0;
	if (pic->at == pic->len)
		return 0;
	line = (const char *)pic->data + pic->at;
	len = (size_t)(strchr(line, '\n') - line);
	if (len > n)
		return -EINVAL;
	pic->at += len + 1;
	memcpy(buf, line, len);
	return (ssize_t)len;
}

/* The strings go with the module, so they are read under the lock. */
static ssize_t read_text(struct chan *c, void *buf, size_t n, uint64_t off)
{
	HOLD_MUTEX(&prof_lock);
	const struct prof_module *m = module_of(c);
	return m ? read_str(buf, n, off, qid_kind(c) == NAME ? m->name : m->path) : -ENOENT;
}

static const struct dirtab kinds[NKIND] = {
	[DIR] = {".", S_IFDIR | 0555},
	[NAME] = {"name", S_IFREG | 0400, .read = read_text},
	[PATH] = {"path", S_IFREG | 0400, .read = read_text},
	[HISTOGRAM] = {"histogram", S_IFREG | 0400, .read = read_pair},
	[HIST] = {"hist", S_IFREG | 0400, .read = picture_read},
	[PCTL] = {"pctl", S_IFREG | 0200},
	[PEAK] = {"peak", S_IFREG | 0400, .read = picture_read},
	[MEMORY] = {"memory", S_IFREG | 0400, .read = picture_read},
};

static void fill_stat(struct stat *st, uint32_t id, unsigned kind)
{
	st->st_ino = (uint64_t)id << 3 | kind;
	st->st_mode = kinds[kind].mode;
	if (id == 0 && kind == CTL)
		st->st_mode = S_IFREG | 0600;
}

/* Everything has the time of now: counts change at any moment. */
static int prof_stat(struct chan *c, struct stat *st)
{
	if (gone(c))
		return -ENOENT;
	fill_stat(st, qid_id(c), qid_kind(c));
	st->st_mtime = time_unix();
	return 0;
}

/*
 * Entry i of the root: ctl, then the modules, by their ids in 8 hexadecimal digits, and at the end
 * left, if one was left out.
 */
static int root_entry(unsigned i, char *name, struct stat *st)
{
	const struct prof_module *m;

	HOLD_MUTEX(&prof_lock);
	for (m = prof->module.newest; m && i > 1; i--)
		m = m->older;
	if (i == 0) {
		fill_stat(st, 0, CTL);
		return (int)strlcpy(name, "ctl", NAME_MAX + 1);
	}
	if (m) {
		fill_stat(st, m->id, DIR);
		return snprintf(name, NAME_MAX + 1, "%08x", m->id);
	}
	if (i > 1 || prof->module.nleft == 0)
		return -ENOENT;
	fill_stat(st, 0, LEFT);
	return (int)strlcpy(name, "left", NAME_MAX + 1);
}

/* A module's directory lists the same files for all; one that was forgotten lists none. */
static int prof_entry(struct chan *c, uint64_t *at, char *name, struct stat *st)
{
	unsigned i = (unsigned)(*at)++;

	if (qid_kind(c) != DIR)
		return -ENOTDIR;
	if (qid_id(c) == 0)
		return root_entry(i, name, st);
	if (i + 1 >= NKIND || gone(c))
		return -ENOENT;
	fill_stat(st, qid_id(c), i + 1);
	return (int)strlcpy(name, kinds[i + 1].name, NAME_MAX + 1);
}

/*
 * Picture the counts, or the peaks, as text, a pair per line. Allow some spare lines: instructions
 * may get their first count while memory is allocated.
 */
static int take_lines(struct chan *c, const struct prof_module *m, const uint32_t *cell)
{
	uint32_t at, count, room = SPARE;
	struct picture *pic;
	size_t len = 0;

	for (at = 0; prof_module_next(m, cell, &at, &count); at++)
		room++;
	pic = picture_new(c, room * LINE);
	if (!pic)
		return -ENOMEM;
	for (at = 0; room-- > 0 && prof_module_next(m, cell, &at, &count); at++)
		len += (size_t)snprintf((char *)pic->data + len, LINE, "%u %u\n", at, count);
	pic->len = len;
	return 0;
}

/* Tell of the module's memory as a whole. */
static ssize_t memory_text(struct chan *c, char *out, size_t size)
{
	const struct prof_module *m = module_of(c);

	HOLD_SPIN(&memprof_lock);
	return snprintf(out, size, "live %llu\npeak %llu\nallocated %u\nfreed %u\nlost %u\n",
			m->memory.live, m->memory.peak, m->memory.allocated, m->memory.freed,
			m->memory.lost);
}

/* Picture what the file shows now. The caller holds prof_lock. */
static int take(struct chan *c, const struct prof_module *m)
{
	switch (qid_kind(c)) {
	case HISTOGRAM:
	case HIST:
		return take_lines(c, m, m->count);
	case PEAK:
		return take_lines(c, m, m->peak);
	case MEMORY:
		return picture_take(c, MEMORYTEXT, memory_text);
	default:
		return 0;
	}
}

/*
 * Tell what ctl shows, the state in the words that a write accepts; or left, how often there was no
 * room for a module, and the last one's name.
 */
static ssize_t root_text(struct chan *c, char *out, size_t size)
{
	static const char *const started[] = {
		[PROF_MODULE_SAMPLE] = "start",
		[PROF_MODULE_COVER] = "startcp",
		[PROF_MODULE_MEMORY] = "startmp",
	};
	const struct prof_modules *m = &prof->module;

	if (qid_kind(c) == LEFT)
		return snprintf(out, size, "%u %s\n", m->nleft, m->left);
	int n = snprintf(out, size, "%s\ninterval %u\n", m->on ? started[m->kind] : "stop",
			 m->interval / 1000);
	for (size_t at = 0; at < m->nnames; at += strlen(m->names + at) + 1)
		n += snprintf(out + n, size - (size_t)n, "module %s\n", m->names + at);
	return n;
}

/*
 * Picture what the file shows now; -ENOENT when the module was forgotten. Of ctl's text a name with
 * its NUL, two bytes at least, takes no more than five times its length.
 */
static int prof_open(struct chan *c, int flags)
{
	HOLD_MUTEX(&prof_lock);
	if (qid_id(c) == 0)
		return qid_kind(c) == DIR || (flags & O_ACCMODE) == O_WRONLY ? 0 :
		       picture_take(c, ROOTTEXT + 5 * prof->module.nnames, root_text);
	const struct prof_module *m = module_of(c);
	return m ? take(c, m) : -ENOENT;
}

static ssize_t prof_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	const struct dirtab *kind = &kinds[qid_kind(c)];

	if (qid_id(c) == 0 && c->aux)
		return picture_read(c, buf, n, off);
	return kind->read ? kind->read(c, buf, n, off) : -EINVAL;
}

/* Put all names on the list or none. -ENOSPC; -EBUSY while the modules on it are counted. */
static int ctl_module(struct chan *, const struct cmd_words *msg)
{
	size_t before = prof->module.nnames;

	if (prof->module.on)
		return -EBUSY;
	for (unsigned i = 1; i < msg->n; i++) {
		if (!prof_module_want(prof, msg->word[i])) {
			prof->module.nnames = before;
			return -ENOSPC;
		}
	}
	return 0;
}

/* Start to sample, for which the clock must run. */
static int ctl_start(struct chan *, const struct cmd_words *)
{
	int err = modules_start(PROF_MODULE_SAMPLE, MODULES_KERNEL | MODULES_PROGRAMS, 0);

	if (!err)
		profclock_hold();
	return err;
}

/* Start to count coverage, of the process named or of all. */
static int ctl_startcp(struct chan *, const struct cmd_words *msg)
{
	int pid = msg->n > 1 ? cmd_number(msg, 1, 1, INT32_MAX) : 0;

	if (pid < 0)
		return pid;
	return modules_start(PROF_MODULE_COVER, MODULES_KERNEL | MODULES_PROGRAMS, pid);
}

/*
 * Start to count memory. The digits are the numbers of Inferno's pools, no digits are all: 1
 * main, the kernel's own; 2 heap, that of programs; 3 image, of which there is none here.
 */
static int ctl_startmp(struct chan *, const struct cmd_words *msg)
{
	static const unsigned pool[] = {[1] = MODULES_KERNEL, [2] = MODULES_PROGRAMS, [3] = 0};
	const char *digits = msg->n > 1 ? msg->word[1] : "12";
	unsigned which = 0;

	for (; *digits; digits++) {
		if (*digits < '1' || *digits > '3')
			return -EINVAL;
		which |= pool[*digits - '0'];
	}
	return which ? modules_start(PROF_MODULE_MEMORY, which, 0) : -EOPNOTSUPP;
}

/* Twice is fine. Only sampling has held the clock. */
static int ctl_stop(struct chan *, const struct cmd_words *)
{
	bool sampling = prof_wants(prof, PROF_MODULE);

	if (!prof->module.on)
		return 0;
	modules_stop();
	if (sampling)
		profclock_release();
	return 0;
}

/* Forget all that was counted and asked for. */
static int ctl_end(struct chan *c, const struct cmd_words *msg)
{
	ctl_stop(c, msg);
	modules_end();
	return 0;
}

/* Set the milliseconds between samples, which may be under way. */
static int ctl_interval(struct chan *, const struct cmd_words *msg)
{
	int ms = cmd_number(msg, 1, 1, MAXINTERVAL);

	if (ms < 0)
		return ms;
	prof_module_interval(prof, (uint32_t)ms * 1000);
	return 0;
}

static const struct cmd words[] = {
	{"module", 1, CMD_MAXWORD - 1, ctl_module},
	{"start", 0, 0, ctl_start},
	{"startcp", 0, 1, ctl_startcp},
	{"startmp", 0, 1, ctl_startmp},
	{"stop", 0, 0, ctl_stop},
	{"end", 0, 0, ctl_end},
	{"interval", 1, 1, ctl_interval},
};

static const struct cmd_list ctl = {words, nelem(words), &prof_lock};

/* ctl is strict; pctl takes anything, and does nothing. */
static ssize_t prof_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	return qid_kind(c) == PCTL ? (ssize_t)n : cmd_write(&ctl, c, buf, n);
}

const struct dev profdev = {
	.letter = 'P',
	.name = "prof",
	.entry = prof_entry,
	.stat = prof_stat,
	.open = prof_open,
	.close = picture_close,
	.read = prof_read,
	.write = prof_write,
};
