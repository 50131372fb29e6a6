/*
 * `#P`: prof(3). ctl, a directory for each module, newest first, and left when one was left out.
 * Opening one of a module's files with counts takes a picture of them, from which all reads are
 * served.
 */
#include "drivers/clock/profspan.h"
#include "drivers/files/devices.h"
#include "kernel/machine/image.h"
#include "kernel/prof/memprof.h"
#include "kernel/prof/module.h"
#include "kernel/prof/profilers.h"
#include "prof/prof_text.h"

enum { ROOT, CTL, DIR, LEFT, NAME, PATH, HISTOGRAM, HIST, PCTL, PEAK, MEMORY };

#define MINREAD 20u /* the shortest read of a histogram, which gives two numbers */
#define MAXINTERVAL 1000000 /* ms */

/*
 * Find the channel's module; NULL when it was forgotten. Ids are not used again, so a channel finds
 * no other in its place. The caller holds prof_lock.
 */
static const struct prof_module *profdev_module_of(const struct chan *c)
{
	const struct prof_module *m = prof->module.newest;

	while (m && ~m->id != dirtab_which(c))
		m = m->older;
	return m;
}

/*
 * Modules are listed by their ids in 8 hexadecimal digits, newest first: so what tells them from
 * each other in a qid is the complement.
 */
static size_t profdev_each_module(const struct dirtab *, uint32_t *which, char name[DIRTAB_NAME])
{
	HOLD_MUTEX(&prof_lock);
	const struct prof_module *m = prof->module.newest;
	while (m && ~m->id < *which)
		m = m->older;
	if (!m)
		return 0;
	*which = ~m->id;
	return (size_t)snprintf(name, DIRTAB_NAME, "%08x", m->id);
}

/* There is one of these if a module was left out. */
static size_t profdev_each_left(const struct dirtab *, uint32_t *which, char name[DIRTAB_NAME])
{
	if (*which > 1 || prof->module.nleft == 0)
		return 0;
	*which = 1;
	return strlcpy(name, "left", DIRTAB_NAME);
}

/*
 * A read of the histogram gives one pair without its newline: the next one, or, at offset 0,
 * the first. Readers set the offset back to begin anew.
 */
static ssize_t profdev_read_pair(struct chan *c, void *buf, size_t n, uint64_t off)
{
	struct picture *pic = c->aux;

	if (n < MINREAD)
		return -EINVAL;
	if (off == 0)
		pic->at = 0;
	if (pic->at == pic->len)
		return 0;
	const char *line = (const char *)pic->data + pic->at;
	size_t len = (size_t)(strchr(line, '\n') - line);
	if (len > n)
		return -EINVAL;
	pic->at += len + 1;
	memcpy(buf, line, len);
	return (ssize_t)len;
}

/* The strings go with the module, so they are shown under the lock for each read. */
static int profdev_show_text(struct chan *c, struct picture *to)
{
	const struct prof_module *m = profdev_module_of(c);

	if (!m)
		return -ENOENT;
	return picture_print(to, "%s", dirtab_row(c) == NAME ? m->name : m->path);
}

/* Show what the instruction at that offset, whose place it is, has in use, or ever had. */
static void profdev_show_place(struct prof_text *to, uint32_t at,
			       const struct prof_memprof_place *place, bool ever)
{
	spin_lock(&memprof_lock);
	struct prof_memprof_place p = *place; /* the text may need memory, which is counted, too */
	spin_unlock(&memprof_lock);
	if (ever)
		prof_text_print(to, "% % % % %\n",
				(uint64_t[]){at, p.peak, p.total, p.allocated, p.freed});
	else if (p.live)
		prof_text_print(to, "% %\n", (uint64_t[]){at, p.live});
}

/*
 * Show the counts, a pair per line, or the places of memory; of the kernel's coverage all entries,
 * since a reader cannot know which others there are. There may be thousands of lines, of which
 * picture_print() would make much ado.
 */
