/* What kernel.c and port.c offer each other. */
#ifndef PORT_KERNEL_H
#define PORT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HZ 1000

/* Serial ports. QEMU makes a file of each. */
enum serial { KPDATA = 0x3f8, GMON = 0x2f8, KPSTACK = 0x3e8 };

/* What clock_entry pushes, below what the processor did. */
struct clock_frame {
	uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
	uint32_t eip, cs, eflags;
};

void serial_write(enum serial port, const void *data, size_t n);
void clock_tick(const struct clock_frame *f);

bool profile_start(void);
bool profile_write(void);

#endif
