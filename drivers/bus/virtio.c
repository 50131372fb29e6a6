/* Virtio over PCI: see virtio.h. Sections are those of the virtio specification, version 1.1. */
#include "drivers/bus/virtio.h"
#include "kernel/memory.h"

/* The common registers (4.1.4.3): offset and width, in the modern form and in the legacy one. */
enum reg {
	FEATURE_SELECT, FEATURE, ACCEPT_SELECT, ACCEPT, STATUS, QUEUE_SELECT, QUEUE_SIZE,
	QUEUE_ENABLE, QUEUE_NOTIFY_OFF, QUEUE_DESC, QUEUE_AVAIL, QUEUE_USED, NREG
};

static const struct reg_place {
	uint8_t off, width;
} modern_reg[NREG] = {
	[FEATURE_SELECT] = {0, 4}, [FEATURE] = {4, 4}, [ACCEPT_SELECT] = {8, 4},
	[ACCEPT] = {12, 4}, [STATUS] = {20, 1}, [QUEUE_SELECT] = {22, 2},
	[QUEUE_SIZE] = {24, 2}, [QUEUE_ENABLE] = {28, 2}, [QUEUE_NOTIFY_OFF] = {30, 2},
	[QUEUE_DESC] = {32, 4}, [QUEUE_AVAIL] = {40, 4}, [QUEUE_USED] = {48, 4},
}, legacy_reg[NREG] = {
	[FEATURE] = {0, 4}, [ACCEPT] = {4, 4}, [QUEUE_DESC] = {8, 4}, [QUEUE_SIZE] = {12, 2},
	[QUEUE_SELECT] = {14, 2}, [STATUS] = {18, 1},
};

#define MODERN_COMMON 56 /* bytes */
#define LEGACY_NOTIFY 16
#define LEGACY_ISR 19
#define LEGACY_CONFIG 20 /* as long as MSI-X is off */

#define STATUS_ACKNOWLEDGE 1
#define STATUS_DRIVER 2
#define STATUS_DRIVER_OK 4
#define STATUS_FEATURES_OK 8
#define VERSION_1 1u /* in the second word of features */

/* The capability that says where registers are (4.1.4). */
#define CAP_VENDOR 9
#define CAP_TYPE 3
#define CAP_BAR 4
#define CAP_OFFSET 8
#define CAP_LENGTH 12
#define CAP_NOTIFY_STEP 16

#define WINDOW_MAX 65536u  /* bytes of a window that are mapped at most */
#define RESET_POLLS 100000

#define DESC_NEXT 1
#define DESC_WRITE 2 /* by the device */

struct virtq_desc { /* 2.6.5 */
	uint64_t addr;
	uint32_t len;
	uint16_t flags, next;
};

struct virtq_avail { /* 2.6.6 */
	uint16_t flags, idx, ring[];
};

struct virtq_used { /* 2.6.8 */
	uint16_t flags, idx;
	struct {
		uint32_t id, len;
	} ring[];
};

/* Read width bytes of the device's registers; those outside of the window are 0. */
static uint32_t window_read(const struct virtio_window *w, uint32_t off, unsigned width)
{
	uintptr_t at = w->base + off;

	if (off + width > w->size)
		return 0;
	if (width == 1)
		return w->io ? inb((uint16_t)at) : *(volatile uint8_t *)at;
	if (width == 2)
		return w->io ? inw((uint16_t)at) : *(volatile uint16_t *)at;
	return w->io ? inl((uint16_t)at) : *(volatile uint32_t *)at;
}

/* Write them; what lies outside of the window is left alone. */
static void window_write(const struct virtio_window *w, uint32_t off, unsigned width, uint32_t v)
{
	uintptr_t at = w->base + off;

	if (off + width > w->size)
		return;
	if (w->io && width == 1)
		outb((uint16_t)at, (uint8_t)v);
	else if (w->io && width == 2)
		outw((uint16_t)at, (uint16_t)v);
	else if (w->io)
		outl((uint16_t)at, v);
	else if (width == 1)
		*(volatile uint8_t *)at = (uint8_t)v;
	else if (width == 2)
		*(volatile uint16_t *)at = (uint16_t)v;
	else
		*(volatile uint32_t *)at = v;
}

/* Where the register is in the device's form. */
static const struct reg_place *reg_place(const struct virtio *v, enum reg r)
{
	return v->modern ? &modern_reg[r] : &legacy_reg[r];
}

/* Read a common register; what the device's form lacks reads 0. */
static uint32_t reg_read(const struct virtio *v, enum reg r)
{
	return window_read(&v->part[VIRTIO_COMMON], reg_place(v, r)->off, reg_place(v, r)->width);
}

