/* The serial ports COM1 (the console) and COM2 (/dev/eia1): 115200 baud, 8 bits, no parity. */
#ifndef DRIVERS_CONSOLE_UART_H
#define DRIVERS_CONSOLE_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum uart_id { UART_COM1, UART_COM2, NUART };

struct uart_stats {
	uint32_t baud;
	uint64_t in, out;	      /* bytes */
	uint32_t overruns;	      /* times the chip lost bytes that came too fast */
	uint32_t framing, parity;     /* bytes that came damaged; they are delivered all the same */
	uint32_t breaks;
	bool readable, writable;      /* a read would find something now, a write some room */
};

/* Set COM1 up, polled, and make it printk's place: the first thing that boot/ does. */
void uart_early(void);

/*
 * Start both ports' interrupts; interrupt dispatch must be ready. What comes in at
 * COM1 goes to console, in order, from an interrupt handler.
 */
void uart_init(void (*console)(const uint8_t *s, size_t n));

bool uart_present(enum uart_id id);

/*
 * Hold COM1's input back, or let it flow again: the sender is told by RTS, and no byte
 * is lost meanwhile. To let it flow may call the console's function at once.
 */
void uart_throttle(enum uart_id id, bool stop);

/*
 * Send all n bytes, sleeping while the queue is full: n, or what was sent before a
 * signal, or -EINTR. To a port that is not there everything is sent, to nobody.
 */
int32_t uart_write(enum uart_id id, const void *buf, size_t n);

/* Wait for input and take what is there, at most n bytes; -EINTR. Not for COM1. */
int32_t uart_read(enum uart_id id, void *buf, size_t n);

/* printk's way to COM1: from any context but NMI, never sleeps. */
void uart_print(const char *s, size_t n);

/*
 * The same without locks, after what was queued for both ports: for panics, when interrupts
 * are off and the other CPUs stand still.
 */
void uart_print_sync(const char *s, size_t n);

/* Send all that is queued, polled, while other CPUs may send: before the power goes off. */
void uart_drain(void);

void uart_stats(enum uart_id id, struct uart_stats *st);

#endif
