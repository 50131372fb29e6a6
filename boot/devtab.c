/* What this kernel serves: the device table; and which port the console is. */
#include "boot/devtab.h"
#include "drivers/console/uart.h"
#include "drivers/files/devices.h"
#include "drivers/files/devroot.h"
#include "kernel/lib.h"

extern const struct dev testdev __attribute__((weak));

const struct dev *const devtab[] = {
	&rootdev,  /* '/' */
	&consdev,  /* 'c' */
	&eiadev,   /* 't' */
	&procdev,  /* 'p' */
	&kprofdev, /* 'T' */
	&gmondev,  /* 'G' */
	&prfdev,   /* 'F' */
	&profdev,  /* 'P' */
	&ninepdev, /* '9' */
	&audiodev, /* 'A' */
	&testdev,  /* 'X', in the tests' kernel only; else NULL */
};

const unsigned devtab_count = nelem(devtab);

/* Send n bytes, asleep while the queue is full. */
void console_write(const char *s, size_t n)
{
	uart_write(UART_COM1, s, n);
}

/* Make whoever sends the console its input stop, or go on. */
void console_throttle(bool stop)
{
	uart_throttle(UART_COM1, stop);
}
