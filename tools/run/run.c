/*
 * gnomon run: boots the kernel in QEMU, runs commands in it, and brings back
 * what they print, files, and their exit status. See gnomon-run(1).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/run/archive.h"
#include "tools/folder.h"
#include "tools/gnomon.h"
#include "tools/moment.h"
#include "tools/order.h"
#include "tools/outfile.h"
#include "tools/run/given.h"
#include "tools/run/keep.h"
#include "tools/run/lastlines.h"
#include "tools/run/repeat.h"
#include "tools/run/runopts.h"
#include "tools/run/session.h"
#include "tools/run/tell.h"
#include "tools/run/version.h"
#include "tools/run/workdir.h"

/* Exit statuses besides the script's own. */
enum {
	EXIT_USAGE = 2,
	EXIT_MISSING = 123, /* a file did not come */
	EXIT_LIMIT = 124,
	EXIT_DIED = 125,
	EXIT_CANNOT = 126, /* QEMU cannot be executed, or refuses its arguments */
	EXIT_NOQEMU = 127,
};

/* A run, with everything that run_finish() has to release. */
struct run {
	struct runopts o;
	struct script script;
	unsigned nth; /* run, from 1 */
	char build[PATH_MAX];
	char base[PATH_MAX + 8]; /* the folder for what is fetched */
	char dir[PATH_MAX + 32]; /* that of this run */
	struct workdir work;
	int data, console; /* -1: not open */
	struct outfile kept_console, kept_sound;
	char console_to[PATH_MAX], sound_to[PATH_MAX]; /* their names */
	char append[4096]; /* the kernel's command line, with the seed of this run */
	struct qemu qemu;
	struct progress progress;
	struct fetch fetch;
	struct session session;
	struct complaint why;
};

/* Say on the standard error what went wrong. Return the status. */
static int give_up(const struct run *r, int status)
{
	fprintf(stderr, "gnomon run: %s\n", r->why.text);
	return status;
}

/* Write the archive under the name that QEMU is given. */
static int write_archive(struct run *r)
{
	int fd = workdir_open(&r->work, QEMU_SCRIPT, O_WRONLY, &r->why);
	struct complaint full;
	FILE *f;

	if (fd < 0)
		return -1;
	f = fdopen(fd, "wb");
	if (!f)
		return -1;
	if (archive_write(f, &r->script, &r->o, &r->why) == 0)
		return 0;
	if (workdir_room(&r->work, &full) < 0)
		r->why = full;
	return -1;
}

/* Link to the given file, or to the built one, under the name that QEMU is given. */
static int link_built(struct run *r, const char *given, const char *name)
{
	char path[PATH_MAX + 32];

	if (given)
		return workdir_link(&r->work, name, given, &r->why);
	snprintf(path, sizeof(path), "%s/%s", r->build, name);
	if (workdir_link(&r->work, name, path, &r->why) == 0)
		return 0;
	if (access(path, F_OK) < 0)
		complain(&r->why, "%s is not there: `make' makes it", path);
	return -1;
}

/*
 * Begin a file that the user gets of the work directory at the end. Of several runs each has its
 * own, FILE.1 and so on.
 */
static int begin_output(struct run *r, struct outfile *o, char to[PATH_MAX], const char *path)
{
	char name[16];

	if (!path)
		return 0;
	snprintf(to, PATH_MAX, "%s", path);
	if (r->o.repeat) {
		repeat_name(name, sizeof(name), r->nth, r->o.repeat);
		snprintf(to, PATH_MAX, "%s.%s", path, name);
	}
	return outfile_open(o, to, &r->why);
}

/* Copy a file of the work directory to the one that the user gets, if it is open. 0, or -1. */
static int copy_output(struct run *r, struct outfile *o, const char *name)
{
	if (o->fd < 0)
		return 0;
	if (workdir_copy(&r->work, name, o, &r->why) == 0)
		return outfile_close(o, &r->why);
	outfile_drop(o);
	return -1;
}

