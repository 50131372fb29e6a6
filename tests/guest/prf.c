/* prf(7), sentence by sentence: D1-D11 and D13. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prf.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define LO 0xc0100000u
#define MAX 8192
#define N 4

static const uint32_t addr[N] = {LO, LO + 0x4000, LO + 0x8000, LO + 0xc000};
static uint32_t words[2 * MAX + 2];

/* Indices of the counters after those of the N addresses. */
enum { USER = N, IDLE };

static int prf_open(int minor)
{
	char name[32] = "/dev/prf";
	int fd;

	if (minor != PRF_ALL)
		snprintf(name, sizeof(name), "/dev/prf%d", minor);
	fd = open(name, O_RDWR);
	must(fd >= 0);
	return fd;
}

static int get(int fd, unsigned long command)
{
	int value = -1;

	must(ioctl(fd, command, &value) == 0);
	return value;
}

static void load(int fd)
{
	must(write(fd, addr, sizeof(addr)) == sizeof(addr));
}

/* Open it, load the addresses and turn it on. */
static int running(int minor)
{
	int fd = prf_open(minor);

	ioctl(fd, PRF_SETSTATE, 0);
	load(fd);
	must(ioctl(fd, PRF_SETSTATE, 1) == 0);
	return fd;
}

/* Read the counters of addr into count; return their sum. */
static uint32_t counters(int fd, uint32_t count[N + 2])
{
	uint32_t sum = 0;

	must(read(fd, words, sizeof(words)) == (2 * N + 2) * 4);
	must(memcmp(words, addr, sizeof(addr)) == 0);
	memcpy(count, words + N, (N + 2) * 4);
	for (int i = 0; i < N + 2; i++)
		sum += count[i];
	return sum;
}

static void in_kernel(int ms)
{
	int fd = open("/bin/sh", O_RDONLY);
	static char buf[8192];

	for (int64_t end = tap_now() + ms * 1000000ll; tap_now() < end;) {
		lseek(fd, 0, SEEK_SET);
		read(fd, buf, sizeof(buf));
	}
	close(fd);
}

static void D1_write_loads_and_zeroes(void)
{
	uint32_t count[N + 2];
	int fd = running(PRF_ALL);

	tap_spin(100);
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	must(counters(fd, count) > 0);
	load(fd);
	must(get(fd, PRF_GETSTATUS) == PRF_LOADED);
	must(get(fd, PRF_GETSIZE) == N);
	must(counters(fd, count) == 0);
}

static void D1_the_file_pointer_is_ignored(void)
{
	static const off_t offset[] = {0, 4, 1, 1ll << 40};
	uint32_t count[N + 2];
	int fd = running(PRF_ALL);

	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	for (size_t i = 0; i < nelem(offset); i++) {
		must(lseek(fd, offset[i], SEEK_SET) == offset[i]);
		counters(fd, count);
		must(lseek(fd, offset[i], SEEK_SET) == offset[i]);
		load(fd);
	}
	must_fail(lseek(fd, -1, SEEK_SET), EINVAL);
}

static void D1_the_maximum_can_be_loaded(void)
{
	int fd = prf_open(PRF_ALL), max = get(fd, PRF_GETMAX);

	must(max >= 8192 && max == MAX);
	for (int i = 0; i < MAX; i++)
		words[i] = LO + 16 * (uint32_t)i;
	must(write(fd, words, MAX * 4) == MAX * 4);
	must(get(fd, PRF_GETSIZE) == MAX);
	must(read(fd, words, sizeof(words)) == sizeof(words));
	for (int i = 0; i < MAX; i++)
		must(words[i] == LO + 16 * (uint32_t)i && words[MAX + i] == 0);
	load(fd);
}

/*
 * Check for a hundred samples a second at any rate of the clock. The clock may be off its
 * timeline by nine of its periods, as profclock(9) says; at 100 Hz each is a sample.
 */
static void rate(const char *hz, int64_t stray)
{
	uint32_t count[N + 2], before, after;

	tap_exact();
	tap_write("/dev/kpctl", hz);
	int fd = running(PRF_ALL);
	before = counters(fd, count);
	int64_t start = tap_now();
	tap_spin(2000);
	after = counters(fd, count);
	int64_t tens = (tap_now() - start) / 10000000;
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	tap_write("/dev/kpctl", "hz 1000");
	must(after - before + stray > tens && after - before < tens + stray);
}

static void D13_at_1000_hz(void)
{
	rate("hz 1000", 6);
}

static void D13_at_2000_hz(void)
{
	rate("hz 2000", 6);
}

static void D13_at_100_hz(void)
{
	rate("hz 100", 12);
}

