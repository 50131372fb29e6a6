/*
 * ACPI tables. Sections are those of the ACPI specification, version 6.4.
 *
 * Fields are read byte by byte at their documented offsets, because tables are not aligned. A field
 * that lies after the end of its table reads as 0.
 */
#include "drivers/bus/acpi.h"
#include "drivers/bus/le.h"
#include "kernel/machine/string.h"
#include "kernel/memory/kvm.h"

#define HEADER 36u		 /* bytes of every table's header (5.2.6) */
#define TABLE_MAX (4u << 20)	 /* bytes; longer tables are taken for garbage */
#define DIRECT_END 0x38000000u	 /* physical memory below is always mapped */
#define SLP_EN 0x2000u		 /* PM1 control (4.8.3.2.1) */
#define SCI_EN 0x0001u

static struct acpi found;
const struct acpi *const acpi = &found;

/* Return a table's field of so many bytes, 0 when the table ends before it. */
static uint64_t acpi_field(const uint8_t *t, size_t n, size_t off, unsigned bytes)
{
	return off + bytes > n ? 0 : le_get(t + off, bytes);
}

/* Map n bytes of physical memory. */
static const uint8_t *acpi_map(uint32_t pa, size_t n)
{
	if (pa < DIRECT_END && n <= DIRECT_END - pa)
		return p2v(pa);
	return map_device(pa, n);
}

static bool acpi_sum_is_zero(const uint8_t *p, size_t n)
{
	uint8_t sum = 0;

	while (n-- > 0)
		sum += *p++;
	return sum == 0;
}

/* Find the table at an address, and its length; NULL when it is damaged, or beyond 4 GB. */
static const uint8_t *acpi_table(uint64_t at, size_t *n)
{
	uint32_t pa = (uint32_t)at;

	if (at == 0 || at > UINT32_MAX - TABLE_MAX)
		return NULL;
	const uint8_t *t = acpi_map(pa, HEADER);
	*n = le_get32(t + 4);
	if (*n < HEADER || *n > TABLE_MAX) {
		printk("acpi: a table at 0x%x has a bad length\n", pa);
		return NULL;
	}
	t = acpi_map(pa, *n);
	if (acpi_sum_is_zero(t, *n))
		return t;
	printk("acpi: table %c%c%c%c has a bad checksum\n", t[0], t[1], t[2], t[3]);
	return NULL;
}

/* Find the root pointer between two physical addresses (5.2.5.1), or NULL. */
static const uint8_t *acpi_find_root(uint32_t start, uint32_t end)
{
	const uint8_t *p, *last = acpi_map(start, end - start) + (end - start) - 20;

	for (p = acpi_map(start, end - start); p <= last; p += 16)
		if (memcmp(p, "RSD PTR ", 8) == 0 && acpi_sum_is_zero(p, 20))
			return p;
	return NULL;
}

/* Find the root pointer in the first kilobyte of the extended BIOS data area, or in the ROM. */
static const uint8_t *acpi_root(void)
{
	uint32_t ebda = (uint32_t)le_get16(acpi_map(0x40e, 2)) << 4;
	const uint8_t *p = NULL;

	if (ebda - 0x400 < 0xa0000 - 0x400)
		p = acpi_find_root(ebda, ebda + 1024);
	return p ? p : acpi_find_root(0xe0000, 0x100000);
}

/* Begin with what a plain PC has. */
static void acpi_defaults(struct acpi *a)
{
	*a = (struct acpi){.lapic = 0xfee00000, .ioapic = 0xfec00000, .nmi_lint = -1};
	for (unsigned i = 0; i < NISA; i++)
		a->isa[i].gsi = i;
	a->isa[0].gsi = 2;
}

/* Read interrupt flags (5.2.12.5); what they leave to the bus is ISA's: active high, edge. */
static void acpi_inti_flags(uint16_t flags, bool *low, bool *level)
{
	*low = (flags & 3) == 3;
	*level = (flags >> 2 & 3) == 3;
}

/* The entries that matter (5.2.12), and how long each must be. */
enum entry { CPU, IOAPIC, OVERRIDE, NMI = 4, LAPIC_ADDRESS };
static const uint8_t entry_size[] = {
	[CPU] = 8, [IOAPIC] = 12, [OVERRIDE] = 10, [NMI] = 6, [LAPIC_ADDRESS] = 12,
};

