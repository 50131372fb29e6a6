/*
 * ACPI tables made here: whole ones, damaged ones, odd ones.
 * Links: tests/drivers/fakes.c
 */
#include "drivers/bus/acpi.c"
#include "tests/drivers/fakes.h"
#include "kernel/memory/kvm.h"

/* <stdlib.h> and kernel/machine/lib.h do not go together. */
void *malloc(size_t n);
void free(void *p);

#define RAM 0x200000u
static uint8_t ram[RAM];
static struct {
	uint16_t port;
	uint8_t v;
} wrote[4];
static unsigned nwrote;

uint64_t rdtsc(void)
{
	return 0;
}

void outb(uint16_t port, uint8_t v)
{
	if (nwrote < nelem(wrote)) {
		wrote[nwrote].port = port;
		wrote[nwrote].v = v;
	}
	nwrote++;
}

uint8_t inb(uint16_t port)
{
	return 1; /* ACPI mode is on */
}

void outw(uint16_t port, uint16_t v)
{
	outb(port, (uint8_t)v);
}

uint16_t inw(uint16_t port)
{
	return inb(port);
}

void *p2v(uint32_t pa)
{
	assert_true(pa < RAM);
	return ram + pa;
}

void *map_device(uint32_t pa, size_t n)
{
	fail_msg("map_device(0x%x, %zu)", pa, n);
	return NULL;
}

static void put32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
	p[2] = (uint8_t)(v >> 16);
	p[3] = (uint8_t)(v >> 24);
}

/* Make the n bytes at p add up to zero by means of the byte at `at`. */
static void seal(uint8_t *p, size_t n, size_t at)
{
	uint8_t sum = 0;
	size_t i;

	p[at] = 0;
	for (i = 0; i < n; i++)
		sum += p[i];
	p[at] = (uint8_t)-sum;
}

/* A table with that body at pa. */
static void put_table(uint32_t pa, const char *sig, const void *body, size_t n)
{
	uint8_t *t = ram + pa;

	memset(t, 0, 36);
	memcpy(t, sig, 4);
	put32(t + 4, (uint32_t)(36 + n));
	memcpy(t + 36, body, n);
	seal(t, 36 + n, 9);
}

static void put_rsdp(uint32_t pa, uint32_t rsdt)
{
	uint8_t *p = ram + pa;

	memset(p, 0, 36);
	memcpy(p, "RSD PTR ", 8);
	put32(p + 16, rsdt);
	seal(p, 20, 8);
}

static const uint8_t madt[] = {
	0x00, 0x00, 0xe0, 0xfe, 1, 0, 0, 0,	  /* local APICs at 0xfee00000; 8259s too */
	0, 8, 0, 0, 1, 0, 0, 0,			  /* CPU 0 */
	0, 8, 1, 4, 1, 0, 0, 0,			  /* CPU 1, APIC id 4 */
	0, 8, 2, 5, 0, 0, 0, 0,			  /* disabled */
	1, 12, 9, 0, 0, 0, 0xc1, 0xfe, 24, 0, 0, 0, /* a second I/O APIC */
	1, 12, 8, 0, 0, 0, 0xc0, 0xfe, 0, 0, 0, 0,  /* the first */
	2, 10, 0, 0, 2, 0, 0, 0, 0, 0,		  /* ISA 0 at pin 2 */
	2, 10, 0, 9, 20, 0, 0, 0, 0x0f, 0,	  /* ISA 9 at pin 20, low, level */
	2, 10, 0, 200, 1, 0, 0, 0, 0, 0,	  /* no ISA interrupt */
	99, 3, 0,				  /* something newer */
	4, 6, 0xff, 5, 0, 1,			  /* NMI at LINT1 */
};

static const uint8_t dsdt[] = {
	0x10, 0x05, '_', 'S', '5', '_',				  /* not a name's definition */
	0x08, '_', 'S', '4', '_', 0x12, 0x05, 2, 0x0a, 6, 0x0a, 6,
	0x08, '_', 'S', '5', '_', 0x12, 0x07, 4, 0x0a, 5, 1, 0, 0,
};

