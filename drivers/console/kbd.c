/*
 * The keyboard: see kbd.h. References are to the i8042's data sheet (UPI-41), IBM's PS/2 hardware
 * reference for the controller's commands, and scan code set 1, into which that translates.
 */
#include "drivers/console/kbd.h"
#include "kernel/lib.h"
#include "kernel/print.h"
#include "kernel/trap.h"

#define DATA 0x60
#define STATUS 0x64	 /* read */
#define COMMAND 0x64	 /* write */
#define STATUS_OUT 0x01	 /* a byte can be read */
#define STATUS_IN 0x02	 /* none can be written yet */
#define STATUS_MOUSE 0x20
#define READ_CONFIG 0x20
#define WRITE_CONFIG 0x60
#define MOUSE_OFF 0xa7
#define KEYBOARD_OFF 0xad
#define KEYBOARD_ON 0xae
#define CONFIG_IRQ 0x01
#define CONFIG_NO_CLOCK 0x10
#define CONFIG_TRANSLATE 0x40
#define KBD_IRQ 1
#define TURNS 100000	 /* reads of the status before the controller is taken to be stuck */

/* Keys, and what comes before some of them. */
enum {
	ENTER = 0x1c, CTRL = 0x1d, SHIFT = 0x2a, SLASH = 0x35, RIGHT_SHIFT = 0x36, ALT = 0x38,
	CAPS = 0x3a, HOME = 0x47, PAGE_UP = 0x49, PAGE_DOWN = 0x51, DELETE = 0x53,
	RELEASED = 0x80, EXTENDED = 0xe0, PAUSE = 0xe1,
};

static struct {
	const struct kbd_map *map;
	void (*input)(const uint8_t *s, size_t n);
	void (*look)(bool back);
	bool shift, ctrl, alt, altgr, caps;
	bool extended;	/* the last byte said that the key is one of those added later */
	unsigned skip;	/* bytes that belong to no key of ours */
} kbd; /* the interrupt handler's alone */

/* Send a character in UTF-8, after Escape if Alt is held; those of layouts are below 10000h. */
static void send_char(uint32_t c)
{
	uint8_t s[4] = {'\033'};
	size_t n = kbd.alt;

	if (kbd.ctrl && (c == ' ' || (c >= '@' && c < 0x7f)))
		c &= 0x1f;
	if (c >= 0x800)
		s[n++] = (uint8_t)(0xe0 | c >> 12);
	if (c >= 0x80)
		s[n++] = (uint8_t)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
	s[n++] = (uint8_t)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
	kbd.input(s, n);
}

/* Send the control sequence of a key between letters and keypad, or look elsewhere. */
static void send_key(uint8_t key)
{
	static const char keys[][3] = {
		"H", "A", "5~", "", "D", "", "C", "", "F", "B", "6~", "2~", "3~",
	};
	const char *end = keys[key - HOME];
	char s[8];

	if (kbd.shift && (key == PAGE_UP || key == PAGE_DOWN))
		kbd.look(key == PAGE_UP);
	else if (*end)
		kbd.input((const uint8_t *)s, (size_t)snprintf(s, sizeof(s), "\033[%s", end));
}

/* Note that a key that changes others is down or up. Return false for all other keys. */
static bool modifier(uint8_t key, bool down)
{
	bool *held = key == CTRL ? &kbd.ctrl :
		     key == ALT && kbd.extended && kbd.map->key[2] ? &kbd.altgr :
		     key == ALT ? &kbd.alt :
		     key == SHIFT || key == RIGHT_SHIFT ? &kbd.shift : NULL;

	if (key == CAPS)
		kbd.caps ^= down;
	else if (held && (held != &kbd.shift || !kbd.extended)) /* with the prefix it is no key */
		*held = down;
	return held || key == CAPS;
}

/* Handle a key that is pressed, or repeats itself. */
static void pressed(uint8_t key)
{
	const uint16_t *const *by = kbd.map->key;
	bool extended = kbd.extended, shift = kbd.shift;

	if (extended && key >= HOME && key <= DELETE)
		send_key(key);
	if (key >= KBD_KEYS || (extended && key != ENTER && key != SLASH))
		return;
	if (kbd.caps && by[1][key] + 0x20 == by[0][key]) /* a letter */
		shift = !shift;
	uint16_t c = extended && key == SLASH ? '/' : by[kbd.altgr ? 2 : shift][key];
	if (c)
		send_char(c);
}

/* Handle a byte from the keyboard. */
static void scan(uint8_t b)
{
	bool down = !(b & RELEASED), prefix = b == EXTENDED && !kbd.skip;

	if (kbd.skip)
		kbd.skip--;
	else if (b == PAUSE)
		kbd.skip = 2;
	else if (!prefix && !modifier(b & ~RELEASED, down) && down)
		pressed(b);
	kbd.extended = prefix;
}

/* Take all that the controller has; what a mouse says is dropped. */
static void kbd_intr(void *)
{
	uint8_t status;

	while ((status = inb(STATUS)) & STATUS_OUT) {
		uint8_t b = inb(DATA);

		if (!(status & STATUS_MOUSE))
			scan(b);
	}
}

/* Wait until the bit of the status is so, and return whether it is. */
static bool await(uint8_t bit, bool set)
{
	unsigned turns = 0;

	while (!(inb(STATUS) & bit) == set && turns < TURNS)
		turns++;
	return turns < TURNS;
}

/* Write to the controller once it takes a byte, and return whether it does. */
static bool tell(uint16_t port, uint8_t b)
{
	bool ready = await(STATUS_IN, false);

	if (ready)
		outb(port, b);
	return ready;
}

/* Set the controller up, with the mouse off, and return whether there is one. */
static bool controller_init(void)
{
	if (inb(STATUS) == 0xff || !tell(COMMAND, KEYBOARD_OFF) || !tell(COMMAND, MOUSE_OFF))
		return false;
	for (unsigned i = 0; i < 16 && inb(STATUS) & STATUS_OUT; i++)
		inb(DATA);
	if (!tell(COMMAND, READ_CONFIG) || !await(STATUS_OUT, true))
		return false;
	uint8_t c = (inb(DATA) | CONFIG_IRQ | CONFIG_TRANSLATE) & ~CONFIG_NO_CLOCK;
	return tell(COMMAND, WRITE_CONFIG) && tell(DATA, c) && tell(COMMAND, KEYBOARD_ON);
}

void kbd_init(const char *layout, void (*input)(const uint8_t *s, size_t n),
	      void (*look)(bool back))
{
	kbd.map = kbd_maps;
	kbd.input = input;
	kbd.look = look;
	if (!controller_init()) {
		printk("keyboard: there is no i8042 controller\n");
		return;
	}
	while (kbd.map->name && *layout && strcmp(kbd.map->name, layout) != 0)
		kbd.map++;
	if (!kbd.map->name) {
		kbd.map = kbd_maps;
		printk("keyboard: no layout \"%s\": %s it is\n", layout, kbd.map->name);
	}
	printk("keyboard: i8042, irq %u, layout %s\n", KBD_IRQ, kbd.map->name);
	irq_register(KBD_IRQ, "keyboard", kbd_intr, NULL);
}
