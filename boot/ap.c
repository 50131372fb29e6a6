/* Starting the other processors, one after the other, by INIT-SIPI-SIPI. */
#include "boot/ap.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/lapic.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/smp.h"
#include "kernel/machine/time.h"
#include "kernel/machine/trap.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/kvm.h"
#include "kernel/process/proc.h"
#include "kernel/sched/idle.h"
#include "kernel/sched/kstack.h"

#define AP_PAGE 0x8000u /* of trampoline.asm, below 1 MB; nothing else uses it */
#define INIT_US 10000 /* what a processor may take to be reset */
#define AP_WAIT_NS 2000000000u /* as long as a busy emulator may take; a processor needs 20 ms */

extern const uint8_t ap_trampoline[], ap_trampoline_end[];
void ap_main(unsigned id) __attribute__((no_instrument_function, noreturn));

/* trampoline.asm reads these two, for the processor that is being started. */
uint8_t *ap_stack; /* its highest address */
unsigned ap_id;
static bool up[MAXCPU];	    /* atomic; it has its own struct cpu */
static volatile bool ready; /* the system clock runs: they may join in */

/* Bring up a new processor, on its own stack; trampoline.asm calls this. */
void ap_main(unsigned id)
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

/* Make the data of a processor, unless there are some, and its stack; NULL: no memory. */
static uint8_t *ap_prepare(unsigned id)
{
	if (!cpus[id])
		cpus[id] = kzalloc(cpu_size);
	if (!cpus[id])
		return NULL;
	return kstack_alloc(proc_self()->payer);
}

/* Start the processor with this local APIC id, as number id. Return whether it answers. */
static bool ap_start_one(unsigned id, uint32_t apic)
{
	uint8_t *stack = ap_prepare(id);

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

/* Return how many processors there may be, by the command line and by what the kernel can do. */
static uint32_t ap_most(void)
{
	uint32_t most = MAXCPU;
	char word[8];

	if (!cmdline_get("cpus", word, sizeof(word)))
		return MAXCPU;
	if (!parse_uint(word, &most) || most == 0)
		printk("cpus: \"%s\" is no number of processors\n", word);
	return min_size(most, MAXCPU);
}

/* Start as many of the processors that ACPI lists as the command line allows. */
void ap_start(void)
{
	uint32_t most = ap_most();

	memcpy(p2v(AP_PAGE), ap_trampoline, (size_t)(ap_trampoline_end - ap_trampoline));
	for (unsigned i = 0; i < acpi->ncpu; i++)
		if (acpi->apic_id[i] != cpu_self()->lapic)
			lapic_hold_cpu(acpi->apic_id[i]);
	if (acpi->ncpu > 1)
		lapic_delay(INIT_US);
	for (unsigned i = 0; i < acpi->ncpu && ncpu < most; i++) {
		uint32_t apic = acpi->apic_id[i];
		if (apic == cpu_self()->lapic)
			continue;
		if (ap_start_one(ncpu, apic)) {
			ncpu++;
			continue;
		}
		lapic_hold_cpu(apic); /* or it might start later, on another's stack */
		printk("cpu%u: local APIC id %u does not answer and is left out\n", ncpu, apic);
	}
	if (ncpu > 1)
		printk("smp: %u processors\n", ncpu);
}

/* Let the processors that were started begin to work. */
void ap_join(void)
{
	ready = true;
	for (unsigned i = 1; i < ncpu; i++)
		smp_kick(i);
}
