/*
 * Adds snapshots to a log, for prfsnap and prfdc. The log is userland/formats/prflog.h's.
 * Host: no
 */
#include "userland/profile/prfappend.h"

#include <sys/prf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "userland/formats/prflog.h"
#include "userland/command/memory.h"
#include "userland/files/stream.h"
#include "userland/files/whole.h"
#include "userland/profile/buildid.h"
#include "userland/profile/loss.h"
#include "userland/profile/prfdev.h"
#include "userland/profile/prffile.h"

#define RATE 100 /* ticks a second: prf(7) */

#define START "/run/start" /* a number that gnomon-run(1) gives each run */

/* What a prf device holds at one moment, and what the clock had done by then. */
struct picture {
	uint32_t *address, *counter; /* n of them, and n + 2: user and idle come last */
	uint32_t n;
	struct timespec date, uptime;
	struct prflog_clock clock;
};

/* Take what tells of the clock, and of this start of the system. */
static void take_clock(struct prflog_clock *c)
{
	struct loss l;
	size_t n;
	char *start = whole_read(START, &n);

	if (!loss_read(&l, "any"))
		errx(1, "/dev/kpinfo: it tells nothing of the profiling clock");
	*c = (struct prflog_clock){.start = {l.start}, .hz = (uint32_t)l.hz, .ncpu = l.ncpu};
	if (start)
		c->start[1] = strtoull(start, NULL, 16);
	free(start);
	memcpy(c->source, l.clock, sizeof(c->source));
	memcpy(c->delivery, l.delivery, sizeof(c->delivery));
	for (uint32_t i = 0; i < l.ncpu; i++) {
		c->cpu[i].ticks = l.cpu[i].taken;
		c->cpu[i].lost = l.cpu[i].lost;
	}
}

/* Take a picture: one read is one moment, and the time is taken next to it. */
static void take_picture(struct picture *p, const char *dev)
{
	int fd = prfdev_open(dev, O_RDONLY);
	size_t size = PRFLOG_SNAP(2 * (size_t)prfdev_get(fd, PRF_GETMAX, dev));
	char *data = memory(malloc(size));
	ssize_t n = read(fd, data, size);

	if (n < 0 && errno == ENXIO)
		errx(1, "%s: no addresses are loaded; see prfld(8)", dev);
	if (n < 0 || clock_gettime(CLOCK_REALTIME, &p->date) < 0 ||
	    clock_gettime(CLOCK_MONOTONIC, &p->uptime) < 0)
		err(1, "%s", dev);
	close(fd);
	take_clock(&p->clock);
	if (n % 8 != 0 || n < 8)
		errx(1, "%s: not a prf device", dev);
	p->n = n / 8 - 1; /* 4 bytes an address, 4 a counter, and two counters more */
	p->address = (uint32_t *)data;
	p->counter = p->address + p->n;
}

/* Go through the log to its end, for its last addresses and the place where to go on. */
static void read_log(struct prflog *l, int fd, const struct prflog_head *head, const char *path)
{
	size_t n = 0, room = 0;
	char *data = stream_slurp(fd, NULL, &n, &room);
	struct prflog_snap snap;
	int got;

	if (!data)
		err(1, "%s", path);
	*l = (struct prflog){.data = (uint8_t *)data};
	if (n == 0)
		return;
	if (prflog_open(l, data, n) < 0)
		errx(1, "%s: %s", path, l->why);
	if (l->version < 2)
		errx(1, "%s: a log of version 1, which does not tell one start of the system from "
		     "another: begin a new one", path);
	if (strcmp(l->head.buildid, head->buildid) != 0)
		errx(1, "%s: a log of another kernel, whose build id is %s", path, l->head.buildid);
	if (l->head.minor != head->minor)
		errx(1, "%s: a log of another device, whose minor number is %u", path,
		     (unsigned)l->head.minor);
	/* A last record that was cut short is overwritten by the next. */
	while ((got = prflog_next(l, &snap)) > 0)
		;
	if (got == PRFLOG_EDAMAGED)
		errx(1, "%s: %s", path, l->why);
	if (got == PRFLOG_ECUT)
		warnx("%s: %s; it is overwritten", path, l->why);
}

/* Return whether the log's last addresses are the device's. */
static bool has_addresses(const struct prflog *l, const struct picture *p)
{
	if (l->n != p->n)
		return false;
	for (uint32_t i = 0; i < p->n; i++)
		if (prflog_number(l->address, i) != p->address[i])
			return false;
	return true;
}

/* Append what the log lacks by one write, so that a reader never sees half of it. */
static void append(int fd, const struct prflog *l, const struct prflog_head *head,
		   const struct picture *p, const char *path)
{
	size_t most = PRFLOG_HEAD + PRFLOG_LOAD(p->n) + PRFLOG_TICK(p->clock.ncpu) +
		      PRFLOG_SNAP(p->n);
	uint8_t *data = memory(malloc(most)), *end = data;
	ssize_t put;

	if (l->at == 0)
		end = prflog_put_head(end, head);
	if (!has_addresses(l, p))
		end = prflog_put_load(end, p->address, p->n);
	end = prflog_put_tick(end, &p->clock);
	end = prflog_put_snap(end, p->date.tv_sec,
			      p->uptime.tv_sec * 1000000000ull + p->uptime.tv_nsec, p->counter,
			      p->n);
	put = ftruncate(fd, l->at) < 0 ? -1 : write(fd, data, end - data);
	if (put < 0)
		err(1, "%s", path);
	if (put != end - data)
		errx(1, "%s: only %d of %d bytes were written", path, (int)put, (int)(end - data));
	free(data);
}

void prfappend(const char *dev, const char *path)
{
	struct prflog_head head = {.rate = RATE};
	char id[BUILDID_MAX + 1];
	struct picture p;
	struct prflog l;
	int fd;

	take_picture(&p, dev);
	head.minor = prfdev_minor(dev);
	buildid_running(id);
	if (strlen(id) != PRFLOG_ID)
		errx(1, "/dev/version: no build id");
	strcpy(head.buildid, id);
	fd = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
	if (fd < 0)
		err(1, "%s", path);
	prffile_check(fd, path);
	read_log(&l, fd, &head, path);
	append(fd, &l, &head, &p, path);
	if (close(fd) < 0)
		err(1, "%s", path);
	free((void *)l.data);
	free(p.address);
}
