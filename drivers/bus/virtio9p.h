/*
 * Servers of 9P reached by virtio (mount tags: virtio 1.2, 5.14), each with a number. A message
 * goes out, one comes back, and several may be under way at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NINEP_MSG 640  /* bytes of a message, without data in memory of their own */
#define NINEP_DATA 11  /* offset of such data in an answer: after size, type, tag and count */
#define NINEP_IO (128u << 10) /* bytes of such data, at most */

/* A message and its answer. Devices must reach the memory at send and recv: virtio_reaches(). */
struct ninep_msg {
	uint8_t out[NINEP_MSG], in[NINEP_MSG];
	uint32_t nout;	     /* bytes in out */
	uint32_t answer;     /* bytes of the answer, in[] and recv together */
	const void *send;    /* follows out; or NULL */
	void *recv;	     /* takes the answer from byte NINEP_DATA on; or NULL */
	uint32_t nsend, nrecv;
	uint16_t tag;
};

/* Find the devices. After pci_init and the clocks. */
void virtio9p_init(void);

/* Return the number of the server with that mount tag, or -ENODEV. */
#define NINEP_SERVERS 4
int virtio9p_find(const char *tag);

/*
 * Wait for a free message and set *m to it. Return 0; -EINTR after a signal, unless deaf;
 * -ETIMEDOUT if none becomes free, and the server is then given up; -EIO if it was before.
 */
int virtio9p_begin(int server, bool deaf, struct ninep_msg **m);
/*
 * Send it and sleep until the answer is there. Return 0; -EINTR if a signal came, and the server
 * dropped the request; -ETIMEDOUT if it did not answer, and was given up; -EIO if it had been
 * given up before. In each case the device no longer touches the message's memory.
 */
int virtio9p_call(int server, struct ninep_msg *m);
void virtio9p_end(int server, struct ninep_msg *m);
/* Send it without waiting for the answer, which nobody wants, and release it. */
void virtio9p_post(int server, struct ninep_msg *m);
