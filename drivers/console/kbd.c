/*
 * The keyboard: see kbd.h. References are to the i8042's data sheet (UPI-41), IBM's PS/2 hardware
 * reference for the controller's commands, and scan code set 1, into which that translates.
 */
#include "drivers/console/kbd.h"
#include "kernel/machine/print.h"
#include "kernel/machine/string.h"
#include "kernel/machine/trap.h"

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
	bool stuck;	/* the controller has not answered: nothing more is asked of it */
} kbd; /* the interrupt handler's alone */

/* Send a character, unless it is 0, in UTF-8, after Escape if Alt is held. It is below 10000h. */
static void kbd_send_char(uint32_t c)
{
	uint8_t s[4] = {'\033'};
	size_t n = kbd.alt;
	bool has_control = c == ' ' || c - '@' < 0x7f - '@';

	if (c == 0)
		return;
	if (kbd.ctrl && has_control)
		c &= 0x1f;
	if (c >= 0x800) {
		s[n++] = (uint8_t)(0xe0 | c >> 12);
		s[n++] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
	} else if (c >= 0x80) {
		s[n++] = (uint8_t)(0xc0 | c >> 6);
	}
	if (c >= 0x80)
		c = 0x80 | (c & 0x3f);
	s[n++] = (uint8_t)c;
	kbd.input(s, n);
}

/* Send the control sequence of a key between letters and keypad, or look elsewhere. */
static void kbd_send_key(uint8_t key)
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
static bool kbd_modifier(uint8_t key, bool down)
{
	switch (key) {
	case CAPS:
		kbd.caps ^= down;
		return true;
	case CTRL:
		kbd.ctrl = down;
		return true;
	case ALT:
		if (kbd.extended && kbd.map->key[2]) /* AltGr, if the layout has a use for it */
			kbd.altgr = down;
		else
			kbd.alt = down;
		return true;
	case SHIFT:
	case RIGHT_SHIFT:
		if (!kbd.extended) /* with the prefix it belongs to the key that follows */
			kbd.shift = down;
		return true;
	default:
		return false;
	}
}

/* Return the character of a key, 0 if it has none. */
static uint16_t kbd_character(uint8_t key)
{
	const uint16_t *const *by = kbd.map->key;
	bool shift = kbd.shift;

	if (kbd.altgr)
		return by[2][key];
	if (kbd.caps && by[1][key] + 0x20 == by[0][key]) /* a letter */
		shift = !shift;
	return by[shift][key];
}

/*
 * Handle a key that is pressed, or repeats itself. After the prefix it is one between letters and
 * keypad, or one of two of the keypad's.
 */
static void kbd_pressed(uint8_t key)
{
	if (!kbd.extended || key == ENTER) {
		if (key < KBD_KEYS)
			kbd_send_char(kbd_character(key));
	} else if (in_range(key, HOME, DELETE + 1)) {
		kbd_send_key(key);
	} else if (key == SLASH) {
		kbd_send_char('/');
	}
}

/* Handle a byte from the keyboard. */
static void kbd_scan(uint8_t b)
{
	bool prefix = b == EXTENDED && !kbd.skip, down = !(b & RELEASED);
	uint8_t key = b & ~RELEASED;

	if (kbd.skip)
		kbd.skip--;
	else if (b == PAUSE)
		kbd.skip = 2;
	else if (!kbd_modifier(key, down) && down) /* the prefix is neither */
		kbd_pressed(key);
	kbd.extended = prefix;
}

/* Take all that the controller has; what a mouse says is dropped. */
static void kbd_intr(void *)
{
	uint8_t status;

	while ((status = inb(STATUS)) & STATUS_OUT) {
		uint8_t b = inb(DATA);

		if (!(status & STATUS_MOUSE))
			kbd_scan(b);
	}
}

/* Wait until the bit of the status is set, or is not. */
static void kbd_await(uint8_t bit, bool set)
{
	unsigned turns = 0;

	while (!kbd.stuck && !(inb(STATUS) & bit) == set)
		kbd.stuck = ++turns == TURNS;
}

/* Write to the controller once it takes a byte. */
static void kbd_tell(uint16_t port, uint8_t b)
{
	kbd_await(STATUS_IN, false);
	if (!kbd.stuck)
		outb(port, b);
}

/* Set the controller up, with the mouse off, and return whether there is one. */
static bool kbd_controller_init(void)
{
	kbd.stuck = inb(STATUS) == 0xff;
	kbd_tell(COMMAND, KEYBOARD_OFF);
	kbd_tell(COMMAND, MOUSE_OFF);
	for (unsigned i = 0; i < 16 && inb(STATUS) & STATUS_OUT; i++)
		inb(DATA);
	kbd_tell(COMMAND, READ_CONFIG);
	kbd_await(STATUS_OUT, true);
	uint8_t c = (inb(DATA) | CONFIG_IRQ | CONFIG_TRANSLATE) & ~CONFIG_NO_CLOCK;
	kbd_tell(COMMAND, WRITE_CONFIG);
	kbd_tell(DATA, c);
	kbd_tell(COMMAND, KEYBOARD_ON);
	return !kbd.stuck;
}

/* Return the layout of that name; the first one if that is empty or, with a message, unknown. */
static const struct kbd_map *kbd_find_map(const char *layout)
{
	if (!*layout)
		return kbd_maps;
	for (const struct kbd_map *map = kbd_maps; map->name; map++)
		if (strcmp(map->name, layout) == 0)
			return map;
	printk("keyboard: no layout \"%s\": %s it is\n", layout, kbd_maps->name);
	return kbd_maps;
}

void kbd_init(const char *layout, void (*input)(const uint8_t *s, size_t n),
	      void (*look)(bool back))
{
	kbd.input = input;
	kbd.look = look;
	if (!kbd_controller_init()) {
		printk("keyboard: there is no i8042 controller\n");
		return;
	}
	kbd.map = kbd_find_map(layout);
	printk("keyboard: i8042, irq %u, layout %s\n", KBD_IRQ, kbd.map->name);
	irq_register(KBD_IRQ, "keyboard", kbd_intr, NULL);
}
