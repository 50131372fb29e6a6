/* The first process: what it has before its program runs. */
#include "kernel/process/init.h"
#include "kernel/file/fd.h"
#include "kernel/file/ns.h"
#include "kernel/file/open.h"
#include "kernel/file/walk.h"
#include "kernel/machine/isr.h"
#include "kernel/machine/string.h"
#include "kernel/memory/frame.h"
#include "kernel/process/args.h"
#include "kernel/sched/sched.h"

#define INIT "/rc/init"

/* Give the first process a namespace of the root, where it is. */
static void init_root(struct proc *p)
{
	struct chan *root;

	if (chan_attach('/', "", &root) == 0)
		p->ns = ns_new(root);
	if (!p->ns || ns_find("/", FIND_NAMED, &p->cwd) != 0)
		panic("no root directory");
}

/* Open the console as the calling process's next file. */
static void init_console(int flags)
{
	struct chan *cons;

	if (ns_open("#c/cons", flags, 0, &cons) != 0)
		panic("no console");
	fd_install(cons, 0, false);
}

/* Run the first process: get it a file table with the console, then its program. */
static void init_begin(void)
{
	struct proc *p = proc_self();

	sched_begin(); /* this releases the scheduler's lock: so it comes first */
	struct args *a = args_new();
	init_root(p);
	p->fds = fds_new();
	init_console(O_RDONLY);
	init_console(O_WRONLY);
	init_console(O_WRONLY);
	int err = a ? args_first(a, INIT) : -ENOMEM;
	if (!err) {
		strlcpy(a->path, INIT, sizeof(a->path));
		err = exec(a, p->tf);
	}
	if (err == -ENOENT)
		lacking("no " INIT " in the initrd");
	if (err)
		lacking(INIT " of the initrd cannot be executed: error %d", -err);
	args_free(a);
	enter_user(p->tf);
}

/* Start the first process. */
void start_init(void)
{
	account_init(frame_free_count());
	proc_first(init_begin);
}
