/*
 * ACPI tables: drivers/bus/acpi.c. The input is the memory from 0xe0000 on, where the pointer to
 * the tables is looked for; the tables are in it, too.
 * Runs: 900
 * Links: tests/fuzz/mutate.c tests/drivers/fakes.c
 */
#include "tests/drivers/fakes.h"
#include "tests/fuzz/fuzz.h"
#include "drivers/bus/acpi.c"
#include "kernel/memory/kvm.h"

#define AT 0xe0000u
#define RAM 0x800000u /* what lies beyond is as the last part of it: zeros */

static uint8_t ram[RAM];

uint64_t rdtsc(void)
{
	return 0;
}

void outb(uint16_t port, uint8_t v)
{
}

uint8_t inb(uint16_t port)
{
	return 1;
}

void outw(uint16_t port, uint16_t v)
{
	outb(port, (uint8_t)v);
}

uint16_t inw(uint16_t port)
{
	return inb(port);
}

/* No table is longer than half of the memory. */
void *p2v(uint32_t pa)
{
	return ram + (pa < RAM / 2 ? pa : RAM / 2);
}

void *map_device(uint32_t pa, size_t n)
{
	if (n > RAM / 2)
		abort();
	return p2v(pa);
}

/* Return the length of the table at data + at: as much of it as is in the input. */
static size_t length(const uint8_t *data, size_t n, size_t at)
{
	size_t told = le_get32(data + at + 4);

	return told < n - at ? told : n - at;
}

/* Return whether one of the tables that are read begins here. */
static bool is_table(const uint8_t *p)
{
	return memcmp(p, "RSDT", 4) == 0 || memcmp(p, "XSDT", 4) == 0 ||
	       memcmp(p, "APIC", 4) == 0 || memcmp(p, "FACP", 4) == 0 ||
	       memcmp(p, "DSDT", 4) == 0 || memcmp(p, "SSDT", 4) == 0;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	if (n < HEADER)
		return;
	fuzz_field(f, n, 15, 1, FUZZ_LITTLE);
	fuzz_field(f, n, 16, 4, FUZZ_LITTLE);
	fuzz_field(f, n, 24, 8, FUZZ_LITTLE);
	for (size_t at = HEADER; n - at >= HEADER; at++) {
		if (!is_table(data + at))
			continue;
		fuzz_field(f, n, at + 4, 4, FUZZ_LITTLE);
		for (size_t i = HEADER; i < length(data, n, at); i += 3)
			fuzz_field(f, n, at + i, 1u << i % 3, FUZZ_LITTLE);
	}
}

/* Make n bytes add up to zero by means of the byte at `by`. */
static void seal(uint8_t *p, size_t n, size_t by)
{
	uint8_t sum = 0;

	p[by] = 0;
	for (size_t i = 0; i < n; i++)
		sum += p[i];
	p[by] = (uint8_t)-sum;
}

void fuzz_seal(uint8_t *data, size_t n)
{
	if (n < HEADER)
		return;
	memcpy(data, "RSD PTR ", 8);
	seal(data, 20, 8);
	seal(data, HEADER, 32);
	for (size_t at = HEADER; n - at >= HEADER; at++)
		if (is_table(data + at) && length(data, n, at) >= HEADER)
			seal(data + at, length(data, n, at), 9);
}

/* Read a table in memory that ends with it, so that reading too much is noticed. */
static void exactly(const uint8_t *p, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);
	struct acpi a;

	memcpy(copy, p, n);
	acpi_defaults(&a);
	acpi_parse_madt(&a, copy, n);
	acpi_parse_fadt(&a, copy, n);
	acpi_parse_s5(&a, copy, n);
	if (a.ncpu > MAXCPU)
		abort();
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static size_t last;

	if (n > 0x100000 - AT)
		return -1;
	memset(ram + AT, 0, last);
	memcpy(ram + AT, data, n);
	last = n;
	acpi_init(NULL);
	if (acpi->ncpu == 0 || acpi->ncpu > MAXCPU)
		abort();
	fake_log[0] = 0;
	for (size_t at = 0; n >= HEADER && at <= n - HEADER; at++)
		if (is_table(data + at))
			exactly(data + at, length(data, n, at));
	exactly(data, n);
	fake_log[0] = 0;
	return 0;
}
