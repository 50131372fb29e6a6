/* PCI: which cards there are, their registers, memory and interrupts (PCI specification 3.0). */
#ifndef DRIVERS_BUS_PCI_H
#define DRIVERS_BUS_PCI_H

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

/* A window of a card's, in ports or in memory. */
struct pci_bar {
	bool io;
	uint32_t base, size; /* the first port, or physical address; bytes */
};

/* Find what there is, on all buses; prints how much. Once, after irqchip is set. */
void pci_init(void);

/* The function behind after, or the first one for NULL; NULL: no more. */
const struct pci_dev *pci_next(const struct pci_dev *after);

/* Configuration registers; off is a multiple of the width. Interrupt handlers may, NMIs not. */
uint8_t pci_read8(const struct pci_dev *d, uint8_t off);
uint16_t pci_read16(const struct pci_dev *d, uint8_t off);
uint32_t pci_read32(const struct pci_dev *d, uint8_t off);

/*
 * Base address register i of 0 to 5: whether it is there and what it decodes is within
 * reach, which a 64-bit one's memory above 4 GB is not. The card is deaf for a moment, so
 * this comes before pci_enable. Memory is to be mapped with map_device().
 */
bool pci_bar(const struct pci_dev *d, unsigned i, struct pci_bar *bar);

/*
 * The offset of the next capability of that kind in configuration space behind offset after
 * (0: of all); 0 when there is none.
 */
uint8_t pci_capability(const struct pci_dev *d, uint8_t id, uint8_t after);

/*
 * Let the card do that, and nothing else of it: answer at ports, in memory, and reach memory
 * by itself.
 */
#define PCI_IO 1
#define PCI_MEMORY 2
#define PCI_MASTER 4
void pci_enable(const struct pci_dev *d, uint16_t what);

/*
 * From now on fn(arg) is called at every interrupt on the card's line, with interrupts on;
 * other cards may share it, so fn asks its card first, and makes it let go of the line.
 * -ENOTSUP: the card has no line.
 */
int pci_irq(const struct pci_dev *d, const char *name, void (*fn)(void *arg), void *arg);

#endif
