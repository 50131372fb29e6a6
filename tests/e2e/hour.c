/*
 * An hour of all counters on all processors: nothing is lost without being told, and
 * every total is the sum of its parts. It sleeps the hour, so run it where time is the
 * machine's own (-icount). D9, D13, K6.
 * Links: tests/guest/tap.c tests/guest/modules.c
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prf.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define NADDR 4
#define NCOUNT (NADDR + 2)
#define HOUR 3600
#define HZ 100

static const uint32_t addr[NADDR] = {0xc0100000, 0xc0104000, 0xc0108000, 0xc010c000};

static void ctl(const char *words)
{
	int fd = open("/dev/kpctl", O_WRONLY);

	must(fd >= 0 && write(fd, words, strlen(words)) == (ssize_t)strlen(words));
	close(fd);
}

/* Open processor n's profiler, or that of all when n is negative, loaded and on. */
static int start(int n)
{
	char name[16] = "/dev/prf";

	if (n >= 0)
		snprintf(name, sizeof(name), "/dev/prf%d", n);
	int fd = open(name, O_RDWR);
	must(fd >= 0);
	must(write(fd, addr, sizeof(addr)) == sizeof(addr));
	must(ioctl(fd, PRF_SETSTATE, 1) == 0);
	return fd;
}

/* Switch it off, and add its counters to sum[]; their total. */
static uint32_t stop(int fd, uint32_t sum[NCOUNT])
{
	uint32_t data[NADDR + NCOUNT], total = 0;

	must(ioctl(fd, PRF_SETSTATE, 0) == 0);
	must(read(fd, data, sizeof(data)) == sizeof(data));
	must(memcmp(data, addr, sizeof(addr)) == 0);
	for (int i = 0; i < NCOUNT; i++) {
		sum[i] += data[NADDR + i];
		total += data[NADDR + i];
	}
	return total;
}

/* The number behind the word in kpctl's text. */
static uint32_t told(const char *word)
{
	const char *p = strstr(tap_read("/dev/kpctl"), word);

	must(p != NULL);
	return (uint32_t)strtoul(p + strlen(word), NULL, 10);
}

/* kpdata's total, outside and sum of buckets. */
static void picture(uint32_t *total, uint32_t *parts)
{
	static uint8_t buf[1 << 20];
	int fd = open("/dev/kpdata", O_RDONLY);
	ssize_t n = read(fd, buf, sizeof(buf));

	must(n > 24);
	close(fd);
	*parts = 0;
	for (ssize_t i = 0; i < n; i += 4) {
		uint32_t v = (uint32_t)buf[i] << 24 | (uint32_t)buf[i + 1] << 16 |
			     (uint32_t)buf[i + 2] << 8 | buf[i + 3];
		if (i == 0)
			*total = v;
		else if (i == 4 || i >= 24)
			*parts += v;
	}
}

static void an_hour(void)
{
	int fd[16], n = tap_processors();
	uint32_t each[NCOUNT] = {0}, all[NCOUNT] = {0}, total = 0, parts = 0;

	must(n <= 15);
	ctl("hz 100");
	uint32_t ticks = told("\nticks "), lost = told("\nlost ");
	ctl("startclr");
	for (int i = 0; i < n; i++)
		fd[i] = start(i);
	fd[n] = start(-1);
	must(sleep(HOUR) == 0);
	uint32_t of_all = stop(fd[n], all), of_each = 0;
	for (int i = 0; i < n; i++)
		of_each += stop(fd[i], each);
	ctl("stop");
	ticks = told("\nticks ") - ticks;
	lost = told("\nlost ") - lost;
	picture(&total, &parts);
	ctl("hz 1000");

	uint32_t due = HOUR * HZ * (uint32_t)n;
	must(total == parts);
	must(total <= ticks && total + 100 >= ticks);
	must(ticks + lost >= due - due / 1000 && ticks + lost <= due + due / 1000);
	must(of_all <= of_each && of_each - of_all < 100 * (uint32_t)n);
	must(of_all >= total - total / 1000 && of_all <= ticks);
	must(all[NADDR + 1] > due / 100 * 95); /* they slept */
}

/* Not by tap_run, whose cases may take half a minute only. */
int main(void)
{
	an_hour();
	puts("1..1\nok 1 - D9 D13 K6 an hour of all counters adds up");
	return 0;
}
