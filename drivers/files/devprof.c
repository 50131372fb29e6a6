/*
 * `#P`: prof(3). ctl, and a directory for each module, newest first. Opening a module's file
 * with counts takes a picture of them, from which all reads come.
 */
#include "drivers/clock/profclock.h"
#include "drivers/files/devices.h"
#include "drivers/files/picture.h"
#include "kernel/memory.h"
#include "kernel/prof/memprof.h"
#include "kernel/prof/module.h"
#include "kernel/prof/userprof.h"
#include "prof/prof.h"

/* A qid is a module's id and which of its files; id 0 is the root, whose one file is ctl. */
enum kind { DIR, NAME, PATH, HISTOGRAM, HIST, PCTL, PEAK, MEMORY, NKIND };
#define CTL 1u

#define MINREAD 20u /* the shortest read of a histogram */
#define LINE 24u    /* bytes for a pair, two numbers of ten digits, and more */
#define SPARE 16u   /* instructions */
#define MEMORYTEXT 160u
#define MAXINTERVAL 1000000u /* ms */

static const struct dirtab kinds[NKIND] = {
	[DIR] = {.name = ".", .mode = S_IFDIR | 0555},
	[NAME] = {.name = "name", .mode = S_IFREG | 0400},
	[PATH] = {.name = "path", .mode = S_IFREG | 0400},
	[HISTOGRAM] = {.name = "histogram", .mode = S_IFREG | 0400},
	[HIST] = {.name = "hist", .mode = S_IFREG | 0400},
	[PCTL] = {.name = "pctl", .mode = S_IFREG | 0200},
	[PEAK] = {.name = "peak", .mode = S_IFREG | 0400},
	[MEMORY] = {.name = "memory", .mode = S_IFREG | 0400},
};

static const struct dirtab_list module_dir = {kinds, NKIND};

/* An open histogram: the pairs as they were, and which is next. */
struct pairs {
	uint32_t n, at;
	struct {
		uint32_t pc, count;
	} pair[];
};

/* Whose file the channel is at; 0 for the root. */
static uint32_t qid_id(const struct chan *c)
{
	return (uint32_t)(c->qid >> 3);
}

/* Which of the files. */
static unsigned qid_kind(const struct chan *c)
{
	return c->qid & 7;
}

/* The qid of a module's file. */
static uint64_t make_qid(uint32_t id, unsigned kind)
{
	return (uint64_t)id << 3 | kind;
}

/* The module of the channel, or NULL when it has gone. The caller holds prof_lock. */
static const struct prof_module *module_of(const struct chan *c)
{
	const struct prof_module *m = prof->module.newest;

	while (m && m->id != qid_id(c))
		m = m->older;
	return m;
}

/* Whether the channel is in a module that was forgotten. */
static bool gone(const struct chan *c)
{
	const struct prof_module *m;

	if (qid_id(c) == 0)
		return false;
	mutex_lock(&prof_lock);
	m = module_of(c);
	mutex_unlock(&prof_lock);
	return !m;
}

/* The name of a module's directory. */
static void dir_name(char *name, size_t size, uint32_t id)
{
	snprintf(name, size, "%08x", id);
}

/* The id of the module whose directory has that name; 0: none. */
static uint32_t find_dir(const char *name)
{
	const struct prof_module *m;
	char text[12];
	uint32_t id = 0;

	mutex_lock(&prof_lock);
	for (m = prof->module.newest; m; m = m->older) {
		dir_name(text, sizeof(text), m->id);
		if (strcmp(text, name) == 0)
			id = m->id;
	}
	mutex_unlock(&prof_lock);
	return id;
}

/* To ctl, or a module. */
static int walk_root(struct chan *c, const char *name)
{
	uint32_t id;

	if (strcmp(name, "ctl") == 0) {
		c->qid = make_qid(0, CTL);
		c->type = S_IFREG;
		return 0;
	}
	id = find_dir(name);
	c->qid = make_qid(id, DIR);
	return id ? 0 : -ENOENT;
}

/* Within a module all names are fixed. */
static int prof_walk(struct chan *c, const char *name)
{
	unsigned kind = dirtab_find(&module_dir, name);

	if (qid_kind(c) != DIR)
		return -ENOTDIR;
	if (qid_id(c) == 0)
		return walk_root(c, name);
	if (kind == DIR || gone(c))
		return -ENOENT;
	c->qid |= kind;
	c->type = S_IFREG;
	return 0;
}

/* What tells the file from others, and its mode. */
static void fill_stat(struct stat *st, uint32_t id, unsigned kind)
{
	st->st_ino = make_qid(id, kind);
	st->st_mode = id == 0 && kind == CTL ? S_IFREG | 0200 : kinds[kind].mode;
}

