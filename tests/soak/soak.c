/*
 * soak: lets workers of several kinds and of both users loose on the machine, runs damaged
 * executables and switches profilers meanwhile, and tells in the end what it came to.
 *
 * usage: soak [-s seed] [-c calls] [-x executables] [-k kinds]
 *
 * Kinds are the sum of 1 and 2 for random calls by the owner and by none, 4 and 8 for namespaces,
 * 16 and 32 for the files of devices, and 64 for switching profilers: to narrow down what happens.
 * Everything follows from the seed, as far as the machine does: on one processor under -icount.
 * Links: tests/guest/tap.c tests/soak/calls.c tests/soak/execute.c tests/soak/files.c
 * Links: tests/soak/names.c tests/soak/profilers.c tests/soak/random.c
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/profil.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/tap.h"
#include "tests/soak/soak.h"

#define HZ 5000
#define CALLS 2000	  /* of a worker */
#define LATE 3000000000	  /* ns after which a worker is ended */
#define STUCK 10000	  /* naps of a millisecond after which a killed process must be gone */
#define TELL 10000000000  /* ns between two lines that say how far it is */
#define FIRST 5		  /* which part of everything happens before memory is measured */
#define DIR_FORMAT "/tmp/" MARK "%u"

static const struct {
	worker *run;
	bool owner;
} kinds[] = {
	{soak_calls, true},  {soak_calls, false}, {soak_names, true},
	{soak_names, false}, {soak_files, true},  {soak_files, false},
};

#define NKIND nelem(kinds)

static struct slot {
	pid_t pid;
	int64_t begun;
} slots[NKIND];
static int report[2]; /* the pipe in which workers count */
static unsigned calls, executables;
static uint32_t first_seed, wanted = 127;
static uint8_t good[65536];

int64_t soak_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void nap(int ns)
{
	nanosleep(&(struct timespec){0, ns}, NULL);
}

/* Print why the test has failed, and end. */
static void fail(const char *what)
{
	printf("soak failed: %s (seed %" PRIu32 ", after %u calls, %u executables)\n", what,
	       first_seed, calls, executables);
	exit(1);
}

/* Read what the system tells of a process; empty: it has ended. Lasts until the next call. */
static const char *status_of(pid_t pid)
{
	static char status[256];
	ssize_t n = 0;
	int fd;

	snprintf(status, sizeof(status), "#p/%d/status", pid);
	fd = open(status, O_RDONLY);
	if (fd >= 0) {
		n = read(fd, status, sizeof(status) - 1);
		close(fd);
	}
	status[n > 0 ? n : 0] = 0;
	return status;
}

/* Return a process's parent: the third word of its status. 0: it has ended. */
static pid_t parent_of(pid_t pid)
{
	const char *at = strchr(status_of(pid), ' ');
	char *end;

	if (!at)
		return 0;
	strtol(at, &end, 10);
	return (pid_t)strtol(end, NULL, 10);
}

/* On a busy host naps are longer than they should be, as all that the guest does. */
int soak_wait(pid_t pid, int64_t ns)
{
	int64_t end = soak_now() + ns;

	for (; soak_now() < end; nap(20000))
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return 0;
	kill(pid, SIGKILL);
	for (int naps = 0; waitpid(pid, NULL, WNOHANG) == 0; nap(1000000)) {
		if (naps++ < STUCK)
			continue;
		printf("# it does not end: %s", status_of(pid));
		return -1;
	}
	return 0;
}

/* Remove what is marked as ours, wherever it is in the root. */
static void clean(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	struct stat st;
	char name[300];

	while (dir && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (strncmp(entry->d_name, MARK, strlen(MARK)) == 0) {
			if (tap_remove(name))
				rewinddir(dir);
		} else if (stat(name, &st) == 0 && S_ISDIR(st.st_mode)) {
			clean(name);
		}
	}
	if (dir)
		closedir(dir);
}

/*
 * Do so as that user, where nothing is mounted: not in devices, and not on the host. Workers send
 * signals to the numbers about theirs: this process may be stopped by one, or ended.
 */
static void clean_as(uid_t uid, const char *dir)
{
	int status = SIGKILL;

	while (status == SIGKILL) {
		pid_t pid = fork();

		if (pid == 0) {
			if (rfork(RFCNAMEG) < 0 || setuid(uid) < 0)
				_exit(1);
			clean(dir);
			_exit(0);
		}
		if (pid < 0)
			return;
		while (waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status))
			kill(pid, SIGCONT);
	}
}