static void D13_at_50_hz(void)
{
	rate("hz 50", 22);
}

static void D2_kernel_addresses_are_counted(void)
{
	uint32_t count[N + 2];

	tap_exact();
	int fd = running(PRF_ALL);
	in_kernel(500);
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	uint32_t all = counters(fd, count);
	must(all - count[USER] - count[IDLE] > 25);
}

/* Every kernel sample is below the first of these addresses. */
static void D2_below_the_first_is_in_no_cell(void)
{
	static const uint32_t high[N] = {0xfffffff0, 0xfffffff1, 0xfffffff2, 0xffffffff};
	int fd = prf_open(PRF_ALL);

	must(write(fd, high, sizeof(high)) == sizeof(high));
	must(ioctl(fd, PRF_SETSTATE, 1) == 0);
	in_kernel(300);
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	must(read(fd, words, sizeof(words)) == (2 * N + 2) * 4);
	for (int i = 0; i < N; i++)
		must(words[N + i] == 0);
	load(fd);
}

static void D3_user(void)
{
	uint32_t count[N + 2];

	tap_exact();
	int fd = running(PRF_ALL);
	tap_spin(1000);
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	uint32_t all = counters(fd, count);
	must(all > 90 && count[USER] > all / 10 * 9);
}

static void D3_idle(void)
{
	uint32_t count[N + 2];

	tap_exact();
	int fd = running(PRF_ALL);
	tap_sleep(1000);
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	uint32_t all = counters(fd, count);
	must(all > 90 && count[IDLE] > all / 10 * 9);
}

/* Each read starts at the beginning and fills the buffer. */
static void D4_read(void)
{
	static const size_t size[] = {1, 3, 4, 15, 16, 17, 39, 40};
	uint8_t part[64];
	int fd = prf_open(PRF_ALL);

	load(fd);
	must(read(fd, words, sizeof(words)) == (2 * N + 2) * 4);
	for (size_t i = 0; i < nelem(size); i++) {
		memset(part, 0xa5, sizeof(part));
		must(read(fd, part, size[i]) == (ssize_t)size[i]);
		must(memcmp(part, words, size[i]) == 0 && part[size[i]] == 0xa5);
	}
	must(read(fd, part, 0) == 0);
	must(read(fd, part, 41) == 40);
}

/* Load an array that descends, which leaves the device not loaded. */
static void unload(int fd)
{
	static const uint32_t down[3] = {3, 2, 1};

	must_fail(write(fd, down, sizeof(down)), EINVAL);
}

static void D5_not_loaded(void)
{
	uint8_t buf[64];
	int fd = prf_open(PRF_ALL);

	unload(fd);
	memset(buf, 0xa5, sizeof(buf));
	must_fail(read(fd, buf, sizeof(buf)), ENXIO);
	must_fail(read(fd, buf, 0), ENXIO);
	for (size_t i = 0; i < sizeof(buf); i++)
		must(buf[i] == 0xa5);
}

static void D6_on_is_busy_and_unchanged(void)
{
	uint32_t count[N + 2], other[3] = {1, 2, 3};
	int fd = running(PRF_ALL);

	must_fail(write(fd, other, sizeof(other)), EBUSY);
	must_fail(write(fd, other, 0), EBUSY);
	must_fail(write(fd, other, 5), EBUSY);
	must_fail(write(fd, words, sizeof(words)), EBUSY);
	must(get(fd, PRF_GETSTATUS) == (PRF_ON | PRF_LOADED));
	counters(fd, count);
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
}

/* Each of these leaves the addresses and their counters as they were. */
static void D6_sizes(void)
{
	static const struct {
		size_t size;
		int err;
	} c[] = {
		{0, E2BIG}, {1, E2BIG}, {4, E2BIG}, {8, E2BIG}, {11, E2BIG}, {13, E2BIG},
		{MAX * 4 - 1, E2BIG}, {MAX * 4 + 4, ENOSPC}, {sizeof(words), ENOSPC},
	};
	uint32_t before[N + 2], after[N + 2];
	int fd = running(PRF_ALL);

	tap_spin(100);
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	uint32_t sum = counters(fd, before);
	for (size_t i = 0; i < nelem(c); i++) {
		must_fail(write(fd, words, c[i].size), c[i].err);
		must(get(fd, PRF_GETSTATUS) == PRF_LOADED);
		must(counters(fd, after) == sum && memcmp(before, after, sizeof(before)) == 0);
	}
	char *most = calloc(1, 1000000);
	must_fail(write(fd, most, 1000000), ENOSPC);
	must_fail(write(fd, (void *)0x1000, 16), EFAULT);
	must(counters(fd, after) == sum);
	unload(fd);
	must_fail(write(fd, addr, 8), E2BIG);
	must(get(fd, PRF_GETSTATUS) == 0);
}

