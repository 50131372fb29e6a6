/* What both hosts for PCs have: serial ports, of which QEMU makes files, and a way to end. */
#ifndef PORT_X86_H
#define PORT_X86_H

#include "tests/port/host.h"

#define EXIT_PORT 0xf4	  /* QEMU's isa-debug-exit: its status will be 2 * value + 1 */
#define SERIAL_STATUS 5	  /* register, and its bit: a byte may be written */
#define SERIAL_READY 0x20

static inline void out(uint16_t port, uint8_t value)
{
	asm volatile("outb %0, %1" ::"a"(value), "Nd"(port));
}

static inline uint8_t in(uint16_t port)
{
	uint8_t value;

	asm volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
	return value;
}

static inline void serial_write(uint16_t port, const uint8_t *data, size_t n)
{
	while (n-- > 0) {
		while (!(in(port + SERIAL_STATUS) & SERIAL_READY))
			;
		out(port, *data++);
	}
}

static const uint16_t serial_port[] = {[KPDATA] = 0x3f8, [GMON] = 0x2f8, [KPSTACK] = 0x3e8};

#endif
