/*
 * B8: the n-th allocation of a call fails, for n = 1, 2, ... until the call asks for fewer. Each
 * time the answer is a clean error or success, memory is what it was when everything is closed
 * again, and the kernel's tables are sound. Only the checking kernel's test device can do that.
 * Links: tests/guest/failingprofilers.c tests/guest/failinglinks.c
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/failing.h"
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

#define ROUNDS 2000 /* more than any call allocates */
#define CROWD 12
#define PAGE 4096

/* How a round ended; what else goes wrong ends the child by must(). */
enum { MET = 10, UNMET };

static int device, answer; /* the test device's ctl and result */
static const char *self;
static const char *how = "fail"; /* the test device's word: allocations fail, or charges */
const char *path;

/* Return the test device's last result. */
static unsigned long result(void)
{
	char text[24] = "";

	must(lseek(answer, 0, SEEK_SET) == 0 && read(answer, text, sizeof(text) - 1) > 0);
	return strtoul(text, NULL, 10);
}

/* Say the word to the test device; return its result. */
static unsigned long say(const char *word)
{
	must(write(device, word, strlen(word)) == (ssize_t)strlen(word));
	return result();
}

/*
 * End the child that did the operation with result r, of which allocation n was to fail. A message
 * asks for memory once itself: if it was that which failed, the operation asked for less.
 */
static void done(int r, int n)
{
	int e = errno;
	bool met = dprintf(device, "%s 0", how) > 5 && result() > (unsigned long)n;

	say("charges"); /* while what failed is still there */
	errno = e;
	must(r >= 0 || (met && (e == ENOMEM || e == ENOSPC || e == EAGAIN || e == EMFILE)));
	_exit(met ? MET : UNMET);
}

/* In a child let allocation n of op() fail; return whether it asked for so many. */
static bool round_of(int (*op)(void), int n)
{
	int status;
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		must(dprintf(device, "%s %d", how, n) > 5);
		done(op(), n);
	}
	must(waitpid(pid, &status, 0) == pid);
	must(status == MET << 8 || status == UNMET << 8);
	return status == MET << 8;
}

void (*undo)(void); /* undoes what the operation left and a child's end does not */

static int do_crowd(void);

/* Let every one that op() asks for fail once. */
static void walk_how(int (*op)(void))
{
	bool met = true;
	int n = 0;

	do_crowd();
	round_of(op, ROUNDS); /* once without failing: what is made but once is there */
	if (undo)
		undo();
	while (met && ++n < ROUNDS) {
		unsigned long objects = say("objects"), frames = say("frames");
		unsigned long charges = say("charges");
		met = round_of(op, n);
		if (undo)
			undo();
		say("check");
		if (say("charges") != charges)
			do_crowd(); /* as many kernel stacks are kept as can be */
		unsigned long o = say("objects"), f = say("frames"), c = say("charges");
		if (o != objects || f != frames || c != charges) {
			dprintf(STDOUT_FILENO, "# %s %d: objects, frames, charges: %ld %ld %ld\n",
				how,
				n, (long)(o - objects), (long)(f - frames), (long)(c - charges));
			must(false);
		}
	}
	dprintf(STDOUT_FILENO, "# %s: %d\n", how, n - 1);
	must(n < ROUNDS);
}

/* Let every allocation of op() fail once, and every charge. */
void walk(int (*op)(void))
{
	how = "fail";
	walk_how(op);
	how = "refuse";
	walk_how(op);
}

/* Open the test device; return whether it can make allocations fail. */
static bool begin(void)
{
	device = open("#X/ctl", O_WRONLY);
	answer = open("#X/result", O_RDONLY);
	return device >= 0 && answer >= 0 && write(device, "fail 0", 6) == 6;
}

int do_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid < 0 ? -1 : waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

static void B8_fork(void)
{
	walk(do_fork);
}

/* More processes at a time than the kernel keeps stacks for. */
static int do_crowd(void)
{
	pid_t pid[CROWD];
	int n;

	for (n = 0; n < CROWD; n++) {
		pid[n] = fork();
		if (pid[n] == 0)
			tap_sleep(100000);
		if (pid[n] < 0)
			break;
	}
	for (int i = 0, e = errno; i < n; i++, errno = e)
		tap_finish(pid[i]);
	return n == CROWD ? 0 : -1;
}

static void B8_crowd(void)
{
	walk(do_crowd);
}

static void nothing(void *)
{
	_exit(0);
}

