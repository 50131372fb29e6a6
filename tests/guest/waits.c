/* Where processes wait, by kpctl and kpwait: kprof(3), kpwait(5). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define WAITS "/dev/kpwait"
#define TEXT_SIZE (256u << 10)

#define SLICE_US 20000 /* that a process runs while others are ready */

static char *text;   /* the file, when load() was called last */
static char step[16]; /* of each path of this case, but not of those of who runs the cases */

/* Load the file. Its last line must tell what the others add up to. */
static void load(void)
{
	uint64_t sum = 0, waits = 0;
	char *s;

	text = text ? text : malloc(TEXT_SIZE);
	tap_load(WAITS, text, TEXT_SIZE);
	must(strncmp(text, "# kpwait version=1 build=", 25) == 0 && text[65] == '\n');
	for (s = text + 66; strncmp(s, "# unit", 6) != 0; s = strchr(s, '\n') + 1) {
		if (*s == '#')
			waits += strtoull(s + strlen("# count="), NULL, 10);
		else
			sum += strtoull(strchr(s, ' ') + 1, NULL, 10);
	}
	must(strncmp(s, "# unit=us waits=", 16) == 0);
	must(strtoull(s + 16, NULL, 10) >= waits);
	s = strstr(s, " total_us=");
	must(s && strtoull(s + 10, NULL, 10) == sum);
}

/* Return the microseconds of this case's paths that begin with that mode. */
static uint64_t waited(const char *mode)
{
	uint64_t sum = 0;

	for (char *s = text + 66, *end; strncmp(s, "# unit", 6) != 0; s = end + 1) {
		end = strchr(s, '\n');
		*end = 0;
		if (strncmp(s, "waits;", 6) == 0 && strstr(s, mode) == s + 6 && strstr(s, step))
			sum += strtoull(strchr(s, ' ') + 1, NULL, 10);
		*end = '\n';
	}
	return sum;
}

/* Return whether a is b within 1 %. */
static bool near(uint64_t a, uint64_t b)
{
	if (a * 100 >= b * 99 && a * 100 <= b * 101)
		return true;
	printf("# %llu us, not %llu\n%s", (unsigned long long)a, (unsigned long long)b, text);
	fflush(stdout);
	return false;
}

/* Count from now on, for the case that returns there. */
static void begin(const void *to)
{
	snprintf(step, sizeof(step), ";0x%08x", (unsigned)(uintptr_t)to);
	must(kpctl("stop") == 0 && kpctl("waits off") == 0 && kpctl("filter off") == 0);
	must(kpctl("waits on") == 0 && kpctl("startclr") == 0);
}

static void end(void)
{
	must(kpctl("stop") == 0 && kpctl("waits off") == 0 && kpctl("filter off") == 0);
}

static void words(void)
{
	struct stat st;

	end();
	must(strstr(tap_read("/dev/kpctl"), "\nfilter off\nwaits off\n"));
	load();
	must(strcmp(text + 66, "# unit=us waits=0 overflow=0 depth=64 total_us=0\n") == 0);
	begin(__builtin_return_address(0));
	must(strstr(tap_read("/dev/kpctl"), "\nfilter off\nwaits on\n"));
	must_fail(kpctl("waits"), EINVAL);
	must_fail(kpctl("waits maybe"), EINVAL);
	must_fail(kpctl("depth 8"), EBUSY);
	must(stat(WAITS, &st) == 0 && (st.st_mode & 0777) == 0600 && st.st_uid == 0);
	must_fail(tap_say(WAITS, "x"), EPERM);
	end();
}

/* The one that ends it sleeps; the one in the middle waits for that; and their parent for both. */
static void H10_a_pipeline_waits_for_its_slow_stage(void)
{
	int in[2];
	char c;

	tap_exact();
	must(pipe(in) == 0);
	begin(__builtin_return_address(0));
	int64_t start = tap_now();
	pid_t slow = fork();
	if (slow == 0) {
		for (int i = 0; i < 10; i++) {
			tap_sleep(50);
			must(write(in[1], "x", 1) == 1);
		}
		_exit(0);
	}
	pid_t middle = fork();
	if (middle == 0) {
		for (int i = 0; i < 10; i++)
			must(read(in[0], &c, 1) == 1);
		_exit(0);
	}
	tap_join(slow);
	tap_join(middle);
	uint64_t us = (uint64_t)(tap_now() - start) / 1000;
	must(kpctl("stop") == 0);
	load();
	must(near(waited("[pipe];0x004"), us) && near(waited("[sleep];0x004"), us));
	must(near(waited("[child];0x004"), us) && waited("[ready]") < us / 100);
	must(!strstr(text, "idle;"));
	end();
}

/* Each of four has a fourth of the processor, and is ready for the rest, in the program. */
static void H10_four_share_a_processor(void)
{
	tap_exact();
	begin(__builtin_return_address(0));
	int64_t start = tap_now();
	for (int i = 0; i < 4; i++)
		if (fork() == 0)
			for (;;)
				__asm__ volatile("");
	tap_sleep(1000);
	must(kpctl("stop") == 0);
	uint64_t us = (uint64_t)(tap_now() - start) / 1000;
	load();
	must(waited("[sleep]") >= 1000000);
	uint64_t ready = waited("[ready];0x004") - (us - waited("[sleep]")); /* but the parent's */
	/* What they wait for the next slice is not over yet, and not in the file. */
	must(near(ready, 3 * us - (1 + 2 + 3) * SLICE_US));
	end();
}

