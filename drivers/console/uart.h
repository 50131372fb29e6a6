/* The serial ports COM1 (the console) and COM2 (/dev/eia1): 115200 baud, 8 bits, no parity. */
#pragma once

#include "kernel/file/dev.h"

enum uart_id { UART_COM1, UART_COM2, NUART };

/* Set COM1 up, polled. This is the first thing that boot/ does. */
void uart_early(void);

/* Send printk's text to COM1: from any context but NMI, without sleeping. */
void uart_print(const char *s, size_t n);

/*
 * Start both ports' interrupts; interrupts must work already. Pass bytes received on COM1 to
 * console(), in order, from an interrupt handler.
 */
void uart_init(void (*console)(const uint8_t *s, size_t n));

bool uart_present(enum uart_id id);

/*
 * Hold COM1's input back, or let it flow again, without losing a byte: RTS stops the sender.
 * Letting it flow may call console() at once.
 */
void uart_throttle(bool stop);

/*
 * Send all n bytes, sleeping while the queue is full. Return n, or how many were sent before a
 * signal, or -EINTR if none were. Bytes to a port that is not there are dropped.
 */
int32_t uart_write(enum uart_id id, const void *buf, size_t n);

/* Wait for COM2's input and take at most n bytes of it. Return how many or -EINTR. */
int32_t uart_read(struct chan *, void *buf, size_t n, uint64_t);

/*
 * Send printk's text without locks, after all bytes queued for both ports: for panics, when
 * interrupts are off and the other CPUs stand still.
 */
void uart_print_sync(const char *s, size_t n);

/* Send all that is queued, polled, while other CPUs may send: before the power goes off. */
void uart_drain(void);

/* Return COM2's READY_ bits: whether a read would find bytes now, and a write room. */
int uart_ready(struct chan *);
void uart_watch(struct chan *, struct watcher *w); /* for that */