/* Note what an entry says. */
static void acpi_madt_entry(struct acpi *a, const uint8_t *e)
{
	if (e[0] >= nelem(entry_size) || e[1] < entry_size[e[0]])
		return;
	switch ((enum entry)e[0]) {
	case CPU: /* usable when enabled; those that are only "online capable" are left out */
		if ((e[4] & 1) && a->ncpu < MAXCPU)
			a->apic_id[a->ncpu++] = e[3];
		break;
	case IOAPIC: /* the one that has the ISA interrupts: whose pins start lowest */
		if (le_get32(e + 8) < a->ioapic_gsi) {
			a->ioapic = le_get32(e + 4);
			a->ioapic_gsi = le_get32(e + 8);
		}
		break;
	case OVERRIDE: /* an ISA interrupt is not where it would be on a plain PC */
		if (e[2] == 0 && e[3] < NISA) {
			a->isa[e[3]].gsi = le_get32(e + 4);
			acpi_inti_flags(le_get16(e + 8), &a->isa[e[3]].low, &a->isa[e[3]].level);
		}
		break;
	case NMI: /* the processors' pins are the same in every machine there is */
		a->nmi_lint = e[5] & 1;
		acpi_inti_flags(le_get16(e + 3), &a->nmi_low, &a->nmi_level);
		break;
	case LAPIC_ADDRESS:
		if (le_get32(e + 8) == 0)
			a->lapic = le_get32(e + 4);
	}
}

/* Return whether there is a whole entry at that offset. */
static bool acpi_madt_has(const uint8_t *t, size_t n, size_t at)
{
	if (at + 2 > n)
		return false;
	return t[at + 1] >= 2 && t[at + 1] <= n - at;
}

/*
 * Note what the table of interrupts says (5.2.12). This and the next three are given whole tables
 * with a good checksum, and change only the fields that these have values for.
 */
static void acpi_parse_madt(struct acpi *a, const uint8_t *t, size_t n)
{
	size_t at = 44;

	if (n < at)
		return;
	a->lapic = le_get32(t + 36);
	a->isa[0].gsi = 0; /* with a MADT, an interrupt that it does not mention keeps its number */
	a->ioapic_gsi = UINT32_MAX;
	a->madt = true;
	while (acpi_madt_has(t, n, at)) {
		acpi_madt_entry(a, t + at);
		at += t[at + 1];
	}
	if (at != n)
		printk("acpi: the MADT is damaged at offset %zu\n", at);
	if (a->ioapic_gsi == UINT32_MAX)
		a->ioapic_gsi = 0;
}

/* Note where the registers for power are, and the timer's (5.2.9). */
static void acpi_parse_fadt(struct acpi *a, const uint8_t *t, size_t n)
{
	a->smi_cmd = (uint16_t)acpi_field(t, n, 48, 4);
	a->acpi_enable = (uint8_t)acpi_field(t, n, 52, 1);
	a->pm1a = (uint16_t)acpi_field(t, n, 64, 4);
	a->pm1b = (uint16_t)acpi_field(t, n, 68, 4);
	a->pm_timer = (uint16_t)acpi_field(t, n, 76, 4);
	a->century = (uint8_t)acpi_field(t, n, 108, 1);
}

/* Take the address of the event timers' registers, in memory (IA-PC HPET 1.0a, 3.2.4). */
static void acpi_parse_hpet(struct acpi *a, const uint8_t *t, size_t n)
{
	if (acpi_field(t, n, 40, 1) == 0 && acpi_field(t, n, 48, 4) == 0) /* below 4 GB */
		a->hpet = (uint32_t)acpi_field(t, n, 44, 4);
}

/*
 * Read one small integer of byte code (20.2.3) at *at, which moves past it. ZeroOp and OneOp are
 * the number itself; BytePrefix and WordPrefix stand before it.
 */
static bool aml_integer(const uint8_t *aml, size_t n, size_t *at, uint8_t *out)
{
	uint8_t op = (uint8_t)acpi_field(aml, n, (*at)++, 1);

	switch (op) {
	case 0 ... 1: /* ZeroOp, OneOp */
		*out = op;
		break;
	case 0x0a ... 0x0b: /* BytePrefix, WordPrefix; of a word the upper half is not used */
		*out = (uint8_t)acpi_field(aml, n, *at, 1);
		*at += op - 0x09;
		break;
	default:
		return false;
	}
	return *at <= n;
}