static void D6_not_ascending(void)
{
	static const uint32_t bad[][3] = {{1, 1, 2}, {1, 2, 2}, {2, 1, 3}, {1, 3, 2}};
	int fd = prf_open(PRF_ALL);

	for (size_t i = 0; i < nelem(bad); i++) {
		load(fd);
		must_fail(write(fd, bad[i], sizeof(bad[i])), EINVAL);
		must(get(fd, PRF_GETSTATUS) == 0);
		must_fail(read(fd, words, sizeof(words)), ENXIO);
	}
}

static void D7_commands(void)
{
	int fd = prf_open(PRF_ALL), value;

	load(fd);
	must(get(fd, PRF_GETSTATUS) == PRF_LOADED);
	must(ioctl(fd, PRF_SETSTATE, 1) == 0);
	must(ioctl(fd, PRF_SETSTATE, 3) == 0);
	must(get(fd, PRF_GETSTATUS) == (PRF_LOADED | PRF_ON));
	must(ioctl(fd, PRF_SETSTATE, 2) == 0);
	must(get(fd, PRF_GETSTATUS) == PRF_LOADED);
	must_fail(ioctl(fd, 0, &value), EINVAL);
	must_fail(ioctl(fd, PRF_GETMAX + 1, &value), EINVAL);
	must_fail(ioctl(fd, PRF_GETSTATUS - 1, &value), EINVAL);
	must_fail(ioctl(fd, PRF_GETSIZE, (void *)0xc0100000), EFAULT);
	must_fail(ioctl(-1, PRF_GETSIZE, &value), EBADF);
	fd = open("/bin/sh", O_RDONLY);
	must_fail(ioctl(fd, PRF_GETSIZE, &value), ENOTTY);
}

static void D8_never_on_when_not_loaded(void)
{
	int fd = prf_open(PRF_ALL);

	unload(fd);
	must(ioctl(fd, PRF_SETSTATE, 1) == 0);
	must(get(fd, PRF_GETSTATUS) == 0);
	load(fd);
	must(get(fd, PRF_GETSTATUS) == PRF_LOADED);
}

static void D9_minors(void)
{
	char name[32];
	int n = tap_processors();

	for (int i = 0; i < n; i++)
		close(prf_open(i));
	for (int i = n; i < 255; i++) {
		snprintf(name, sizeof(name), i % 2 ? "/dev/prf%d" : "#F/prf%d", i);
		must_fail(open(name, O_RDONLY), ENXIO);
	}
	must_fail(open("/dev/prf256", O_RDWR), ENXIO);
	must_fail(open("/dev/prf4294967296", O_RDWR), ENXIO);
	must_fail(open("/dev/prf999999999999", O_RDWR), ENXIO);
	must_fail(open("/dev/prf12x", O_RDWR), ENOENT);
	must_fail(open("/dev/prf0x12", O_RDWR), ENOENT);
	must_fail(open("/dev/prf00", O_RDWR), ENOENT);
	must_fail(open("#F/prfx", O_RDWR), ENOENT);
	int all = prf_open(255), other = open("#F/prf255", O_RDWR);
	load(all);
	must(get(other, PRF_GETSIZE) == N);
}

static void D9_two_profilers_are_independent(void)
{
	static const uint32_t three[3] = {LO, LO + 1, LO + 2};
	int all = prf_open(PRF_ALL), one = prf_open(0);

	load(all);
	unload(one);
	must(get(all, PRF_GETSTATUS) == PRF_LOADED && get(one, PRF_GETSTATUS) == 0);
	must(write(one, three, sizeof(three)) == sizeof(three));
	must(ioctl(one, PRF_SETSTATE, 1) == 0);
	must(get(all, PRF_GETSTATUS) == PRF_LOADED && get(all, PRF_GETSIZE) == N);
	load(all);
	must_fail(write(one, three, sizeof(three)), EBUSY);
	must(ioctl(all, PRF_SETSTATE, 1) == 0 && ioctl(one, PRF_SETSTATE, 0) == 0);
	must(get(all, PRF_GETSTATUS) == 3 && get(one, PRF_GETSTATUS) == PRF_LOADED);
	must(get(one, PRF_GETSIZE) == 3);
	must(ioctl(all, PRF_SETSTATE, 0) == 0);
}

