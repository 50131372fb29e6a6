/*
 * An x86-64 PC with two processors, each with its local APIC's timer, which interrupts by NMI:
 * code that runs with interrupts off, as all does here, is profiled as well. (The manuals call
 * that mode of the timer reserved; QEMU has it. prof/README.md tells of the way by the I/O APIC.)
 */
#include "tests/port/x86.h"

#define NMI 2
#define CODE 24 /* selectors, by start.asm */
#define CALL 0x80	  /* the program's interrupt */
#define GATE 0x8e00	  /* an interrupt gate of the kernel's */
#define GATE_PROGRAM 0xee00 /* and one that the program may use */
#define GATE_OWN_STACK 1  /* the first of the task's own stacks */

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
#define MSR_KERNEL_GS_BASE 0xc0000102
#define TASKS 48	    /* selector of the first processor's; the next is 16 further */
#define TASK_TYPE 0x8900
#define TICK_STACK 4096

/* A table of the processor's, as lidt wants it. */
struct table {
	uint16_t limit;
	const void *at;
} __attribute__((packed));

static struct {
	uint16_t low, selector, type, middle;
	uint32_t high, zero;
} idt[CALL + 1];

/* A processor's task: the stack for what comes from the program, and the one for ticks. */
static struct {
	uint32_t unused;
	uint64_t stack, other[3], tick;
	uint8_t rest[60];
} __attribute__((packed)) tasks[CPUS];

static struct cpu cpus[CPUS];
static bool done[CPUS];

extern char stacks[], ap_begin[], ap_end[];
extern struct cpu *tick_stacks[CPUS][TICK_STACK / sizeof(struct cpu *)];
extern uint32_t gdt_tasks[CPUS][4];

void clock_entry(void);
void program_entry(void);
void program_lead(uintptr_t sp);
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
	return (uintptr_t)stacks + cpu * STACK;
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

static void set_gate(unsigned vector, void (*entry)(void), unsigned type)
{
	uintptr_t at = (uintptr_t)entry;

	idt[vector].low = (uint16_t)at;
	idt[vector].selector = CODE;
	idt[vector].type = (uint16_t)type;
	idt[vector].middle = (uint16_t)(at >> 16);
	idt[vector].high = (uint32_t)(at >> 32);
}

static void set_register(uint32_t msr, uint64_t value)
{
	asm volatile("wrmsr" ::"c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)));
}

/* Give the processor its task, and the ticks' stack its last word. */
static void set_task(unsigned cpu)
{
	uint64_t at = (uintptr_t)&tasks[cpu];

	tick_stacks[cpu][TICK_STACK / sizeof(struct cpu *) - 1] = &cpus[cpu];
	tasks[cpu].tick = (uintptr_t)&tick_stacks[cpu][TICK_STACK / sizeof(struct cpu *) - 2];
	gdt_tasks[cpu][0] = (uint32_t)(at << 16 | (sizeof(tasks[cpu]) - 1));
	gdt_tasks[cpu][1] = (uint32_t)((at & 0xff000000) | TASK_TYPE | (at >> 16 & 0xff));
	gdt_tasks[cpu][2] = (uint32_t)(at >> 32);
	asm volatile("ltr %0" ::"r"((uint16_t)(TASKS + 16 * cpu)));
}

/* Calls of the program's find that stack, and what belongs to this processor. */
void program_lead(uintptr_t sp)
{
	tasks[0].stack = sp;
	set_register(MSR_KERNEL_GS_BASE, (uintptr_t)&cpus[0]);
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
	volatile char *page = (char *)(uintptr_t)(AP_PAGE * 4096);
	ptrdiff_t i;

	set_gate(NMI, clock_entry, GATE | GATE_OWN_STACK);
	set_gate(CALL, program_entry, GATE_PROGRAM);
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
	cpus[cpu] = (struct cpu){cpu, &prof_entry[cpu]};
	set_register(MSR_GS_BASE, (uintptr_t)&cpus[cpu]);
	set_task(cpu);
	if (cpu == 0)
		out(EXIT_PORT, run() ? 0 : 1);
	ticks_begin();
	work();
	apic(TIMER, MASKED);
	__atomic_store_n(&done[cpu], true, __ATOMIC_RELEASE);
	for (;;)
		asm volatile("hlt");
}
