/*
 * `#p`: a directory for each process, named by its number, with the files status (a line
 * of text), ctl (which takes `kill` and `kill SIGNAL`) and text (the program).
 *
 * A text is the file that exec opened, never looked up by name again, and it cannot be executed: so
 * no program is a text, and what a text leads to is never a text in its turn.
 */
#include "drivers/files/devices.h"
#include "kernel/clock.h"
#include "kernel/memory.h"
#include "kernel/proc.h"

#define STATUS_SIZE 512

/* A qid is the process's number and the kind of file, DIR being its directory; 0 is the root. */
enum kind { DIR, STATUS, CTL, TEXT, NKIND };

static const struct dirtab kinds[NKIND] = {
	[DIR] = {.name = ".", .mode = S_IFDIR | 0555},
	[STATUS] = {.name = "status", .mode = S_IFREG | 0444},
	[CTL] = {.name = "ctl", .mode = S_IFREG | 0200},
	[TEXT] = {.name = "text", .mode = S_IFREG | 0400},
};

static const struct dirtab_list proc_dir = {kinds, NKIND};

/* Four kinds of file need two bits of a qid. */
static uint64_t make_qid(int pid, enum kind kind)
{
	return (uint64_t)pid << 2 | kind;
}

/* Return the number of the process whose file the channel is at; 0 for the root. */
static int qid_pid(const struct chan *c)
{
	return (int)(c->qid >> 2);
}

static enum kind qid_kind(const struct chan *c)
{
	return (enum kind)(c->qid & 3);
}

/*
 * A search among the processes, and what is wanted of the one found. It may end as soon as
 * proc_each() has released its lock, so everything is copied under it.
 */
struct search {
	int pid;	/* the process looked for */
	bool found;
	int uid;	/* of the one found */
	/* Takes what else is wanted; NULL: nothing. */
	void (*tell)(struct proc *p, struct search *s);
	char *text;	/* tell_status: where the line goes */
	size_t size;	/* tell_status: bytes of text */
	struct chan *program; /* tell_program: its file, with a reference; NULL: it has none */
};

/* For proc_each(), which holds its lock: take what is wanted of the process, then stop. */
static bool search_step(struct proc *p, void *arg)
{
	struct search *s = arg;

	if (p->pid != s->pid)
		return false;
	s->found = true;
	s->uid = p->uid;
	if (s->tell)
		s->tell(p, s);
	return false;
}

static int search(struct search *s)
{
	proc_each((uint32_t)s->pid, search_step, s);
	return s->found ? 0 : -ENOENT;
}

/* The files are the same for every process, so the process itself is not looked for. */
static int walk_files(struct chan *c, const char *name)
{
	unsigned kind = dirtab_find(&proc_dir, name);

	if (kind == DIR)
		return -ENOENT;
	c->qid |= kind;
	c->type = S_IFREG;
	return 0;
}

/* A number is written in one way only: no leading zeros. */
static int procdev_walk(struct chan *c, const char *name)
{
	struct search s = {0};
	uint32_t pid;

	if (qid_kind(c) != DIR)
		return -ENOTDIR;
	if (c->qid != 0)
		return walk_files(c, name);
	if (*name == '0' || !parse_uint(name, &pid) || pid > INT32_MAX)
		return -ENOENT;
	s.pid = (int)pid;
	if (search(&s) != 0)
		return -ENOENT;
	c->qid = make_qid(s.pid, DIR);
	return 0;
}

/* The files of a process belong to its user; an open text has the size of the program. */
static int procdev_stat(struct chan *c, struct stat *st)
{
	struct search s = {.pid = qid_pid(c)};
	struct stat program;

	if (c->qid != 0 && search(&s) != 0)
		return -ENOENT;
	st->st_mode = kinds[qid_kind(c)].mode;
	st->st_uid = (uint32_t)s.uid;
	st->st_mtime = time_unix();
	if (c->opened && c->aux && chan_stat(c->aux, &program) == 0)
		st->st_size = program.st_size;
	return 0;
}

/* For proc_each(): take the number of the first one. */
static bool take_pid(struct proc *p, void *pid)
{
	*(int *)pid = p->pid;
	return false;
}

/* List the processes in order of number. */
static int list_processes(uint64_t *at, char *name, struct stat *st)
{
	char digits[12], *d = &digits[sizeof(digits) - 1];
	int pid = 0;

	proc_each((uint32_t)*at + 1, take_pid, &pid);
	if (pid == 0)
		return -ENOENT;
	*at = (unsigned)pid;
	st->st_ino = make_qid(pid, DIR);
	st->st_mode = kinds[DIR].mode;
	*d = 0;
	do
		*--d = (char)('0' + pid % 10);
	while (pid /= 10);
	return (int)strlcpy(name, d, sizeof(digits));
}

