/*
 * QEMU's virt machine with one 64-bit RISC-V processor. The clock is the CLINT's, which
 * interrupts machine mode; files are written by semihosting.
 */
#include "tests/port/host.h"

#define MTIMECMP ((volatile uint64_t *)0x2004000)
#define MTIME ((volatile uint64_t *)0x200bff8)
#define MTIME_HZ 10000000

/* QEMU ends when this is written there. */
#define FINISHER ((volatile uint32_t *)0x100000)
#define PASS 0x5555
#define FAIL 0x13333

/* Semihosting calls. */
#define SYS_OPEN 1
#define SYS_CLOSE 2
#define SYS_WRITE 5
#define WRITE_BINARY 5 /* as fopen()'s "wb" */

extern char stack[];

void clock_interrupt(const struct clock_frame *f);
void cpu_main(void);
long semihost(long what, const void *arguments);

unsigned machine_cpu(void)
{
	return 0;
}

uintptr_t machine_stack(unsigned cpu)
{
	return (uintptr_t)stack + cpu * STACK;
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
		*FINISHER = FAIL;
}

void clock_interrupt(const struct clock_frame *f)
{
	*MTIMECMP += period(MTIME_HZ / HZ);
	profile_tick(f);
}

bool machine_start(void)
{
	*MTIMECMP = *MTIME + MTIME_HZ / HZ;
	return true;
}

void machine_wait(void)
{
}

void cpu_main(void)
{
	*FINISHER = run() ? PASS : FAIL;
}
