/*
 * B8: the n-th allocation of a call fails, for n = 1, 2, ... until the call asks for fewer. Each
 * time the answer is a clean error or success, memory is what it was when everything is closed
 * again, and the kernel's tables are sound. Only the checking kernel's test device can do that.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/prf.h>
#include <sys/profil.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof/prof_gmon.h"
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

#define ROUNDS 2000 /* more than any call allocates */
#define CROWD 12
#define PAGE 4096

/* How a round ended; what else goes wrong ends the child by must(). */
enum { MET = 10, UNMET };

static int device, answer; /* the test device's ctl and result */
static const char *self;
static const char *path; /* what an operation is done with */

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
	bool met = write(device, "fail 0", 6) == 6 && result() > (unsigned long)n;

	errno = e;
	must(r >= 0 || (met && (e == ENOMEM || e == ENOSPC || e == EAGAIN)));
	_exit(met ? MET : UNMET);
}

/* In a child let allocation n of op() fail; return whether it asked for so many. */
static bool round_of(int (*op)(void), int n)
{
	int status;
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		must(dprintf(device, "fail %d", n) > 5);
		done(op(), n);
	}
	must(waitpid(pid, &status, 0) == pid);
	must(status == MET << 8 || status == UNMET << 8);
	return status == MET << 8;
}

static void (*undo)(void); /* undoes what the operation left and a child's end does not */

/* Let every allocation of op() fail once. */
static void walk(int (*op)(void))
{
	bool met = true;
	int n = 0;

	round_of(op, ROUNDS); /* once without failing: what is made but once is there */
	if (undo)
		undo();
	while (met && ++n < ROUNDS) {
		unsigned long objects = say("objects"), frames = say("frames");
		met = round_of(op, n);
		if (undo)
			undo();
		say("check");
		unsigned long o = say("objects"), f = say("frames");
		if (o != objects || f != frames) {
			dprintf(STDOUT_FILENO, "# %d: %ld objects more, %ld frames more\n", n,
				(long)(o - objects), (long)(f - frames));
			must(false);
		}
	}
	dprintf(STDOUT_FILENO, "# %d allocations\n", n - 1);
	must(n < ROUNDS);
}

/* Open the test device; return whether it can make allocations fail. */
static bool begin(void)
{
	device = open("#X/ctl", O_WRONLY);
	answer = open("#X/result", O_RDONLY);
	return device >= 0 && answer >= 0 && write(device, "fail 0", 6) == 6;
}

static int do_fork(void)
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

static int do_rfork(void)
{
	return rfork(RFNAMEG) < 0 || rfork(RFCNAMEG) < 0 ? -1 : 0;
}

static void B8_rfork(void)
{
	walk(do_rfork);
}

static int exec_n;

/* The program that was executed says how it went: main() calls done(). */
static int do_exec(void)
{
	char n[16], a[16], b[16];

	snprintf(n, sizeof(n), "%d", exec_n++);
	snprintf(a, sizeof(a), "%d", device);
	snprintf(b, sizeof(b), "%d", answer);
	return execl(path, path, "done", n, a, b, NULL);
}

/* The number of the round is known to the program only if it is counted here as well. */
static void walk_exec(void)
{
	bool met = true;

	exec_n = ROUNDS;
	round_of(do_exec, ROUNDS);
	for (exec_n = 1; met && exec_n < ROUNDS; exec_n++) {
		unsigned long objects = say("objects"), frames = say("frames");
		met = round_of(do_exec, exec_n);
		say("check");
		must(say("objects") == objects && say("frames") == frames);
	}
	dprintf(STDOUT_FILENO, "# %d allocations\n", exec_n - 2);
	must(exec_n < ROUNDS);
}