/* List a process's files, or the processes. */
static int procdev_entry(struct chan *c, uint64_t *at, char *name, struct stat *st)
{
	struct search s = {.pid = qid_pid(c)};
	unsigned kind = (unsigned)*at + 1;

	if (c->qid == 0)
		return list_processes(at, name, st);
	if (kind >= NKIND || search(&s) != 0)
		return -ENOENT;
	*at = kind;
	st->st_ino = make_qid(s.pid, (enum kind)kind);
	st->st_mode = kinds[kind].mode;
	return (int)strlcpy(name, kinds[kind].name, NAME_MAX + 1);
}

/* For search(): take the file of the program. */
static void tell_program(struct proc *p, struct search *s)
{
	s->program = p->program ? chan_ref(p->program) : NULL;
}

/* Find the file of the program that the process runs, if the caller may read it. */
static int open_text(struct chan *c)
{
	struct search s = {.pid = qid_pid(c), .tell = tell_program};
	int err = search(&s);

	if (!err)
		err = s.program ? chan_permit(s.program, MAY_READ) : -ENOENT;
	if (err)
		chan_put(s.program);
	else
		c->aux = s.program;
	return err;
}

/* A text can only be read; its channel keeps the program open in aux. */
static int procdev_open(struct chan *c, int flags)
{
	if (qid_kind(c) != TEXT)
		return 0;
	return (flags & O_ACCMODE) == O_RDONLY ? open_text(c) : -EACCES;
}

static void procdev_close(struct chan *c)
{
	chan_put(c->aux);
}

/* Convert cycles to milliseconds, for people to read; the result wraps after 49 days. */
static unsigned milliseconds(uint64_t cycles)
{
	return (unsigned)(time_cycles(cycles) / 1000000);
}

/*
 * For search(): tell NAME PID PPID PGID USER STATE UTIME_MS STIME_MS PAGES ARGS... in one line of
 * printing ASCII, in which the name is one word, whatever a user called his program.
 */
static void tell_status(struct proc *p, struct search *s)
{
	static const char *const states[] = {
		[PROC_FREE] = "new",
		[PROC_READY] = "ready",
		[PROC_RUNNING] = "running",
		[PROC_WAITING] = "waiting",
		[PROC_ZOMBIE] = "zombie",
	};
	char name[sizeof(p->name)];

	strlcpy(name, p->name, sizeof(name));
	for (char *b = name; (b = strchr(b, ' ')) != NULL;)
		*b = '_';
	snprintf(s->text, s->size, "%s %d %d %d %s %s %u %u %u%s%s\n", name, p->pid,
		 p->ppid, p->pgid, p->uid == UID_EVE ? "eve" : "none",
		 states[p->state], milliseconds(p->utime), milliseconds(p->stime),
		 p->vm ? (unsigned)vm_resident(p->vm) : 0, p->args && *p->args ? " " : "",
		 p->args ? p->args : "");
	for (char *c = s->text; c[1]; c++)
		if (*c < ' ' || *c > '~')
			*c = '_';
}

/* Make the line anew, and read it. */
static ssize_t read_status(const struct chan *c, void *buf, size_t n, uint64_t off)
{
	struct search s = {.pid = qid_pid(c), .tell = tell_status, .size = STATUS_SIZE};

	s.text = kmalloc(STATUS_SIZE);
	if (!s.text)
		return -ENOMEM;
	ssize_t r = search(&s);
	if (r == 0)
		r = read_str(buf, n, off, s.text);
	kfree(s.text);
	return r;
}

/* A read of text reads the program. */
static ssize_t procdev_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	switch (qid_kind(c)) {
	case STATUS:
		return read_status(c, buf, n, off);
	case TEXT:
		return chan_pread(c->aux, buf, n, off);
	default:
		return -EINVAL;
	}
}

/* Send the process a signal, SIGKILL if none is named. */
static int ctl_kill(struct chan *c, const struct cmd_words *msg)
{
	int sig = msg->n > 1 ? cmd_number(msg, 1, 1, NSIG - 1) : SIGKILL;

	return sig < 0 ? sig : proc_kill(qid_pid(c), sig);
}

static const struct cmd words[] = {{"kill", 0, 1, ctl_kill}};
static const struct cmd_list ctl = {words, nelem(words), NULL};

static ssize_t procdev_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	return qid_kind(c) == CTL ? cmd_write(&ctl, c, buf, n) : -EINVAL;
}

const struct dev procdev = {
	.letter = 'p',
	.name = "proc",
	.walk = procdev_walk,
	.entry = procdev_entry,
	.stat = procdev_stat,
	.open = procdev_open,
	.close = procdev_close,
	.read = procdev_read,
	.write = procdev_write,
};
