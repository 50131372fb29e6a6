/* PCI: which cards there are, their registers, memory and interrupts (PCI specification 3.0). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A function of a card, as found at boot. */
struct pci_dev {
	uint8_t bus, slot, fn;
	uint16_t vendor, device;
	uint16_t class;		/* class << 8 | subclass */
	uint8_t irq;		/* the line that the firmware chose; PCI_NOIRQ: none */
};

#define PCI_NOIRQ 0xff

/* A card's window, in ports or in memory. */
struct pci_bar {
	bool io;
	uint32_t base, size; /* the first port, or physical address; bytes */
};

/* Find the cards on all buses, and print how many. Once, after irqchip is set. */
void pci_init(void);

/* Return the function that follows `after`, or the first if that is NULL. NULL: no more. */
const struct pci_dev *pci_next(const struct pci_dev *after);

/* Read a configuration register; off is a multiple of the width. Not in NMI handlers. */
uint8_t pci_read8(const struct pci_dev *d, uint8_t off);
uint16_t pci_read16(const struct pci_dev *d, uint8_t off);
uint32_t pci_read32(const struct pci_dev *d, uint8_t off);

/*
 * Read base address register i, 0 to 5. Return false if there is none, or if it is out of reach,
 * such as memory above 4 GB. The card does not answer for a moment, so call this before
 * pci_enable(). Map memory with map_device().
 */
bool pci_bar(const struct pci_dev *d, unsigned i, struct pci_bar *bar);

/*
 * Return the offset in configuration space of the next capability with that id after offset
 * `after`, or of the first if that is 0; 0 if there is none.
 */
uint8_t pci_capability(const struct pci_dev *d, uint8_t id, uint8_t after);

/*
 * Set which of these things the card may do: answer at ports, answer in memory, and access
 * memory by itself.
 */
#define PCI_IO 1
#define PCI_MEMORY 2
#define PCI_MASTER 4
void pci_enable(const struct pci_dev *d, uint16_t what);

/*
 * Have fn(arg) called at every interrupt on the card's line, with interrupts on. Other cards
 * may share the line, so fn asks its card first, and makes it release the line.
 * Return 0, or -ENOTSUP if the card has no line.
 */
int pci_irq(const struct pci_dev *d, const char *name, void (*fn)(void *arg), void *arg);
