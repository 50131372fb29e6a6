/*
 * An x86-64 PC with two processors, each with its local APIC's timer, which interrupts by NMI:
 * code that runs with interrupts off, as all does here, is profiled as well. (The manuals call
 * that mode of the timer reserved; QEMU has it. prof/README.md tells of the way by the I/O APIC.)
 */
#include "tests/port/x86.h"

#define NMI 2
#define CODE 24 /* selectors, by start.asm */
#define GATE 0x8e00 /* an interrupt gate of the kernel's */

#define APIC 0xfee00000u
#define SPURIOUS 0x0f0 /* registers (SDM 3A, 11.4.1) */
#define ICR 0x300
#define ICR_DEST 0x310
#define TIMER 0x320
#define TIMER_INIT 0x380
#define TIMER_DIVIDE 0x3e0

#define ENABLE 0x100
#define TIMER_NMI 0x400 /* one tick */
#define MASKED 0x10000
#define DIVIDE_BY_1 0xb
#define TIMER_HZ 1000000000 /* QEMU's */
#define INIT 0x4500
#define STARTUP 0x4600
#define AP_PAGE 8 /* where CPU 1 begins: page 8 of memory */

#define MSR_GS_BASE 0xc0000101
#define STACK 16384

/* A table of the processor's, as lidt wants it. */
struct table {
	uint16_t limit;
	const void *at;
} __attribute__((packed));

static struct {
	uint16_t low, selector, type, middle;
	uint32_t high, zero;
} idt[NMI + 1];

static struct cpu cpus[CPUS];
static bool done[CPUS];

extern char stacks[], ap_begin[], ap_end[];

void clock_entry(void);
void clock_interrupt(const struct clock_frame *f);
void cpu_main(unsigned cpu);

static void apic(unsigned reg, uint32_t value)
{
	*(volatile uint32_t *)(uintptr_t)(APIC + reg) = value;
}

unsigned machine_cpu(void)
{
	uint64_t id;

	asm("movq %%gs:%c1, %0" : "=r"(id) : "i"(offsetof(struct cpu, id)));
	return (unsigned)id;
}

uintptr_t machine_stack(unsigned cpu)
{
	return (uintptr_t)stacks + (cpu + 1) * STACK;
}

void machine_write(enum file file, const void *data, size_t n)
{
	serial_write(serial_port[file], data, n);
}

void clock_interrupt(const struct clock_frame *f)
{
	apic(TIMER_INIT, period(TIMER_HZ / HZ));
	profile_tick(f);
}

/* The vector comes first: no NMI may come before it. */
static void ticks_begin(void)
{
	struct table i = {sizeof(idt) - 1, idt};

	asm volatile("lidt %0" ::"m"(i));
	apic(SPURIOUS, ENABLE | 0xff);
	apic(TIMER_DIVIDE, DIVIDE_BY_1);
	apic(TIMER, TIMER_NMI);
	apic(TIMER_INIT, period(TIMER_HZ / HZ));
}

static void wait(unsigned turns)
{
	while (turns-- > 0)
		asm volatile("pause");
}

bool machine_start(void)
{
	uintptr_t entry = (uintptr_t)clock_entry;
	volatile char *page = (char *)(uintptr_t)(AP_PAGE * 4096);
	ptrdiff_t i;

	idt[NMI].low = (uint16_t)entry;
	idt[NMI].selector = CODE;
	idt[NMI].type = GATE;
	idt[NMI].middle = (uint16_t)(entry >> 16);
	idt[NMI].high = (uint32_t)(entry >> 32);
	ticks_begin();
	for (i = 0; i < ap_end - ap_begin; i++)
		page[i] = ap_begin[i];
	apic(ICR_DEST, 1 << 24);
	apic(ICR, INIT);
	wait(100000);
	apic(ICR, STARTUP | AP_PAGE);
	return true;
}

void machine_wait(void)
{
	while (!__atomic_load_n(&done[1], __ATOMIC_ACQUIRE))
		asm volatile("pause");
}

/* Where each CPU comes to. Status 1 of QEMU says that all went well. */
void cpu_main(unsigned cpu)
{
	uint64_t at = (uintptr_t)&cpus[cpu];

	cpus[cpu] = (struct cpu){cpu, &prof_entry[cpu]};
	asm volatile("wrmsr" ::"c"(MSR_GS_BASE), "a"((uint32_t)at), "d"((uint32_t)(at >> 32)));
	if (cpu == 0)
		out(EXIT_PORT, run() ? 0 : 1);
	ticks_begin();
	work();
	apic(TIMER, MASKED);
	__atomic_store_n(&done[cpu], true, __ATOMIC_RELEASE);
	for (;;)
		asm volatile("hlt");
}