/* A FADT's body with the DSDT at 0x3000. */
static void put_fadt(uint32_t pa)
{
	uint8_t b[129 - 36] = {0};

	put32(b + 40 - 36, 0x3000);
	put32(b + 48 - 36, 0xb2);
	b[52 - 36] = 0xf1;
	put32(b + 64 - 36, 0x604);
	put32(b + 76 - 36, 0xb008);
	b[108 - 36] = 0x32;
	put_table(pa, "FACP", b, sizeof b);
}

/* A whole machine: pointer in the ROM, RSDT with FADT and MADT. */
static int whole(void **state)
{
	uint8_t list[8];

	memset(ram, 0, sizeof ram);
	put_rsdp(0xf5a00, 0x100000);
	put32(list, 0x1000);
	put32(list + 4, 0x2000);
	put_table(0x100000, "RSDT", list, sizeof list);
	put_table(0x1000, "APIC", madt, sizeof madt);
	put_fadt(0x2000);
	put_table(0x3000, "DSDT", dsdt, sizeof dsdt);
	fake_log[0] = 0;
	nwrote = 0;
	return 0;
}

static void finds_everything(void **state)
{
	acpi_init(NULL);
	assert_true(acpi->madt);
	assert_int_equal(acpi->lapic, 0xfee00000);
	assert_int_equal(acpi->ncpu, 2);
	assert_int_equal(acpi->apic_id[1], 4);
	assert_int_equal(acpi->ioapic, 0xfec00000);
	assert_int_equal(acpi->ioapic_gsi, 0);
	assert_int_equal(acpi->isa[0].gsi, 2);
	assert_int_equal(acpi->isa[1].gsi, 1);
	assert_int_equal(acpi->isa[9].gsi, 20);
	assert_true(acpi->isa[9].low && acpi->isa[9].level);
	assert_false(acpi->isa[0].low || acpi->isa[0].level);
	assert_int_equal(acpi->nmi_lint, 1);
	assert_true(acpi->nmi_low == false && acpi->nmi_level == false);
	assert_int_equal(acpi->pm1a, 0x604);
	assert_int_equal(acpi->century, 0x32);
	assert_true(acpi->has_s5);
	assert_int_equal(acpi->slp_typ[0], 5);
	assert_int_equal(acpi->slp_typ[1], 1);
	assert_true(fake_logged("acpi: RSDT, 2 cpus, power-off\n"));
}

static void the_pointer_may_be_in_the_ebda(void **state)
{
	memset(ram + 0xf5a00, 0, 36);
	ram[0x40e] = 0xc0;
	ram[0x40f] = 0x9f;
	put_rsdp(0x9fc00 + 1024 - 32, 0x100000);
	acpi_init(NULL);
	assert_int_equal(acpi->ncpu, 2);
}

static void an_xsdt_comes_first(void **state)
{
	uint8_t list[16] = {0}, *p = ram + 0xf5a00;

	put32(list, 0x1000);
	put32(list + 8, 0x2000);
	put32(list + 12, 1); /* above 4 GB: out of reach */
	put_table(0x101000, "XSDT", list, sizeof list);
	p[15] = 2;
	put32(p + 20, 36);
	put32(p + 24, 0x101000);
	seal(p, 20, 8);
	seal(p, 36, 32);
	acpi_init(NULL);
	assert_true(acpi->madt);
	assert_int_equal(acpi->pm1a, 0);
	assert_true(fake_logged("acpi: XSDT"));
	p[26] ^= 1; /* the second checksum is wrong now: the RSDT holds */
	acpi_init(NULL);
	assert_true(fake_logged("acpi: RSDT"));
}

static void without_tables_a_plain_pc_is_assumed(void **state)
{
	memset(ram, 0, sizeof ram);
	acpi_init(NULL);
	assert_false(acpi->madt);
	assert_int_equal(acpi->ncpu, 1);
	assert_int_equal(acpi->lapic, 0xfee00000);
	assert_int_equal(acpi->ioapic, 0xfec00000);
	assert_int_equal(acpi->isa[0].gsi, 2);
	assert_int_equal(acpi->isa[4].gsi, 4);
	assert_false(acpi->has_s5);
	assert_true(fake_logged("no MADT"));
	acpi_power_off();
	assert_int_equal(nwrote, 0);
}