/* Take the first two integers of the package that should follow the name _S5_ at aml. */
static bool aml_s5(struct acpi *a, const uint8_t *aml, size_t n)
{
	size_t at = 4;
	uint8_t typ[2] = {0, 0};

	if (acpi_field(aml, n, at++, 1) != 0x12) /* PackageOp */
		return false;
	at += 1 + (acpi_field(aml, n, at, 1) >> 6); /* PkgLength */
	if (acpi_field(aml, n, at++, 1) < 1) /* NumElements */
		return false;
	if (!aml_integer(aml, n, &at, &typ[0]))
		return false;
	aml_integer(aml, n, &at, &typ[1]);
	memcpy(a->slp_typ, typ, sizeof(typ));
	return a->has_s5 = true;
}

/* Return whether the name at aml[i] is defined there, with or without a backslash before it. */
static bool aml_defines(const uint8_t *aml, size_t i)
{
	if (i >= 2 && aml[i - 1] == '\\')
		i--;
	return aml[i - 1] == 0x08; /* NameOp */
}

/* Find \_S5's sleep types in a definition block's byte code. Return whether they are there. */
static bool acpi_parse_s5(struct acpi *a, const uint8_t *aml, size_t n)
{
	for (size_t i = 1; i + 4 <= n; i++) {
		if (memcmp(aml + i, "_S5_", 4) != 0)
			continue;
		if (!aml_defines(aml, i))
			continue; /* it is only referred to */
		if (aml_s5(a, aml + i, n - i))
			return true;
	}
	return false;
}

/* Read a table that the root table lists, if it is of a known kind. */
static void acpi_take_table(uint64_t at)
{
	size_t n, ndsdt;
	const uint8_t *t = acpi_table(at, &n);

	if (!t)
		return;
	if (memcmp(t, "APIC", 4) == 0) {
		acpi_parse_madt(&found, t, n);
	} else if (memcmp(t, "FACP", 4) == 0) {
		acpi_parse_fadt(&found, t, n);
		uint64_t dsdt_at = acpi_field(t, n, 40, 4);

		if (dsdt_at == 0)
			dsdt_at = acpi_field(t, n, 140, 8);
		const uint8_t *dsdt = acpi_table(dsdt_at, &ndsdt);
		if (dsdt)
			acpi_parse_s5(&found, dsdt + HEADER, ndsdt - HEADER);
	} else if (memcmp(t, "HPET", 4) == 0) {
		acpi_parse_hpet(&found, t, n);
	} else if (memcmp(t, "SSDT", 4) == 0 && !found.has_s5) {
		acpi_parse_s5(&found, t + HEADER, n - HEADER);
	}
}

/* Go through the root table, and return its name: the XSDT if it is whole, else the RSDT. */
static const char *acpi_take_root(const uint8_t *root)
{
	const uint8_t *t = NULL;
	const char *name = "XSDT";
	unsigned bytes = 8; /* of an address in it */
	size_t n;

	if (root[15] >= 2 && acpi_sum_is_zero(root, 36))
		t = acpi_table(le_get(root + 24, 8), &n);
	if (!t) {
		t = acpi_table(le_get32(root + 16), &n);
		name = "RSDT";
		bytes = 4;
	}
	if (!t)
		return "no root table";
	for (size_t at = HEADER; at + bytes <= n; at += bytes)
		acpi_take_table(le_get(t + at, bytes));
	return name;
}

void acpi_init(const uint8_t *root)
{
	const char *kind = "no tables";

	acpi_defaults(&found);
	if (!root)
		root = acpi_root();
	if (root)
		kind = acpi_take_root(root);
	if (found.ncpu == 0)
		found.ncpu = 1;
	const char *plural = found.ncpu > 1 ? "s" : "";
	const char *plain = found.madt ? "" : " (no MADT: a plain PC is assumed)";
	const char *off = found.has_s5 ? ", power-off" : "";
	printk("acpi: %s, %u cpu%s%s%s\n", kind, found.ncpu, plural, plain, off);
}

/* Leave legacy mode, in which the firmware owns the power registers (4.8.1.1). */
static void acpi_leave_legacy(void)
{
	if (found.smi_cmd == 0 || found.acpi_enable == 0 || inw(found.pm1a) & SCI_EN)
		return;
	outb(found.smi_cmd, found.acpi_enable);
	for (unsigned i = 0; i < 1000000; i++)
		if (inw(found.pm1a) & SCI_EN)
			break;
}

void acpi_power_off(void)
{
	if (!found.has_s5 || found.pm1a == 0)
		return;
	acpi_leave_legacy();
	outw(found.pm1a, (uint16_t)(found.slp_typ[0] << 10 | SLP_EN));
	if (found.pm1b != 0)
		outw(found.pm1b, (uint16_t)(found.slp_typ[1] << 10 | SLP_EN));
	for (unsigned i = 0; i < 1000000; i++)
		inw(found.pm1a);
}
