/*
 * PCI on a machine made here: what configuration space holds, and what is asked of it.
 * Links: drivers/bus/pci.c tests/drivers/fakes.c
 */
#include "drivers/bus/pci.h"
#include "tests/drivers/fakes.h"
#include "kernel/abi/errno.h"

void ioapic_level(unsigned irq);

/* A function: where it is, its registers, and which of their bits can be written. */
struct function {
	uint32_t at; /* as in the address port */
	uint8_t reg[256], mask[256];
};

static struct function functions[48];
static unsigned nfunction, deaf_sizes, level;
static uint32_t address;
static bool mechanism = true;

static struct function *selected(void)
{
	for (unsigned i = 0; i < nfunction; i++)
		if ((address & 0x80ffff00) == functions[i].at)
			return &functions[i];
	return NULL;
}

uint32_t inl(uint16_t port)
{
	struct function *f = selected();
	uint32_t v = ~0u;

	assert_true(port == 0xcf8 || port == 0xcfc); /* whole words only */
	if (port == 0xcf8)
		return mechanism ? address : ~0u;
	if (f != NULL)
		memcpy(&v, f->reg + (address & 0xfc), 4);
	return v;
}

/* A write of n bytes to the window, as the card takes it. */
static void put(uint16_t port, uint32_t v, unsigned n)
{
	unsigned off = (address & 0xfc) + port - 0xcfc;
	struct function *f = selected();

	assert_true(port >= 0xcfc && port + n <= 0xd00);
	for (unsigned i = 0; f != NULL && i < n; i++) {
		uint8_t m = f->mask[off + i];

		if (off + i >= 0x10 && off + i < 0x28)
			deaf_sizes += !(f->reg[4] & 3);
		f->reg[off + i] = (uint8_t)((f->reg[off + i] & ~m) | (v >> 8 * i & m));
	}
}

void outl(uint16_t port, uint32_t v)
{
	if (port == 0xcf8)
		address = v;
	else
		put(port, v, 4);
}

void outw(uint16_t port, uint16_t v)
{
	put(port, v, 2);
}

void outb(uint16_t port, uint8_t v)
{
	put(port, v, 1);
}

void ioapic_level(unsigned irq)
{
	level = irq;
}

static void put32(uint8_t *p, uint32_t v)
{
	memcpy(p, &v, 4);
}

/* One function more. */
static struct function *add(unsigned bus, unsigned slot, unsigned fn, uint32_t ids, uint16_t class)
{
	struct function *f = &functions[nfunction++];

	memset(f, 0, sizeof(*f));
	f->at = 0x80000000 | bus << 16 | slot << 11 | fn << 8;
	put32(f->reg, ids);
	f->reg[0x0a] = (uint8_t)class;
	f->reg[0x0b] = (uint8_t)(class >> 8);
	f->mask[4] = 7;
	f->mask[5] = 4;
	return f;
}

/* A base address register: what it holds, and how many bytes it decodes. */
static void set_bar(struct function *f, unsigned i, uint32_t v, uint32_t size)
{
	put32(f->reg + 0x10 + 4 * i, v);
	put32(f->mask + 0x10 + 4 * i, ~(size - 1));
}

static int empty(void **state)
{
	nfunction = 0;
	mechanism = true;
	return 0;
}

/* The next function so called. */
static const struct pci_dev *find(uint16_t vendor, uint16_t device, const struct pci_dev *d)
{
	do
		d = pci_next(d);
	while (d && !(d->vendor == vendor && d->device == device));
	return d;
}

/* A machine of one card, and the card as the driver sees it. */
static const struct pci_dev *only(void)
{
	pci_init();
	return find(0x8086, 0x2415, NULL);
}

static void no_bus(void **state)
{
	add(0, 1, 0, 0x24158086, 0x0401);
	mechanism = false;
	pci_init();
	assert_true(fake_logged("pci: 0 functions"));
	assert_null(find(0x8086, 0x2415, NULL));
}