static void a_bad_checksum_loses_that_table_only(void **state)
{
	ram[0x1000 + 50] ^= 1;
	acpi_init(NULL);
	assert_false(acpi->madt);
	assert_int_equal(acpi->pm1a, 0x604);
	assert_true(fake_logged("table APIC has a bad checksum"));
}

static void a_bad_length_loses_that_table_only(void **state)
{
	static const uint32_t bad[] = {0, 35, (4u << 20) + 1, UINT32_MAX};
	unsigned i;

	for (i = 0; i < nelem(bad); i++) {
		whole(state);
		put32(ram + 0x2000 + 4, bad[i]);
		acpi_init(NULL);
		assert_true(acpi->madt);
		assert_int_equal(acpi->pm1a, 0);
		assert_true(fake_logged("has a bad length"));
	}
}

/* The MADT's first n bytes in memory of their own, so that a read past them is seen. */
static void parse_madt(struct acpi *a, const uint8_t *body, size_t n)
{
	uint8_t *t = malloc(36 + n);

	memset(t, 0, 36);
	memcpy(t + 36, body, n);
	acpi_defaults(a);
	acpi_parse_madt(a, t, 36 + n);
	free(t);
}

static void a_madt_cut_anywhere_is_read_to_there(void **state)
{
	struct acpi a;
	size_t n;

	for (n = 0; n <= sizeof madt; n++) {
		fake_log[0] = 0;
		parse_madt(&a, madt, n);
		assert_int_equal(a.ncpu, n < 16 ? 0 : n < 24 ? 1 : 2);
		assert_int_equal(a.isa[9].gsi, n < 76 ? 9 : 20);
		assert_int_equal(a.ioapic_gsi, n >= 44 && n < 56 ? 24 : 0);
	}
}

static void an_entry_without_length_ends_the_madt(void **state)
{
	uint8_t body[sizeof madt];
	unsigned length;
	struct acpi a;

	for (length = 0; length < 2; length++) {
		memcpy(body, madt, sizeof body);
		body[17] = (uint8_t)length;
		fake_log[0] = 0;
		parse_madt(&a, body, sizeof body);
		assert_int_equal(a.ncpu, 1);
		assert_true(fake_logged("damaged at offset 52"));
	}
}

static void a_short_entry_is_passed_over(void **state)
{
	static const uint8_t body[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 1, 1, 1, 1,
				       0, 8, 7, 3, 1, 0, 0, 0};
	struct acpi a;

	parse_madt(&a, body, sizeof body);
	assert_int_equal(a.ncpu, 1);
	assert_int_equal(a.apic_id[0], 3);
}

static void more_cpus_than_we_have_room_for(void **state)
{
	uint8_t body[8 + 8 * (MAXCPU + 12)] = {0};
	struct acpi a;
	unsigned i;

	for (i = 0; i < MAXCPU + 12; i++) {
		body[8 + 8 * i + 1] = 8;
		body[8 + 8 * i + 3] = (uint8_t)i;
		body[8 + 8 * i + 4] = 1;
	}
	parse_madt(&a, body, sizeof body);
	assert_int_equal(a.ncpu, MAXCPU);
	assert_int_equal(a.apic_id[MAXCPU - 1], MAXCPU - 1);
}

static void a_short_fadt_says_what_it_can(void **state)
{
	struct acpi a;
	size_t n;

	for (n = 36; n <= 129; n++) {
		uint8_t *t = malloc(n);

		memcpy(t, ram + 0x2000, n);
		acpi_defaults(&a);
		acpi_parse_fadt(&a, t, n);
		assert_int_equal(a.pm1a, n >= 68 ? 0x604 : 0);
		assert_int_equal(a.century, n >= 109 ? 0x32 : 0);
		assert_int_equal(a.pm_timer, n >= 80 ? 0xb008 : 0);
		free(t);
	}
}

/* C18: CPUs that take turns need the event timers; a table too short, or of ports, has none. */
static void c18_the_event_timers_are_found(void **state)
{
	uint8_t t[56] = {[44] = 0x00, [46] = 0xd0, [47] = 0xfe};
	struct acpi a;
	size_t n;

	for (n = 36; n <= sizeof t; n++) {
		acpi_defaults(&a);
		acpi_parse_hpet(&a, t, n);
		assert_int_equal(a.hpet, n >= 48 ? 0xfed00000 : 0);
	}
	t[40] = 1;
	acpi_defaults(&a);
	acpi_parse_hpet(&a, t, sizeof t);
	assert_int_equal(a.hpet, 0);
}

