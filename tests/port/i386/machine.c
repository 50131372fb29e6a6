/*
 * A PC with one processor in 32-bit mode. Its clock is the 8254, which interrupts by the 8259: code
 * that runs with interrupts off holds the tick off, and it counts for what turns them on again.
 */
#include "tests/port/x86.h"

#define CLOCK_VECTOR 32
#define PIT_HZ 1193182

/* A table of the processor's, as lgdt and lidt want it. */
struct table {
	uint16_t limit;
	const void *at;
} __attribute__((packed));

static struct {
	uint16_t low, selector, type, high;
} idt[CLOCK_VECTOR + 1];
static const uint64_t gdt[] = {0, 0x00cf9a000000ffff, 0x00cf92000000ffff};

extern char stack_top[];

void clock_entry(void);
void clock_interrupt(const struct clock_frame *f);
void cpu_main(void);

unsigned machine_cpu(void)
{
	return 0;
}

uintptr_t machine_stack(unsigned cpu)
{
	(void)cpu;
	return (uintptr_t)stack_top;
}

void machine_write(enum file file, const void *data, size_t n)
{
	serial_write(serial_port[file], data, n);
}

/* Have the next tick come after a while (8254 data sheet, mode 0). */
static void arm(void)
{
	uint32_t count = period(PIT_HZ / HZ);

	out(0x43, 0x30);
	out(0x40, count & 0xff);
	out(0x40, (uint8_t)(count >> 8));
}

void clock_interrupt(const struct clock_frame *f)
{
	arm();
	profile_tick(f);
	out(0x20, 0x20);
}

/* Write the same register of both interrupt controllers. */
static void pic(uint16_t port, uint8_t first, uint8_t second)
{
	out(0x20 + port, first);
	out(0xa0 + port, second);
}

/* Segments, and of all interrupts only the clock's. */
bool machine_start(void)
{
	struct table g = {sizeof(gdt) - 1, gdt}, i = {sizeof(idt) - 1, idt};
	uint32_t entry = (uint32_t)clock_entry;

	asm volatile("lgdt %0\n\t"
		     "ljmp $8, $1f\n"
		     "1:\tmov %1, %%ds\n\t"
		     "mov %1, %%es\n\t"
		     "mov %1, %%ss" ::"m"(g), "r"(16));
	idt[CLOCK_VECTOR].low = (uint16_t)entry;
	idt[CLOCK_VECTOR].selector = 8;
	idt[CLOCK_VECTOR].type = 0x8e00;
	idt[CLOCK_VECTOR].high = (uint16_t)(entry >> 16);
	asm volatile("lidt %0" ::"m"(i));
	pic(0, 0x11, 0x11);
	pic(1, CLOCK_VECTOR, CLOCK_VECTOR + 8);
	pic(1, 4, 2);
	pic(1, 1, 1);
	pic(1, 0xfe, 0xff);
	arm();
	asm volatile("sti");
	return true;
}

void machine_wait(void)
{
}

/* Status 1 of QEMU says that all went well. */
void cpu_main(void)
{
	out(EXIT_PORT, run() ? 0 : 1);
}
