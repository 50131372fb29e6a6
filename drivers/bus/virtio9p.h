/*
 * Servers of 9P behind virtio (virtio 1.2, 5.14: mount tags), each with a number: one message
 * out, one back, several under way at a time.
 */
#ifndef DRIVERS_BUS_VIRTIO9P_H
#define DRIVERS_BUS_VIRTIO9P_H

#include <stdbool.h>
#include <stdint.h>

#define NINEP_MSG 640  /* bytes of a message, data that travel apart not counted */
#define NINEP_DATA 11  /* where such data begin in an answer: size, type, tag, count */
#define NINEP_IO (128u << 10) /* bytes that travel apart, at most */

/* A message and its answer. The memory of send and recv is one that virtio_reaches(). */
struct ninep_msg {
	uint8_t out[NINEP_MSG], in[NINEP_MSG];
	uint32_t nout;	     /* bytes in out */
	uint32_t answer;     /* bytes of the answer, in in[] and recv together */
	const void *send;    /* follows out; or NULL */
	void *recv;	     /* takes what is behind the answer's NINEP_DATA-th byte; or NULL */
	uint32_t nsend, nrecv;
	uint16_t tag;
};

/* Find the devices. After pci_init and the clocks. */
void virtio9p_init(void);

/* The number of the server with that mount tag; -ENODEV. */
#define NINEP_SERVERS 4
int virtio9p_find(const char *tag);

/*
 * An empty message, once one is free. -EIO: the server was given up, as it is when none gets
 * free: -ETIMEDOUT; -EINTR for a signal, unless deaf.
 */
int virtio9p_begin(int server, bool deaf, struct ninep_msg **m);
/*
 * Send it and sleep until the answer is there: 0. -EINTR: a signal came, and the server has
 * dropped the request; -ETIMEDOUT: it did not answer, and was given up; -EIO: it had been
 * before. In each case nobody touches the message's memory any more.
 */
int virtio9p_call(int server, struct ninep_msg *m);
void virtio9p_end(int server, struct ninep_msg *m);
/* Send it and let go of it: nobody wants the answer. */
void virtio9p_post(int server, struct ninep_msg *m);

#endif