static void s5_in_all_its_forms(void **state)
{
	static const struct {
		uint8_t aml[20];
		uint8_t n;
		bool found;
		uint8_t a, b;
	} cases[] = {
		{{8, '_', 'S', '5', '_', 0x12, 6, 4, 0, 0, 0, 0}, 12, true, 0, 0},
		{{8, '\\', '_', 'S', '5', '_', 0x12, 6, 2, 0x0a, 7, 0x0a, 7}, 13, true, 7, 7},
		{{8, '_', 'S', '5', '_', 0x12, 0x46, 0, 2, 0x0b, 3, 0, 1}, 13, true, 3, 1},
		{{8, '_', 'S', '5', '_', 0x12, 4, 1, 0x0a, 5}, 10, true, 5, 0},
		{{8, '_', 'S', '5', '_', 0x12, 4, 1, 0x0a}, 9, false, 0, 0},
		{{8, '_', 'S', '5', '_', 0x12, 2, 0}, 8, false, 0, 0},
		{{8, '_', 'S', '5', '_', 0x12}, 6, false, 0, 0},
		{{8, '_', 'S', '5', '_'}, 5, false, 0, 0},
		{{8, '_', 'S', '5'}, 4, false, 0, 0},
		{{'_', 'S', '5', '_', 0x12, 6, 4, 0, 0, 0, 0}, 11, false, 0, 0},
		{{8, '_', 'S', '5', '_', 0x12, 6, 4, 'A', 'B', 0, 0}, 12, false, 0, 0},
	};
	struct acpi a;
	unsigned i;

	for (i = 0; i < nelem(cases); i++) {
		uint8_t *aml = malloc(cases[i].n);

		memcpy(aml, cases[i].aml, cases[i].n);
		acpi_defaults(&a);
		if (acpi_parse_s5(&a, aml, cases[i].n) != cases[i].found)
			fail_msg("case %u", i);
		assert_int_equal(a.slp_typ[0], cases[i].a);
		assert_int_equal(a.slp_typ[1], cases[i].b);
		free(aml);
	}
}

static void s5_may_be_in_an_ssdt(void **state)
{
	uint8_t list[12];

	put_table(0x3000, "DSDT", "nothing", 7);
	put_table(0x4000, "SSDT", dsdt, sizeof dsdt);
	put32(list, 0x1000);
	put32(list + 4, 0x2000);
	put32(list + 8, 0x4000);
	put_table(0x100000, "RSDT", list, sizeof list);
	acpi_init(NULL);
	assert_true(acpi->has_s5);
	assert_int_equal(acpi->slp_typ[0], 5);
}

static void power_off_writes_the_sleep_type(void **state)
{
	acpi_init(NULL);
	acpi_power_off();
	assert_int_equal(nwrote, 1);
	assert_int_equal(wrote[0].port, 0x604);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(finds_everything, whole),
		cmocka_unit_test_setup(the_pointer_may_be_in_the_ebda, whole),
		cmocka_unit_test_setup(an_xsdt_comes_first, whole),
		cmocka_unit_test_setup(without_tables_a_plain_pc_is_assumed, whole),
		cmocka_unit_test_setup(a_bad_checksum_loses_that_table_only, whole),
		cmocka_unit_test_setup(a_bad_length_loses_that_table_only, whole),
		cmocka_unit_test_setup(a_madt_cut_anywhere_is_read_to_there, whole),
		cmocka_unit_test_setup(an_entry_without_length_ends_the_madt, whole),
		cmocka_unit_test_setup(a_short_entry_is_passed_over, whole),
		cmocka_unit_test_setup(more_cpus_than_we_have_room_for, whole),
		cmocka_unit_test_setup(a_short_fadt_says_what_it_can, whole),
		cmocka_unit_test(c18_the_event_timers_are_found),
		cmocka_unit_test_setup(s5_in_all_its_forms, whole),
		cmocka_unit_test_setup(s5_may_be_in_an_ssdt, whole),
		cmocka_unit_test_setup(power_off_writes_the_sleep_type, whole),
	};

	return RUN(tests, NULL, NULL);
}
