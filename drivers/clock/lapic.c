/* The local APIC. Sections are of the Intel SDM, volume 3A. */
#include "drivers/clock/lapic.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/tsc.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/trap.h"
#include "kernel/memory/kvm.h"

/* Registers: byte offsets (10.4.1). */
#define ID 0x020
#define TPR 0x080
#define EOI 0x0b0
#define SVR 0x0f0
#define IRR 0x200 /* 32 vectors each 16 bytes */
#define ESR 0x280
#define ICR 0x300
#define ICR_DEST 0x310
#define LVT_TIMER 0x320
#define LVT_LINT0 0x350
#define LVT_LINT1 0x360
#define LVT_ERROR 0x370
#define TIMER_INIT 0x380
#define TIMER_NOW 0x390
#define TIMER_DIVIDE 0x3e0

#define SVR_ENABLE 0x100u
#define LVT_MASKED 0x10000u
#define LVT_LOW 0x2000u
#define LVT_LEVEL 0x8000u
#define MODE_NMI 0x400u /* delivery mode, in the LVT and the ICR */
#define MODE_INIT 0x500u
#define MODE_STARTUP 0x600u
#define ICR_PENDING 0x1000u
#define ICR_ASSERT 0x4000u
#define ICR_OTHERS 0xc0000u
#define DIVIDE_BY_1 0xbu

#define MSR_APIC_BASE 0x1bu
#define APIC_BASE_ENABLE 0x800u

#define CYCLES_SHIFT 24 /* timer counts are TSC cycles * cycles_mult >> CYCLES_SHIFT */

static volatile uint32_t *regs; /* constant after lapic_init, as is the factor */
static uint32_t cycles_mult;

static uint32_t lapic_read(unsigned reg)
{
	return regs[reg / 4];
}

static void lapic_write(unsigned reg, uint32_t v)
{
	regs[reg / 4] = v;
}

void lapic_eoi(void)
{
	lapic_write(EOI, 0);
}

/* Return how the LVT and the ICR ask for an interrupt by that vector, or by NMI for VEC_NMI. */
UNSEEN static inline uint32_t lapic_mode(unsigned vector)
{
	if (vector == VEC_NMI)
		return MODE_NMI;
	return vector;
}

UNSEEN static void lapic_wait_sent(void)
{
	while (lapic_read(ICR) & ICR_PENDING)
		cpu_relax();
}

/* Send one interprocessor message. An NMI in between may send too, but leaves the address. */
static void lapic_send(uint32_t id, uint32_t command)
{
	uint32_t flags = irq_save();

	lapic_wait_sent();
	lapic_write(ICR_DEST, id << 24);
	lapic_write(ICR, command);
	lapic_wait_sent();
	irq_restore(flags);
}

void lapic_ipi(unsigned cpu, unsigned vector)
{
	lapic_send(cpus[cpu]->lapic, ICR_ASSERT | vector);
}

/*
 * Send one message to all. It needs no address, so an NMI's handler may do this even if the NMI
 * interrupted lapic_send(). The profiling clock's tick calls it, so it is not instrumented.
 */
UNSEEN void lapic_ipi_others(unsigned vector)
{
	uint32_t command = lapic_mode(vector), flags = irq_save();

	lapic_wait_sent();
	lapic_write(ICR, ICR_ASSERT | ICR_OTHERS | command);
	lapic_wait_sent();
	irq_restore(flags);
}

/* There is no pause in the loop: under QEMU's -icount each would be a turn of every other CPU. */
void lapic_delay(uint32_t us)
{
	uint64_t end = rdtsc() + tsc_hz() / 1000000 * us;

	while (rdtsc() < end)
		;
}

void lapic_hold_cpu(uint32_t id)
{
	lapic_send(id, ICR_ASSERT | MODE_INIT);
}

void lapic_start_cpu(uint32_t id, uint32_t pa)
{
	lapic_send(id, ICR_ASSERT | MODE_STARTUP | pa / PAGE);
	lapic_delay(200);
	lapic_send(id, ICR_ASSERT | MODE_STARTUP | pa / PAGE);
}