/* The processors' profilers run within the time of that for all. */
static void D9_all_is_the_sum(void)
{
	uint32_t inner = 0, count[N + 2], i;
	int n = tap_processors(), fd[16], all;

	for (i = 0; i < (uint32_t)n; i++)
		must(fork() != 0 || (tap_spin(500), _exit(0), 1));
	all = running(PRF_ALL);
	for (i = 0; i < (uint32_t)n; i++)
		fd[i] = running((int)i);
	tap_spin(300);
	for (i = 0; i < (uint32_t)n; i++)
		must(ioctl(fd[i], PRF_SETSTATE, 0) == 0);
	uint32_t outer = counters(all, count);
	must(ioctl(all, PRF_SETSTATE, 0) == 0);
	for (i = 0; i < (uint32_t)n; i++)
		inner += counters(fd[i], count);
	must(inner > 0 && outer >= inner);
	must(n > 1 || outer - inner < 3);
	while (wait(NULL) > 0)
		;
}

static void D9_off_stays_as_it_is(void)
{
	uint32_t a[N + 2], b[N + 2];
	int fd = running(0);

	tap_spin(100);
	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	uint32_t sum = counters(fd, a);
	tap_spin(100);
	must(counters(fd, b) == sum && memcmp(a, b, sizeof(a)) == 0);
}

static void D10_select_says_ready(void)
{
	struct timeval soon = {20, 0};
	fd_set r, w, x;

	for (int state = 0; state < 3; state++) {
		int fd = state == 2 ? running(0) : prf_open(0);

		if (state == 0)
			unload(fd);
		FD_ZERO(&r);
		FD_SET(fd, &r);
		w = x = r;
		must(select(fd + 1, &r, &w, &x, &soon) == 2);
		must(FD_ISSET(fd, &r) && FD_ISSET(fd, &w) && !FD_ISSET(fd, &x));
		must(select(fd + 1, &r, &w, NULL, NULL) == 2);
		ioctl(fd, PRF_SETSTATE, 0);
		close(fd);
	}
}

static void none_is_refused(void)
{
	must_fail(open("/dev/prf", O_RDONLY), EACCES);
	must_fail(open("/dev/prf0", O_RDWR), EACCES);
}

static void D11_open_and_close(void)
{
	uint32_t count[N + 2];
	struct stat st;
	int a = running(PRF_ALL), b = prf_open(PRF_ALL);

	must(stat("/dev/prf", &st) == 0 && S_ISCHR(st.st_mode));
	must((st.st_mode & 0777) == 0600 && st.st_uid == 0);
	close(a); /* changes nothing */
	must(get(b, PRF_GETSTATUS) == 3);
	must(ioctl(b, PRF_SETSTATE, 0) == 0);
	counters(b, count);
	must(close(b) == 0);
	must_fail(close(b), EBADF);
	int r = open("/dev/prf", O_RDONLY), w = open("/dev/prf", O_WRONLY);
	must_fail(write(r, addr, sizeof(addr)), EBADF);
	must_fail(read(w, words, 4), EBADF);
	tap_as_none(none_is_refused);
}

static const struct tap_case cases[] = {
	{"D1 write loads, zeroes and marks", D1_write_loads_and_zeroes},
	{"D1 the file pointer is ignored", D1_the_file_pointer_is_ignored},
	{"D1 D7 PRF_GETMAX addresses can be loaded", D1_the_maximum_can_be_loaded},
	{"D2 kernel addresses are counted", D2_kernel_addresses_are_counted},
	{"D2 below the first address nothing is counted", D2_below_the_first_is_in_no_cell},
	{"D2 D13 100 a second at 1000 Hz", D13_at_1000_hz},
	{"D2 D13 100 a second at 2000 Hz", D13_at_2000_hz},
	{"D2 D13 100 a second at 100 Hz", D13_at_100_hz},
	{"D2 D13 100 a second at 50 Hz", D13_at_50_hz},
	{"D3 the counter of user mode", D3_user},
	{"D3 the idle counter", D3_idle},
	{"D4 read", D4_read},
	{"D5 read when not loaded", D5_not_loaded},
	{"D6 write when on", D6_on_is_busy_and_unchanged},
	{"D6 too many, too few, not whole", D6_sizes},
	{"D6 addresses that do not ascend", D6_not_ascending},
	{"D7 ioctl", D7_commands},
	{"D8 never on when not loaded", D8_never_on_when_not_loaded},
	{"D9 valid and invalid minors", D9_minors},
	{"D9 two profilers are independent", D9_two_profilers_are_independent},
	{"D9 the profiler of all is the sum", D9_all_is_the_sum},
	{"D9 counters that are off do not change", D9_off_stays_as_it_is},
	{"D10 select", D10_select_says_ready},
	{"D11 open and close", D11_open_and_close},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