/* -ENOENT of what is gone. */
static int prof_stat(struct chan *c, struct stat *st)
{
	if (gone(c))
		return -ENOENT;
	fill_stat(st, qid_id(c), qid_kind(c));
	st->st_mtime = time_unix();
	return 0;
}

/* ctl, then the modules. */
static int root_entry(unsigned i, char *name, struct stat *st)
{
	const struct prof_module *m;
	uint32_t id;

	if (i == 0) {
		strlcpy(name, "ctl", NAME_MAX + 1);
		fill_stat(st, 0, CTL);
		return 0;
	}
	mutex_lock(&prof_lock);
	for (m = prof->module.newest; m && i > 1; i--)
		m = m->older;
	id = m ? m->id : 0;
	mutex_unlock(&prof_lock);
	if (!id)
		return -ENOENT;
	dir_name(name, NAME_MAX + 1, id);
	fill_stat(st, id, DIR);
	return 0;
}

/* The files of a module, or what root_entry() says. */
static int prof_entry(struct chan *c, unsigned i, char *name, struct stat *st)
{
	if (qid_kind(c) != DIR)
		return -ENOTDIR;
	if (qid_id(c) == 0)
		return root_entry(i, name, st);
	if (i + 1 >= NKIND || gone(c))
		return -ENOENT;
	strlcpy(name, kinds[i + 1].name, NAME_MAX + 1);
	fill_stat(st, qid_id(c), i + 1);
	return 0;
}

/* module_next(), or the like of it. */
typedef bool next_fn(const struct prof_module *m, uint32_t *at, uint32_t *count);

/* How many instructions have a count, and some more that may get one while memory is allocated. */
static uint32_t count_pairs(const struct prof_module *m, next_fn *next)
{
	uint32_t at, count, n = SPARE;

	for (at = 0; next(m, &at, &count); at++)
		n++;
	return n;
}

/* At most n pairs, which are taken while counts may still appear. */
static int take_pairs(struct chan *c, const struct prof_module *m)
{
	uint32_t at, count, n = count_pairs(m, module_next);
	struct pairs *p = kmalloc(sizeof(*p) + n * sizeof(p->pair[0]));

	if (!p)
		return -ENOMEM;
	p->n = p->at = 0;
	for (at = 0; p->n < n && module_next(m, &at, &count); at++) {
		p->pair[p->n].pc = at;
		p->pair[p->n++].count = count;
	}
	c->aux = p;
	return 0;
}

/* The same as text, one pair per line. */
static int take_lines(struct chan *c, const struct prof_module *m, next_fn *next)
{
	uint32_t at, count, n = count_pairs(m, next);
	struct picture *pic = picture_new(c, n * LINE);
	size_t len = 0;

	if (!pic)
		return -ENOMEM;
	for (at = 0; n-- > 0 && next(m, &at, &count); at++)
		len += (size_t)snprintf((char *)pic->data + len, LINE, "%u %u\n", at, count);
	pic->len = len;
	return 0;
}

/* The module's memory as a whole. */
static int take_memory(struct chan *c, const struct prof_module *m)
{
	struct picture *pic = picture_new(c, MEMORYTEXT);

	if (!pic)
		return -ENOMEM;
	spin_lock(&memprof_lock);
	pic->len = (size_t)snprintf((char *)pic->data, MEMORYTEXT,
				    "live %llu\npeak %llu\nallocated %u\nfreed %u\nlost %u\n",
				    m->memory.live, m->memory.peak, m->memory.allocated,
				    m->memory.freed, m->memory.lost);
	spin_unlock(&memprof_lock);
	return 0;
}

/* What the file shows is taken now, and the channel's own. */
static int take(struct chan *c, const struct prof_module *m)
{
	switch (qid_kind(c)) {
	case HISTOGRAM:
		return take_pairs(c, m);
	case HIST:
		return take_lines(c, m, module_next);
	case PEAK:
		return take_lines(c, m, memprof_next);
	case MEMORY:
		return take_memory(c, m);
	default:
		return 0;
	}
}

/* The counts are taken now, and the channel's own. */
static int prof_open(struct chan *c, int)
{
	const struct prof_module *m;
	int err = -ENOENT;

	c->aux = NULL;
	if (qid_id(c) == 0)
		return 0;
	mutex_lock(&prof_lock);
	m = module_of(c);
	if (m)
		err = take(c, m);
	mutex_unlock(&prof_lock);
	return err;
}

/* The next pair, or the first one after the offset was set back to 0. */
static ssize_t read_pair(struct pairs *p, void *buf, size_t n, uint64_t off)
{
	char text[LINE];

	if (n < MINREAD)
		return -EINVAL;
	if (off == 0)
		p->at = 0;
	if (p->at == p->n)
		return 0;
	snprintf(text, sizeof(text), "%u %u", p->pair[p->at].pc, p->pair[p->at].count);
	if (strlen(text) > n)
		return -EINVAL;
	p->at++;
	return read_str(buf, n, 0, text);
}

