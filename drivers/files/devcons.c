/*
 * `#c`: the console and other small files of the system. The table of files is at
 * the end: each row has its read or show, and its write.
 */
#include "drivers/console/cons.h"
#include "drivers/console/uart.h"
#include "drivers/files/devices.h"
#include "kernel/file/picture.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/time.h"
#include "kernel/process/proc.h"
#include "kernel/sched/clock.h"

#define RESET_PORT 0xcf9 /* reset control register of the PC chip sets since the PIIX3 */
#define RESET_HARD 0x06
#define KBD_PORT 0x64 /* the keyboard controller's command, which resets older ones */
#define KBD_RESET 0xfe

enum file {
	ROOT, CONS, CONSCTL, NULLFILE, ZERO, TIME, SYSSTAT, SYSNAME, USER, VERSION, CMDLINE,
	REBOOT, LOG, LIMITS, NFILE
};

/* The shell sets the mode before each prompt: a process that does so writes text. */
static int consctl_raw(struct chan *c, const struct cmd_words *msg)
{
	cons_text_again();
	cons_raw(c, strcmp(msg->word[0], "rawon") == 0);
	return 0;
}

/* Let ^C interrupt the group; 0: none. */
static int consctl_pgrp(struct chan *, const struct cmd_words *msg)
{
	cons_text_again();
	return cons_set_pgrp(msg->number);
}

static const struct cmd consctl_words[] = {
	{"rawon", 0, 0, .run = consctl_raw},
	{"rawoff", 0, 0, .run = consctl_raw},
	{"pgrp", 1, 1, .run = consctl_pgrp, .most = INT32_MAX},
};

static ssize_t read_null(struct chan *, void *, size_t, uint64_t)
{
	return 0;
}

static ssize_t read_zero(struct chan *, void *buf, size_t n, uint64_t)
{
	memset(buf, 0, n);
	return (ssize_t)n;
}

/* Seconds since 1970, nanoseconds since boot, cycles of the time stamp counter a second. */
static int show_time(struct chan *, struct picture *to)
{
	return picture_print(to, "%lld %llu %llu\n", time_unix(), time_ns(),
			     time_tsc_khz() * 1000ull);
}

/* A line for each CPU: name, switches, interrupts, system calls, faults, idle ms, clock ticks. */
static int show_sysstat(struct chan *, struct picture *to)
{
	for (unsigned i = 0; i < ncpu; i++) {
		const struct cpu *cpu = cpus[i];
		uint64_t idle = proc_spent(&cpu->idle->cputime);

		picture_print(to, "cpu%u %llu %llu %llu", i, cpu->switches, cpu->interrupts,
			      cpu->syscalls);
		picture_print(to, " %llu %llu %llu\n", cpu->faults,
			      time_cycles(idle) / 1000000, clock_ticks());
	}
	return 0;
}

/* Tell the system's name, the user of the process that reads, or the boot loader's command line. */
static int show_line(struct chan *c, struct picture *to)
{
	const char *const line[] = {
		[SYSNAME] = "gnomon",
		[USER] = account_user[payer_of(proc_self()->uid)],
		[CMDLINE] = cmdline(),
	};

	return picture_print(to, "%s\n", line[dirtab_row(c)]);
}

/* Tell the version, and the build id by which tools find the right symbols. */
static int show_version(struct chan *, struct picture *to)
{
	char id[41];

	return picture_print(to, "gnomon " GNOMON_VERSION " %s\n", build_id(id, 40));
}

/* `halt [STATUS]` turns the machine off; 0, which is assumed, is success. */
static int reboot_halt(struct chan *, const struct cmd_words *msg)
{
	uart_drain();
	machine_off(msg->number);
}

/* `reboot` starts the machine anew, by whichever way works. */
static int reboot_reset(struct chan *, const struct cmd_words *)
{
	uart_drain();
	outb(RESET_PORT, RESET_HARD);
	outb(KBD_PORT, KBD_RESET);
	panic("the machine does not reset");
}

static const struct cmd reboot_words[] = {
	{"halt", 0, 1, .run = reboot_halt, .most = 255},
	{"reboot", 0, 0, .run = reboot_reset},
};

static const char *const resources[NRESOURCE] = {
	[ACCOUNT_PROCESSES] = "processes",
	[ACCOUNT_FILES] = "files",
	[ACCOUNT_MOUNTS] = "mounts",
	[ACCOUNT_PAGES] = "pages",
};

