/*
 * gnomon run: boots the kernel in QEMU, runs commands in it, and brings back
 * what they print, files, and their exit status. See gnomon-run(1).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/build.h"
#include "tools/run/cpio.h"
#include "tools/folder.h"
#include "tools/gnomon.h"
#include "tools/moment.h"
#include "tools/run/runopts.h"
#include "tools/run/session.h"
#include "tools/slurp.h"
#include "tools/run/workdir.h"

#define TAIL_LINES 12

/* Exit statuses besides the script's own. */
enum {
	EXIT_USAGE = 2,
	EXIT_MISSING = 123, /* a file did not come */
	EXIT_LIMIT = 124,
	EXIT_DIED = 125,
	EXIT_CANNOT = 126, /* QEMU cannot be executed, or refuses its arguments */
	EXIT_NOQEMU = 127,
};

/* Everything that has to be let go of at the end. */
struct run {
	struct runopts o;
	char *script;
	size_t script_size;
	char build[PATH_MAX], dir[PATH_MAX + 8];
	struct workdir work;
	int data, console; /* -1: not open */
	struct qemu qemu;
	struct progress progress;
	struct fetch fetch;
	struct session session;
	struct complaint why;
};

/* Say on the standard error what went wrong. */
static int give_up(const struct run *r, int status)
{
	fprintf(stderr, "gnomon run: %s\n", r->why.text);
	return status;
}

/* The commands: a file's content, or the words of the command line and a newline. */
static int read_script(struct run *r)
{
	size_t n = 1;
	uint8_t *data;
	int i;

	if (r->o.script) {
		if (slurp(r->o.script, &data, &r->script_size, &r->why) < 0)
			return -1;
		r->script = (char *)data;
		return 0;
	}
	for (i = 0; i < r->o.ncommand; i++)
		n += strlen(r->o.command[i]) + 1;
	r->script = malloc(n);
	if (!r->script)
		return complain(&r->why, "%s", strerror(ENOMEM));
	r->script[0] = 0;
	for (i = 0; i < r->o.ncommand; i++) {
		strcat(r->script, r->o.command[i]);
		strcat(r->script, i + 1 < r->o.ncommand ? " " : "\n");
	}
	r->script_size = strlen(r->script);
	return 0;
}

/* Add one of the host's files to the archive; it can be executed there if it can here. */
static int put_file(struct run *r, FILE *f, const struct put *p)
{
	struct stat st;
	uint8_t *data;
	size_t n;
	int bad;

	if (stat(p->host, &st) < 0)
		return complain(&r->why, "%s: %s", p->host, strerror(errno));
	if (slurp(p->host, &data, &n, &r->why) < 0)
		return -1;
	bad = cpio_file(f, p->guest, st.st_mode & 0111 ? 0755 : 0644, data, n, &r->why);
	free(data);
	return bad;
}

/*
 * The list of files to fetch, one a line; when the guest is to store them in its /n/remote,
 * each with the name it is to have there, which holds no colon.
 */
static int put_list(struct run *r, FILE *f)
{
	char *list = NULL;
	size_t n = 0;
	FILE *m = open_memstream(&list, &n);
	unsigned i;
	int bad;

	if (!m)
		return complain(&r->why, "%s", strerror(errno));
	for (i = 0; i < r->o.nfetch; i++)
		fprintf(m, "%s%s%s\n", r->o.machine.folder ? r->o.fetch[i].name : "",
			r->o.machine.folder ? ":" : "", r->o.fetch[i].guest);
	bad = fclose(m) != 0;
	bad = bad ? complain(&r->why, "%s", strerror(ENOMEM))
		  : cpio_file(f, r->o.machine.folder ? "run/store" : "run/fetch", 0644, list, n,
			     &r->why);
	free(list);
	return bad;
}

/* The second module: the script, the list, and what is put. */
static int write_archive(struct run *r)
{
	int fd = workdir_open(&r->work, QEMU_SCRIPT, O_WRONLY, &r->why);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
	unsigned i;
	int bad;

	if (!f)
		return -1;
	bad = cpio_file(f, "run/script", 0755, r->script, r->script_size, &r->why) < 0 ||
	      put_list(r, f) < 0;
	for (i = 0; !bad && i < r->o.nput; i++)
		bad = put_file(r, f, &r->o.put[i]) < 0;
	bad = bad || cpio_end(f, &r->why) < 0;
	fclose(f);
	return bad ? -1 : 0;
}

