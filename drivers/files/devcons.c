/*
 * `#c`: the console and other small files of the system. The table of files is at
 * the end; each is a row with its read and write. Opening time and sysstat takes a
 * picture, from which all reads come.
 */
#include "drivers/console/cons.h"
#include "drivers/console/uart.h"
#include "drivers/files/devices.h"
#include "drivers/files/picture.h"
#include "kernel/clock.h"
#include "kernel/cmdline.h"
#include "kernel/image.h"
#include "kernel/lib.h"
#include "kernel/print.h"
#include "kernel/proc.h"

#define RESET_PORT 0xcf9 /* reset control register of the PC chip sets since the PIIX3 */
#define RESET_HARD 0x06
#define KBD_PORT 0x64 /* the keyboard controller's command, which resets older ones */
#define KBD_RESET 0xfe

#define TIME_SIZE 80
#define SYSSTAT_LINE 160

enum file {
	ROOT, CONS, CONSCTL, NULLFILE, ZERO, TIME, SYSSTAT, SYSNAME, USER, VERSION, CMDLINE,
	REBOOT, LOG, NFILE
};

/* The console has no place in it: the offset does not matter. */
static ssize_t read_cons(struct chan *, void *buf, size_t n, uint64_t)
{
	return cons_read(buf, n);
}

/* Text or data, see cons.c. */
static ssize_t write_cons(struct chan *, const void *buf, size_t n, uint64_t)
{
	return cons_write(buf, n);
}

enum { RAWON, RAWOFF, PGRP };

static const struct cmd consctl_words[] = {
	[RAWON] = {"rawon", 0, 0},
	[RAWOFF] = {"rawoff", 0, 0},
	[PGRP] = {"pgrp", 1, 1},
};

/* Raw mode lasts as long as the channel that asked for it is open: c->aux is set meanwhile. */
static void set_raw(struct chan *c, bool on)
{
	if (on == (c->aux != NULL))
		return;
	c->aux = on ? c : NULL;
	cons_raw(on);
}

/* The state, in words that could be written. */
static ssize_t read_consctl(struct chan *, void *buf, size_t n, uint64_t off)
{
	char s[40];
	bool raw;
	int pgrp;

	cons_state(&raw, &pgrp);
	snprintf(s, sizeof(s), "%s\npgrp %d\n", raw ? "rawon" : "rawoff", pgrp);
	return read_str(buf, n, off, s);
}

/* The shell calls this before each prompt: whoever does so writes text. */
static ssize_t write_consctl(struct chan *c, const void *buf, size_t n, uint64_t)
{
	struct cmd_words w;
	uint32_t pgrp;
	int id = cmd_parse(consctl_words, nelem(consctl_words), buf, n, &w);

	if (id < 0)
		return id;
	if (id == PGRP && (!parse_uint(w.word[1], &pgrp) || pgrp > INT32_MAX))
		return -EINVAL;
	cons_text_again();
	if (id == PGRP)
		cons_set_pgrp((int)pgrp);
	else
		set_raw(c, id == RAWON);
	return (ssize_t)n;
}

/* Always at its end. */
static ssize_t read_null(struct chan *, void *, size_t, uint64_t)
{
	return 0;
}

/* Takes everything. */
static ssize_t write_null(struct chan *, const void *, size_t n, uint64_t)
{
	return (ssize_t)n;
}

/* Zeros without end. */
static ssize_t read_zero(struct chan *, void *buf, size_t n, uint64_t)
{
	memset(buf, 0, n);
	return (ssize_t)n;
}

/* Seconds since 1970, nanoseconds since boot, cycles of the time stamp counter a second. */
static size_t time_text(char *s, size_t size)
{
	return (size_t)snprintf(s, size, "%lld %llu %llu\n", time_unix(), time_ns(),
				time_tsc_khz() * 1000ull);
}

/* How long a CPU was idle, until now. What changes meanwhile is read again. */
static uint64_t idle_cycles(const struct cpu *cpu)
{
	const struct proc *idle = cpu->idle;
	const volatile uint64_t *before = &idle->stime;
	uint64_t done, since;

	do {
		done = *before;
		since = 0;
		if (__atomic_load_n(&cpu->proc, __ATOMIC_ACQUIRE) == idle)
			since = rdtsc() - *(const volatile uint64_t *)&idle->stamp;
	} while (done != *before);
	return (int64_t)since > 0 ? done + since : done;
}

/* A line for each CPU: name, switches, interrupts, system calls, faults, idle ms, clock ticks. */
static size_t sysstat_line(const struct cpu *cpu, char *s, size_t size)
{
	uint64_t idle_ms = time_cycles(idle_cycles(cpu));

	div64(&idle_ms, 1000000);
	return (size_t)snprintf(s, size, "cpu%d %llu %llu %llu %llu %llu %llu\n", cpu->id,
				cpu->switches, cpu->interrupts, cpu->syscalls, cpu->faults,
				idle_ms, clock_ticks());
}

