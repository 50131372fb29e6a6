/* Virtio over PCI: see virtio.h. Sections are those of the virtio specification, version 1.1. */
#include "drivers/bus/virtio.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/string.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/kvm.h"

/* The capabilities that say where registers are, and of what type (4.1.4). */
#define CAP_VENDOR 9
#define CAP_TYPE 3
#define CAP_BAR 4
#define CAP_OFFSET 8
#define CAP_STEP 16 /* for notifications: bytes from one register to the next */
enum part { COMMON = 1, NOTIFY, ISR, CONFIG };

struct virtio_regs { /* 4.1.4.3 */
	uint32_t feature_select, feature, accept_select, accept;
	uint16_t msix, nqueue;
	uint8_t status, generation;
	uint16_t queue, queue_size, queue_msix, queue_enable, queue_notify;
	uint32_t desc, desc_high, avail, avail_high, used, used_high;
};

#define STATUS_ACKNOWLEDGE 1
#define STATUS_DRIVER 2
#define STATUS_DRIVER_OK 4
#define STATUS_FEATURES_OK 8
#define VERSION_1 1u /* in the second word of features */

#define RESET_POLLS 100000
#define QUEUE_MAX (VIRTIO_CHAINS * VIRTIO_CHAIN) /* descriptors that are used */

#define DESC_NEXT 1
#define DESC_WRITE 2 /* by the device */

/* A queue's three parts, for as many descriptors as are used at most. */
struct virtio_queue {
	struct { /* 2.6.5 */
		uint64_t addr;
		uint32_t len;
		uint16_t flags, next;
	} desc[QUEUE_MAX];
	struct { /* 2.6.6 */
		uint16_t flags, idx, ring[QUEUE_MAX];
	} avail;
	volatile struct { /* 2.6.8 */
		uint16_t flags, idx;
		struct {
			uint32_t id, len;
		} ring[QUEUE_MAX];
	} used;
};

/*
 * Map n bytes of a part of the registers, the first of its type that can be reached; for
 * notifications, from the nth register on. Return NULL if there is none.
 */
static volatile void *virtio_map(const struct pci_dev *pci, enum part type, uint32_t nth,
				uint32_t n)
{
	struct pci_bar bar;
	uint8_t at = 0;

	while ((at = pci_capability(pci, CAP_VENDOR, at)) != 0) {
		uint32_t off = pci_read32(pci, at + CAP_OFFSET);

		if (pci_read8(pci, at + CAP_TYPE) != type)
			continue;
		if (!pci_bar(pci, pci_read8(pci, at + CAP_BAR), &bar) || bar.io)
			continue;
		off += nth * pci_read32(pci, at + CAP_STEP);
		if (off < bar.size && n <= bar.size - off)
			return map_device(bar.base + off, n);
	}
	return NULL;
}

/* Reset the device (4.1.4.3.2); false when it does not finish. */
static bool virtio_reset(volatile struct virtio_regs *r)
{
	r->status = 0;
	for (unsigned i = 0; i < RESET_POLLS; i++) {
		cpu_relax();
		if (r->status == 0)
			return true;
	}
	return false;
}

/* Agree on features (3.1.1, steps 2-6): false when the device does not. */
static bool virtio_negotiate(volatile struct virtio_regs *r, uint32_t want)
{
	r->status = STATUS_ACKNOWLEDGE;
	r->status = STATUS_ACKNOWLEDGE | STATUS_DRIVER;
	r->feature_select = r->accept_select = 0;
	r->accept = r->feature & want;
	r->accept_select = 1;
	r->accept = VERSION_1;
	r->status = STATUS_ACKNOWLEDGE | STATUS_DRIVER | STATUS_FEATURES_OK;
	return r->status & STATUS_FEATURES_OK;
}

