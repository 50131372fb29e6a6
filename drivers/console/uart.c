/*
 * The 16550 serial ports. References are to the PC16550D data sheet, section 8.
 *
 * Both directions are queued in rings and moved by interrupts. Input that nobody reads is
 * held back, not lost: RTS and DTR drop when the ring is three quarters full, and when it is
 * full the receiver's interrupt is masked and the chip's FIFO takes what is still coming.
 */
#include "drivers/console/uart.h"
#include "drivers/console/ring.h"
#include "kernel/machine/trap.h"

/* Registers, from the base port. */
#define DATA 0 /* divisor's low byte while LCR_DLAB */
#define IER 1  /* its high byte */
#define IIR 2  /* read */
#define FCR 2  /* write */
#define LCR 3
#define MCR 4
#define LSR 5
#define SCRATCH 7

#define IER_RX 0x01
#define IER_TX 0x02
#define IER_LINE 0x04
#define IIR_NONE 0x01
#define IIR_FIFO 0xc0
#define FCR_ON 0x01
#define FCR_RESET 0x06
#define FCR_TRIGGER_8 0x80 /* interrupt at 8 bytes of 16: time to answer before it is full */
#define LCR_8N1 0x03
#define LCR_DLAB 0x80
#define MCR_DTR_RTS 0x03
#define MCR_OUT2 0x08 /* gates the interrupt line on a PC */
#define MCR_LOOP 0x10
#define LSR_DATA 0x01
#define LSR_THRE 0x20
#define LSR_IDLE 0x40

#define POLL_LIMIT 1000000 /* reads of the status before a port is taken to be stuck */

struct uart {
	const char *name;
	uint16_t port;
	uint8_t irq;
	bool present;			/* constant after the probe */
	uint8_t depth;			/* constant too; bytes the transmitter takes at once */
	bool driven;			/* interrupts run; before that, all is polled */
	void (*input)(const uint8_t *s, size_t n); /* takes what comes in; NULL: uart_read() */
	struct spinlock lock;		/* guards the registers and all fields from here on */
	uint8_t ier, mcr;		/* as last written */
	bool throttled;			/* input is to wait in the ring */
	bool delivering;		/* somebody is in input() */
	struct ring rx, tx;
	struct waitq waiters;		/* for bytes, or for room */
};

static struct uart uarts[NUART]; /* not initialised, which would put the rings into the image */
static struct uart *const com1 = &uarts[UART_COM1], *const com2 = &uarts[UART_COM2];

static void uart_set_ier(struct uart *u, uint8_t ier)
{
	u->ier = ier;
	outb(u->port + IER, ier);
}

static void uart_set_mcr(struct uart *u, uint8_t mcr)
{
	u->mcr = mcr;
	outb(u->port + MCR, mcr);
}

/* Return whether a UART answers: its scratch register keeps a byte, its loop-back returns one. */
static bool uart_probe(struct uart *u)
{
	outb(u->port + SCRATCH, 0x5a);
	if (inb(u->port + SCRATCH) != 0x5a)
		return false;
	outb(u->port + IER, 0);
	outb(u->port + MCR, MCR_LOOP | MCR_DTR_RTS);
	outb(u->port + DATA, 0xae);
	for (unsigned i = 0; i < 1000; i++)
		if (inb(u->port + LSR) & LSR_DATA)
			break;
	bool came = inb(u->port + DATA) == 0xae;
	uart_set_mcr(u, MCR_DTR_RTS | MCR_OUT2);
	return came;
}

/* Set speed and format, switch the FIFOs on, and find out whether the port is there. */
static void uart_setup(struct uart *u, const char *name, uint16_t port, uint8_t irq)
{
	u->name = name;
	u->port = port;
	u->irq = irq;
	u->lock.name = "uart";
	outb(u->port + LCR, LCR_DLAB | LCR_8N1);
	outb(u->port + DATA, 1); /* 115200 baud */
	outb(u->port + IER, 0);
	outb(u->port + LCR, LCR_8N1);
	outb(u->port + FCR, FCR_ON | FCR_RESET | FCR_TRIGGER_8);
	u->present = uart_probe(u);
	u->depth = (inb(u->port + IIR) & IIR_FIFO) == IIR_FIFO ? 16 : 1;
}