/* The lines of all CPUs. */
static size_t sysstat_text(char *s, size_t size)
{
	size_t len = 0;

	for (int i = 0; i < ncpu; i++)
		len += sysstat_line(&cpus[i], s + len, size - len);
	return len;
}

/* The name of this kind of system. */
static ssize_t read_sysname(struct chan *, void *buf, size_t n, uint64_t off)
{
	return read_str(buf, n, off, "gnomon\n");
}

/* To whom the process that reads belongs. */
static ssize_t read_user(struct chan *, void *buf, size_t n, uint64_t off)
{
	return read_str(buf, n, off, is_eve() ? "eve\n" : "none\n");
}

/* "gnomon 0.1 BUILDID" */
static ssize_t read_version(struct chan *, void *buf, size_t n, uint64_t off)
{
	char s[64], id[41];

	snprintf(s, sizeof(s), "gnomon 0.1 %s\n", build_id(id, 40));
	return read_str(buf, n, off, s);
}

/* The boot loader's command line, with a newline behind it. */
static ssize_t read_cmdline(struct chan *, void *buf, size_t n, uint64_t off)
{
	const char *s = cmdline();
	size_t len = strlen(s);

	return off < len ? read_mem(buf, n, off, s, len) : read_str(buf, n, off - len, "\n");
}

enum { HALT, RESET };

static const struct cmd reboot_words[] = {
	[HALT] = {"halt", 0, 1},
	[RESET] = {"reboot", 0, 0},
};

/*
 * `halt [STATUS]` turns the machine off: success is 0, which is what is assumed. `reboot`
 * starts it anew, by whichever way works.
 */
static ssize_t write_reboot(struct chan *, const void *buf, size_t n, uint64_t)
{
	struct cmd_words w;
	uint32_t status = 0;
	int id = cmd_parse(reboot_words, nelem(reboot_words), buf, n, &w);

	if (id < 0)
		return id;
	if (w.n > 1 && (!parse_uint(w.word[1], &status) || status > 255))
		return -EINVAL;
	uart_drain();
	if (id == HALT)
		machine_off((int)status);
	outb(RESET_PORT, RESET_HARD);
	outb(KBD_PORT, KBD_RESET);
	panic("the machine does not reset");
}

/* What the kernel printed; only the owner may see it, for addresses are in it. */
static ssize_t read_log(struct chan *, void *buf, size_t n, uint64_t off)
{
	return off > SIZE_MAX ? 0 : (ssize_t)print_log(buf, n, (size_t)off);
}

static const struct dirtab rows[NFILE] = {
	[ROOT] = {".", S_IFDIR | 0555},
	[CONS] = {"cons", S_IFCHR | 0666, .read = read_cons, .write = write_cons},
	[CONSCTL] = {"consctl", S_IFCHR | 0666, .read = read_consctl, .write = write_consctl},
	[NULLFILE] = {"null", S_IFCHR | 0666, .read = read_null, .write = write_null},
	[ZERO] = {"zero", S_IFCHR | 0444, .read = read_zero},
	[TIME] = {"time", S_IFREG | 0444, .read = picture_read},
	[SYSSTAT] = {"sysstat", S_IFREG | 0444, .read = picture_read},
	[SYSNAME] = {"sysname", S_IFREG | 0444, .read = read_sysname},
	[USER] = {"user", S_IFREG | 0444, .read = read_user},
	[VERSION] = {"version", S_IFREG | 0444, .read = read_version},
	[CMDLINE] = {"cmdline", S_IFREG | 0444, .read = read_cmdline},
	[REBOOT] = {"reboot", S_IFCHR | 0200, .write = write_reboot},
	[LOG] = {"log", S_IFREG | 0400, .read = read_log},
};

static const struct dirtab_list list = {rows, NFILE};

/* A picture of what text() tells, in size bytes at most. -ENOMEM. */
static int take(struct chan *c, size_t size, size_t (*text)(char *s, size_t size))
{
	struct picture *pic = picture_new(c, size);

	if (!pic)
		return -ENOMEM;
	pic->len = text((char *)pic->data, size);
	return 0;
}

/* Any number may open each file; raw mode is not on yet. -ENOMEM: for the picture. */
static int consdev_open(struct chan *c, int)
{
	c->aux = NULL;
	if (c->qid == TIME)
		return take(c, TIME_SIZE, time_text);
	if (c->qid == SYSSTAT)
		return take(c, MAXCPU * SYSSTAT_LINE, sysstat_text);
	return 0;
}

/* Gives the picture back, or ends the raw mode that this channel asked for. */
static void consdev_close(struct chan *c)
{
	if (c->qid == CONSCTL)
		set_raw(c, false);
	else
		picture_close(c);
}

/* Only input at the console can be waited for: output goes as fast as the line. */
static int consdev_ready(struct chan *c)
{
	return READY_WRITE | (c->qid != CONS || cons_readable() ? READY_READ : 0);
}

const struct dev consdev = {
	.letter = 'c',
	.name = "cons",
	.dir = &list,
	.open = consdev_open,
	.close = consdev_close,
	.read = dirtab_read,
	.write = dirtab_write,
	.ready = consdev_ready,
};