/* Write one; what the form lacks is not written. */
static void reg_write(const struct virtio *v, enum reg r, uint32_t value)
{
	window_write(&v->part[VIRTIO_COMMON], reg_place(v, r)->off, reg_place(v, r)->width, value);
}

/* Map at most size bytes of a base address register's from off on; false: not there. */
static bool window_open(const struct pci_dev *pci, unsigned bar, uint32_t off, uint32_t size,
			struct virtio_window *w)
{
	struct pci_bar b;

	if (!pci_bar(pci, bar, &b) || off >= b.size)
		return false;
	size = min_size(min_size(size, b.size - off), WINDOW_MAX);
	w->io = b.io;
	w->size = size;
	w->base = b.io ? b.base + off : (uintptr_t)map_device(b.base + off, size);
	return true;
}

/* Find the modern form's windows by the device's capabilities; false: some are missing. */
static bool find_modern(struct virtio *v)
{
	uint8_t at = 0;

	while ((at = pci_capability(v->pci, CAP_VENDOR, at)) != 0) {
		uint8_t type = pci_read8(v->pci, at + CAP_TYPE);

		/* If there are several of a type, the first that can be reached counts. */
		if (type < VIRTIO_COMMON || type > VIRTIO_CONFIG || v->part[type].size)
			continue;
		window_open(v->pci, pci_read8(v->pci, at + CAP_BAR),
			    pci_read32(v->pci, at + CAP_OFFSET),
			    pci_read32(v->pci, at + CAP_LENGTH), &v->part[type]);
		if (type == VIRTIO_NOTIFY)
			v->notify_step = pci_read32(v->pci, at + CAP_NOTIFY_STEP);
	}
	return v->part[VIRTIO_COMMON].size >= MODERN_COMMON && v->part[VIRTIO_NOTIFY].size &&
	       v->part[VIRTIO_ISR].size;
}

/* Find the legacy form's one window, and the parts of it. */
static bool find_legacy(struct virtio *v)
{
	struct virtio_window w;

	if (!window_open(v->pci, 0, 0, WINDOW_MAX, &w) || !w.io || w.size <= LEGACY_CONFIG)
		return false;
	for (unsigned i = VIRTIO_COMMON; i <= VIRTIO_CONFIG; i++)
		v->part[i] = w;
	v->part[VIRTIO_ISR].base += LEGACY_ISR;
	v->part[VIRTIO_ISR].size = 1;
	v->part[VIRTIO_CONFIG].base += LEGACY_CONFIG;
	v->part[VIRTIO_CONFIG].size -= LEGACY_CONFIG;
	return true;
}

/* Reset the device (4.1.4.3.2); false when it does not finish. */
static bool reset(const struct virtio *v)
{
	unsigned i;

	reg_write(v, STATUS, 0);
	for (i = 0; i < RESET_POLLS && reg_read(v, STATUS) != 0; i++)
		cpu_relax();
	return i < RESET_POLLS;
}

/* Agree on features (3.1.1, steps 4-6): false when the device does not. */
static bool negotiate(const struct virtio *v, uint32_t want)
{
	reg_write(v, FEATURE_SELECT, 0);
	reg_write(v, ACCEPT_SELECT, 0);
	reg_write(v, ACCEPT, reg_read(v, FEATURE) & want);
	if (!v->modern)
		return true;
	reg_write(v, ACCEPT_SELECT, 1);
	reg_write(v, ACCEPT, VERSION_1);
	reg_write(v, STATUS, STATUS_ACKNOWLEDGE | STATUS_DRIVER | STATUS_FEATURES_OK);
	return reg_read(v, STATUS) & STATUS_FEATURES_OK;
}

int virtio_init(struct virtio *v, const struct pci_dev *pci, uint32_t want)
{
	*v = (struct virtio){.pci = pci};
	v->modern = find_modern(v);
	if (!v->modern && !find_legacy(v))
		return -ENOTSUP;
	pci_enable(pci, PCI_IO | PCI_MEMORY | PCI_MASTER);
	if (!reset(v))
		return -EIO;
	reg_write(v, STATUS, STATUS_ACKNOWLEDGE);
	reg_write(v, STATUS, STATUS_ACKNOWLEDGE | STATUS_DRIVER);
	return negotiate(v, want) ? 0 : -EIO;
}

