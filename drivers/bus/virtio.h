/* Virtio devices over PCI, in the modern form and in the legacy one, and their queues. */
#ifndef DRIVERS_BUS_VIRTIO_H
#define DRIVERS_BUS_VIRTIO_H

#include <stdbool.h>
#include <stdint.h>
#include "drivers/bus/pci.h"

/* A part of the device's registers, in ports or in memory. */
struct virtio_window {
	bool io;
	uintptr_t base;
	uint32_t size; /* bytes; 0: there is none */
};

struct virtio {
	const struct pci_dev *pci;
	bool modern;
	struct virtio_window common, notify, isr, config; /* legacy: all are parts of one */
	uint32_t notify_step; /* bytes between the queues' notification registers */
};

/* A piece of memory for the device; within the kernel's map of physical memory. */
struct virtio_buf {
	const void *p;
	uint32_t n;
};

/*
 * A queue, cut into chains of VIRTQ_CHAIN descriptors each, so that a chain's number says
 * where it is and whose. The caller's lock guards it.
 */
#define VIRTQ_CHAIN 4

struct virtq {
	unsigned number, size;   /* constant once there, up to notify */
	unsigned chains;
	struct virtq_desc *desc;
	struct virtq_avail *avail;
	volatile struct virtq_used *used;
	uint32_t notify;   /* offset of the register in the device's window */
	uint16_t seen;	   /* of the used ring */
	bool *with_device; /* by chain */
	uint32_t *room;	   /* bytes that the device may write to each */
};

/*
 * Take the device: reset, features 0-31 agreed on (feature bits not in want are refused).
 * -ENOTSUP when registers are missing, -EIO when it refuses or does not come out of reset.
 */
int virtio_init(struct virtio *v, const struct pci_dev *pci, uint32_t want);
/* Set up queue n with at most max chains: -ENOTSUP when there is none, -ENOMEM. */
int virtio_queue(struct virtio *v, unsigned n, unsigned max, struct virtq *q);
void virtio_start(struct virtio *v); /* queues may be used from here on */
/* Once the device is reset and its access to memory gone, all buffers are the caller's again. */
void virtio_stop(struct virtio *v);
/* Whether it was this device that interrupted; it lets go of the line. */
bool virtio_interrupted(struct virtio *v);
/* A byte of the device's own configuration. */
uint8_t virtio_config(struct virtio *v, unsigned off);
/* Whether a device can be told of the memory at p. */
bool virtio_reaches(const void *p);

/* Give a chain to the device: nout buffers that it reads, then nin that it writes. */
void virtq_put(struct virtio *v, struct virtq *q, unsigned chain, const struct virtio_buf *b,
	       unsigned nout, unsigned nin);
/*
 * Take back a chain that the device is done with: its number, and how many bytes were
 * written. -EAGAIN: none; -EPROTO: what the device says makes no sense.
 */
int virtq_get(struct virtq *q, uint32_t *written);

#endif