/* Make a worker's directory, anew. Its owner alone may empty it. */
static void make_directory(unsigned i)
{
	char dir[32];

	snprintf(dir, sizeof(dir), DIR_FORMAT, i);
	clean_as(kinds[i].owner ? UID_EVE : UID_NONE, dir);
	tap_remove(dir);
	mkdir(dir, 0777);
	chmod(dir, 0777);
}

/* Be a worker, from fork on. */
static void work(unsigned i, uint32_t seed)
{
	char dir[32];

	snprintf(dir, sizeof(dir), DIR_FORMAT, i);
	soak_seed = seed;
	soak_owner = kinds[i].owner;
	for (int fd = 0; fd < REPORT_FD; fd++)
		if (fd != report[1])
			close(fd);
	dup2(report[1], REPORT_FD);
	close(report[1]);
	for (int fd = 0; fd < 3; fd++)
		open("/dev/null", O_RDWR);
	signal(SIGPIPE, SIG_IGN);
	setpgid(0, 0);
	if (rfork(RFNAMEG) < 0 || chdir(dir) < 0 || (!soak_owner && setuid(UID_NONE) < 0))
		_exit(1);
	kinds[i].run(CALLS);
	_exit(0);
}

static void start(unsigned i)
{
	uint32_t seed = pick(1u << 24) * 2654435761u;

	make_directory(i);
	slots[i].begun = soak_now();
	slots[i].pid = fork();
	if (slots[i].pid == 0)
		work(i, seed);
}

/* Return whether a process is a worker, or what the test found when it began. */
static bool known(pid_t pid)
{
	for (size_t i = 0; i < NKIND; i++)
		if (slots[i].pid == pid)
			return true;
	return pid <= soak_main;
}

/* End what workers have left behind: processes whose parent is the first one. */
static void sweep(void)
{
	struct dirent *entry;
	DIR *dir = opendir("#p");

	if (!dir)
		fail("processes cannot be listed");
	while ((entry = readdir(dir)) != NULL) {
		pid_t pid = (pid_t)atoi(entry->d_name);

		if (!known(pid) && parent_of(pid) == 1)
			kill(pid, SIGKILL);
	}
	closedir(dir);
}

/* Take what workers have counted. */
static void count(void)
{
	struct timeval none = {0, 0};
	char counts[64];
	fd_set set;

	FD_ZERO(&set);
	FD_SET(report[0], &set);
	if (select(report[0] + 1, &set, NULL, NULL, &none) > 0) {
		ssize_t n = read(report[0], counts, sizeof(counts));

		calls += n > 0 ? (unsigned)n * BATCH : 0;
	}
}

/* End workers that are late, and start others in the place of those that have ended. */
static void look_after(void)
{
	for (unsigned i = 0; i < NKIND; i++) {
		struct slot *s = &slots[i];

		if (!(wanted >> i & 1))
			continue;
		if (s->pid > 0 && waitpid(s->pid, NULL, WNOHANG) == 0) {
			if (soak_now() - s->begun < LATE)
				continue;
			if (soak_wait(s->pid, 0) < 0)
				fail("a worker cannot be ended");
		}
		s->pid = 0;
		sweep();
		start(i);
	}
	count();
}

/* End all workers, and everything that they have started. */
static void end_workers(void)
{
	for (size_t i = 0; i < NKIND; i++) {
		if (slots[i].pid > 0 && soak_wait(slots[i].pid, 0) < 0)
			fail("a worker cannot be ended");
		slots[i].pid = 0;
	}
	for (int i = 0; i < 20; i++) {
		sweep();
		nap(10000000);
	}
	count();
}

/* Return the number behind a word in kpinfo: first come those of the clock, since boot. */
static uint32_t told(const char *word)
{
	const char *p = strstr(tap_read("#T/kpinfo"), word);

	return p ? (uint32_t)strtoul(p + strlen(word), NULL, 10) : 0;
}

/* The clock, from when it was made to run until it stops, whatever uses it beside us. */
static struct {
	int64_t before, after; /* it began to run in between, on one processor after the other */
	uint32_t ticks, lost;
} begun;

static unsigned short cells[2];