/*
 * The lock of an open file is held while the host is asked: of two processes that read by one
 * descriptor one waits for the device, the other for the lock.
 */
static void H10_a_device_and_a_lock_are_waited_for(void)
{
	static char data[4096];
	int fd = open("/n/remote/waits", O_RDWR | O_CREAT, 0600);

	must(fd >= 0 && write(fd, data, sizeof(data)) == sizeof(data));
	begin(__builtin_return_address(0));
	pid_t other = fork();
	for (int i = 0; i < 50; i++)
		must(lseek(fd, 0, SEEK_SET) == 0 && read(fd, data, sizeof(data)) >= 0);
	if (other == 0)
		_exit(0);
	tap_join(other);
	must(kpctl("stop") == 0 && unlink("/n/remote/waits") == 0);
	load();
	must(waited("[device];0x004") > 0 && waited("[lock];0x004") > 0);
	end();
}

/* Return the process's own time on processors so far, in microseconds. */
static uint64_t ran(void)
{
	char path[32], *s;
	unsigned user, kernel;

	snprintf(path, sizeof(path), "/proc/%d/status", getpid());
	s = (char *)tap_read(path);
	for (int i = 0; i < 6; i++)
		s = strchr(s, ' ') + 1;
	user = strtoul(s, &s, 10);
	kernel = strtoul(s, NULL, 10);
	return 1000ull * (user + kernel);
}

static uint64_t now_us(void)
{
	return (uint64_t)tap_now() / 1000;
}

/* What a process runs, waits and is ready is its life, whatever it does on how many processors. */
static void H10_nothing_of_a_life_is_missing(void)
{
	int busy = 2 * tap_processors(), p[2];
	pid_t spinner[16];
	char word[32], c;

	must(busy <= (int)nelem(spinner) && pipe(p) == 0);
	begin(__builtin_return_address(0));
	for (int i = 0; i < busy; i++)
		if ((spinner[i] = fork()) == 0)
			for (;;)
				tap_call(10);
	snprintf(word, sizeof(word), "filter pid %d", getpid());
	must(kpctl("stop") == 0 && kpctl(word) == 0);
	/* Others may run between a look and the command: what is counted lies between two lives. */
	uint64_t longest = now_us(), ran_longest = ran();
	must(kpctl("startclr") == 0);
	uint64_t ran_shortest = ran(), shortest = now_us();
	for (int i = 0; i < 10; i++) {
		tap_sleep(30);
		tap_spin(20);
		if (fork() == 0) {
			tap_sleep(20);
			_exit(write(p[1], "x", 1) != 1);
		}
		must(read(p[0], &c, 1) == 1);
		wait(NULL);
	}
	shortest = now_us() - shortest;
	ran_shortest = ran() - ran_shortest;
	must(kpctl("stop") == 0);
	ran_longest = ran() - ran_longest;
	longest = now_us() - longest;
	for (int i = 0; i < busy; i++)
		tap_finish(spinner[i]);
	load();
	must(waited("[") + ran_shortest > shortest / 100 * 99);
	must(waited("[") + ran_longest < longest / 100 * 101);
	must(waited("[ready]") > shortest / 10);
	end();
}

/* Sleep for 100 ms, and return how many microseconds that took. */
static uint64_t sleep_a_while(void)
{
	int64_t start = tap_now();

	tap_sleep(100);
	return (uint64_t)(tap_now() - start) / 1000;
}

/* Return the process of a reader that waits for a byte. */
static pid_t reader_of(int fd)
{
	pid_t reader = fork();
	char c;

	if (reader == 0)
		_exit(read(fd, &c, 1) == 1 ? 0 : 1);
	return reader;
}

/* A wait goes on when waits are counted again, but for the time between; startclr forgets it. */
static void H10_a_wait_across_stop_and_start(void)
{
	uint64_t counted = 0;
	int fd[2];

	tap_exact();
	must(pipe(fd) == 0);
	begin(__builtin_return_address(0));
	pid_t reader = reader_of(fd[0]);
	for (int i = 0; i < 3; i++) {
		counted += sleep_a_while();
		must(kpctl("stop") == 0);
		sleep_a_while();
		must(kpctl("start") == 0);
	}
	counted += sleep_a_while();
	must(write(fd[1], "x", 1) == 1);
	tap_join(reader);
	must(kpctl("stop") == 0);
	load();
	must(near(waited("[pipe];0x004"), counted));

	must(kpctl("startclr") == 0);
	reader = reader_of(fd[0]);
	sleep_a_while();
	must(kpctl("startclr") == 0);
	counted = sleep_a_while();
	must(write(fd[1], "x", 1) == 1);
	tap_join(reader);
	must(kpctl("stop") == 0);
	load();
	must(near(waited("[pipe];0x004"), counted));
	end();
}

static void memory_comes_back(void)
{
	size_t before;

	end();
	before = tap_memory_left();
	begin(__builtin_return_address(0));
	must(before - tap_memory_left() > 1u << 20 >> 12);
	end();
	must(tap_memory_back(before, 0));
}

static const struct tap_case cases[] = {
	{"valid and invalid words", words},
	{"H10 a pipeline waits for its slow stage", H10_a_pipeline_waits_for_its_slow_stage},
	{"H10 four share a processor", H10_four_share_a_processor},
	{"H10 a device and a lock are waited for", H10_a_device_and_a_lock_are_waited_for},
	{"H10 nothing of a life is missing", H10_nothing_of_a_life_is_missing},
	{"H10 a wait across stop and start", H10_a_wait_across_stop_and_start},
	{"waits off gives the memory back", memory_comes_back},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
