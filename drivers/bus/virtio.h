/*
 * A virtio device over PCI, with one queue. The queue is divided into chains of VIRTIO_CHAIN
 * descriptors each, so that a chain's number tells where it is and which request it belongs to.
 */
#pragma once

#include "drivers/bus/pci.h"

#define VIRTIO_CHAIN 4
#define VIRTIO_CHAINS 32 /* at most */
#define VIRTIO_CONFIG 33 /* bytes of the device's own configuration that can be read */

struct virtio {
	/* These are constant once set. */
	const struct pci_dev *pci;
	volatile struct virtio_regs *regs;
	const volatile uint8_t *isr, *config;
	volatile uint16_t *notify;
	struct virtio_queue *queue;
	unsigned size, chains; /* the queue's descriptors; chains of them */
	/* The caller's lock guards these. */
	uint16_t seen; /* chains that were taken back */
	uint32_t room[VIRTIO_CHAINS]; /* bytes that the device may write to each; 0: not its own */
};

/* A piece of memory for the device, within the kernel's map of physical memory. */
struct virtio_buf {
	const void *p;
	uint32_t n;
};

/*
 * Reset the device, agree on features 0-31, of which those in `want` are accepted, and start it.
 * Return NULL, or what is wrong with it; it may have access to memory even then.
 */
const char *virtio_init(struct virtio *v, const struct pci_dev *pci, uint32_t want);
/* Reset the device and end its access to memory: all buffers are the caller's again. */
void virtio_stop(struct virtio *v);
/* Return whether this device interrupted, and make it release the line. */
bool virtio_interrupted(struct virtio *v);
/* Return whether devices can reach the memory at p. */
bool virtio_reaches(const void *p);

/* Give a chain to the device: nout buffers that it reads, then some that it writes, n in all. */
void virtio_put(struct virtio *v, unsigned chain, const struct virtio_buf *b, unsigned nout,
		unsigned n);
/*
 * Take back a chain that the device has finished. Return its number, and set *written to the
 * bytes written; -EAGAIN if there is none; -EPROTO if the device's answer makes no sense.
 */
int virtio_get(struct virtio *v, uint32_t *written);