/* Set up queue 0 (4.1.5.1.3). Return NULL, or what is wrong. */
static const char *virtio_set_up_queue(struct virtio *v)
{
	volatile struct virtio_regs *r = v->regs;

	r->queue = 0;
	v->size = min_size(r->queue_size, QUEUE_MAX);
	if (v->size < 2 * VIRTIO_CHAIN || (v->size & (v->size - 1)))
		return "no queue of a good size";
	v->chains = v->size / VIRTIO_CHAIN;
	v->notify = virtio_map(v->pci, NOTIFY, r->queue_notify, sizeof(*v->notify));
	v->queue = frame_alloc();
	if (!v->notify)
		return "no register to notify it by";
	if (!v->queue)
		return "no memory";
	memset(v->queue, 0, sizeof(*v->queue));
	r->queue_size = (uint16_t)v->size;
	r->desc = v2p(v->queue->desc);
	r->avail = v2p(&v->queue->avail);
	r->used = v2p((void *)&v->queue->used);
	r->queue_enable = 1;
	return NULL;
}

const char *virtio_init(struct virtio *v, const struct pci_dev *pci, uint32_t want)
{
	*v = (struct virtio){.pci = pci,
			     .regs = virtio_map(pci, COMMON, 0, sizeof(*v->regs)),
			     .isr = virtio_map(pci, ISR, 0, 1),
			     .config = virtio_map(pci, CONFIG, 0, VIRTIO_CONFIG)};
	if (!v->regs || !v->isr || !v->config)
		return "legacy device only: not supported";
	pci_enable(pci, PCI_MEMORY | PCI_MASTER);
	if (!virtio_reset(v->regs))
		return "does not finish its reset";
	if (!virtio_negotiate(v->regs, want))
		return "refuses the features";
	const char *wrong = virtio_set_up_queue(v);
	if (!wrong)
		v->regs->status |= STATUS_DRIVER_OK;
	return wrong;
}

void virtio_stop(struct virtio *v)
{
	virtio_reset(v->regs);
	pci_enable(v->pci, PCI_MEMORY);
}

bool virtio_interrupted(struct virtio *v)
{
	return *v->isr & 1;
}

bool virtio_reaches(const void *p)
{
	return in_range((uintptr_t)p, KERNBASE, KERNMAP_END);
}

void virtio_put(struct virtio *v, unsigned chain, const struct virtio_buf *b, unsigned nout,
		unsigned n)
{
	struct virtio_queue *q = v->queue;
	unsigned at = chain * VIRTIO_CHAIN;

	v->room[chain] = 0;
	q->avail.ring[q->avail.idx % v->size] = (uint16_t)at;
	for (unsigned i = 0; i < n; i++, at++) {
		q->desc[at].addr = v2p(b[i].p);
		q->desc[at].len = b[i].n;
		q->desc[at].flags = i + 1 < n ? DESC_NEXT : 0;
		if (i >= nout) {
			q->desc[at].flags |= DESC_WRITE;
			v->room[chain] += b[i].n;
		}
		q->desc[at].next = (uint16_t)(at + 1);
	}
	/* The device may look as soon as the index says so. */
	__atomic_store_n(&q->avail.idx, (uint16_t)(q->avail.idx + 1), __ATOMIC_SEQ_CST);
	*v->notify = 0; /* the queue's number */
}

/*
 * Return whether n chains can be finished, and the first of them be that which begins with the
 * descriptor id: the device has it, and wrote no more to it than there is room.
 */
static bool virtio_plausible(const struct virtio *v, uint16_t n, uint32_t id, uint32_t written)
{
	uint32_t chain = id / VIRTIO_CHAIN;

	if (n > v->chains)
		return false;
	if (id % VIRTIO_CHAIN != 0 || chain >= v->chains)
		return false;
	return v->room[chain] != 0 && written <= v->room[chain];
}

int virtio_get(struct virtio *v, uint32_t *written)
{
	uint16_t idx = __atomic_load_n(&v->queue->used.idx, __ATOMIC_ACQUIRE);
	uint32_t id = v->queue->used.ring[v->seen % v->size].id;

	if (idx == v->seen)
		return -EAGAIN;
	*written = v->queue->used.ring[v->seen % v->size].len;
	if (!virtio_plausible(v, idx - v->seen, id, *written))
		return -EPROTO;
	v->seen++;
	v->room[id / VIRTIO_CHAIN] = 0;
	return (int)(id / VIRTIO_CHAIN);
}