/* Return the used ring's offset from the descriptors: for legacy devices, in a page of its own. */
static size_t used_offset(unsigned size)
{
	return (size * sizeof(struct virtq_desc) + 6 + 2 * size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* Tell the device where the queue is: its frames, or each part by itself. */
static void place_queue(struct virtio *v, struct virtq *q)
{
	if (!v->modern) {
		reg_write(v, QUEUE_DESC, v2p(q->desc) / PAGE);
		return;
	}
	reg_write(v, QUEUE_DESC, v2p(q->desc));
	reg_write(v, QUEUE_AVAIL, v2p(q->avail));
	reg_write(v, QUEUE_USED, v2p((void *)q->used));
	reg_write(v, QUEUE_ENABLE, 1);
}

int virtio_queue(struct virtio *v, unsigned n, unsigned max, struct virtq *q)
{
	unsigned size;
	size_t bytes;
	uint8_t *p;

	reg_write(v, QUEUE_SELECT, n);
	size = reg_read(v, QUEUE_SIZE);
	if (size < VIRTQ_CHAIN || size > 32768 || (size & (size - 1)))
		return -ENOTSUP;
	bytes = used_offset(size) + 6 + 8 * size;
	p = frame_alloc_n((bytes + PAGE - 1) / PAGE);
	q->chains = size / VIRTQ_CHAIN < max ? size / VIRTQ_CHAIN : max;
	q->with_device = kzalloc(q->chains * sizeof(*q->with_device));
	q->room = kzalloc(q->chains * sizeof(*q->room));
	if (!p || !q->with_device || !q->room)
		return -ENOMEM;
	memset(p, 0, bytes);
	q->size = size;
	q->desc = (void *)p;
	q->avail = (void *)(p + size * sizeof(struct virtq_desc));
	q->used = (void *)(p + used_offset(size));
	q->seen = 0;
	q->notify = v->modern ? reg_read(v, QUEUE_NOTIFY_OFF) * v->notify_step : LEGACY_NOTIFY;
	q->number = n;
	place_queue(v, q);
	return 0;
}

void virtio_start(struct virtio *v)
{
	reg_write(v, STATUS, reg_read(v, STATUS) | STATUS_DRIVER_OK);
}

void virtio_stop(struct virtio *v)
{
	reset(v);
	pci_enable(v->pci, PCI_IO | PCI_MEMORY);
}

bool virtio_interrupted(struct virtio *v)
{
	return window_read(&v->part[VIRTIO_ISR], 0, 1) & 1;
}

uint8_t virtio_config(struct virtio *v, unsigned off)
{
	return (uint8_t)window_read(&v->part[VIRTIO_CONFIG], off, 1);
}

bool virtio_reaches(const void *p)
{
	return (uintptr_t)p >= KERNBASE && (uintptr_t)p < KERNMAP_END;
}

void virtq_put(struct virtio *v, struct virtq *q, unsigned chain, const struct virtio_buf *b,
	       unsigned nout, unsigned nin)
{
	unsigned first = chain * VIRTQ_CHAIN, n = nout + nin;

	q->room[chain] = 0;
	for (unsigned i = 0; i < n; i++) {
		q->desc[first + i] = (struct virtq_desc){
			.addr = v2p(b[i].p),
			.len = b[i].n,
			.flags = i + 1 < n ? DESC_NEXT : 0,
			.next = (uint16_t)(first + i + 1),
		};
		if (i >= nout) {
			q->desc[first + i].flags |= DESC_WRITE;
			q->room[chain] += b[i].n;
		}
	}
	q->with_device[chain] = true;
	q->avail->ring[q->avail->idx % q->size] = (uint16_t)first;
	/* The device may look as soon as the index says so. */
	__atomic_store_n(&q->avail->idx, (uint16_t)(q->avail->idx + 1), __ATOMIC_SEQ_CST);
	window_write(&v->part[VIRTIO_NOTIFY], q->notify, 2, q->number);
}

int virtq_get(struct virtq *q, uint32_t *written)
{
	uint16_t idx = __atomic_load_n(&q->used->idx, __ATOMIC_ACQUIRE);
	uint32_t id, chain;

	if (idx == q->seen)
		return -EAGAIN;
	id = q->used->ring[q->seen % q->size].id;
	*written = q->used->ring[q->seen % q->size].len;
	chain = id / VIRTQ_CHAIN;
	if ((uint16_t)(idx - q->seen) > q->chains || id % VIRTQ_CHAIN != 0 || chain >= q->chains ||
	    !q->with_device[chain] || *written > q->room[chain])
		return -EPROTO;
	q->seen++;
	q->with_device[chain] = false;
	return (int)chain;
}
