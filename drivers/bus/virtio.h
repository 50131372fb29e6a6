/* Virtio devices over PCI, in the modern form and in the legacy one, and their queues. */
#pragma once

#include "drivers/bus/pci.h"

/* A part of the device's registers, in ports or in memory. */
struct virtio_window {
	bool io;
	uintptr_t base;
	uint32_t size; /* bytes; 0: there is none */
};

/* The parts, by the type of the capability that says where each is (virtio 1.1, 4.1.4). */
enum { VIRTIO_COMMON = 1, VIRTIO_NOTIFY, VIRTIO_ISR, VIRTIO_CONFIG, VIRTIO_NPART };

struct virtio {
	const struct pci_dev *pci;
	bool modern;
	struct virtio_window part[VIRTIO_NPART]; /* legacy: all are in one window */
	uint32_t notify_step; /* bytes from one queue's notification register to the next */
};

/* A piece of memory for the device, within the kernel's map of physical memory. */
struct virtio_buf {
	const void *p;
	uint32_t n;
};

/*
 * A queue, divided into chains of VIRTQ_CHAIN descriptors each, so that a chain's number tells
 * where it is and which request it belongs to. The caller's lock guards it.
 */
#define VIRTQ_CHAIN 4

struct virtq {
	/* These are constant once set. */
	unsigned number, size;
	unsigned chains;
	struct virtq_desc *desc;
	struct virtq_avail *avail;
	volatile struct virtq_used *used;
	uint32_t notify;   /* offset of the register in the device's window */
	/* These change. */
	uint16_t seen;	   /* entries of the used ring that were taken */
	bool *with_device; /* by chain */
	uint32_t *room;	   /* bytes that the device may write to each */
};

/*
 * Reset the device and agree on features 0-31: accept those in `want`. Return 0; -ENOTSUP if
 * registers are missing; -EIO if it refuses or does not finish its reset.
 */
int virtio_init(struct virtio *v, const struct pci_dev *pci, uint32_t want);
/* Set up queue n with at most max chains. Return 0; -ENOTSUP if there is none; -ENOMEM. */
int virtio_queue(struct virtio *v, unsigned n, unsigned max, struct virtq *q);
void virtio_start(struct virtio *v); /* queues may be used from here on */
/* Reset the device and end its access to memory: all buffers are the caller's again. */
void virtio_stop(struct virtio *v);
/* Return whether this device interrupted, and make it release the line. */
bool virtio_interrupted(struct virtio *v);
/* Read a byte of the device's own configuration. */
uint8_t virtio_config(struct virtio *v, unsigned off);
/* Return whether devices can reach the memory at p. */
bool virtio_reaches(const void *p);

/* Give a chain to the device: nout buffers that it reads, then nin that it writes. */
void virtq_put(struct virtio *v, struct virtq *q, unsigned chain, const struct virtio_buf *b,
	       unsigned nout, unsigned nin);
/*
 * Take back a chain that the device has finished. Return its number, and set *written to the
 * bytes written; -EAGAIN if there is none; -EPROTO if the device's answer makes no sense.
 */
int virtq_get(struct virtq *q, uint32_t *written);