/*
 * Give the user the console and the sound of a guest that was started. Return the exit status, in
 * which a file that is missing shows unless something else went wrong.
 */
static int give_outputs(struct run *r, int status)
{
	int missing = 0;

	if (copy_output(r, &r->kept_console, QEMU_CONSOLE) < 0)
		missing = give_up(r, EXIT_DIED);
	if (copy_output(r, &r->kept_sound, QEMU_SOUND) < 0)
		missing = give_up(r, EXIT_DIED);
	if (status == 0)
		return missing;
	return status;
}

/* Keep what ran beside the files that came of it, if that was asked for. Return the exit status. */
static int keep_ran(struct run *r, int status)
{
	if (!r->o.keep)
		return status;
	if (keep_files(r->base, &r->work, r->build, &r->fetch.programs, &r->why) == 0)
		return status;
	give_up(r, EXIT_DIED);
	return status ? status : EXIT_DIED;
}

/* Open what QEMU writes, to be read as it grows. */
static int open_files(struct run *r)
{
	r->console = workdir_open(&r->work, QEMU_CONSOLE, O_RDONLY, &r->why);
	if (r->console < 0)
		return -1;
	r->data = workdir_open(&r->work, QEMU_DATA, O_RDONLY, &r->why);
	return r->data < 0 ? -1 : 0;
}

/* Find the folder for what is fetched, which may have to hold several runs. */
static int find_base(struct run *r)
{
	if (*r->o.dir)
		snprintf(r->base, sizeof(r->base), "%s", r->o.dir);
	else if (buildtree_output(r->base, sizeof(r->base), &r->why) < 0)
		return -1;
	if (r->o.repeat == 0)
		return 0;
	return repeat_check(r->base, r->o.repeat, &r->why);
}

/*
 * Make the folder for what is fetched; the guest sees it unless files come by the serial port. A
 * run that nobody expects files of does without where none can be made.
 */
static int prepare_dir(struct run *r)
{
	bool wanted = r->o.nfetch || r->o.keep_version;
	bool needed = wanted || r->o.machine.folder;
	char name[16];

	snprintf(r->dir, sizeof(r->dir), "%s", r->base);
	if (r->o.repeat) {
		repeat_name(name, sizeof(name), r->nth, r->o.repeat);
		snprintf(r->dir, sizeof(r->dir), "%s/%s", r->base, name);
	}
	if (needed && folder_make(r->dir, &r->why) < 0) {
		if (wanted)
			return -1;
		fprintf(stderr, "gnomon run: %s; the guest has no /n/remote\n", r->why.text);
		r->o.machine.folder = false;
	}
	if (!r->o.machine.folder)
		return 0;
	return workdir_link(&r->work, QEMU_FOLDER, r->dir, &r->why);
}

/* Make all that QEMU will find in its work directory, and the folder for what is fetched. */
static int run_prepare(struct run *r)
{
	if (workdir_make(&r->work, &r->why) < 0)
		return -1;
	if (link_built(r, r->o.kernel, QEMU_KERNEL) < 0)
		return -1;
	if (link_built(r, r->o.initrd, QEMU_INITRD) < 0)
		return -1;
	if (prepare_dir(r) < 0)
		return -1;
	if (write_archive(r) < 0)
		return -1;
	if (begin_output(r, &r->kept_console, r->console_to, r->o.console) < 0)
		return -1;
	if (begin_output(r, &r->kept_sound, r->sound_to, r->o.sound) < 0)
		return -1;
	return open_files(r);
}

/* Print the last lines of what QEMU said, or of a guest's console. Return false if it is empty. */
static bool print_last(const struct run *r, const char *name, const char *title)
{
	char path[sizeof(r->work.path) + 64], kernel[sizeof(path)];

	snprintf(path, sizeof(path), "%s/%s", r->work.path, name);
	if (strcmp(name, QEMU_CONSOLE) != 0)
		return lastlines_print(path, title, NULL);
	snprintf(kernel, sizeof(kernel), "%s/%s", r->work.path, QEMU_KERNEL);
	return lastlines_print(path, title, kernel);
}