static void finds_all(void **state)
{
	const struct pci_dev *d;

	add(0, 0, 0, 0x12378086, 0x0600);
	add(0, 1, 0, 0x70008086, 0x0601)->reg[0x0e] = 0x80;
	add(0, 1, 3, 0x71138086, 0x0680);
	add(0, 31, 0, 0x24158086, 0x0401);
	add(0, 31, 1, 0x24158086, 0x0401); /* an echo: function 0 says that it is alone */
	pci_init();
	assert_true(fake_logged("pci: 4 functions"));
	d = find(0x8086, 0x7113, NULL);
	assert_non_null(d);
	assert_int_equal(d->slot, 1);
	assert_int_equal(d->fn, 3);
	assert_int_equal(d->class, 0x0680);
	d = find(0x8086, 0x2415, NULL);
	assert_non_null(d);
	assert_int_equal(d->slot, 31);
	assert_null(find(0x8086, 0x2415, d));
	assert_int_equal(d->class, 0x0401);
	assert_null(pci_next(d));
	assert_null(find(0x8086, 0x7010, NULL));
}

static void behind_bridges(void **state)
{
	struct function *bridge = add(0, 2, 0, 0x00011b36, 0x0604);
	struct function *round = add(5, 0, 0, 0x00011b36, 0x0604);

	bridge->reg[0x0e] = 1;
	bridge->reg[0x19] = 5;
	round->reg[0x0e] = 1;
	round->reg[0x19] = 0; /* never set up: must not lead back */
	add(5, 7, 0, 0x24158086, 0x0401);
	pci_init();
	assert_true(fake_logged("pci: 3 functions"));
	assert_int_equal(find(0x8086, 0x2415, NULL)->bus, 5);
	assert_ptr_not_equal(find(0x1b36, 1, find(0x1b36, 1, NULL)), NULL);
}

static void too_many(void **state)
{
	for (unsigned i = 0; i < 31; i++)
		add(0, i, 0, 0x00011af4, 0);
	add(0, 31, 0, 0x00021af4, 0)->reg[0x0e] = 0x80;
	add(0, 31, 1, 0x00031af4, 0);
	pci_init();
	assert_true(fake_logged("pci: 1af4:0003 is one too many"));
	assert_non_null(find(0x1af4, 2, NULL));
	assert_null(find(0x1af4, 3, NULL));
}

static void windows(void **state)
{
	static const struct {
		unsigned i;
		bool there;
		struct pci_bar bar;
	} want[] = {
		{0, true, {true, 0xc400, 0x400}},
		{1, true, {false, 0xfebf1000, 0x1000}},
		{2, true, {false, 0xe0000000, 0x4000000}}, /* of 64 bits, prefetchable */
		{3, false, {false, 0, 0}},		   /* its other half */
		{4, false, {false, 0, 0}},		   /* above 4 GB */
		{6, false, {false, 0, 0}},
	};
	struct function *f = add(0, 3, 0, 0x24158086, 0x0401);
	const struct pci_dev *d;
	struct pci_bar bar;

	set_bar(f, 0, 0xc401, 0x400);
	set_bar(f, 1, 0xfebf1000, 0x1000);
	set_bar(f, 2, 0xe000000c, 0x4000000);
	put32(f->mask + 0x1c, ~0u);
	set_bar(f, 4, 0x00000004, 0x1000);
	put32(f->reg + 0x24, 1);
	f->reg[4] = 3;
	d = only();
	deaf_sizes = 0;
	for (unsigned i = 0; i < nelem(want); i++) {
		assert_int_equal(pci_bar(d, want[i].i, &bar), want[i].there);
		if (!want[i].there)
			continue;
		assert_int_equal(bar.io, want[i].bar.io);
		assert_int_equal(bar.base, want[i].bar.base);
		assert_int_equal(bar.size, want[i].bar.size);
	}
	assert_true(deaf_sizes > 0 && deaf_sizes % 8 == 0); /* never while it answers */
	assert_int_equal(f->reg[4], 3);
	assert_memory_equal(f->reg + 0x10, "\x01\xc4\0\0\0\x10\xbf\xfe\x0c\0\0\xe0", 12);
}

