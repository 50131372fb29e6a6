/*
 * A PC with one processor in 32-bit mode, whose memory is mapped up to memory_end. Its clock is the
 * 8254, which interrupts by the 8259: code that runs with interrupts off holds the tick off, and it
 * counts for what turns them on again.
 */
#include "tests/port/x86.h"

#define CLOCK_VECTOR 32
#define CALL_VECTOR 0x80 /* the program's */
#define GATE 0x8e00	 /* an interrupt gate of the kernel's */
#define GATE_PROGRAM 0xee00
#define TASK 40		 /* its selector */
#define PAGE_BIG 0x87	 /* present, writable, the program's, of 4 MB */
#define CR4_PSE 0x10
#define CR0_PG 0x80000000
#define PIT_HZ 1193182

/* A table of the processor's, as lgdt and lidt want it. */
struct table {
	uint16_t limit;
	const void *at;
} __attribute__((packed));

static struct {
	uint16_t low, selector, type, high;
} idt[CALL_VECTOR + 1];

/* The kernel's code and data, the program's, and the task, whose stack its calls find. */
static uint64_t gdt[] = {0, 0x00cf9a000000ffff, 0x00cf92000000ffff,
			 0x00cff2000000ffff, 0x00cffa000000ffff, 0x0000890000000067};
uint32_t task[26] = {[2] = 16};
static uint32_t pages[1024] __attribute__((aligned(4096)));

extern char stack[], memory_end[];

void clock_entry(void);
void program_entry(void);
void clock_interrupt(const struct clock_frame *f);
void cpu_main(void);

unsigned machine_cpu(void)
{
	return 0;
}

uintptr_t machine_stack(unsigned cpu)
{
	(void)cpu;
	return (uintptr_t)stack;
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

static void set_gate(unsigned vector, void (*entry)(void), unsigned type)
{
	uint32_t at = (uint32_t)entry;

	idt[vector].low = (uint16_t)at;
	idt[vector].selector = 8;
	idt[vector].type = (uint16_t)type;
	idt[vector].high = (uint16_t)(at >> 16);
}

/* Pages as memory is, and none beyond. */
static void map(void)
{
	for (uint32_t i = 0; i << 22 < (uint32_t)memory_end; i++)
		pages[i] = i << 22 | PAGE_BIG;
	asm volatile("mov %0, %%cr4" ::"r"(CR4_PSE));
	asm volatile("mov %0, %%cr3" ::"r"(pages));
	asm volatile("mov %%cr0, %%eax\n\tor %0, %%eax\n\tmov %%eax, %%cr0" ::"i"(CR0_PG) : "eax");
}

/* Segments, and of all interrupts the clock's and the program's. */
bool machine_start(void)
{
	struct table g = {sizeof(gdt) - 1, gdt}, i = {sizeof(idt) - 1, idt};

	map();
	gdt[TASK / 8] |= (uint64_t)((uint32_t)task & 0xffffff) << 16;
	asm volatile("lgdt %0\n\t"
		     "ljmp $8, $1f\n"
		     "1:\tmov %1, %%ds\n\t"
		     "mov %1, %%es\n\t"
		     "mov %1, %%ss\n\t"
		     "ltr %w2" ::"m"(g), "r"(16), "r"(TASK));
	set_gate(CLOCK_VECTOR, clock_entry, GATE);
	set_gate(CALL_VECTOR, program_entry, GATE_PROGRAM);
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