static int profdev_show_cells(struct chan *c, struct picture *to)
{
	const struct prof_module *m = profdev_module_of(c);
	bool memory = prof->module.kind == PROF_MODULE_MEMORY, ever = dirtab_row(c) == PEAK;
	struct prof_text text = {.to = &(struct prof_sink){.write = picture_write, .arg = to}};

	if (!m)
		return -ENOENT;
	if (ever && !memory)
		return 0;
	if (prof->module.kind == PROF_MODULE_COVER && m->lo == (uintptr_t)ktzero / MODULE_ENTRY)
		for (const uint32_t *pad = mcount_loc; pad < mcount_loc_end; pad++)
			prof_text_print(&text, "% %\n", (uint64_t[]){*pad - (uintptr_t)ktzero,
					prof_load(&m->count[*pad / MODULE_ENTRY - m->lo])});
	else
		for (uint32_t at = 0, n; prof_module_next(m, &at, &n); at++)
			if (memory)
				profdev_show_place(&text, at, &prof->module.memory.place[n], ever);
			else
				prof_text_print(&text, "% %\n", (uint64_t[]){at, n});
	return prof_text_end(&text);
}

/* Tell of the module's memory as a whole. */
static int profdev_show_memory(struct chan *c, struct picture *to)
{
	const struct prof_module *m = profdev_module_of(c);

	if (!m)
		return -ENOENT;
	HOLD_SPIN(&memprof_lock);
	picture_print(to, "live %llu\npeak %llu\n", m->memory.live, m->memory.peak);
	return picture_print(to, "total %llu\nallocated %u\nfreed %u\nlost %u\n", m->memory.total,
			     m->memory.allocated, m->memory.freed, m->memory.lost);
}

/* Tell how often there was no room for a module, and the last one's name. */
static int profdev_show_left(struct chan *, struct picture *to)
{
	return picture_print(to, "%u %s\n", prof->module.nleft, prof->module.left);
}

/* Tell the state in the words that a write accepts. */
static int profdev_show_ctl(struct chan *, struct picture *to)
{
	static const char *const word[] = {[PROF_MODULE_SAMPLE] = "start",
		[PROF_MODULE_COVER] = "startcp", [PROF_MODULE_MEMORY] = "startmp"};
	const struct prof_modules *m = &prof->module;

	picture_print(to, "%s\ninterval %u\n", m->on ? word[m->kind] : "stop", m->interval / 1000);
	for (size_t at = 0; at < m->nnames; at += strlen(m->names + at) + 1)
		picture_print(to, "module %s\n", m->names + at);
	return 0;
}

/* Return whether a module can have that name: a word, or a path without ".", ".." and "//". */
static bool profdev_can_name(const char *name)
{
	const char *slash = strchr(name, '/');

	if (slash && !strchr("/#", *name))
		return false;
	for (; slash; slash = strchr(slash, '/')) {
		slash++;
		slash += *slash == '.';
		slash += *slash == '.' && slash[-1] == '.';
		if (*slash == '/' || !*slash)
			return false;
	}
	return true;
}

/*
 * Put all names on the list or none. -EINVAL for what can be no name; -ENOSPC; -EBUSY while the
 * modules on it are counted.
 */
static int profdev_ctl_module(struct chan *, const struct cmd_words *msg)
{
	size_t before = prof->module.nnames;

	if (prof->module.on)
		return -EBUSY;
	for (unsigned i = 1; i < msg->n; i++)
		if (!profdev_can_name(msg->word[i]))
			return -EINVAL;
	for (unsigned i = 1; i < msg->n; i++) {
		if (prof_module_want(prof, msg->word[i]))
			continue;
		prof->module.nnames = before;
		return -ENOSPC;
	}
	return 0;
}

/* Start to sample, for which the clock must run. Counts of another kind are forgotten. */
static int profdev_ctl_start(struct chan *, const struct cmd_words *)
{
	bool anew = prof->module.kind != PROF_MODULE_SAMPLE;
	int err = modules_start(PROF_MODULE_SAMPLE, MODULES_KERNEL | MODULES_PROGRAMS, 0);

	if (err)
		return err;
	if (anew)
		profspan_clear(&profspan_prof);
	profspan_run(&profspan_prof, true);
	return 0;
}