/* Give the transmitter, if it is empty, what it takes at once. The caller holds the lock. */
static void uart_transmit(struct uart *u)
{
	unsigned room = u->depth;

	if (!(inb(u->port + LSR) & LSR_THRE))
		return;
	while (room-- > 0 && ring_used(&u->tx) > 0)
		outb(u->port + DATA, ring_getc(&u->tx));
}

/* Wait by polling until the status has that bit; false when the port seems to be stuck. */
static bool uart_await(const struct uart *u, uint8_t bit)
{
	for (unsigned i = 0; i < POLL_LIMIT; i++)
		if (inb(u->port + LSR) & bit)
			return true;
	return false;
}

/* Send by polling what is queued. Nobody else may do so meanwhile: the ring would underflow. */
static void uart_flush(struct uart *u)
{
	while (ring_used(&u->tx) > 0 && uart_await(u, LSR_THRE))
		uart_transmit(u);
}

/* Begin to send what was queued; interrupts, which run, send the rest. Lock held. */
static void uart_kick(struct uart *u)
{
	if (u->ier & IER_TX) /* it is under way */
		return;
	uart_transmit(u);
	uart_set_ier(u, u->ier | IER_TX);
}

/* Move what the receiver holds, with or without errors, to the ring. The caller holds the lock. */
static void uart_receive(struct uart *u)
{
	while (inb(u->port + LSR) & LSR_DATA) {
		if (ring_full(&u->rx)) {
			uart_set_ier(u, u->ier & ~IER_RX);
			return;
		}
		ring_putc(&u->rx, inb(u->port + DATA));
	}
	if ((u->mcr & MCR_DTR_RTS) && ring_used(&u->rx) >= RING_SIZE / 4 * 3)
		uart_set_mcr(u, u->mcr & ~MCR_DTR_RTS);
}

/* Take from the receive ring, and let the sender go on once half of it is free. Lock held. */
static size_t uart_take(struct uart *u, uint8_t *buf, size_t n)
{
	n = ring_get(&u->rx, buf, n);
	if (ring_used(&u->rx) <= RING_SIZE / 2) {
		if (!(u->mcr & MCR_DTR_RTS))
			uart_set_mcr(u, u->mcr | MCR_DTR_RTS);
		if (!(u->ier & IER_RX))
			uart_set_ier(u, u->ier | IER_RX);
	}
	return n;
}

/*
 * Give the console what has come in, unless it must wait. Only one CPU at a time does so, to keep
 * the order.
 */
static void uart_deliver(struct uart *u)
{
	uint8_t buf[64];

	HOLD_SPIN(&u->lock);
	while (ring_used(&u->rx) > 0 && !u->delivering && !u->throttled) {
		size_t n = uart_take(u, buf, sizeof(buf));

		u->delivering = true;
		spin_unlock(&u->lock);
		u->input(buf, n);
		spin_lock(&u->lock);
		u->delivering = false;
	}
}

/*
 * Handle the interrupt: serve the chip until it wants nothing more, for until then its line makes
 * no new edge.
 */
static void uart_intr(void *arg)
{
	struct uart *u = arg;

	spin_lock(&u->lock);
	while (!(inb(u->port + IIR) & IIR_NONE)) {
		uart_receive(u);
		if (ring_used(&u->tx) > 0)
			uart_transmit(u);
		else if (u->ier & IER_TX)
			uart_set_ier(u, u->ier & ~IER_TX);
	}
	bool came = ring_used(&u->rx) > 0;
	if ((came && !u->input) || ring_used(&u->tx) <= RING_SIZE / 2)
		wait_wake(&u->waiters);
	spin_unlock(&u->lock);
	if (came && u->input)
		uart_deliver(u);
}

