/*
 * QEMU's virt machine with one AArch64 processor. The clock is the processor's virtual timer, which
 * interrupts by FIQ: the kernel masks IRQs alone. Files are written by semihosting.
 */
#include "tests/port/host.h"

/* The interrupt controller, a GICv2: its distributor and its CPU's interface. */
#define GICD(reg) (*(volatile uint32_t *)(0x8000000 + (reg)))
#define GICC(reg) (*(volatile uint32_t *)(0x8010000 + (reg)))
#define GICD_CTLR 0x000
#define GICD_ISENABLER 0x100
#define GICC_CTLR 0x000
#define GICC_PMR 0x004
#define GICC_IAR 0x00c
#define GICC_EOIR 0x010
#define GROUP0 1
#define GROUP0_BY_FIQ 8
#define TIMER 27 /* its interrupt */

/* Semihosting calls. */
#define SYS_OPEN 1
#define SYS_WRITE 5
#define SYS_EXIT 0x18
#define WRITE_BINARY 5 /* as fopen()'s "wb" */
#define EXITED 0x20026 /* a reason to exit: with a status */

extern char stack[];

void clock_interrupt(const struct clock_frame *f);
void cpu_main(void);
void stop(unsigned status);
long semihost(long what, const void *arguments);

unsigned machine_cpu(void)
{
	return 0;
}

uintptr_t machine_stack(unsigned cpu)
{
	return (uintptr_t)stack + cpu * STACK;
}

void stop(unsigned status)
{
	const uintptr_t exit[] = {EXITED, status};

	semihost(SYS_EXIT, exit);
}

/* The file is opened at the first write; QEMU closes it when it ends. */
void machine_write(enum file file, const void *data, size_t n)
{
	static const struct {
		const char *name;
		size_t length;
	} names[] = {
		[KPDATA] = {"kpdata", 6},
		[GMON] = {"gmon.out", 8},
		[KPSTACK] = {"kpstack", 7},
	};
	static long handle[3]; /* one more than semihosting's; 0: not open */

	if (!handle[file]) {
		const uintptr_t open[] = {(uintptr_t)names[file].name, WRITE_BINARY,
					  names[file].length};

		handle[file] = semihost(SYS_OPEN, open) + 1;
	}
	const uintptr_t write[] = {(uintptr_t)(handle[file] - 1), (uintptr_t)data, n};

	if (semihost(SYS_WRITE, write) != 0)
		stop(1);
}

/* Have the next tick come after a while. */
static void arm(void)
{
	uint64_t hz;

	asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	asm volatile("msr cntv_tval_el0, %0" ::"r"((uint64_t)period((uint32_t)hz / HZ)));
}

void clock_interrupt(const struct clock_frame *f)
{
	uint32_t interrupt = GICC(GICC_IAR);

	arm();
	profile_tick(f);
	GICC(GICC_EOIR) = interrupt;
}

bool machine_start(void)
{
	GICD(GICD_ISENABLER) = 1u << TIMER;
	GICD(GICD_CTLR) = GROUP0;
	GICC(GICC_PMR) = 0xff;
	GICC(GICC_CTLR) = GROUP0 | GROUP0_BY_FIQ;
	arm();
	asm volatile("msr cntv_ctl_el0, %0\n\tmsr daifclr, 1" ::"r"(1ul));
	return true;
}

void machine_wait(void)
{
}

void cpu_main(void)
{
	stop(run() ? 0 : 1);
}
