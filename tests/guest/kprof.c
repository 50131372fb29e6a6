/* kprof(3), by its files: K1, K4-K11. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/wait.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define NSPECIAL 6
#define CTL "/dev/kpctl"
#define DATA "/dev/kpdata"

enum { TOTAL, OUTSIDE, PERIOD, NBUCKET, CELL, LOG };

/* Read kpdata once: the special numbers into head; return the sum of the buckets. */
static uint64_t picture(uint32_t head[NSPECIAL])
{
	static uint32_t buf[1 << 18];
	int fd = open(DATA, O_RDONLY);
	size_t n = 0;
	ssize_t got;
	uint64_t sum = 0;

	must(fd >= 0);
	while ((got = read(fd, (char *)buf + n, sizeof(buf) - n)) > 0)
		n += (size_t)got;
	must(got == 0 && n % 4 == 0 && n > NSPECIAL * 4);
	close(fd);
	for (int i = 0; i < NSPECIAL; i++)
		head[i] = __builtin_bswap32(buf[i]);
	must(n == head[NBUCKET] * head[CELL]);
	for (size_t i = NSPECIAL; i < n / 4; i++)
		sum += __builtin_bswap32(buf[i]);
	return sum;
}

static void K1_bind_after_adds_both_files(void)
{
	struct stat st;

	mkdir("d", 0755);
	tap_write("d/kpctl", "mine");
	must(bind("#T", "d", MAFTER) == 0);
	must(strcmp(tap_read("d/kpctl"), "mine") == 0);
	must(stat("d/kpdata", &st) == 0 && st.st_size > 0);
	mkdir("e", 0755);
	must(bind("#T", "e", MAFTER) == 0);
	must(stat("e/kpctl", &st) == 0 && stat("e/kpdata", &st) == 0);
}

static void K4_specials(void)
{
	uint32_t head[NSPECIAL];

	must(kpctl("startclr") == 0 && kpctl("stop") == 0);
	picture(head);
	must(head[CELL] == 4 && head[LOG] == 3 && head[PERIOD] == 1000);
}

static void K5_length_is_what_stat_says(void)
{
	uint32_t head[NSPECIAL];
	struct stat st;

	picture(head);
	must(stat(DATA, &st) == 0);
	must(st.st_size == head[NBUCKET] * head[CELL]);
}

static void add_up(bool expect_ticks)
{
	uint32_t head[NSPECIAL];
	uint64_t sum = picture(head);

	must(head[TOTAL] == sum + head[OUTSIDE]);
	must(!expect_ticks || head[TOTAL] > 0);
}

/* A child keeps the kernel busy while pictures are taken in random states. */
static void K6_every_picture_adds_up(void)
{
	static const char *const word[] = {"start", "stop", "startclr"};
	uint32_t seed = 12345;
	pid_t busy = fork();

	if (busy == 0)
		for (;;)
			tap_call(1000);
	for (int i = 0; i < 100; i++) {
		must(kpctl(word[tap_random(&seed) % 3]) == 0);
		tap_call((int)tap_random(&seed) & 7);
		add_up(false);
	}
	must(kpctl("startclr") == 0);
	tap_call(50);
	add_up(true);
	kill(busy, SIGKILL);
	wait(NULL);
	must(kpctl("stop") == 0);
}

static void K6_stopped_pictures_are_alike(void)
{
	uint32_t a[NSPECIAL], b[NSPECIAL];

	must(kpctl("startclr") == 0);
	tap_call(30);
	must(kpctl("stop") == 0);
	uint64_t sa = picture(a);
	tap_call(30);
	must(picture(b) == sa && memcmp(a, b, sizeof(a)) == 0);
}

/* In user mode the program counter is outside kernel text. */
static void K7_user_ticks_are_outside(void)
{
	uint32_t head[NSPECIAL];

	tap_exact();
	must(kpctl("startclr") == 0);
	for (volatile int i = 0; i < 20000000; i++)
		;
	must(kpctl("stop") == 0);
	picture(head);
	must(head[TOTAL] > 100);
	must(head[OUTSIDE] > head[TOTAL] / 10 * 9);
}

