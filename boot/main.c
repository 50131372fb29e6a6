/*
 * The order in which the kernel's parts start: this CPU, memory, hardware, clocks,
 * files, and the first process.
 */
#include "boot/ap.h"
#include "boot/cpio.h"
#include "boot/console.h"
#include "boot/devtab.h"
#include "boot/memory.h"
#include "drivers/bus/acpi.h"
#include "drivers/bus/pci.h"
#include "drivers/clock/ioapic.h"
#include "drivers/clock/lapic.h"
#include "drivers/clock/pit.h"
#include "drivers/clock/rtc.h"
#include "drivers/clock/tsc.h"
#include "kernel/cmdline.h"
#include "kernel/dev.h"
#include "kernel/image.h"
#include "kernel/lib.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/prof/userprof.h"
#include "kernel/smp.h"
#include "kernel/trap.h"

/* Switch the power off; under test tell QEMU's exit device whether all went well. */
static void power_off(int status)
{
	char port[16];
	uint32_t n;

	if (cmdline_get("exitport", port, sizeof(port)) && parse_uint(port, &n))
		outb((uint16_t)n, status ? 1 : 0x10);
	acpi_power_off();
	printk("the power can be switched off now\n");
}

/*
 * Choose the profiling clock's timer: each CPU's own if a trial shows that it can interrupt by
 * NMI, or else the PIT, whose ticks are passed on. profclock=lapic or pit overrides that. The
 * system clock has the CPUs' timers whenever the profiling clock has not.
 */
static void clocks_init(void)
{
	bool each = lapic_timer.deliver(VEC_NMI) == 0;
	const char *why = each ? "each CPU's own" : "the lapic cannot deliver by NMI";
	char source[8];

	if (cmdline_get("profclock", source, sizeof(source))) {
		bool pit = strcmp(source, "pit") == 0;
		if (pit || strcmp(source, "lapic") == 0) {
			each = !pit;
			why = "as the command line says";
		} else {
			printk("profclock: no source \"%s\": pit or lapic\n", source);
		}
	}
	clock_start(&lapic_timer, &pit_timer);
	profilers_clock(each ? &lapic_timer : &pit_timer, why);
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
	time_init(tsc_hz(), rtc_time());
	ap_start();
	userprof_init();
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
	char id[9];

	cpu_init(0);
	trap_init();
	trap_load();
	console_early();
	machine_off_hook = power_off;
	memory_init(magic, info);
	printk("gnomon " GNOMON_VERSION ", build %s%s%s\n", build_id(id, 8), *cmdline() ? ": " : "",
	       cmdline());
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