/* Start to count coverage, of the process named or of all. */
static int profdev_ctl_startcp(struct chan *, const struct cmd_words *msg)
{
	return modules_start(PROF_MODULE_COVER, MODULES_KERNEL | MODULES_PROGRAMS, msg->number);
}

/*
 * Start to count memory. The digits are the numbers of Inferno's pools, no digits are all: 1
 * main, the kernel's own; 2 heap, that of programs; 3 image, of which there is none here. The
 * last word may ask for paths of calls.
 */
static int profdev_ctl_startmp(struct chan *, const struct cmd_words *msg)
{
	static const unsigned pool[] = {[1] = MODULES_KERNEL, [2] = MODULES_PROGRAMS, [3] = 0};
	bool paths = strcmp(msg->word[msg->n - 1], "paths") == 0;
	const char *digits = msg->n > 1U + paths ? msg->word[1] : "12";
	unsigned which = 0;

	if (msg->n > 2U + paths)
		return -EINVAL;
	for (; *digits; digits++) {
		if (!in_range((uint8_t)*digits, '1', '3' + 1))
			return -EINVAL;
		which |= pool[*digits - '0'];
	}
	if (!which)
		return -EOPNOTSUPP;
	return modules_start(PROF_MODULE_MEMORY, which | paths * MODULES_PATHS, 0);
}

/* Twice is fine. Only sampling has held the clock. */
static int profdev_ctl_stop(struct chan *, const struct cmd_words *)
{
	modules_stop();
	profspan_run(&profspan_prof, false);
	return 0;
}

/* Forget all that was counted and asked for. */
static int profdev_ctl_end(struct chan *c, const struct cmd_words *msg)
{
	profdev_ctl_stop(c, msg);
	modules_end();
	return 0;
}

/* Set the milliseconds between samples, which may be under way. */
static int profdev_ctl_interval(struct chan *, const struct cmd_words *msg)
{
	prof_module_interval(prof, (uint32_t)msg->number * 1000);
	return 0;
}

static const struct cmd words[] = {
	{"module", 1, CMD_MAXWORD - 1, .run = profdev_ctl_module},
	{"start", 0, 0, .run = profdev_ctl_start},
	{"startcp", 0, 1, .run = profdev_ctl_startcp, .least = 1, .most = INT32_MAX},
	{"startmp", 0, 2, .run = profdev_ctl_startmp},
	{"stop", 0, 0, .run = profdev_ctl_stop},
	{"end", 0, 0, .run = profdev_ctl_end},
	{"interval", 1, 1, .run = profdev_ctl_interval, .least = 1, .most = MAXINTERVAL},
};

/* To look among all cells for what was counted takes long, so there is room for some hundred. */
#define CELLS_FILE .show = profdev_show_cells, .room = 8000, .in = 1u << DIR

static const struct dirtab rows[] = {
	[ROOT] = {".", S_IFDIR | 0555},
	[CTL] = {"ctl", S_IFREG | 0600, .show = profdev_show_ctl, .ctl = {words, nelem(words)}},
	[DIR] = {NULL, S_IFDIR | 0555, .each = profdev_each_module},
	[LEFT] = {NULL, S_IFREG | 0400, .show = profdev_show_left, .each = profdev_each_left},
	[NAME] = {"name", S_IFREG | 0400, .show = profdev_show_text, .live = true, .in = 1u << DIR},
	[PATH] = {"path", S_IFREG | 0400, .show = profdev_show_text, .live = true, .in = 1u << DIR},
	[HISTOGRAM] = {"histogram", S_IFREG | 0400, CELLS_FILE, .read = profdev_read_pair},
	[HIST] = {"hist", S_IFREG | 0400, CELLS_FILE},
	[PCTL] = {"pctl", S_IFREG | 0200, .write = dirtab_ignore, .in = 1u << DIR},
	[PEAK] = {"peak", S_IFREG | 0400, CELLS_FILE},
	[MEMORY] = {"memory", S_IFREG | 0400, .show = profdev_show_memory, .in = 1u << DIR},
};

const struct dev profdev = {
	.letter = 'P', .name = "prof", .dir = {rows, nelem(rows), &prof_lock},
	.open = picture_open, .close = picture_close, .read = dirtab_read, .write = dirtab_write,
};