/* Check that ten seconds at this rate have as many ticks as the period says. */
static void period_agrees(const char *rate, uint32_t period)
{
	uint32_t head[NSPECIAL];

	tap_exact();
	must(kpctl(rate) == 0);
	must(kpctl("startclr") == 0);
	int64_t start = tap_now();
	must(sleep(10) == 0);
	must(kpctl("stop") == 0);
	int64_t us = (tap_now() - start) / 1000;
	picture(head);
	must(kpctl("hz 1000") == 0);
	int64_t measured = (int64_t)head[TOTAL] * head[PERIOD];
	must(head[PERIOD] == period);
	must(measured > us / 100 * 99 && measured < us / 100 * 101);
}

static void K8_at_1000_hz(void)
{
	period_agrees("hz 1000", 1000);
}

static void K8_at_100_hz(void)
{
	period_agrees("hz 100", 10000);
}

/* The period is not a whole number of microseconds: the head shows the one in use. */
static void K8_at_3000_hz(void)
{
	period_agrees("hz 3000", 333);
}

static void K9_words(void)
{
	static const char *const good[] = {"start", "start\n", "stop", "stop\n", "stop",
					   "startclr", "startclr\n", "hz 1000", "stop"};
	static const char *const bad[] = {"", "\n", "go", "STOP", "startcl", "start now",
					  "stop stop", "hz", "hz 9", "hz 20001", "hz -5",
					  "hz ten", "clock",
					  "clock maybe", "start\n\n"};
	uint32_t before[NSPECIAL], after[NSPECIAL];

	for (size_t i = 0; i < nelem(good); i++)
		must(kpctl(good[i]) == 0);
	uint64_t sum = picture(before);
	for (size_t i = 0; i < nelem(bad); i++)
		if (*bad[i])
			must_fail(kpctl(bad[i]), EINVAL);
	must(picture(after) == sum && memcmp(before, after, sizeof(before)) == 0);
	must(strncmp(tap_read(CTL), "stop\n", 5) == 0);
}

static void K9_start_adds_startclr_clears(void)
{
	uint32_t one[NSPECIAL], two[NSPECIAL], three[NSPECIAL];

	tap_exact();
	must(kpctl("startclr") == 0);
	tap_call(40);
	must(kpctl("stop") == 0);
	picture(one);
	must(kpctl("start") == 0);
	tap_call(40);
	must(kpctl("stop") == 0);
	picture(two);
	must(one[TOTAL] > 30 && two[TOTAL] > one[TOTAL] + 30);
	must(kpctl("startclr") == 0 && kpctl("stop") == 0);
	picture(three);
	must(three[TOTAL] < 5);
}

static void K10_offsets(void)
{
	static const struct {
		int off;
		size_t n;
		ssize_t want; /* -1: EINVAL */
	} c[] = {{0, 3, 0}, {0, 4, 4}, {0, 7, 4}, {4, 8, 8}, {1, 4, -1}, {2, 4, -1}};
	uint8_t buf[8];
	struct stat st;
	int fd = open(DATA, O_RDONLY);

	must(fd >= 0 && fstat(fd, &st) == 0);
	for (size_t i = 0; i < nelem(c); i++) {
		must(lseek(fd, c[i].off, SEEK_SET) == c[i].off);
		ssize_t n = read(fd, buf, c[i].n);
		must(n == c[i].want && (n != -1 || errno == EINVAL));
	}
	must(lseek(fd, st.st_size - 4, SEEK_SET) > 0 && read(fd, buf, 8) == 4);
	must(read(fd, buf, 8) == 0);
	must(lseek(fd, st.st_size + 400, SEEK_SET) > 0 && read(fd, buf, 8) == 0);
}

static void none_is_refused(void)
{
	must_fail(open(CTL, O_RDONLY), EACCES);
	must_fail(open(CTL, O_WRONLY), EACCES);
	must_fail(open(DATA, O_RDONLY), EACCES);
}

static void K11_only_the_owner(void)
{
	struct stat st;

	must(stat(CTL, &st) == 0 && (st.st_mode & 0777) == 0600 && st.st_uid == 0);
	must(stat(DATA, &st) == 0 && (st.st_mode & 0777) == 0600 && st.st_uid == 0);
	tap_as_none(none_is_refused);
}

static void K2_both_deliveries_tick(void)
{
	static const char *const delivery[] = {"clock irq", "clock nmi"};

	tap_exact();
	for (int i = 0; i < 2; i++) {
		uint32_t head[NSPECIAL];
		must(kpctl(delivery[i]) == 0);
		must(strstr(tap_read(CTL), delivery[i]) != NULL);
		must(kpctl("startclr") == 0);
		tap_call(100);
		must(kpctl("stop") == 0);
		picture(head);
		must(head[TOTAL] > 88 && head[TOTAL] < 115); /* a deviation is 3 */
	}
}

