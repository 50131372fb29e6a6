/* What the firmware's ACPI tables say (ACPI specification 6.4, chapter 5), and power-off. */
#pragma once

#include "kernel/machine/cpu.h"

#define NISA 16

/* Where an ISA interrupt arrives. */
struct acpi_isa {
	uint32_t gsi; /* global interrupt number: the pin of I/O APIC 0 */
	bool low, level; /* active low, level-triggered */
};

/* The contents of the tables; a plain PC's values where they say nothing. */
struct acpi {
	bool madt;		     /* there was one */
	uint32_t lapic;		     /* physical address of the local APICs */
	unsigned ncpu;		     /* usable CPUs, at most MAXCPU, in the firmware's order */
	uint8_t apic_id[MAXCPU];     /* local APIC ids */
	uint32_t ioapic, ioapic_gsi; /* physical address; number of its first pin */
	struct acpi_isa isa[NISA];
	int nmi_lint;		     /* the local APIC's pin for NMIs, 0 or 1; -1: none */
	bool nmi_low, nmi_level;     /* that pin is active low, level-triggered */
	uint16_t pm1a, pm1b;	     /* ports of the power control registers; 0: none */
	uint16_t pm_timer;	     /* port of the 24-bit timer; 0: none */
	uint32_t hpet;		     /* physical address of the event timers; 0: none */
	uint16_t smi_cmd;	     /* port; 0: always in ACPI mode */
	uint8_t acpi_enable;	     /* what to write there for ACPI mode */
	bool has_s5;		     /* the next field is known */
	uint8_t slp_typ[2];	     /* what to write to pm1a and pm1b */
	uint8_t century;	     /* CMOS register of the century; 0: none */
};

extern const struct acpi *const acpi;

/*
 * Read and print the tables. root is a copy of the root pointer; NULL: look for it where a BIOS
 * has it. Once, before ioapic_init and lapic_init.
 */
void acpi_init(const uint8_t *root);

/* Turn the power off (S5). Return only if that is impossible or failed. */
void acpi_power_off(void);
