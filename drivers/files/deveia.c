/*
 * `#t`: eia1, the second serial port, whose bytes pass unchanged.
 * The first port would be eia0, but it is the console, which #c serves.
 */
#include "drivers/console/uart.h"
#include "drivers/files/devices.h"

enum { QDIR, QDATA };

/* The file of a port that is not there is listed, but cannot be opened. */
static int eia_open(struct chan *c, int)
{
	if (c->qid != QDIR && !uart_present(UART_COM2))
		return -ENXIO;
	return 0;
}

/* Write, waiting until all of it is queued. */
static ssize_t eia_write(struct chan *, const void *buf, size_t n, uint64_t)
{
	return uart_write(UART_COM2, buf, n);
}

static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QDATA] = {"eia1", S_IFCHR | 0660, .read = uart_read, .write = eia_write},
};

const struct dev eiadev = {
	.letter = 't', .name = "eia", .dir = {rows, nelem(rows), NULL}, .open = eia_open,
	.read = dirtab_read, .write = dirtab_write, .ready = uart_ready, .watch = uart_watch,
};