/* What kpinfo says of a profiler: of all processors together, and the sums of their lines. */
struct info {
	uint64_t us, ticks, lost, cpu_ticks, cpu_lost;
};

static uint64_t value(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	must(at && at < strchr(line, '\n'));
	return strtoull(at + strlen(key), NULL, 10);
}

static struct info info_of(const char *profiler)
{
	int n = tap_processors(); /* first: that reads a file, too */
	const char *line = strstr(tap_read("/dev/kpinfo"), profiler);
	struct info i = {0};

	must(line);
	i = (struct info){value(line, " elapsed_us="), value(line, " ticks="),
			  value(line, " lost="), 0, 0};
	for (int cpu = 0; cpu < n; cpu++) {
		line = strchr(line, '\n') + 1;
		must(value(line, "# cpu=") == (uint64_t)cpu);
		i.cpu_ticks += value(line, " ticks=");
		i.cpu_lost += value(line, " lost=");
	}
	must(i.ticks == i.cpu_ticks && i.lost == i.cpu_lost);
	return i;
}

/* Ticks taken and lost are those that were due while kprof was on, and begin with startclr. */
static void C5_ticks_and_lost(void)
{
	struct info i, later;
	uint32_t gmon_on = 0, gmon_off = 3;
	int64_t before, within, least = 0, most = 0;
	uint64_t due;

	for (int n = 0; n < 4; n++) {
		before = tap_now();
		must(kpctl(n == 0 ? "startclr" : "start") == 0);
		within = tap_now();
		tap_spin(100);
		least += tap_now() - within;
		must(kpctl("stop") == 0);
		most += tap_now() - before;
		tap_sleep(50);
	}
	i = info_of("# profiler=kprof ");
	due = i.us / 1000 * tap_processors();
	must(i.us >= (uint64_t)least / 1000 && i.us <= (uint64_t)most / 1000 + 1);
	/* On several processors, one that is late when the clock stops does not count the rest. */
	must(i.ticks + i.lost <= due + 20 &&
	     i.ticks + i.lost + 20 + due / (tap_processors() > 1 ? 4 : 100) >= due);
	must(i.ticks == kpdata_head(TOTAL));
	must(value(strstr(tap_read(CTL), "\nticks ") + 1, "ticks ") == i.ticks);
	must(value(strstr(tap_read(CTL), "\nlost ") + 1, "lost ") == i.lost);

	/* What another profiler is given is not kprof's. */
	must(sysctlbyname("kern.profiling.state", NULL, NULL, &gmon_on, sizeof(gmon_on)) == 0);
	tap_spin(50);
	must(sysctlbyname("kern.profiling.state", NULL, NULL, &gmon_off, sizeof(gmon_off)) == 0);
	later = info_of("# profiler=kprof ");
	must(memcmp(&later, &i, sizeof(i)) == 0);
	must(info_of("# profiler=gmon ").us >= 50000);
	must(info_of("# profiler=any ").ticks >= i.ticks + info_of("# profiler=gmon ").ticks);

	must(kpctl("startclr") == 0 && kpctl("stop") == 0);
	later = info_of("# profiler=kprof ");
	must(later.us < i.us && later.ticks + later.lost < i.ticks + i.lost);
}

static const struct tap_case cases[] = {
	{"K1 bind -a adds kpctl and kpdata", K1_bind_after_adds_both_files},
	{"K2 both deliveries tick at the rate", K2_both_deliveries_tick},
	{"K4 the special counts", K4_specials},
	{"K5 the length is what stat says", K5_length_is_what_stat_says},
	{"K6 100 random commands: every picture adds up", K6_every_picture_adds_up},
	{"K6 while stopped nothing changes", K6_stopped_pictures_are_alike},
	{"K7 ticks in user mode are outside", K7_user_ticks_are_outside},
	{"K8 1000 Hz agrees with the clock over 10 s", K8_at_1000_hz},
	{"K8 100 Hz agrees with the clock over 10 s", K8_at_100_hz},
	{"K8 3000 Hz agrees with the clock over 10 s", K8_at_3000_hz},
	{"K9 valid and invalid words", K9_words},
	{"K9 start adds, startclr clears", K9_start_adds_startclr_clears},
	{"C5 kpinfo has ticks taken and lost while it was on", C5_ticks_and_lost},
	{"K10 reads at any offset", K10_offsets},
	{"K11 modes and owner", K11_only_the_owner},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
