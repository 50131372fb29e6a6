/*
 * PCI by configuration mechanism 1 (PCI specification 3.0, 3.2.2.3.2): two ports, an
 * address and a window. Addresses and interrupt lines are as the firmware left them.
 */
#include "drivers/bus/pci.h"
#include "drivers/clock/ioapic.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/spin.h"

#define ADDRESS 0xcf8
#define WINDOW 0xcfc
#define ENABLE 0x80000000u

/* Registers of configuration space (6.1, 6.2). */
#define VENDOR 0x00
#define DEVICE 0x02
#define COMMAND 0x04
#define STATUS 0x06
#define CLASS 0x0a
#define HEADER 0x0e
#define BAR 0x10
#define SECONDARY 0x19 /* of a bridge: the bus on its far side */
#define CAPABILITIES 0x34
#define LINE 0x3c
#define PIN 0x3d

#define STATUS_CAPABILITIES 0x10
#define HEADER_MANY 0x80 /* the slot has functions besides 0 */
#define HEADER_KIND 0x7f
#define KIND_CARD 0
#define KIND_BRIDGE 1

#define BAR_IO 1u
#define BAR_KIND 6u
#define BAR_64 4u

#define NPCI 32

static struct spinlock lock = {.name = "pci"}; /* guards the address port */
static struct pci_dev found[NPCI];	       /* constant after pci_init */
static unsigned nfound;			       /* constant after pci_init */

/* Point the window at the register, and return its port. The caller holds the lock. */
static uint16_t pci_window(const struct pci_dev *d, uint8_t off)
{
	outl(ADDRESS, ENABLE | (uint32_t)d->bus << 16 | (uint32_t)d->slot << 11 |
			      (uint32_t)d->fn << 8 | (off & 0xfc));
	return WINDOW + (off & 3);
}

uint32_t pci_read32(const struct pci_dev *d, uint8_t off)
{
	HOLD_SPIN(&lock);
	return inl(pci_window(d, off & 0xfc)); /* all four bytes, for the two below */
}

uint16_t pci_read16(const struct pci_dev *d, uint8_t off)
{
	return (uint16_t)(pci_read32(d, off) >> 8 * (off & 2));
}

uint8_t pci_read8(const struct pci_dev *d, uint8_t off)
{
	return (uint8_t)(pci_read32(d, off) >> 8 * (off & 3));
}

static void pci_write16(const struct pci_dev *d, uint8_t off, uint16_t v)
{
	HOLD_SPIN(&lock);
	outw(pci_window(d, off), v);
}

static void pci_write32(const struct pci_dev *d, uint8_t off, uint32_t v)
{
	HOLD_SPIN(&lock);
	outl(pci_window(d, off), v);
}

/* Note the function, if there is one, and return its header. *last grows to a bridge's far side. */
static uint8_t pci_scan_function(struct pci_dev d, unsigned *last)
{
	d.vendor = pci_read16(&d, VENDOR);
	if (d.vendor == 0xffff)
		return 0;
	d.device = pci_read16(&d, DEVICE);
	d.class = pci_read16(&d, CLASS);
	d.irq = pci_read8(&d, LINE);
	if (!in_range(d.irq, 1, NIRQ) || pci_read8(&d, PIN) == 0)
		d.irq = PCI_NOIRQ; /* the firmware has not connected it, or it has no pin */
	uint8_t header = pci_read8(&d, HEADER);
	if (nfound < NPCI)
		found[nfound++] = d;
	else
		printk("pci: %04x:%04x is one too many\n", d.vendor, d.device);
	uint8_t behind = pci_read8(&d, SECONDARY);
	if ((header & HEADER_KIND) == KIND_BRIDGE && behind > *last)
		*last = behind;
	return header;
}

/* Scan all buses: that on the far side of a bridge has a higher number than the near one. */
static void pci_scan(void)
{
	unsigned last = 0;

	for (unsigned bus = 0; bus <= last; bus++) {
		for (uint8_t slot = 0; slot < 32; slot++) {
			struct pci_dev d = {.bus = (uint8_t)bus, .slot = slot};

			if (!(pci_scan_function(d, &last) & HEADER_MANY))
				continue;
			for (d.fn = 1; d.fn < 8; d.fn++)
				pci_scan_function(d, &last);
		}
	}
}

void pci_init(void)
{
	nfound = 0;
	outl(ADDRESS, ENABLE);
	/* Where the machine has mechanism 1, the address port keeps what is written. */
	if (inl(ADDRESS) == ENABLE)
		pci_scan();
	printk("pci: %u functions\n", nfound);
}

const struct pci_dev *pci_next(const struct pci_dev *after)
{
	const struct pci_dev *d = after ? after + 1 : found;

	return d == found + nfound ? NULL : d;
}

/* Return the bits of an address register that can be written: ones from the size on up. */
static uint32_t pci_writable(const struct pci_dev *d, uint8_t off)
{
	uint16_t command = pci_read16(d, COMMAND);
	uint32_t was = pci_read32(d, off), bits;

	pci_write16(d, COMMAND, command & ~(PCI_IO | PCI_MEMORY));
	pci_write32(d, off, ~0u);
	bits = pci_read32(d, off);
	pci_write32(d, off, was);
	pci_write16(d, COMMAND, command);
	return bits;
}

/* Return whether address register i, whose value is v, leads to memory above 4 GB. */
static bool pci_too_high(const struct pci_dev *d, unsigned i, uint32_t v)
{
	if ((v & (BAR_IO | BAR_KIND)) != BAR_64)
		return false;
	return i == 5 || pci_read32(d, (uint8_t)(BAR + 4 * (i + 1))) != 0; /* the upper half */
}

bool pci_bar(const struct pci_dev *d, unsigned i, struct pci_bar *bar)
{
	uint8_t off = (uint8_t)(BAR + 4 * i);
	uint32_t v = pci_read32(d, off), mask;

	if (i >= 6 || (pci_read8(d, HEADER) & HEADER_KIND) != KIND_CARD)
		return false;
	if (pci_too_high(d, i, v))
		return false;
	bar->io = v & BAR_IO;
	mask = bar->io ? 0xfffc : ~15u;
	bar->base = v & mask;
	mask &= pci_writable(d, off);
	bar->size = mask & -mask;
	return bar->base != 0 && bar->size != 0;
}

uint8_t pci_capability(const struct pci_dev *d, uint8_t id, uint8_t after)
{
	uint8_t at = after ? after + 1 : CAPABILITIES;
	unsigned left = 48; /* as many as fit, so that a circular list ends too */

	if (!(pci_read16(d, STATUS) & STATUS_CAPABILITIES))
		return 0;
	while ((at = pci_read8(d, at) & 0xfc) >= 0x40 && left-- > 0) {
		if (pci_read8(d, at) == id)
			return at;
		at++;
	}
	return 0;
}

void pci_enable(const struct pci_dev *d, uint16_t what)
{
	const uint16_t all = PCI_IO | PCI_MEMORY | PCI_MASTER;

	pci_write16(d, COMMAND, (pci_read16(d, COMMAND) & ~all) | what);
}

int pci_irq(const struct pci_dev *d, const char *name, void (*fn)(void *arg), void *arg)
{
	if (d->irq == PCI_NOIRQ)
		return -ENOTSUP;
	ioapic_level(d->irq);
	irq_register(d->irq, name, fn, arg);
	return 0;
}
