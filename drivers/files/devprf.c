/*
 * `#F`: prf(7). prf is minor 255, all processors together; prf0, prf1, ... are one processor
 * each. A write loads addresses, ioctl(2) starts and stops, a read returns addresses and counters.
 */
#include "drivers/clock/profclock.h"
#include "drivers/files/devices.h"
#include "kernel/abi/prf.h"
#include "kernel/machine/copy.h"
#include "kernel/prof/profilers.h"

enum { QDIR, QALL, QCPU };

_Static_assert(PRF_MIN == PROF_PRF_MINADDR, "the fewest addresses");

/* There are files only for the processors that run. */
static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QALL] = {"prf", S_IFCHR | 0600},
	[QCPU] = {"prf", S_IFCHR | 0600, .each = dirtab_each_cpu},
};

/* Whether the name is that of a minor: prf and a decimal number without leading zeros. */
static bool prf_names_minor(const char *name)
{
	const char *digit = name + 3;

	if (strncmp(name, "prf", 3) != 0 || !*digit)
		return false;
	if (*digit == '0')
		return !digit[1];
	while (in_range((uint8_t)*digit, '0', '9' + 1))
		digit++;
	return !*digit;
}

/* -ENXIO for a minor that is no processor's; prf255 is prf. */
static int prf_walk(struct chan *c, const char *name)
{
	int err = dirtab_walk(c, strcmp(name, "prf255") == 0 ? "prf" : name);

	return err == -ENOENT && prf_names_minor(name) ? -ENXIO : err;
}

/* Return the profiler that the file stands for. */
static unsigned prf_which(const struct chan *c)
{
	return dirtab_row(c) == QALL ? PROF_PRF_EVERY : dirtab_which(c) - 1;
}

/* Read words as they are in memory; the last may be cut. The offset does not matter. */
static ssize_t prf_read(struct chan *c, void *buf, size_t n, uint64_t)
{
	uint32_t size, word;

	HOLD_MUTEX(&prof_lock);
	size = prof_prf_size(prof, prf_which(c));
	n = min_size(n, (2 * size + 2) * sizeof(word));
	for (size_t at = 0; size && at < n; at += sizeof(word)) {
		word = prof_prf_word(prof, prf_which(c), at / sizeof(word));
		memcpy((uint8_t *)buf + at, &word, min_size(n - at, sizeof(word)));
	}
	return size ? (ssize_t)n : -ENXIO;
}

/* Load addresses; the errors are those of prf(7). */
static ssize_t prf_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	static const int16_t error[] = {
		[PROF_PRF_EBUSY] = EBUSY,   [PROF_PRF_ENOSPC] = ENOSPC, [PROF_PRF_E2BIG] = E2BIG,
		[PROF_PRF_EINVAL] = EINVAL, [PROF_PRF_ENOMEM] = ENOMEM,
	};

	HOLD_MUTEX(&prof_lock);
	enum prof_prf_error err = prof_prf_load(prof, prf_which(c), buf, n);
	if (err != PROF_PRF_OK)
		return -error[err];
	return (ssize_t)n;
}

/* Start or stop a profiler, which holds the clock while it is on. The caller holds prof_lock. */
static void prf_switch(unsigned minor, bool on)
{
	bool was = prof_prf_on(prof, minor);

	if (on)
		prof_prf_start(prof, minor);
	else
		prof_prf_stop(prof, minor);
	profclock_change(prof_prf_on(prof, minor) - was, NULL, NULL);
}

/* Carry out a command of prf(7); arg is the new state, if that is set. */
static int prf_command(unsigned minor, uint32_t cmd, uint32_t arg, int32_t *value)
{
	HOLD_MUTEX(&prof_lock);
	switch (cmd) {
	case PRF_SETSTATE:
		prf_switch(minor, arg & PRF_ON);
		return 0;
	case PRF_GETSTATUS:
		*value = 0;
		if (prof_prf_on(prof, minor))
			*value |= PRF_ON;
		if (prof_prf_size(prof, minor))
			*value |= PRF_LOADED;
		return 0;
	case PRF_GETSIZE:
		*value = (int32_t)prof_prf_size(prof, minor);
		return 0;
	case PRF_GETMAX:
		*value = PROF_PRF_MAXADDR;
		return 0;
	default:
		return -EINVAL;
	}
}

/* -ENOTTY for the directory, -EINVAL for an unknown command, -EFAULT. */
static int prf_ioctl(struct chan *c, uint32_t cmd, uint32_t arg)
{
	int32_t value;

	if (c->qid == QDIR)
		return -ENOTTY;
	int err = prf_command(prf_which(c), cmd, arg, &value);
	if (err || cmd == PRF_SETSTATE)
		return err;
	return copyout((void *)(uintptr_t)arg, &value, sizeof(value));
}

/* `whole`: as much as a read can give, so that a write of too much shows as that. */
const struct dev prfdev = {
	.letter = 'F', .name = "prf", .dir = {rows, nelem(rows), NULL},
	.whole = (2 * PROF_PRF_MAXADDR + 2) * sizeof(uint32_t), .walk = prf_walk,
	.read = prf_read, .write = prf_write, .ioctl = prf_ioctl,
};
