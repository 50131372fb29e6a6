/* A kernel with a clock, serial ports, and work whose profile is known. */
#include "kernel.h"

#define WORK __attribute__((noinline)) static

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
static volatile uint32_t sum;

void clock_entry(void);
void clock_interrupt(const struct clock_frame *f);
void kmain(void);

static void out(uint16_t port, uint8_t value)
{
	asm volatile("outb %0, %1" ::"a"(value), "Nd"(port));
}

static uint8_t in(uint16_t port)
{
	uint8_t value;

	asm volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
	return value;
}

void serial_write(enum serial port, const void *data, size_t n)
{
	const uint8_t *byte = data;

	while (n-- > 0) {
		while (!(in(port + 5) & 0x20))
			;
		out(port, *byte++);
	}
}

void clock_interrupt(const struct clock_frame *f)
{
	clock_tick(f);
	out(0x20, 0x20);
}

/* Write the same register of both interrupt controllers. */
static void pic(uint16_t port, uint8_t first, uint8_t second)
{
	out(0x20 + port, first);
	out(0xa0 + port, second);
}

/* Segments, and of all interrupts only the clock's. */
static void machine_init(void)
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
	out(0x43, 0x34);
	out(0x40, PIT_HZ / HZ & 0xff);
	out(0x40, PIT_HZ / HZ >> 8);
	asm volatile("sti");
}

WORK void light(void)
{
	uint32_t n;

	for (n = 0; n < 1000; n++)
		sum += n;
}

/* Takes three times as long. */
WORK void heavy(void)
{
	uint32_t n;

	for (n = 0; n < 3000; n++)
		sum += n;
}

WORK void both(void)
{
	light();
	heavy();
	sum++;
}

/* Calls itself so often, and light() at the end. */
WORK void deep(uint32_t times)
{
	if (times > 0)
		deep(times - 1);
	else
		light();
	sum++;
}

/* QEMU ends with status 1 if all went well, else 3. */
void kmain(void)
{
	uint32_t i;
	bool good;

	machine_init();
	good = profile_start();
	for (i = 0; i < 5000; i++)
		both();
	for (i = 0; i < 1000; i++)
		deep(3);
	good = good && profile_write();
	out(0xf4, good ? 0 : 1);
}