/* Link to a file that `make` makes, under the name that QEMU is given. */
static int link_built(struct run *r, const char *given, const char *name)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/%s", r->build, name);
	if (workdir_link(&r->work, name, given ? given : path, &r->why) == 0)
		return 0;
	if (!given && access(path, F_OK) < 0)
		complain(&r->why, "%s is not there: `make' makes it", path);
	return -1;
}

/* Make a file of the user's, and link to it under the name that QEMU is given. */
static int link_output(struct run *r, const char *path, const char *name)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		return complain(&r->why, "%s: %s", path, strerror(errno));
	close(fd);
	return workdir_link(&r->work, name, path, &r->why);
}

/* The console goes to a file of the user's, or to one of ours. */
static int open_console(struct run *r)
{
	if (r->o.console && link_output(r, r->o.console, QEMU_CONSOLE) < 0)
		return -1;
	r->console = workdir_open(&r->work, QEMU_CONSOLE, O_RDONLY, &r->why);
	return r->console < 0 ? -1 : 0;
}

/* The folder for what is fetched, which the guest sees unless files come by the serial port. */
static int prepare_dir(struct run *r)
{
	if (*r->o.dir)
		snprintf(r->dir, sizeof(r->dir), "%s", r->o.dir);
	else
		snprintf(r->dir, sizeof(r->dir), "%s/out", r->build);
	if ((r->o.machine.folder || r->o.nfetch || r->o.keep_version) &&
	    folder_make(r->dir, &r->why) < 0)
		return -1;
	return r->o.machine.folder ? workdir_link(&r->work, QEMU_FOLDER, r->dir, &r->why) : 0;
}

/* Everything that QEMU will find in its folder, and the folder for what is fetched. */
static int prepare(struct run *r)
{
	if (workdir_make(&r->work, &r->why) < 0 ||
	    link_built(r, r->o.kernel, QEMU_KERNEL) < 0 ||
	    link_built(r, r->o.initrd, QEMU_INITRD) < 0 || write_archive(r) < 0 ||
	    open_console(r) < 0 || (r->o.sound && link_output(r, r->o.sound, QEMU_SOUND) < 0))
		return -1;
	r->data = workdir_open(&r->work, QEMU_DATA, O_RDONLY, &r->why);
	if (r->data < 0)
		return -1;
	return prepare_dir(r);
}

/* Print the last lines of a file of the run's, each after a mark; false if it is empty. */
static bool print_tail(struct run *r, const char *name, const char *title)
{
	char path[sizeof(r->work.path) + 64], *p, *line;
	struct complaint why;
	unsigned lines = 0;
	uint8_t *data;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", r->work.path, name);
	if (slurp(path, &data, &n, &why) < 0)
		return false;
	while (n > 0 && (data[n - 1] == '\n' || data[n - 1] == '\r'))
		data[--n] = 0;
	for (p = (char *)data + n; p > (char *)data && lines < TAIL_LINES; p--)
		lines += p[-1] == '\n';
	p += lines == TAIL_LINES;
	if (n > 0)
		fprintf(stderr, "gnomon run: %s:\n", title);
	while (n > 0 && (line = strsep(&p, "\n")) != NULL)
		fprintf(stderr, "  | %.*s\n", (int)strcspn(line, "\r"), line);
	free(data);
	return n > 0;
}

/* What can be seen of a guest that did not do its work. */
static void print_tails(struct run *r)
{
	print_tail(r, QEMU_MESSAGES, "QEMU said");
	if (!r->o.verbose && !print_tail(r, QEMU_CONSOLE, "the console's last lines"))
		fprintf(stderr, "gnomon run: the guest wrote nothing on its console\n");
}