/* Change from polling to interrupts. */
static void uart_drive(struct uart *u)
{
	const char *chip = u->depth > 1 ? "16550A" : "8250";

	printk("%s: %s at 0x%x irq %u\n", u->name, chip, u->port, u->irq);
	irq_register(u->irq, u->name, uart_intr, u);
	HOLD_SPIN(&u->lock);
	u->driven = true;
	uart_set_ier(u, IER_RX | IER_LINE);
}

void uart_init(void (*console)(const uint8_t *s, size_t n))
{
	com1->input = console;
	uart_setup(com2, "uart1", 0x2f8, 3);
	for (unsigned i = 0; i < NUART; i++)
		if (uarts[i].present)
			uart_drive(&uarts[i]);
}

bool uart_present(enum uart_id id)
{
	return uarts[id].present;
}

void uart_throttle(bool stop)
{
	spin_lock(&com1->lock);
	com1->throttled = stop;
	spin_unlock(&com1->lock);
	if (!stop)
		uart_deliver(com1);
}

/* Queue n bytes, making room by polling. Before there are interrupts, send them all by polling. */
static void uart_put_polled(struct uart *u, const uint8_t *p, size_t n)
{
	size_t done = 0;

	if (!u->present)
		return;
	while ((done += ring_put(&u->tx, p + done, n - done)) < n) {
		if (!uart_await(u, LSR_THRE))
			return;
		uart_transmit(u);
	}
	if (!u->driven)
		uart_flush(u);
}

int32_t uart_write(enum uart_id id, const void *buf, size_t n)
{
	struct uart *u = &uarts[id];
	const uint8_t *p = buf;
	size_t done = 0;
	int err = 0;

	if (!u->driven) {
		uart_put_polled(u, p, n);
		return (int32_t)n;
	}
	HOLD_SPIN(&u->lock);
	while (done < n && !err) {
		done += ring_put(&u->tx, p + done, n - done);
		uart_kick(u);
		if (done < n)
			err = wait_on(&u->waiters, &u->lock, NEVER);
	}
	return done > 0 ? (int32_t)done : err;
}

int32_t uart_read(struct chan *, void *buf, size_t n, uint64_t)
{
	int err = 0;

	HOLD_SPIN(&com2->lock);
	while (ring_used(&com2->rx) == 0 && err == 0)
		err = wait_on(&com2->waiters, &com2->lock, NEVER);
	if (err < 0)
		return err;
	return (int32_t)uart_take(com2, buf, n);
}

void uart_print(const char *s, size_t n)
{
	if (!com1->driven) { /* there is one CPU, no interrupt, and no %gs, which locks need */
		uart_put_polled(com1, (const uint8_t *)s, n);
		return;
	}
	HOLD_SPIN(&com1->lock);
	uart_put_polled(com1, (const uint8_t *)s, n);
	uart_kick(com1);
}

/* Send what is queued, and wait until the last byte has left. */
static void uart_drain_port(struct uart *u)
{
	if (!u->present)
		return;
	uart_flush(u);
	uart_await(u, LSR_IDLE);
}

void uart_print_sync(const char *s, size_t n)
{
	uart_drain_port(com2);
	uart_drain_port(com1);
	uart_put_polled(com1, (const uint8_t *)s, n);
	uart_drain_port(com1);
}

void uart_early(void)
{
	uart_setup(com1, "uart0", 0x3f8, 4);
}

void uart_drain(void)
{
	for (unsigned i = 0; i < NUART; i++) {
		HOLD_SPIN(&uarts[i].lock);
		uart_drain_port(&uarts[i]);
	}
}

void uart_watch(struct chan *, struct watcher *w)
{
	wait_watch(w, &com2->waiters, &com2->lock);
}

int uart_ready(struct chan *)
{
	int ready = 0;

	HOLD_SPIN(&com2->lock);
	if (ring_used(&com2->rx) > 0)
		ready |= READY_READ;
	if (!ring_full(&com2->tx))
		ready |= READY_WRITE;
	return ready;
}