/* Its name or path; the strings go with the module. */
static ssize_t read_text(struct chan *c, void *buf, size_t n, uint64_t off)
{
	const struct prof_module *m;
	ssize_t r = -ENOENT;

	mutex_lock(&prof_lock);
	m = module_of(c);
	if (m)
		r = read_str(buf, n, off, qid_kind(c) == NAME ? m->name : m->path);
	mutex_unlock(&prof_lock);
	return r;
}

/* ctl, pctl and directories cannot be read. */
static ssize_t prof_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	switch (qid_kind(c)) {
	case HISTOGRAM:
		return read_pair(c->aux, buf, n, off);
	case HIST:
	case PEAK:
	case MEMORY:
		return picture_read(c, buf, n, off);
	case NAME:
	case PATH:
		return read_text(c, buf, n, off);
	default:
		return -EINVAL;
	}
}

/* All names or none go on the list. -ENOSPC; -EBUSY while the modules on it are counted. */
static int want(const struct cmd_words *msg)
{
	size_t before = prof->module.nnames;
	unsigned i;

	if (prof->module.on)
		return -EBUSY;
	for (i = 1; i < msg->n; i++) {
		if (!module_want(prof, msg->word[i])) {
			prof->module.nnames = before;
			return -ENOSPC;
		}
	}
	return 0;
}

/* The clock runs while samples are taken. */
static int start(const struct cmd_words *)
{
	int err = modules_start(MODULE_SAMPLE, MODULES_KERNEL | MODULES_PROGRAMS, 0);

	if (!err)
		profclock_hold();
	return err;
}

/* Of one process, or without its number of all. */
static int start_coverage(const struct cmd_words *msg)
{
	uint32_t n = 0;

	if (msg->n > 1 && (!parse_uint(msg->word[1], &n) || n == 0 || n > INT32_MAX))
		return -EINVAL;
	return modules_start(MODULE_COVER, MODULES_KERNEL | MODULES_PROGRAMS, (int)n);
}

/*
 * The digits are the numbers of Inferno's pools of memory, none is all: 1 main, the kernel's
 * own; 2 heap, that of programs; 3 image, of which there is none here.
 */
static int start_memory(const struct cmd_words *msg)
{
	static const unsigned pool[] = {[1] = MODULES_KERNEL, [2] = MODULES_PROGRAMS, [3] = 0};
	const char *digits = msg->n > 1 ? msg->word[1] : "12";
	unsigned which = 0;

	for (; *digits; digits++) {
		if (*digits < '1' || *digits > '3')
			return -EINVAL;
		which |= pool[*digits - '0'];
	}
	return which ? modules_start(MODULE_MEMORY, which, 0) : -EOPNOTSUPP;
}

/* Twice is fine. Coverage does not hold the clock. */
static int stop(const struct cmd_words *)
{
	bool sampling = prof_wants(prof, PROF_MODULE);

	if (!prof->module.on)
		return 0;
	modules_stop();
	if (sampling)
		profclock_release();
	return 0;
}

/* Nothing is left of what was counted or asked for. */
static int end(const struct cmd_words *msg)
{
	stop(msg);
	modules_end();
	return 0;
}

/* In milliseconds; while samples are taken, too. */
static int set_interval(const struct cmd_words *msg)
{
	uint32_t ms;

	if (!parse_uint(msg->word[1], &ms) || ms == 0 || ms > MAXINTERVAL)
		return -EINVAL;
	module_interval(prof, ms * 1000);
	return 0;
}

static const struct cmd words[] = {
	{"module", 1, CMD_MAXWORD - 1, want},
	{"start", 0, 0, start},
	{"startcp", 0, 1, start_coverage},
	{"startmp", 0, 1, start_memory},
	{"stop", 0, 0, stop},
	{"end", 0, 0, end},
	{"interval", 1, 1, set_interval},
};

/* ctl's messages are strict, pctl takes anything. */
static ssize_t prof_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	ssize_t r;

	if (qid_kind(c) == PCTL)
		return (ssize_t)n;
	mutex_lock(&prof_lock);
	r = cmd_write(words, nelem(words), buf, n);
	mutex_unlock(&prof_lock);
	return r;
}

const struct dev profdev = {
	.letter = 'P',
	.name = "prof",
	.walk = prof_walk,
	.entry = prof_entry,
	.stat = prof_stat,
	.open = prof_open,
	.close = picture_close,
	.read = prof_read,
	.write = prof_write,
};
