/*
 * What a keyboard sends, or a broken one: drivers/console/kbd.c. The first byte chooses the layout
 * and which bytes are a mouse's; the rest are the controller's.
 * Runs: 20000
 * Links: drivers/console/kbd.c drivers/console/kbdmap.c tests/drivers/fakes.c
 */
#include "drivers/console/kbd.h"
#include "drivers/console/utf8.h"
#include "tests/drivers/fakes.h"
#include "tests/fuzz/fuzz.h"

static const uint8_t *from, *end;
static bool starting, mouse; /* every second byte is a mouse's */
static unsigned looked, sent;

/* Nothing is pending, and no key is held: the driver is started once in the kernel, here often. */
static const uint8_t let_go[] = {0, 0, 0xaa, 0xb6, 0x9d, 0xb8, 0xe0, 0xb8};

uint64_t rdtsc(void)
{
	return 0;
}

/* While the driver starts, the controller has one byte: how it is configured. */
uint8_t inb(uint16_t port)
{
	static bool told;

	if (starting && port == 0x64)
		return told = !told;
	if (starting)
		return 0;
	if (port == 0x64)
		return (uint8_t)((from < end) | (mouse && (end - from) % 2) << 5);
	if (port != 0x60 || from == end)
		abort();
	return *from++;
}

void outb(uint16_t port, uint8_t v)
{
	if (!starting || (port != 0x60 && port != 0x64))
		abort();
}

/* Return whether these bytes are one character; below the blank they are what Ctrl makes. */
static bool is_character(const uint8_t *s, size_t n)
{
	unsigned length = utf8_length(*s);

	if (n != (length ? length : 1) || (!length && *s >= 0x80))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!utf8_continues(s[i]))
			return false;
	return true;
}

/* Return whether they are the control sequence of a key. */
static bool is_key(const uint8_t *s, size_t n)
{
	if (n < 3 || n > 4 || s[0] != 033 || s[1] != '[')
		return false;
	return n == 3 ? s[2] >= 'A' && s[2] <= 'H' : s[2] >= '1' && s[2] <= '9' && s[3] == '~';
}

static void input(const uint8_t *s, size_t n)
{
	if (n == 0 || (!is_key(s, n) && !is_character(s, n) &&
		       !(n > 1 && s[0] == 033 && is_character(s + 1, n - 1))))
		abort();
	sent++;
}

static void look(bool back)
{
	looked++;
}

/* Let the driver take these bytes, all of them. */
static void take(const uint8_t *s, size_t n)
{
	from = s;
	end = s + n;
	if (!fake_irq[1])
		abort();
	fake_irq[1](fake_irq_arg[1]);
	if (from < end)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n < 1)
		return -1;
	fake_log[0] = 0;
	fake_irq[1] = NULL;
	starting = true;
	kbd_init(data[0] & 1 ? "us" : "de", input, look);
	starting = false;
	mouse = data[0] & 2;
	looked = sent = 0;
	take(data + 1, n - 1);
	if (looked + sent > n)
		abort();
	mouse = false;
	take(let_go, sizeof(let_go));
	return 0;
}
