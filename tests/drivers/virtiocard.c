/* A virtio-9p card in hosted tests: see virtiocard.h. */
#include "tests/drivers/fakes.h"
#include "tests/drivers/virtiocard.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/time.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/kvm.h"
#include "kernel/sched/idle.h"

#define MEMORY 0xfebf0000u
#define NOTIFIED 0x3000

/* A descriptor (virtio 1.1, 2.6.5). */
struct desc {
	uint64_t addr;
	uint32_t len;
	uint16_t flags, next;
};

struct card card;

static uint8_t arena[1u << 18] __attribute__((aligned(4096)));
static size_t used;
static uint8_t memory[0x4000] __attribute__((aligned(4096)));
static uint16_t seen, done; /* positions in the rings */
static void (*handler)(void *arg);
static void *handler_arg;

void *kmalloc(size_t n)
{
	void *p = arena + used;

	if (card.allocs_left == 0)
		return NULL;
	card.allocs_left--;
	used += (n + 15) & ~(size_t)15;
	assert_true(used <= sizeof(arena));
	memset(p, 0xa5, n);
	return p;
}

void *frame_alloc_n(size_t n)
{
	used = (used + 4095) & ~(size_t)4095;
	return kmalloc(n * 4096);
}

uint32_t v2p(const void *va)
{
	assert_true((const uint8_t *)va >= arena && (const uint8_t *)va < arena + sizeof(arena));
	return (uint32_t)((const uint8_t *)va - arena) + 0x100000;
}

void *p2v(uint32_t pa)
{
	return arena + (pa - 0x100000);
}

void *map_device(uint32_t pa, size_t n)
{
	assert_true(pa >= MEMORY && pa + n <= MEMORY + sizeof(memory));
	return memory + (pa - MEMORY);
}

uint64_t time_ns(void)
{
	return 0;
}

void idle_hold(void)
{
	card.held++;
}

void idle_release(void)
{
	card.held--;
}

const struct pci_dev *pci_next(const struct pci_dev *after)
{
	return after ? NULL : &card.pci;
}

/* Where the registers are, as capabilities: type, offset, length. */
static const uint32_t caps[][3] = {
	{1, 0, 0x38}, {3, 0x1000, 4}, {4, 0x2000, 64}, {2, NOTIFIED, 0x1000}, {1, 0x3ff0, 4},
};

uint8_t pci_capability(const struct pci_dev *d, uint8_t id, uint8_t after)
{
	unsigned next = after ? (after - 0x40u) / 20 + 1 : 0;

	assert_ptr_equal(d, &card.pci);
	assert_int_equal(id, 9);
	return !card.legacy && next < nelem(caps) ? (uint8_t)(0x40 + 20 * next) : 0;
}

uint8_t pci_read8(const struct pci_dev *d, uint8_t off)
{
	return (off - 0x40) % 20 == 3 ? (uint8_t)caps[(off - 0x40) / 20][0] : 4;
}

uint32_t pci_read32(const struct pci_dev *d, uint8_t off)
{
	if ((off - 0x40) % 20 == 16)
		return 8;
	return caps[(off - 0x40) / 20][(off - 0x40) % 20 / 4 - 1];
}

bool pci_bar(const struct pci_dev *d, unsigned i, struct pci_bar *bar)
{
	*bar = i == 0 ? (struct pci_bar){true, 0xc000, 64}
		      : (struct pci_bar){false, MEMORY, sizeof(memory)};
	return i == 4 || i == 0;
}

void pci_enable(const struct pci_dev *d, uint16_t what)
{
	card.enabled = what;
}

int pci_irq(const struct pci_dev *d, const char *name, void (*fn)(void *arg), void *arg)
{
	if (d->irq == PCI_NOIRQ)
		return -ENOTSUP;
	handler = fn;
	handler_arg = arg;
	return 0;
}

/* Asked of the registers, as a device does: the size may be less than the card offered. */
static uint16_t queue_size(void)
{
	uint16_t n;

	memcpy(&n, memory + 24, 2);
	return n;
}

uint8_t *card_part(unsigned which)
{
	uint32_t at;

	memcpy(&at, memory + 32 + 8 * which, 4);
	return p2v(at);
}

int card_take(void)
{
	uint16_t *avail = (void *)card_part(1);

	return avail[1] == seen ? -1 : avail[2 + seen++ % queue_size()];
}

void card_interrupt(void)
{
	memory[0x1000] = 1;
	handler(handler_arg);
}

void card_push(uint32_t id, uint32_t len)
{
	uint8_t *u = card_part(2);

	memcpy(u + 4 + done % queue_size() * 8, &id, 4);
	memcpy(u + 8 + done % queue_size() * 8, &len, 4);
	done++;
	memcpy(u + 2, &done, 2);
	card_interrupt();
}

static struct desc *descriptor(unsigned i)
{
	return (struct desc *)(void *)card_part(0) + i;
}

size_t card_request(unsigned head, uint8_t *to)
{
	struct desc *d = descriptor(head);
	size_t n = 0;

	for (; !(d->flags & 2); d = descriptor(d->next)) {
		memcpy(to + n, p2v((uint32_t)d->addr), d->len);
		n += d->len;
		assert_true(d->flags & 1);
	}
	return n;
}

void card_answer(unsigned head, const char *from, uint32_t n)
{
	struct desc *d = descriptor(head);
	uint32_t at = 0, part_size;

	for (; at < n; d = descriptor(d->next)) {
		if (!(d->flags & 2))
			continue;
		part_size = n - at < d->len ? n - at : d->len;
		memcpy(p2v((uint32_t)d->addr), from + at, part_size);
		at += part_size;
	}
	card_push(head, n);
}

uint8_t card_status(void)
{
	return memory[20];
}

uint32_t card_accepted(unsigned word)
{
	uint32_t v;

	assert_int_equal(memory[8], word);
	memcpy(&v, memory + 12, 4);
	return v;
}

/* A card that is stuck has a status whatever is written there. */
static void relax(void)
{
	if (card.stuck)
		memory[20] = 1;
}

void card_plug(uint16_t device, uint8_t irq)
{
	card.pci = (struct pci_dev){.vendor = 0x1af4, .device = device, .irq = irq};
	fake_relax = relax;
	memset(memory, 0, sizeof(memory));
	memory[0x2000] = 4;
	memcpy(memory + 0x2002, "host", 4);
	memcpy(memory + 24, &card.size, 2);
	memcpy(memory + 4, "\x31", 1);
}