/* Show USER RESOURCE USED LIMIT, a line for each, with "-" where there is no limit: limits(5). */
static int limits_show(struct chan *, struct picture *to)
{
	for (enum payer payer = PAYER_OWNER; payer < NPAYER; payer++) {
		for (enum resource r = 0; r < NRESOURCE; r++) {
			const struct account *a = &accounts[r][payer];
			char limit[12] = "-";

			if (a->limit != UNLIMITED)
				snprintf(limit, sizeof(limit), "%u", a->limit);
			picture_print(to, "%s %s %u %s\n", account_user[payer], resources[r],
				      a->used, limit);
		}
	}
	return 0;
}

/*
 * Set a limit, a number or "-" for none. Whatever exceeds a lower one stays in use, but no more is
 * given.
 */
static int limits_set(struct chan *, const struct cmd_words *msg)
{
	enum payer payer = PAYER_OWNER;
	uint32_t limit = UNLIMITED;

	if (strcmp(msg->word[2], "-") != 0)
		if (!parse_uint(msg->word[2], &limit) || limit == UNLIMITED)
			return -EINVAL;
	while (strcmp(account_user[payer], msg->word[0]) != 0)
		payer++; /* the words of the table below are all users */
	for (unsigned r = 0; r < NRESOURCE; r++) {
		if (strcmp(resources[r], msg->word[1]) == 0) {
			__atomic_store_n(&accounts[r][payer].limit, limit, __ATOMIC_RELAXED);
			return 0;
		}
	}
	return -EINVAL;
}

static const struct cmd limits_words[] = {
	{"eve", 2, 2, .run = limits_set},
	{"none", 2, 2, .run = limits_set},
};

/* What the kernel printed: for the owner alone, since it has addresses in it. */
static ssize_t read_log(struct chan *, void *buf, size_t n, uint64_t off)
{
	return off > SIZE_MAX ? 0 : (ssize_t)print_log(buf, n, (size_t)off);
}

static const struct dirtab rows[NFILE] = {
	[ROOT] = {".", S_IFDIR | 0555},
	[CONS] = {"cons", S_IFCHR | 0622, .read = cons_read, .write = cons_write},
	[CONSCTL] = {"consctl", S_IFCHR | 0666, .show = cons_show, .live = true,
		     .ctl = {consctl_words, nelem(consctl_words)}},
	[NULLFILE] = {"null", S_IFCHR | 0666, .read = read_null, .write = dirtab_ignore},
	[ZERO] = {"zero", S_IFCHR | 0444, .read = read_zero},
	[TIME] = {"time", S_IFREG | 0444, .show = show_time},
	[SYSSTAT] = {"sysstat", S_IFREG | 0444, .show = show_sysstat},
	[SYSNAME] = {"sysname", S_IFREG | 0444, .show = show_line, .live = true},
	[USER] = {"user", S_IFREG | 0444, .show = show_line, .live = true},
	[VERSION] = {"version", S_IFREG | 0444, .show = show_version, .live = true},
	[CMDLINE] = {"cmdline", S_IFREG | 0444, .show = show_line, .live = true},
	[REBOOT] = {"reboot", S_IFCHR | 0200, .ctl = {reboot_words, nelem(reboot_words)}},
	[LOG] = {"log", S_IFREG | 0400, .read = read_log},
	[LIMITS] = {"limits", S_IFREG | 0644, .show = limits_show,
		    .ctl = {limits_words, nelem(limits_words)}},
};

/* Free the picture, or end the raw mode that this channel asked for. */
static void consdev_close(struct chan *c)
{
	if (c->qid == CONSCTL)
		cons_raw(c, false);
	else
		picture_close(c);
}

/* Only input at the console has to be waited for: a write returns as fast as the line sends. */
static int consdev_ready(struct chan *c)
{
	if (c->qid != CONS || cons_readable())
		return READY_WRITE | READY_READ;
	return READY_WRITE;
}

const struct dev consdev = {
	.letter = 'c', .name = "cons", .dir = {rows, NFILE, NULL}, .open = picture_open,
	.close = consdev_close, .read = dirtab_read, .write = dirtab_write,
	.ready = consdev_ready, .watch = cons_watch,
};