/* Ports above 64 K do not exist, whatever the card keeps in the upper half. */
static void short_ports(void **state)
{
	struct function *f = add(0, 3, 0, 0x24158086, 0x0401);
	struct pci_bar bar;

	put32(f->reg + 0x10, 0xc041);
	put32(f->mask + 0x10, 0xffc0);
	assert_true(pci_bar(only(), 0, &bar));
	assert_int_equal(bar.base, 0xc040);
	assert_int_equal(bar.size, 0x40);
}

static void capabilities(void **state)
{
	struct function *f = add(0, 3, 0, 0x24158086, 0x0401);
	const struct pci_dev *d;

	f->reg[0x34] = 0x40;
	memcpy(f->reg + 0x40, "\x09\x80", 2);
	memcpy(f->reg + 0x80, "\x05\xfc", 2);
	memcpy(f->reg + 0xfc, "\x09\x00", 2);
	d = only();
	assert_int_equal(pci_capability(d, 9, 0), 0); /* the status says that there is no list */
	f->reg[6] = 0x10;
	assert_int_equal(pci_capability(d, 9, 0), 0x40);
	assert_int_equal(pci_capability(d, 9, 0x40), 0xfc);
	assert_int_equal(pci_capability(d, 9, 0xfc), 0);
	assert_int_equal(pci_capability(d, 5, 0), 0x80);
	assert_int_equal(pci_capability(d, 0x11, 0), 0);
	f->reg[0xfd] = 0x40; /* round and round */
	assert_int_equal(pci_capability(d, 0x11, 0), 0);
}

static void enables(void **state)
{
	struct function *f = add(0, 3, 0, 0x24158086, 0x0401);
	const struct pci_dev *d;

	f->reg[4] = 1;
	f->reg[5] = 4;
	f->reg[7] = 0x29;
	f->mask[7] = 0xff; /* errors that a careless write would change */
	d = only();
	pci_enable(d, PCI_MEMORY | PCI_MASTER);
	assert_memory_equal(f->reg + 4, "\x06\x04\x00\x29", 4);
	assert_int_equal(pci_read16(d, 4), 0x406);
	assert_int_equal(pci_read8(d, 7), 0x29);
	assert_int_equal(pci_read32(d, 0), 0x24158086);
}

static void handler(void *arg)
{
}

static void interrupts(void **state)
{
	static const struct {
		uint8_t line, pin;
		bool good;
	} cases[] = {
		{11, 1, true}, {23, 4, true}, {24, 1, false}, {0, 1, false}, {0xff, 1, false},
		{11, 0, false},
	};

	for (unsigned i = 0; i < nelem(cases); i++) {
		struct function *f;

		nfunction = level = 0;
		memset(fake_irq, 0, sizeof(fake_irq));
		f = add(0, 3, 0, 0x24158086, 0x0401);
		f->reg[0x3c] = cases[i].line;
		f->reg[0x3d] = cases[i].pin;
		assert_int_equal(pci_irq(only(), "card", handler, f),
				 cases[i].good ? 0 : -ENOTSUP);
		assert_int_equal(level, cases[i].good ? cases[i].line : 0);
		if (cases[i].good)
			assert_ptr_equal(fake_irq[cases[i].line], handler);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(no_bus, empty),
		cmocka_unit_test_setup(finds_all, empty),
		cmocka_unit_test_setup(behind_bridges, empty),
		cmocka_unit_test_setup(too_many, empty),
		cmocka_unit_test_setup(windows, empty),
		cmocka_unit_test_setup(short_ports, empty),
		cmocka_unit_test_setup(capabilities, empty),
		cmocka_unit_test_setup(enables, empty),
		cmocka_unit_test_setup(interrupts, empty),
	};

	return RUN(tests, NULL, NULL);
}
