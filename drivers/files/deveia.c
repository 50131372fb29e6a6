/*
 * `#t`: eia1, the second serial port, whose bytes pass unchanged, and eia1stat, its state.
 * The first port would be eia0, but it is the console, which #c serves.
 */
#include "drivers/console/uart.h"
#include "drivers/files/devices.h"
#include "kernel/lib.h"
#include "kernel/picture.h"

enum { QDIR, QDATA, QSTAT };

/* The files of a port that is not there are listed, but cannot be opened. */
static int eia_open(struct chan *c, int)
{
	return c->qid != QDIR && !uart_present(UART_COM2) ? -ENXIO : 0;
}

/* Tell the port's state, a word and a number on each line. */
static int show_stat(struct chan *, struct picture *to)
{
	struct uart_stats st;

	uart_stats(UART_COM2, &st);
	return picture_print(to, "baud %u\nin %llu\nout %llu\noverruns %u\nframing %u\n"
			     "parity %u\nbreaks %u\n", st.baud, st.in, st.out, st.overruns,
			     st.framing, st.parity, st.breaks);
}

/* Read what has come in: at least a byte, at most n. */
static ssize_t read_data(struct chan *, void *buf, size_t n, uint64_t)
{
	return uart_read(UART_COM2, buf, n);
}

/* Write, waiting until all of it is queued. */
static ssize_t write_data(struct chan *, const void *buf, size_t n, uint64_t)
{
	return uart_write(UART_COM2, buf, n);
}

/* The port's queues say what would not wait; its state can always be read. */
static int eia_ready(struct chan *c)
{
	struct uart_stats st;

	if (c->qid != QDATA)
		return READY_READ | READY_WRITE;
	uart_stats(UART_COM2, &st);
	return (st.readable ? READY_READ : 0) | (st.writable ? READY_WRITE : 0);
}

static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QDATA] = {"eia1", S_IFCHR | 0660, .read = read_data, .write = write_data},
	[QSTAT] = {"eia1stat", S_IFREG | 0444, .show = show_stat, .live = true},
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
};
