/*
 * The order in which the kernel's parts start: this CPU, memory, hardware, clocks,
 * files, and the first process.
 */
#include "boot/ap.h"
#include "boot/clocks.h"
#include "boot/console.h"
#include "boot/cpio.h"
#include "boot/devtab.h"
#include "boot/memory.h"
#include "drivers/bus/acpi.h"
#include "drivers/bus/pci.h"
#include "drivers/clock/ioapic.h"
#include "drivers/clock/lapic.h"
#include "drivers/clock/rtc.h"
#include "drivers/clock/tsc.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/paging.h"
#include "kernel/machine/smp.h"
#include "kernel/machine/string.h"
#include "kernel/machine/time.h"
#include "kernel/memory/kvm.h"
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
	kvm_show(time_page());
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
	start_init();
	irq_on();
	sched_loop();
}
