/*
 * The order in which the kernel's parts start: this CPU, memory, hardware, clocks,
 * files, and the first process.
 */
#include "boot/ap.h"
#include "boot/console.h"
#include "boot/cpio.h"
#include "boot/devtab.h"
#include "boot/memory.h"
#include "drivers/bus/acpi.h"
#include "drivers/bus/pci.h"
#include "drivers/clock/ioapic.h"
#include "drivers/clock/lapic.h"
#include "drivers/clock/pit.h"
#include "drivers/clock/rtc.h"
#include "drivers/clock/tsc.h"
#include "drivers/clock/turns.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/paging.h"
#include "kernel/machine/smp.h"
#include "kernel/machine/string.h"
#include "kernel/machine/time.h"
#include "kernel/process/fault.h"
#include "kernel/process/init.h"
#include "kernel/process/proc.h"
#include "kernel/prof/profilers.h"
#include "kernel/sched/call.h"
#include "kernel/sched/idle.h"

/* Switch the power off; under test tell QEMU's exit device whether all went well. */
static void power_off(int status)
{
	char port[16];
	uint8_t code = 0x10;
	uint32_t n;

	if (status)
		code = 1;
	if (cmdline_get("exitport", port, sizeof(port)) && parse_uint(port, &n))
		outb((uint16_t)n, code);
	acpi_power_off();
	printk("the power can be switched off now\n");
}

/* Take the timer that the command line names, if it names one. */
static void clocks_choose(const struct timer **t, const char **why)
{
	char source[8];

	if (!cmdline_get("profclock", source, sizeof(source)))
		return;
	if (strcmp(source, "pit") == 0) {
		*t = &pit_timer;
	} else if (strcmp(source, "lapic") == 0) {
		*t = &lapic_timer;
	} else {
		printk("profclock: no source \"%s\": pit or lapic\n", source);
		return;
	}
	*why = "as the command line says";
}

/*
 * Choose the profiling clock's timer: each CPU's own if a trial shows that it can interrupt by
 * NMI, or else the PIT, whose ticks are passed on. profclock=lapic or pit overrides that. The
 * system clock has the CPUs' own timers whenever the profiling clock does not use them.
 */
static void clocks_init(void)
{
	const struct timer *t = &pit_timer;
	const char *why = "the lapic cannot deliver by NMI";

	turns_init();
	if (lapic_timer.deliver(VEC_NMI) == 0) {
		t = &lapic_timer;
		why = "each CPU's own";
	}
	clocks_choose(&t, &why);
	clock_start(turns_timer(&lapic_timer), &pit_timer);
	profilers_clock(turns_timer(t), why);
}

/* Start what belongs to the machine; the other processors wait until ap_join(). */
static void hardware_init(void)
{
	acpi_init(memory_acpi());
	lapic_init();
	ioapic_init();
	irqchip = &apic_chip;
	pci_init();
	smp_init();
	call_init();
	time_init(tsc_hz(), rtc_time());
	ap_start();
	profilers_init();
	console_start();
}

/* Unpack each of the boot loader's modules into the root. */
static void root_init(void)
{
	struct module m;

	if (!memory_module(0, &m))
		lacking("no initrd: give one with QEMU's -initrd, or as a module in grub.cfg");
	for (unsigned i = 0; memory_module(i, &m); i++) {
		int err = cpio_unpack(m.data, m.size);
		if (err)
			printk("initrd: module %u (%s): damaged, error %d\n", i, m.name, -err);
	}
}

void kmain(uint32_t magic, uint32_t info) __attribute__((no_instrument_function, noreturn));

/* Start the kernel: info is the physical address of what the boot loader left. */
void kmain(uint32_t magic, uint32_t info)
{
	const char *colon = ": ";
	char id[9];

	cpu_init(0);
	trap_init();
	fault_init();
	trap_load();
	console_early();
	machine_off_hook = power_off;
	memory_init(magic, info);
	if (!*cmdline())
		colon = "";
	printk("gnomon " GNOMON_VERSION ", build %s%s%s\n", build_id(id, 8), colon, cmdline());
	memory_print();
	cpu_protect();
	proc_init(boot_stack + PAGE);
	console_screen(memory_screen());
	hardware_init();
	clocks_init();
	ap_join();
	dev_table(devtab, devtab_count);
	root_init();
	start_init("/rc/init");
	irq_on();
	sched_loop();
}
