/* Starting the other processors, one after the other, by INIT-SIPI-SIPI. */
#include "boot/ap.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/lapic.h"
#include "kernel/cmdline.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/smp.h"
#include "kernel/trap.h"

#define AP_PAGE 0x8000u /* of trampoline.asm, below 1 MB; nothing else uses it */
#define INIT_US 10000 /* what a processor may take to be reset */
#define AP_WAIT_NS 2000000000u /* long, for a busy emulator; a processor needs under 20 ms */

extern const uint8_t ap_trampoline[], ap_trampoline_end[];
void ap_main(int id) __attribute__((no_instrument_function, noreturn));

/* trampoline.asm reads these two, for the processor that is being started. */
uint8_t *ap_stack; /* its highest address */
int ap_id;
static bool up[MAXCPU];	    /* atomic; it has its own struct cpu */
static volatile bool ready; /* the system clock runs: they may join in */

/* Bring up a new processor, on its own stack; trampoline.asm calls this. */
void ap_main(int id)
{
	cpu_init(id);
	trap_load();
	kvm_use();
	lapic_start();
	proc_init(ap_stack - KSTACK_PAGES * PAGE);
	cpu_protect();
	__atomic_store_n(&up[id], true, __ATOMIC_RELEASE);
	for (irq_off(); !ready; irq_off())
		cpu_halt(); /* until ap_join(); a loop would take turns from the others */
	irq_on();
	clock_join(NULL);
	sched_loop();
}

/* Start the processor with this local APIC id, as number id; false if it does not answer. */
static bool start(int id, uint32_t apic)
{
	uint8_t *stack = cpu_prepare(id) ? kstack_alloc(account_self()) : NULL;

	if (!stack)
		return false;
	ap_stack = stack + KSTACK_PAGES * PAGE;
	ap_id = id;
	lapic_start_cpu(apic, AP_PAGE);
	for (uint64_t end = time_ns() + AP_WAIT_NS; time_ns() < end;) {
		if (__atomic_load_n(&up[id], __ATOMIC_ACQUIRE))
			return true;
		cpu_relax();
	}
	return false;
}

/* Start as many of the processors that ACPI lists as the command line allows. */
void ap_start(void)
{
	uint32_t most = MAXCPU;
	char word[8];

	if (cmdline_get("cpus", word, sizeof(word)) && (!parse_uint(word, &most) || most == 0))
		printk("cpus: \"%s\" is no number of processors\n", word);
	memcpy(p2v(AP_PAGE), ap_trampoline, (size_t)(ap_trampoline_end - ap_trampoline));
	for (unsigned i = 0; i < acpi->ncpu; i++)
		if (acpi->apic_id[i] != cpu_self()->lapic)
			lapic_hold_cpu(acpi->apic_id[i]);
	if (acpi->ncpu > 1)
		lapic_delay(INIT_US);
	for (unsigned i = 0; i < acpi->ncpu && (uint32_t)ncpu < most && ncpu < MAXCPU; i++) {
		uint32_t apic = acpi->apic_id[i];
		if (apic == cpu_self()->lapic)
			continue;
		if (start(ncpu, apic)) {
			ncpu++;
			continue;
		}
		lapic_hold_cpu(apic); /* or it might start later, on another's stack */
		printk("cpu%d: local APIC id %u does not answer and is left out\n", ncpu, apic);
	}
	if (ncpu > 1)
		printk("smp: %d processors\n", ncpu);
}

/* Let the processors that were started begin to work. */
void ap_join(void)
{
	ready = true;
	for (int i = 1; i < ncpu; i++)
		smp_kick((unsigned)i);
}