/* Print what can be seen of a guest that did not do its work. */
static void print_tails(const struct run *r)
{
	print_last(r, QEMU_MESSAGES, "QEMU said");
	if (!r->o.verbose && !print_last(r, QEMU_CONSOLE, "the console's last lines"))
		fprintf(stderr, "gnomon run: the guest wrote nothing on its console\n");
}

/*
 * Say how QEMU ended before the script did. Its status is 1 only when it could not begin: the
 * guest turns itself off by isa-debug-exit, which never gives 1 here.
 */
static int died(struct run *r)
{
	int st = r->qemu.status, number = WEXITSTATUS(st);
	bool failed = st == W_EXITCODE(1, 0);
	const char *how = "exit status";

	if (failed && lseek(r->console, 0, SEEK_END) == 0) {
		fprintf(stderr, "gnomon run: QEMU did not start the guest\n");
		print_last(r, QEMU_MESSAGES, "QEMU said");
		return EXIT_CANNOT;
	}
	if (WIFSIGNALED(st)) {
		how = "signal";
		number = WTERMSIG(st);
	}
	fprintf(stderr, "gnomon run: the guest ended before its script did (QEMU: %s %d)\n",
		how, number);
	if (r->session.why.text[0])
		fprintf(stderr, "gnomon run: %s\n", r->session.why.text);
	print_tails(r);
	return EXIT_DIED;
}

/* Return the script's status, unless 0 would hide that a file is missing. */
static int done(struct run *r)
{
	int status = r->fetch.status;

	if (r->fetch.failed && folder_room(r->dir, &r->why) < 0)
		give_up(r, EXIT_MISSING);
	if (status == 0)
		return r->fetch.failed ? EXIT_MISSING : 0;
	return status & 0xff ? status & 0xff : 1;
}

/* Say why the time limit or damaged data ended the run, and what can be seen of the guest. */
static int stopped(struct run *r, int status)
{
	give_up(r, status);
	print_tails(r);
	return status;
}

/* Name the time limit, and what was waited for if that was not the script itself. */
static void late(struct run *r)
{
	const char *why = "; -t gives more";

	if (r->fetch.left)
		why = ": the script has ended, but "
		      "a process in the background keeps its output open";
	complain(&r->why, "the time limit of %g s was reached%s", r->o.limit_ns / 1e9, why);
}

/* Say how the run ended, unless it ended well. Return the exit status. */
static int run_verdict(struct run *r, enum outcome how)
{
	switch (how) {
	case SESSION_DONE:
		return done(r);
	case SESSION_LIMIT:
		late(r);
		return stopped(r, EXIT_LIMIT);
	case SESSION_DIED:
		return died(r);
	case SESSION_UNHEARD:
		r->why = r->session.why;
		return give_up(r, EXIT_DIED);
	case SESSION_DAMAGED:
	case SESSION_FULL:
		r->why = r->session.why;
		return stopped(r, EXIT_DIED);
	case SESSION_SIGNALLED:
		break;
	}
	return 128 + session_signal();
}

/* Boot the guest and follow it to its end. Return the exit status. */
static int run_boot(struct run *r, const sigset_t *mask)
{
	uint64_t deadline = moment_ns() + r->o.limit_ns;
	const struct machine *m = &r->o.machine;
	enum outcome how;
	int err = qemu_start(&r->qemu, m, r->work.path, mask, &r->why), status;

	if (err == ENOENT)
		return give_up(r, EXIT_NOQEMU);
	if (err)
		return give_up(r, EXIT_CANNOT);
	progress_init(&r->progress);
	r->fetch = (struct fetch){
		.dir = r->dir,
		.file = r->o.fetch,
		.nfile = r->o.nfetch,
		.keep_version = r->o.nfetch || r->o.keep_version,
		.progress = &r->progress,
	};
	if (r->o.nfetch > 0) {
		version_note_machine(&r->fetch.run, m);
		given_find(&r->fetch.programs, &r->work, &r->o);
	}
	r->session = (struct session){
		.deadline = deadline,
		.data = r->data,
		.work = &r->work,
		.console = r->console,
		.show_console = r->o.verbose,
		.qemu = &r->qemu,
		.fetch = &r->fetch,
	};
	how = session_run(&r->session);
	qemu_kill(&r->qemu);
	fetch_finish(&r->fetch);
	status = keep_ran(r, give_outputs(r, run_verdict(r, how)));
	programs_free(&r->fetch.programs);
	return status;
}

