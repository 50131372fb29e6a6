/* A virtio-9p card in hosted tests, and the memory that it reaches. */
#ifndef TESTS_DRIVERS_VIRTIOCARD_H
#define TESTS_DRIVERS_VIRTIOCARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "drivers/bus/pci.h"

/* What the card is, how it behaves, and what was done to it. */
extern struct card {
	struct pci_dev pci;
	bool legacy;	  /* it has the legacy form only */
	bool stuck;	  /* never comes out of reset */
	uint16_t size;	  /* of its queue */
	uint16_t enabled; /* bits of PCI_ */
	unsigned held;	  /* idle_hold() and not released */
	unsigned allocs_left;
} card;

/* Make it ready to be found, with the mount tag "host". */
void card_plug(uint16_t device, uint8_t irq);

uint8_t card_status(void);
/* The features that the driver accepted, of the word that it chose last. */
uint32_t card_accepted(unsigned word);

/* The next request's first descriptor; -1: there is none. */
int card_take(void);
/* The bytes of a request, which may lie apart. */
size_t card_request(unsigned head, uint8_t *to);
/* Write an answer of n bytes where it belongs, and be done with the request. */
void card_answer(unsigned head, const char *from, uint32_t n);
/* The card says that it is done with the chain, and interrupts. */
void card_push(uint32_t id, uint32_t len);
void card_interrupt(void);
uint8_t *card_part(unsigned which); /* of the queue: descriptors, available ring, used ring */

#endif
