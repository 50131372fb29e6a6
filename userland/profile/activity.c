/* Reads what the machine has done from kpctl and kpdata, sysstat and /proc. */
#include "userland/profile/activity.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "userland/files/whole.h"

#define CTL "/dev/kpctl"
#define DATA "/dev/kpdata"
#define STATISTICS "/dev/sysstat"

/* The numbers that kpdata(5) begins with, in place of the first buckets. */
enum { TOTAL, OUTSIDE, PERIOD_US, NBUCKET, SIZE, LOG2, SPECIAL };

uint64_t activity_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint32_t)t.tv_nsec / 1000000;
}

/* Call take for each line "cpuN ..." of a file, with what follows the processor's name. */
static void each_cpu(struct activity *a, const char *path,
		     void (*take)(struct activity_cpu *c, char *line))
{
	size_t n;
	char *text = whole_need(path, &n), *line, *rest = text;

	while ((line = strsep(&rest, "\n")) != NULL) {
		unsigned long cpu;

		if (strncmp(line, "cpu", 3) != 0)
			continue;
		cpu = strtoul(line + 3, &line, 10); /* line: what follows the number */
		if (cpu >= ACTIVITY_MAXCPU)
			continue;
		take(&a->cpu[cpu], line);
		if (cpu >= a->ncpu)
			a->ncpu = (unsigned)cpu + 1;
	}
	free(text);
}

/* Return the number after a word; 0 without it. */
static uint64_t after(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* A line of kpctl, kprof(3): "cpu0 ticks 5025 lost 3 outside 2104". */
static void take_ticks(struct activity_cpu *c, char *line)
{
	c->ticks = after(line, " ticks ");
	c->outside = after(line, " outside ");
}

/* A line of sysstat, cons(4): idle milliseconds are the fifth number. */
static void take_idle(struct activity_cpu *c, char *line)
{
	for (int i = 0; i < 5; i++)
		c->idle_ms = strtoull(line, &line, 10);
}

/* Read kpdata(5). Its numbers, most significant byte first, become the machine's in place. */
static void read_buckets(struct activity *a)
{
	size_t n;
	uint8_t *p = (uint8_t *)whole_need(DATA, &n);
	uint32_t *number = (uint32_t *)p;

	a->nbucket = n / 4;
	for (size_t i = 0; i < a->nbucket; i++, p += 4)
		number[i] = (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
	if (a->nbucket < SPECIAL || a->nbucket != number[NBUCKET])
		errx(1, "%s: not as kpdata(5) has it", DATA);
	a->ticks = number[TOTAL];
	a->period_us = number[PERIOD_US];
	a->log2 = number[LOG2];
	memset(number, 0, SPECIAL * sizeof(*number)); /* they count nothing as buckets */
	a->bucket = number;
}

void activity_read(struct activity *a)
{
	memset(a, 0, sizeof(*a));
	a->ms = activity_clock();
	each_cpu(a, CTL, take_ticks);
	loss_read(&a->loss, "kprof");
	each_cpu(a, STATISTICS, take_idle);
	read_buckets(a);
	a->process = process_list(&a->nprocess);
}

void activity_free(struct activity *a)
{
	free(a->bucket);
	free(a->process);
}