/* Release everything; then let a signal that ended the run end this process as well. */
static void run_finish(struct run *r, const sigset_t *mask)
{
	qemu_kill(&r->qemu);
	outfile_drop(&r->kept_console);
	outfile_drop(&r->kept_sound);
	if (r->data >= 0)
		close(r->data);
	if (r->console >= 0)
		close(r->console);
	r->data = r->console = -1;
	workdir_remove(&r->work);
	if (session_signal()) {
		signal(session_signal(), SIG_DFL);
		sigprocmask(SIG_SETMASK, mask, NULL);
		raise(session_signal());
	}
}

/* Give the kernel the seed of this run, unless that is the usual one. */
static void set_seed(struct run *r, const char *append)
{
	uint32_t seed = r->o.seed + r->nth - 1;

	if (seed == 0)
		snprintf(r->append, sizeof(r->append), "%s", append);
	else if (*append)
		snprintf(r->append, sizeof(r->append), "%s seed=%" PRIu32, append, seed);
	else
		snprintf(r->append, sizeof(r->append), "seed=%" PRIu32, seed);
	r->o.machine.append = r->append;
}

/* Do one run. Return its exit status. */
static int run_once(struct run *r, const sigset_t *mask)
{
	unsigned i;
	int status;

	for (i = 0; i < r->o.nfetch; i++)
		r->o.fetch[i].done = false;
	if (run_prepare(r) < 0)
		status = give_up(r, EXIT_DIED);
	else
		status = run_boot(r, mask);
	run_finish(r, mask);
	return status;
}

/* Run as often as was asked for, until one fails. Return the exit status. */
static int run_all(struct run *r)
{
	const char *append = r->o.machine.append;
	unsigned n = (unsigned)order_max(r->o.repeat, 1);
	int status = 0;
	sigset_t mask;

	if (find_base(r) < 0)
		return give_up(r, EXIT_DIED);
	if (tell_watched(&r->o))
		version_mention_turns(&r->o.machine);
	session_block_signals(&mask);
	for (r->nth = 1; r->nth <= n; r->nth++) {
		set_seed(r, append);
		status = run_once(r, &mask);
		if (status != 0)
			break;
	}
	if (status == 0 || r->o.repeat == 0) {
		tell_files(&r->o, r->base, r->dir);
		tell_empty(&r->o, r->dir);
	} else {
		tell_failed(&r->o, r->nth, r->dir);
	}
	if (status == 0)
		tell_alike(&r->o, r->base);
	return status;
}

/* Find what is to be run, and run it. Return the exit status. */
static int run_script(struct run *r)
{
	if (buildtree_folder(r->build, sizeof(r->build), &r->why) < 0)
		return give_up(r, EXIT_DIED);
	if (script_read(&r->script, &r->o, &r->why) < 0)
		return give_up(r, EXIT_DIED);
	return run_all(r);
}

int run_main(int argc, char **argv)
{
	static struct run r = {
		.data = -1, .console = -1, .kept_console.fd = -1, .kept_sound.fd = -1,
	};
	int status;

	status = runopts_parse(&r.o, argc, argv, &r.why);
	if (status == RUNOPTS_HELP)
		return fputs(runopts_usage, stdout) < 0;
	if (status == RUNOPTS_WRONG) {
		give_up(&r, EXIT_USAGE);
		fputs("`gnomon run -h' tells how it is used\n", stderr);
		return EXIT_USAGE;
	}
	status = run_script(&r);
	free(r.script.text);
	return status;
}
