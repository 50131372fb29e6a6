/*
 * The I/O APIC (82093AA data sheet) and the 8259 pair (8259A data sheet).
 *
 * The 8259s stay masked. Their vectors are moved away from those of exceptions all the same,
 * because a masked 8259 can still cause a spurious interrupt.
 */
#include "drivers/clock/ioapic.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/lapic.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/spin.h"
#include "kernel/memory/kvm.h"

/* The two registers through which the others are reached: byte offsets. */
#define SELECT 0x00
#define WINDOW 0x10

#define REG_VERSION 1
#define REG_ROUTE(pin) (0x10 + 2 * (pin)) /* low half; the high half is the next */

#define ROUTE_NMI 0x00400u
#define ROUTE_LOW 0x02000u
#define ROUTE_LEVEL 0x08000u
#define ROUTE_MASKED 0x10000u

#define PIC1 0x20
#define PIC2 0xa0
#define PIC_VECTOR 0x20 /* and the seven after it; the second's follow */

static struct spinlock lock = {.name = "ioapic"}; /* the select register */
static volatile uint32_t *regs;			  /* constant after ioapic_init */
static unsigned npin; /* constant after ioapic_init */
static uint32_t level_irqs; /* bit n: PCI cards are at ISA interrupt n; set at boot */

static void ioapic_write(unsigned reg, uint32_t v)
{
	regs[SELECT / 4] = reg;
	regs[WINDOW / 4] = v;
}

/* Give the 8259s harmless vectors and mask all their inputs (ICW1-4, OCW1). */
static void ioapic_mask_pics(void)
{
	static const struct {
		uint8_t port, v;
	} words[] = {
		{PIC1, 0x11}, {PIC1 + 1, PIC_VECTOR}, {PIC1 + 1, 4}, {PIC1 + 1, 1},
		{PIC2, 0x11}, {PIC2 + 1, PIC_VECTOR + 8}, {PIC2 + 1, 2}, {PIC2 + 1, 1},
		{PIC1 + 1, 0xff}, {PIC2 + 1, 0xff},
	};

	for (unsigned i = 0; i < nelem(words); i++)
		outb(words[i].port, words[i].v);
}

void ioapic_init(void)
{
	ioapic_mask_pics();
	regs = map_device(acpi->ioapic, 0x20);
	regs[SELECT / 4] = REG_VERSION;
	uint32_t version = regs[WINDOW / 4];
	if (version == 0 || version == UINT32_MAX) /* no device answers */
		lacking("no I/O APIC at 0x%x: neither clocks nor devices can interrupt",
			acpi->ioapic);
	npin = (version >> 16 & 0xff) + 1;
	for (unsigned pin = 0; pin < npin; pin++)
		ioapic_write(REG_ROUTE(pin), ROUTE_MASKED);
	printk("ioapic0: %u pins at 0x%x\n", npin, acpi->ioapic);
}

/*
 * Return polarity and trigger. Those of an ISA interrupt are in the firmware's tables. PCI's are
 * active low and level-triggered, but one that PCI's router brings to an ISA interrupt has the
 * polarity of that one.
 */
static uint32_t ioapic_signal(unsigned irq)
{
	uint32_t signal = 0;

	if (irq >= NISA)
		return ROUTE_LOW | ROUTE_LEVEL;
	if (acpi->isa[irq].low)
		signal |= ROUTE_LOW;
	if (acpi->isa[irq].level || (level_irqs >> irq & 1))
		signal |= ROUTE_LEVEL;
	return signal;
}

void ioapic_level(unsigned irq)
{
	if (irq < NISA)
		level_irqs |= 1u << irq;
}

int ioapic_route(unsigned irq, unsigned vector)
{
	unsigned gsi = irq;
	uint32_t low = ioapic_signal(irq);

	if (irq < NISA)
		gsi = acpi->isa[irq].gsi;
	unsigned pin = gsi - acpi->ioapic_gsi; /* that irq arrives at */
	if (pin >= npin)
		return -ENOTSUP;
	if (vector == VEC_NMI)
		low = (low | ROUTE_NMI) & ~ROUTE_LEVEL; /* NMI must be an edge */
	else
		low |= vector;
	HOLD_SPIN(&lock);
	ioapic_write(REG_ROUTE(pin), ROUTE_MASKED);
	ioapic_write(REG_ROUTE(pin) + 1, cpus[0]->lapic << 24);
	ioapic_write(REG_ROUTE(pin), low);
	return 0;
}

/* Let a device's interrupt through to CPU 0: for irqchip. */
static void ioapic_enable(unsigned irq, unsigned vector)
{
	if (ioapic_route(irq, vector) != 0)
		printk("ioapic0: irq %u has no pin\n", irq);
}

const struct irqchip apic_chip = {
	.enable = ioapic_enable, .eoi = lapic_eoi, .ipi = lapic_ipi, .ipi_others = lapic_ipi_others,
};