static int do_sproc(void)
{
	pid_t pid = sproc(nothing, PR_SALL, NULL);

	return pid < 0 ? -1 : waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

static void B8_sproc(void)
{
	walk(do_sproc);
}

static int do_signal(void)
{
	return signal(SIGUSR1, exit) == SIG_ERR ? -1 : do_fork();
}

static void B8_signal(void)
{
	walk(do_signal);
}

static int do_rfork(void)
{
	return rfork(RFNAMEG) < 0 || rfork(RFCNAMEG) < 0 ? -1 : 0;
}

static void B8_rfork(void)
{
	walk(do_rfork);
}

static int exec_n;
static const char *big = ""; /* one more argument */

/* The program that was executed says how it went: main() calls done(). */
static int do_exec(void)
{
	char n[16], a[16], b[16];

	snprintf(n, sizeof(n), "%d", exec_n++);
	snprintf(a, sizeof(a), "%d", device);
	snprintf(b, sizeof(b), "%d", answer);
	return execl(path, path, how, n, a, b, big, NULL);
}

/* The number of the round is known to the program only if it is counted here as well. */
static void walk_exec_how(void)
{
	bool met = true;

	do_crowd();
	exec_n = ROUNDS;
	round_of(do_exec, ROUNDS);
	for (exec_n = 1; met && exec_n < ROUNDS; exec_n++) {
		unsigned long objects = say("objects"), frames = say("frames");
		unsigned long charges = say("charges");
		met = round_of(do_exec, exec_n);
		say("check");
		if (say("charges") != charges)
			do_crowd();
		must(say("objects") == objects && say("frames") == frames);
		must(say("charges") == charges);
	}
	dprintf(STDOUT_FILENO, "# %s: %d\n", how, exec_n - 2);
	must(exec_n < ROUNDS);
}

static void walk_exec(void)
{
	how = "fail";
	walk_exec_how();
	how = "refuse";
	walk_exec_how();
}

static void B8_exec(void)
{
	path = self;
	walk_exec();
}

/* What the arguments take up is in pages of their own, with a list of them when they are many. */
static void B8_exec_large(void)
{
	static char words[12 * PAGE];

	memset(words, 'x', sizeof(words) - 1);
	big = words;
	path = self;
	walk_exec();
}

static void B8_exec_script(void)
{
	char text[80];

	snprintf(text, sizeof(text), "#!%s script\n", self);
	tap_write("script", text);
	chmod("script", 0755);
	path = "script";
	walk_exec();
}

static int do_pipe(void)
{
	int fd[2];

	return pipe(fd) < 0 || write(fd[1], self, 1) < 0 ? -1 : 0;
}

static void B8_pipe(void)
{
	walk(do_pipe);
}

static int do_open(void)
{
	return open(path, O_RDONLY);
}

static void B8_open(void)
{
	path = "/tmp/../bin/sh";
	walk(do_open);
}

static void remove_path(void)
{
	remove(path);
}

static int do_create(void)
{
	static char text[3 * PAGE];
	int fd = open(path, O_RDWR | O_CREAT, 0644);

	return fd < 0 || write(fd, text, sizeof(text)) < 0 || ftruncate(fd, 70000) < 0 ||
	       lseek(fd, 60000, SEEK_SET) < 0 || write(fd, text, 1) < 0 ? -1 : 0;
}

static void B8_create(void)
{
	path = "new";
	undo = remove_path;
	walk(do_create);
}

static int do_mkdir(void)
{
	return mkdir(path, 0755);
}

static void B8_mkdir(void)
{
	path = "new";
	undo = remove_path;
	walk(do_mkdir);
}

static int do_rename(void)
{
	return rename(TAP_HERE "old", TAP_HERE "new");
}

/* The same name again, whichever of the two is there. */
static void undo_rename(void)
{
	must(tap_exists("old") != tap_exists("new"));
	rename("new", "old");
}

static void B8_rename(void)
{
	tap_write("old", "text");
	undo = undo_rename;
	walk(do_rename);
}

static int do_remove(void)
{
	return remove("old");
}

static void undo_remove(void)
{
	tap_write("old", "text");
}

static void B8_remove(void)
{
	tap_write("old", "text");
	undo = undo_remove;
	walk(do_remove);
}

static int do_bind(void)
{
	return rfork(RFNAMEG) < 0 || bind("/bin", "/n", MAFTER) < 0 ||
	       bind("#p", "/n", MBEFORE | MCREATE) < 0 || bind("/rc", "/n", MREPL) < 0 ||
	       unmount("/rc", "/n") < 0 || unmount(NULL, "/dev") < 0 ? -1 : 0;
}

static void B8_bind(void)
{
	walk(do_bind);
}

/* Unmount the last member but one. */
static int do_unmount(void)
{
	return unmount("/rc", "/n");
}

static void bind_again(void)
{
	bind("/rc", "/n", MAFTER);
}

static void B8_unmount(void)
{
	must(rfork(RFNAMEG) == 0 && bind("/bin", "/n", MAFTER) == 0);
	bind_again();
	undo = bind_again;
	walk(do_unmount);
}

static int do_setuid(void)
{
	return setuid(1) != 0 ? -1 : open("/n", O_RDONLY); /* its names are copied */
}

static void B8_setuid(void)
{
	must(bind("/bin", "/n", MAFTER) == 0);
	walk(do_setuid);
}

static int do_dup(void)
{
	int fd = dup(device);

	return fd < 0 || dup2(fd, fd + 1) < 0 ? -1 : 0;
}

static void B8_dup(void)
{
	walk(do_dup);
}

static int do_select(void)
{
	struct timeval now = {0, 0};
	int fd[2];
	fd_set set;

	if (pipe(fd) < 0)
		return -1;
	FD_ZERO(&set);
	FD_SET(fd[0], &set);
	return select(fd[1] + 1, &set, NULL, NULL, &now);
}

static void B8_select(void)
{
	walk(do_select);
}

/* For the second of these a page table must be made. */
static int do_brk(void)
{
	char *p = sbrk(4 * PAGE);

	if (p == (void *)-1)
		return -1;
	memset(p, 1, 4 * PAGE);
	return sbrk(1024 * PAGE) == (void *)-1 ? -1 : 0;
}

static void B8_brk(void)
{
	walk(do_brk);
}

static int do_chdir(void)
{
	char name[80];

	return chdir("/tmp/../n/remote") < 0 || getcwd(name, sizeof(name)) == NULL ? -1 : 0;
}

static void B8_chdir(void)
{
	walk(do_chdir);
}

/* Read a directory to its end. */
static int list(void)
{
	DIR *d = opendir(path);

	if (d == NULL)
		return -1;
	errno = 0;
	while (readdir(d) != NULL)
		;
	return errno ? -1 : 0;
}

/* Read a file or a directory to its end. */
int do_read(void)
{
	static char buf[16384];
	struct stat st;
	ssize_t n;

	if (stat(path, &st) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return list();
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	do
		n = read(fd, buf, sizeof(buf));
	while (n > 0);
	return (int)n;
}

static void B8_getdents(void)
{
	path = "/bin";
	walk(list);
}

/* Read all files of a directory that have an end, and the directory. */
static void read_all(const char *dir)
{
	char name[PATH_MAX];
	struct dirent *e;
	struct stat st;
	DIR *d = opendir(dir);

	must(d != NULL);
	while ((e = readdir(d)) != NULL) {
		snprintf(name, sizeof(name), "%s/%s", dir, e->d_name);
		if (stat(name, &st) < 0 || !(st.st_mode & 0400) ||
		    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
			continue;
		dprintf(STDOUT_FILENO, "# %s\n", name);
		path = name;
		walk(do_read);
	}
	closedir(d);
}

static void B8_read_dev(void)
{
	read_all("/dev");
}

static void B8_read_proc(void)
{
	read_all("/proc/1");
	path = "/proc";
	walk(do_read);
}

static void B8_read_sysctl(void)
{
	read_all("/sysctl/kern/profiling");
}

static const struct tap_case cases[] = {
	{"B8 fork", B8_fork},
	{"B8 fork of many", B8_crowd},
	{"B8 sproc", B8_sproc},
	{"B8 a handler of a signal", B8_signal},
	{"B8 rfork", B8_rfork},
	{"B8 exec", B8_exec},
	{"B8 exec of a script", B8_exec_script},
	{"B8 exec with large arguments", B8_exec_large},
	{"B8 pipe", B8_pipe},
	{"B8 open", B8_open},
	{"B8 open, write and truncate a new file", B8_create},
	{"B8 mkdir", B8_mkdir},
	{"B8 rename", B8_rename},
	{"B8 links", B8_links},
	{"B8 remove", B8_remove},
	{"B8 bind and unmount", B8_bind},
	{"B8 unmount", B8_unmount},
	{"B8 setuid", B8_setuid},
	{"B8 dup", B8_dup},
	{"B8 select", B8_select},
	{"B8 getdents", B8_getdents},
	{"B8 brk", B8_brk}, {"B8 chdir and getcwd", B8_chdir},
	{"B8 reading /dev", B8_read_dev},
	{"B8 reading /proc", B8_read_proc},
	{"B8 reading /sysctl", B8_read_sysctl},
	{"B8 profil and sprofil", B8_profil},
	{"B8 kprof", B8_kprof},
	{"B8 call stacks", B8_kpstack}, {"B8 waits", B8_kpwait},
	{"B8 gmon", B8_gmon},
	{"B8 prof", B8_modules},
	{"B8 prof, coverage", B8_coverage},
	{"B8 prof, memory", B8_memory},
	{"B8 prf", B8_prf},
};

/* "... HOW ROUND FD FD WORD" is the second half of B8_exec. */
int main(int argc, char *argv[])
{
	self = "/tests/failing";
	if (argc >= 6) {
		how = argv[argc - 5];
		device = atoi(argv[argc - 3]);
		answer = atoi(argv[argc - 2]);
		done(0, atoi(argv[argc - 4]));
	}
	if (!begin()) {
		puts("1..1\nok 1 - B8 is for the checking kernel # SKIP");
		return 0;
	}
	return tap_run(cases, nelem(cases));
}