static void clock_begin(void)
{
	char words[16];

	snprintf(words, sizeof(words), "hz %d", HZ);
	if (kpctl(words) < 0 || kpctl("clock nmi") < 0)
		fail("the profiling clock cannot be set");
	begun.ticks = told(" ticks=");
	begun.lost = told(" lost=");
	begun.before = soak_now();
	profil(cells, sizeof(cells), 0, 2);
	begun.after = soak_now();
}

/* Return how many ticks so long a time should have, on all processors. */
static uint32_t due_in(int64_t ns)
{
	return (uint32_t)(ns / 1000 * HZ / 1000000 * tap_processors());
}

/* Print the ticks, of which none may be missing. */
static void clock_end(void)
{
	int64_t before = soak_now();

	profil(NULL, 0, 0, 0); /* it stands still when nobody uses it */
	uint32_t most = due_in(soak_now() - begun.before), least = due_in(before - begun.after);
	uint32_t ticks = told(" ticks=") - begun.ticks, lost = told(" lost=") - begun.lost;
	/* The clock stands still on all CPUs while another profiler begins or ends. */
	uint32_t slack = most / 50 + 20;

	least = slack < least ? least - slack : 0;
	most += slack;
	printf("ticks taken %" PRIu32 " + lost %" PRIu32 " = %" PRIu32 " of %" PRIu32
	       " to %" PRIu32 " due\n", ticks, lost, ticks + lost, least, most);
	if (ticks + lost < least || ticks + lost > most)
		fail("ticks are missing");
}

/* Let everything happen until there were so many calls and executables. */
static void run(unsigned ncalls, unsigned nexecutables, size_t size)
{
	int64_t next = soak_now() + TELL;

	while (calls < ncalls || executables < nexecutables) {
		look_after();
		if (chance(3) && wanted >> NKIND)
			soak_switch();
		if (executables < nexecutables && soak_execute(good, size))
			executables++;
		else if (executables < nexecutables)
			fail("an executable cannot be ended");
		else
			nap(1000000);
		if (soak_now() < next)
			continue;
		printf("# %u calls, %u executables\n", calls, executables);
		fflush(stdout);
		next += TELL;
	}
}

/* Let nothing go on, and nothing be left. */
static void rest(void)
{
	end_workers();
	soak_switch_off();
	clean_as(UID_NONE, "/");
	clean_as(UID_EVE, "/");
}

/* Read the command line. */
static void options(int argc, char **argv, unsigned *ncalls, unsigned *nexecutables)
{
	int c;

	first_seed = 1;
	while ((c = getopt(argc, argv, "s:c:x:k:")) != -1) {
		uint32_t v = c == '?' ? 0 : (uint32_t)strtoul(optarg, NULL, 10);

		if (c == 's')
			first_seed = v;
		else if (c == 'c')
			*ncalls = v;
		else if (c == 'x')
			*nexecutables = v;
		else if (c == 'k')
			wanted = v;
		else
			exit(2);
	}
}

int main(int argc, char **argv)
{
	unsigned ncalls = 250000, nexecutables = 1250;
	size_t before, after;
	ssize_t size;
	int fd;

	if (argc == 1)
		return 2; /* one of the calls of another soak executed this */
	options(argc, argv, &ncalls, &nexecutables);
	soak_seed = first_seed * 2654435761u;
	soak_owner = true;
	soak_main = getpid();
	setpgid(0, 0);
	fd = open("/bin/true", O_RDONLY);
	if (fd < 0) /* said with who says it: another soak may be one of the calls of this one */
		err(1, "process %d of %d, %d arguments, the last %s: /bin/true", getpid(),
		    getppid(), argc - 1, argv[argc - 1]);
	size = read(fd, good, sizeof(good));
	close(fd);
	if (size <= 0)
		err(1, "/bin/true: %zd bytes", size);
	if (chdir("/tmp") < 0)
		err(1, "/tmp");
	if (pipe(report) < 0)
		err(1, "pipe");
	/* First a part, after which the kernel and the profilers have what they keep for good. */
	run(ncalls / FIRST, nexecutables / FIRST, (size_t)size);
	rest();
	before = tap_memory_left();
	clock_begin();
	run(ncalls, nexecutables, (size_t)size);
	rest();
	clock_end();
	printf("calls %u\nexecutables %u\n", calls, executables);
	tap_memory_back(before, 0);
	after = tap_memory_left();
	printf("memory before %zu after %zu pages\nseed %" PRIu32 "\n", before, after, first_seed);
	if (after + 64 < before)
		fail("memory is missing");
	puts("soak passed");
	return 0;
}
