/*
 * `#p`: a directory for each process, named by its number, with the files status (a line
 * of text), ctl (which takes `kill` and `kill SIGNAL`) and text (the program).
 *
 * A text is the file that exec opened, never looked up by name again, and it cannot be executed: so
 * no program is a text, and what a text leads to is never a text in its turn.
 */
#include "drivers/files/devices.h"
#include "kernel/abi/signal.h"
#include "kernel/file/file.h"
#include "kernel/file/picture.h"
#include "kernel/machine/time.h"
#include "kernel/memory/vm.h"
#include "kernel/process/proc.h"

enum { ROOT, DIR, STATUS, CTL, TEXT }; /* dirtab_which() is the process's number */

/*
 * Of a text find the file of the program that the process runs, if the caller may read it. It can
 * only be read; its channel keeps the program open in aux. What another user than the process's has
 * opened, who was it before, is not shown: they had rights of their own.
 */
static int procdev_open(struct chan *c, int flags)
{
	DROPPED struct chan *program = NULL;

	if (dirtab_row(c) != TEXT)
		return 0;
	if ((flags & O_ACCMODE) != O_RDONLY)
		return -EACCES;
	spin_lock(&proc_lock);
	struct proc *p = proc_find((int)dirtab_which(c));
	if (p && p->program && p->program->payer == p->payer)
		program = chan_ref(p->program);
	spin_unlock(&proc_lock);
	if (!program)
		return -ENOENT;
	int err = chan_permit(program, MAY_READ);
	if (!err)
		c->aux = chan_ref(program);
	return err;
}

static void procdev_close(struct chan *c)
{
	chan_put(c->aux);
}

/* Convert cycles to milliseconds, for people to read; the result wraps after 49 days. */
static unsigned procdev_ms(uint64_t cycles)
{
	return (unsigned)(time_cycles(cycles) / 1000000);
}

/* Write the numbers and arguments of a process: see procdev_show_status(). */
static void procdev_show_use(const struct proc *p, struct picture *to)
{
	unsigned pages = p->vm ? (unsigned)vm_resident(p->vm) : 0;
	uint64_t user = proc_spent(&p->utime), all = proc_spent(&p->cputime);

	picture_print(to, " %u %u %u", procdev_ms(user), procdev_ms(all - user), pages);
	if (p->args && *p->args)
		picture_print(to, " %s", p->args);
	picture_print(to, "\n");
}

/*
 * Tell NAME PID PPID PGID USER STATE UTIME_MS STIME_MS PAGES ARGS... in one line of printing ASCII,
 * in which the name is one word, whatever users call their programs.
 */
static int procdev_show_status(struct chan *c, struct picture *to)
{
	static const char *const states[] = {
		[PROC_FREE] = "new",
		[PROC_READY] = "ready",
		[PROC_RUNNING] = "running",
		[PROC_WAITING] = "waiting",
		[PROC_ZOMBIE] = "zombie",
	};
	const struct proc *p;
	char name[sizeof(p->name)];

	HOLD_SPIN(&proc_lock);
	p = proc_find((int)dirtab_which(c));
	if (!p)
		return -ENOENT;
	strlcpy(name, p->name, sizeof(name));
	for (char *b = name; (b = strchr(b, ' ')) != NULL;)
		*b = '_';
	picture_print(to, "%s %d %d %d %s %s", name, p->pid, p->ppid, p->pgid,
		      account_user[payer_of(p->uid)],
		      p->stopped ? "stopped" : states[p->state]);
	procdev_show_use(p, to);
	for (uint8_t *at = to->data; at[1]; at++)
		if (!in_range(*at, ' ', '~' + 1))
			*at = '_';
	return 0;
}

static ssize_t procdev_read_text(struct chan *c, void *buf, size_t n, uint64_t off)
{
	return chan_pread(c->aux, buf, n, off);
}

/* Send the process a signal, SIGKILL if none is named. */
static int procdev_kill(struct chan *c, const struct cmd_words *msg)
{
	return proc_kill((int)dirtab_which(c), msg->number);
}

static const struct cmd words[] = {
	{"kill", 0, 1, .run = procdev_kill, .least = 1, .most = NSIG - 1, .usual = SIGKILL},
};

static const struct dirtab rows[] = {
	[ROOT] = {".", S_IFDIR | 0555},
	[DIR] = {NULL, S_IFDIR | 0555}, /* one for each process: procdev_entry(), procdev_walk() */
	[STATUS] = {"status", S_IFREG | 0444, .show = procdev_show_status, .live = true,
		    .in = 1u << DIR},
	[CTL] = {"ctl", S_IFREG | 0200, .ctl = {words, nelem(words)}, .in = 1u << DIR},
	[TEXT] = {"text", S_IFREG | 0400, .read = procdev_read_text, .in = 1u << DIR},
};

/* A process is found without going through them all. A number has no leading zeros. */
static int procdev_walk(struct chan *c, const char *name)
{
	uint32_t pid;

	if (c->qid != 0)
		return dirtab_walk(c, name);
	if (*name == '0' || !parse_uint(name, &pid))
		return -ENOENT;
	HOLD_SPIN(&proc_lock);
	if (!proc_find((int)pid))
		return -ENOENT;
	c->qid = (uint64_t)pid << 8 | DIR;
	return 0;
}

/* The files of a process belong to its user; an open text has the size of the program. */
static int procdev_stat(struct chan *c, struct stat *st)
{
	struct stat program;

	if (c->qid != 0) {
		HOLD_SPIN(&proc_lock);
		const struct proc *p = proc_find((int)dirtab_which(c));
		if (!p)
			return -ENOENT;
		st->st_uid = (uint32_t)p->uid;
	}
	st->st_mode = rows[dirtab_row(c)].mode;
	st->st_mtime = time_unix();
	if (c->opened && c->aux && chan_stat(c->aux, &program) == 0)
		st->st_size = program.st_size;
	return 0;
}

/*
 * List the processes, in order of number, by which they are named, or the files of one if it is
 * there. In the root a place is the least number that comes next. ps lists them all: be quick.
 */
static int procdev_entry(struct chan *c, uint64_t *at, char *name, struct stat *st)
{
	int len = 1;

	if (c->qid != 0) {
		int err = procdev_stat(c, st);
		return err ? err : dirtab_entry(c, at, name, st);
	}
	spin_lock(&proc_lock);
	const struct proc *p = proc_from((uint32_t)*at);
	uint32_t pid = p ? (uint32_t)p->pid : 0;
	spin_unlock(&proc_lock);
	if (!pid)
		return -ENOENT;
	*at = pid + 1;
	st->st_ino = (uint64_t)pid << 8 | DIR;
	st->st_mode = rows[DIR].mode;
	for (uint32_t left = pid; left > 9; left /= 10)
		len++;
	name[len] = 0;
	for (int i = len; i-- > 0; pid /= 10)
		name[i] = (char)('0' + pid % 10);
	return len;
}

const struct dev procdev = {
	.letter = 'p', .name = "proc", .dir = {rows, nelem(rows), NULL}, .walk = procdev_walk,
	.entry = procdev_entry, .stat = procdev_stat, .open = procdev_open,
	.close = procdev_close, .read = dirtab_read, .write = dirtab_write,
};