/* QEMU's exit status is 1 only when it could not begin: isa-debug-exit never gives that here. */
static int died(struct run *r)
{
	int st = r->qemu.status;

	if (WIFEXITED(st) && WEXITSTATUS(st) == 1 && lseek(r->console, 0, SEEK_END) == 0) {
		fprintf(stderr, "gnomon run: QEMU did not start the guest\n");
		print_tail(r, QEMU_MESSAGES, "QEMU said");
		return EXIT_CANNOT;
	}
	fprintf(stderr, "gnomon run: the guest ended before its script did (QEMU: %s %d)\n",
		WIFSIGNALED(st) ? "signal" : "exit status",
		WIFSIGNALED(st) ? WTERMSIG(st) : WEXITSTATUS(st));
	if (r->session.why.text[0])
		fprintf(stderr, "gnomon run: %s\n", r->session.why.text);
	print_tails(r);
	return EXIT_DIED;
}

/* The script ended: its status, unless that would hide that a file is missing. */
static int done(struct run *r)
{
	int status = r->fetch.status;

	if (status == 0)
		return r->fetch.failed ? EXIT_MISSING : 0;
	return status & 0xff ? status & 0xff : 1;
}

/* Boot and follow the guest: an exit status. */
static int boot(struct run *r, const sigset_t *mask)
{
	uint64_t deadline = moment_ns() + r->o.limit_ns;
	enum outcome how;
	int err;

	err = qemu_start(&r->qemu, &r->o.machine, r->work.path, mask, &r->why);
	if (err)
		return give_up(r, err == ENOENT ? EXIT_NOQEMU : EXIT_CANNOT);
	progress_init(&r->progress);
	r->fetch = (struct fetch){
		.dir = r->dir,
		.file = r->o.fetch,
		.nfile = r->o.nfetch,
		.keep_version = r->o.nfetch || r->o.keep_version,
		.blocks = strcmp(r->o.machine.icount, "off") == 0 &&
			  strncmp(r->o.machine.accel, "tcg", 3) == 0,
		.progress = &r->progress,
	};
	r->session = (struct session){
		.deadline = deadline,
		.data = r->data,
		.console = r->console,
		.show_console = r->o.verbose,
		.qemu = &r->qemu,
		.fetch = &r->fetch,
	};
	how = session_run(&r->session);
	qemu_kill(&r->qemu);
	fetch_finish(&r->fetch);
	switch (how) {
	case SESSION_DONE:
		return done(r);
	case SESSION_LIMIT:
		fprintf(stderr, "gnomon run: the time limit of %g s was reached\n",
			r->o.limit_ns / 1e9);
		print_tails(r);
		return EXIT_LIMIT;
	case SESSION_DIED:
		return died(r);
	case SESSION_DAMAGED:
		r->why = r->session.why;
		give_up(r, EXIT_DIED);
		print_tails(r);
		return EXIT_DIED;
	case SESSION_SIGNALLED:
		break;
	}
	return 128 + session_signal();
}

/* Let go of everything; then a signal that ended the run ends this process as well. */
static void finish(struct run *r, const sigset_t *mask)
{
	qemu_kill(&r->qemu);
	if (r->data >= 0)
		close(r->data);
	if (r->console >= 0)
		close(r->console);
	workdir_remove(&r->work);
	free(r->script);
	if (session_signal()) {
		signal(session_signal(), SIG_DFL);
		sigprocmask(SIG_SETMASK, mask, NULL);
		raise(session_signal());
	}
}

/* The subcommand. */
int run_main(int argc, char **argv)
{
	static struct run r = {.data = -1, .console = -1};
	sigset_t mask;
	int status;

	status = runopts_parse(&r.o, argc, argv, &r.why);
	if (status == RUNOPTS_HELP)
		return fputs(runopts_usage, stdout) < 0;
	if (status == RUNOPTS_WRONG) {
		give_up(&r, EXIT_USAGE);
		fputs("`gnomon run -h' tells how it is used\n", stderr);
		return EXIT_USAGE;
	}
	if (build_folder(r.build, sizeof(r.build), &r.why) < 0 || read_script(&r) < 0) {
		free(r.script);
		return give_up(&r, EXIT_DIED);
	}
	session_block_signals(&mask);
	status = prepare(&r) < 0 ? give_up(&r, EXIT_DIED) : boot(&r, &mask);
	finish(&r, &mask);
	return status;
}