static void B8_exec(void)
{
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

static int do_brk(void)
{
	char *p = sbrk(4 * PAGE);

	if (p == (void *)-1)
		return -1;
	memset(p, 1, 4 * PAGE);
	return 0;
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
static int do_read(void)
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

static int do_profil(void)
{
	static unsigned short count[256];
	const struct prof p = { count, sizeof(count), TEXT, 0x10000 };

	profil(count, sizeof(count), TEXT, 0x10000);
	if (fork() == 0) {
		sprofil(&p, 1, NULL, 0);
		_exit(0);
	}
	waitpid(-1, NULL, 0);
	return sprofil(&p, 1, NULL, PROF_UINT);
}

static void B8_profil(void)
{
	walk(do_profil);
}

static const char *control, *start, *stop, *data;

static int tell(const char *words)
{
	int fd = open(control, O_WRONLY);

	return fd < 0 || write(fd, words, strlen(words)) < 0 || close(fd) < 0 ? -1 : 0;
}

/* Start a profiler by its words, be profiled, and read what was counted. */
static int do_profiler(void)
{
	char words[80];

	for (const char *s = start, *end; *s; s = *end ? end + 1 : end) {
		end = strchr(s, ';');
		if (end == NULL)
			end = s + strlen(s);
		snprintf(words, sizeof(words), "%.*s", (int)(end - s), s);
		if (tell(words) < 0)
			return -1;
	}
	if (do_fork() < 0)
		return -1;
	path = data;
	return data ? do_read() : 0;
}

static void stop_profiler(void)
{
	must(tell(stop) == 0);
}

/* Tables that are made at the first start stay. */
static void profiler(const char *file, const char *on, const char *off, const char *out)
{
	control = file;
	start = on;
	stop = off;
	data = out;
	undo = stop_profiler;
	walk(do_profiler);
}

static void B8_kprof(void)
{
	profiler("/dev/kpctl", "start", "stop", "/dev/kpdata");
}

static void B8_kpstack(void)
{
	profiler("/dev/kpctl", "stacks on;start", "stop", "/dev/kpstack");
	kpctl("stacks off");
}

static int gmon_set(int32_t state)
{
	return sysctlbyname("kern.profiling.state", NULL, NULL, &state, sizeof(state));
}

static int do_gmon(void)
{
	path = "/sysctl/kern/profiling/tos";
	return gmon_set(PROF_GMON_ON) < 0 || do_fork() < 0 ? -1 : do_read();
}

static void stop_gmon(void)
{
	must(gmon_set(PROF_GMON_OFF) == 0);
}

static void B8_gmon(void)
{
	undo = stop_gmon;
	walk(do_gmon);
}

static void B8_modules(void)
{
	profiler("/prof/ctl", "start", "end", "/prof");
}

static void B8_coverage(void)
{
	profiler("/prof/ctl", "startcp", "end", "/prof");
}

static void B8_memory(void)
{
	profiler("/prof/ctl", "startmp", "end", "/prof");
}

static int do_prf(void)
{
	static const uint32_t address[] = { 0xc0100000u, 0xc0104000u, 0xc0108000u, 0xc010c000u };
	uint32_t words[16];
	int fd = open("/dev/prf", O_RDWR);

	return fd < 0 || write(fd, address, sizeof(address)) < 0 ||
	       ioctl(fd, PRF_SETSTATE, 1) < 0 || read(fd, words, sizeof(words)) < 0 ||
	       ioctl(fd, PRF_SETSTATE, 0) < 0 ? -1 : 0;
}

static void B8_prf(void)
{
	walk(do_prf);
}

static const struct tap_case cases[] = {
	{"B8 fork", B8_fork},
	{"B8 fork of many", B8_crowd},
	{"B8 sproc", B8_sproc},
	{"B8 rfork", B8_rfork},
	{"B8 exec", B8_exec},
	{"B8 exec of a script", B8_exec_script},
	{"B8 pipe", B8_pipe},
	{"B8 open", B8_open},
	{"B8 open, write and truncate a new file", B8_create},
	{"B8 mkdir", B8_mkdir},
	{"B8 rename", B8_rename},
	{"B8 remove", B8_remove},
	{"B8 bind and unmount", B8_bind},
	{"B8 brk", B8_brk},
	{"B8 chdir and getcwd", B8_chdir},
	{"B8 reading /dev", B8_read_dev},
	{"B8 reading /proc", B8_read_proc},
	{"B8 reading /sysctl", B8_read_sysctl},
	{"B8 profil and sprofil", B8_profil},
	{"B8 kprof", B8_kprof},
	{"B8 call stacks", B8_kpstack},
	{"B8 gmon", B8_gmon},
	{"B8 prof", B8_modules},
	{"B8 prof, coverage", B8_coverage},
	{"B8 prof, memory", B8_memory},
	{"B8 prf", B8_prf},
};

/* "... done ROUND FD FD" is the second half of B8_exec. */
int main(int argc, char *argv[])
{
	self = "/tests/failing";
	if (argc >= 5) {
		device = atoi(argv[argc - 2]);
		answer = atoi(argv[argc - 1]);
		done(0, atoi(argv[argc - 3]));
	}
	if (!begin()) {
		puts("1..1\nok 1 - B8 is for the checking kernel # SKIP");
		return 0;
	}
	return tap_run(cases, nelem(cases));
}
