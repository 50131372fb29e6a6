/*
 * The keyboard's driver over a simulated i8042: what keys send (V3), by layout and modifiers.
 * Links: drivers/console/kbd.c drivers/console/kbdmap.c tests/drivers/fakes.c
 */
#include "drivers/console/kbd.h"
#include "tests/drivers/fakes.h"

static struct {
	bool present, stuck;
	uint8_t config;
	bool on; /* the keyboard may send */
	bool mouse;
	uint8_t command, queue[64];
	unsigned n, taken;
} chip;

static char typed[64];
static int looked;

uint64_t rdtsc(void)
{
	return 0;
}

uint8_t inb(uint16_t port)
{
	if (!chip.present)
		return 0xff;
	if (port == 0x64)
		return (uint8_t)((chip.taken < chip.n) | chip.stuck << 1 | chip.mouse << 5);
	assert_int_equal(port, 0x60);
	return chip.taken < chip.n ? chip.queue[chip.taken++] : 0;
}

void outb(uint16_t port, uint8_t v)
{
	assert_false(chip.stuck);
	if (port == 0x60) {
		assert_int_equal(chip.command, 0x60);
		chip.config = v;
	} else if (v == 0x20) {
		chip.queue[chip.n++] = chip.config;
	}
	chip.command = port == 0x64 ? v : 0;
	chip.on = v == 0xae ? true : v == 0xad ? false : chip.on;
}

static void input(const uint8_t *s, size_t n)
{
	size_t had = strlen(typed);

	assert_true(n > 0 && had + n < sizeof(typed));
	if (n == 1 && !*s)
		s = (const uint8_t *)"0";
	memcpy(typed + had, s, n);
	typed[had + n] = 0;
}

static void look(bool back)
{
	looked += back ? 1 : -1;
}

static void start(const char *layout)
{
	memset(&chip, 0, sizeof(chip));
	chip.present = true;
	chip.config = 0x30; /* both keyboard and mouse without a clock, no interrupt */
	chip.queue[chip.n++] = 0x1c; /* a key that was pressed before */
	kbd_init(layout, input, look);
	assert_int_equal(chip.config & 0x51, 0x41);
	assert_true(chip.on);
}

/* What the bytes send, in a string. */
static const char *type(const char *bytes, size_t n)
{
	typed[0] = 0;
	memcpy(chip.queue, bytes, n);
	chip.n = (unsigned)n;
	chip.taken = 0;
	fake_irq[1](fake_irq_arg[1]);
	assert_int_equal(chip.taken, n);
	return typed;
}
#define TYPE(s) type(s, sizeof(s) - 1)

static void letters(void **state)
{
	start("");
	assert_string_equal(TYPE("\x23\xa3\x17\x97"), "hi");
	assert_string_equal(TYPE("\x2a\x23\xa3\xaa\x17\x97"), "Hi"); /* Shift */
	assert_string_equal(TYPE("\x36\x02\xb6\x02"), "!1");
	/* Caps Lock */
	assert_string_equal(TYPE("\x3a\xba\x1e\x02\x2a\x1e\xaa\x3a\xba\x1e"), "A1aa");
	assert_string_equal(TYPE("\x1c\x0e\x0f\x01\x39"), "\r\177\t\033 ");
	assert_string_equal(TYPE("\x1d\x2e\x9d\x2e"), "\003c"); /* Ctrl-C */
	assert_string_equal(TYPE("\xe0\x1d\x39\xe0\x9d"), "0"); /* Ctrl-Space is NUL */
	assert_string_equal(TYPE("\x38\x21\xb8\x21"), "\033ff"); /* Alt */
	assert_string_equal(TYPE("\xe0\x38\x21\xe0\xb8"), "\033f"); /* the right one, too */
	assert_string_equal(TYPE("\x1e\x1e\x1e\x9e"), "aaa"); /* repeats */
	assert_string_equal(TYPE("\xe0\x35\xe0\x1c\x4f\x53"), "/\r1."); /* the keypad */
}

static void other_keys(void **state)
{
	start("us");
	assert_string_equal(TYPE("\xe0\x48\xe0\xc8\xe0\x50\xe0\x4d\xe0\x4b"),
			    "\033[A\033[B\033[C\033[D");
	assert_string_equal(TYPE("\xe0\x47\xe0\x4f\xe0\x52\xe0\x53\xe0\x49\xe0\x51"),
			    "\033[H\033[F\033[2~\033[3~\033[5~\033[6~");
	/* Shift, which an AT keyboard seems to release around these keys */
	looked = 0;
	assert_string_equal(TYPE("\x2a\xe0\x49\xe0\x49\xe0\xc9\xe0\x51\xaa"), "");
	assert_int_equal(looked, 1);
	/* Pause, function keys, keys without a character, a mouse */
	assert_string_equal(TYPE("\xe1\x1d\x45\xe1\x9d\xc5\x3b\x57\x46\x54\x7f\x1e"), "a");
	chip.mouse = true;
	assert_string_equal(TYPE("\x08\x01\x02"), "");
	chip.mouse = false;
}

static void german(void **state)
{
	start("de");
	assert_string_equal(TYPE("\x15\x2c\x1a\x0c"), "zy\303\274\303\237");
	assert_string_equal(TYPE("\x2a\x1a\x04\xaa"), "\303\234\302\247");
	assert_string_equal(TYPE("\x3a\x1a\x0c\x3a"), "\303\234\303\237");
	assert_string_equal(TYPE("\xe0\x38\x10\x12\x08\x0c\xe0\xb8\x10"), "@\342\202\254{\\q");
	start("xx"); /* there is none: the first */
	assert_string_equal(TYPE("\x15"), "y");
}

/* Every layout has all keys, and no number of a key reaches past them. */
static void whole(void **state)
{
	for (const struct kbd_map *m = kbd_maps; m->name; m++) {
		start(m->name);
		for (unsigned shift = 0; shift < 2; shift++) {
			assert_int_equal(m->key[shift][0x39], ' ');
			assert_int_equal(m->key[shift][0x53], '.');
			assert_true(m->key[shift][0x56] > ' ');
			assert_int_equal(m->key[shift][KBD_KEYS], 0); /* the string ends here */
		}
		for (unsigned b = 0; b < 256; b++)
			type((const char *)&(uint8_t){(uint8_t)b}, 1);
	}
}

static void without_a_controller(void **state)
{
	memset(&chip, 0, sizeof(chip));
	fake_irq[1] = NULL;
	kbd_init("us", input, look);
	chip.present = chip.stuck = true;
	kbd_init("us", input, look);
	assert_null(fake_irq[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters), cmocka_unit_test(other_keys), cmocka_unit_test(german),
		cmocka_unit_test(whole), cmocka_unit_test(without_a_controller),
	};

	return RUN(tests, NULL, NULL);
}
