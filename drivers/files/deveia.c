/*
 * `#t`: eia1, the second serial port, whose bytes pass unchanged, and eia1stat, its state.
 * The first port would be eia0, but it is the console, which #c serves.
 */
#include "drivers/console/uart.h"
#include "drivers/files/devices.h"
#include "kernel/file/picture.h"

enum { QDIR, QDATA, QSTAT };

/* The files of a port that is not there are listed, but cannot be opened. */
static int eia_open(struct chan *c, int)
{
	if (c->qid != QDIR && !uart_present(UART_COM2))
		return -ENXIO;
	return 0;
}

/* Tell the port's state, a word and a number on each line. */
static int eia_show_stat(struct chan *, struct picture *to)
{
	struct uart_stats st;

	uart_stats(UART_COM2, &st);
	picture_print(to, "baud %u\nin %llu\nout %llu\n", st.baud, st.in, st.out);
	return picture_print(to, "overruns %u\nframing %u\nparity %u\nbreaks %u\n", st.overruns,
			     st.framing, st.parity, st.breaks);
}

/* Read what has come in: at least a byte, at most n. */
static ssize_t eia_read(struct chan *, void *buf, size_t n, uint64_t)
{
	return uart_read(UART_COM2, buf, n);
}

/* Write, waiting until all of it is queued. */
static ssize_t eia_write(struct chan *, const void *buf, size_t n, uint64_t)
{
	return uart_write(UART_COM2, buf, n);
}

/* The port's queues say whether reads and writes would wait; its state can always be read. */
static int eia_ready(struct chan *c)
{
	struct uart_stats st;
	int ready = 0;

	if (c->qid != QDATA)
		return READY_READ | READY_WRITE;
	uart_stats(UART_COM2, &st);
	if (st.readable)
		ready |= READY_READ;
	if (st.writable)
		ready |= READY_WRITE;
	return ready;
}

static void eia_watch(struct chan *, struct watcher *w)
{
	uart_watch(UART_COM2, w);
}

static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QDATA] = {"eia1", S_IFCHR | 0660, .read = eia_read, .write = eia_write},
	[QSTAT] = {"eia1stat", S_IFREG | 0444, .show = eia_show_stat, .live = true},
};

static const struct dirtab_list tab = {rows, nelem(rows), NULL};

const struct dev eiadev = {
	.letter = 't',
	.name = "eia",
	.dir = &tab,
	.open = eia_open,
	.read = dirtab_read,
	.write = dirtab_write,
	.ready = eia_ready,
	.watch = eia_watch,
};