/* The pin for NMIs interrupts as the firmware's tables say. */
void lapic_start(void)
{
	uint32_t lint[] = {LVT_MASKED, LVT_MASKED}, nmi = MODE_NMI;

	if (acpi->nmi_low)
		nmi |= LVT_LOW;
	if (acpi->nmi_level)
		nmi |= LVT_LEVEL;
	if (acpi->nmi_lint >= 0)
		lint[acpi->nmi_lint] = nmi;
	lapic_write(SVR, SVR_ENABLE | VEC_SPURIOUS);
	lapic_write(LVT_TIMER, LVT_MASKED);
	lapic_write(LVT_LINT0, lint[0]);
	lapic_write(LVT_LINT1, lint[1]);
	lapic_write(LVT_ERROR, LVT_MASKED);
	lapic_write(TIMER_DIVIDE, DIVIDE_BY_1);
	lapic_write(TPR, 0);
	lapic_write(EOI, 0); /* whatever the firmware left open */
	cpu_self()->lapic = lapic_read(ID) >> 24;
}

/* Return how much this CPU's timer has counted. */
static uint32_t lapic_count(void)
{
	return UINT32_MAX - lapic_read(TIMER_NOW);
}

void lapic_init(void)
{
	wrmsr(MSR_APIC_BASE, rdmsr(MSR_APIC_BASE) | APIC_BASE_ENABLE);
	regs = map_device(acpi->lapic, PAGE);
	lapic_start();
	lapic_write(TIMER_INIT, UINT32_MAX);
	uint64_t hz = tsc_calibrate(lapic_count);
	lapic_write(TIMER_INIT, 0);
	cycles_mult = (uint32_t)((hz << CYCLES_SHIFT) / tsc_hz());
	printk("lapic: id %u at 0x%x, timer %u.%03u MHz\n", cpu_self()->lapic, acpi->lapic,
	       (uint32_t)(hz / 1000000), (uint32_t)(hz / 1000 % 1000));
}

UNSEEN static void lapic_arm(uint32_t cycles)
{
	/* One more than cycles come to: never early, and never 0, which stops the timer. */
	lapic_write(TIMER_INIT, (uint32_t)((uint64_t)cycles * cycles_mult >> CYCLES_SHIFT) + 1);
}

UNSEEN static void lapic_disarm(void)
{
	lapic_write(TIMER_INIT, 0);
}

static volatile bool nmi_came;

static void lapic_note_nmi(struct trapframe *)
{
	nmi_came = true;
}

/*
 * A busy host may make an emulator's timers late by any time, but does not change their order: when
 * the other timer has interrupted, whose shot is longer, the NMI has come or never will.
 */
bool lapic_try_nmi(const struct timer *other)
{
	trap_set(VEC_NMI, lapic_note_nmi);
	lapic_write(LVT_TIMER, MODE_NMI);
	other->deliver(VEC_PROF);
	uint64_t end = rdtsc() + tsc_hz(); /* for a machine where that does not interrupt */
	lapic_arm((uint32_t)(tsc_hz() / 100000));
	other->arm((uint32_t)(tsc_hz() / 10000));
	while (!nmi_came && rdtsc() < end) {
		if (lapic_read(IRR + VEC_PROF / 32 * 0x10) >> VEC_PROF % 32 & 1)
			end = 0; /* it is pending: it came by vector */
		cpu_relax(); /* lets an emulator interrupt */
	}
	other->disarm();
	lapic_disarm();
	lapic_write(LVT_TIMER, LVT_MASKED);
	lapic_write(ESR, 0); /* where it does not work it may count as a bad vector */
	return nmi_came;
}

/* Choose how this CPU's timer interrupts from now on; not while it is armed. */
static int lapic_deliver(unsigned vector)
{
	if (vector == VEC_NMI && !nmi_came)
		return -ENOTSUP;
	lapic_write(LVT_TIMER, lapic_mode(vector));
	return 0;
}

const struct timer lapic_timer = {
	.name = "lapic", .max_ns = 1000000000, .percpu = true, .arm = lapic_arm,
	.disarm = lapic_disarm, .deliver = lapic_deliver,
};
