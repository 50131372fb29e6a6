/* The keyboard at the i8042 controller: PS/2's, or what the firmware shows as one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KBD_KEYS 0x59 /* of scan code set 1: all numbers of keys without a prefix are less */

/*
 * A layout: the character of each key alone, with Shift, and with the right Alt key; 0: none.
 * Letters are those whose two first are each other's, so that Caps Lock knows them.
 */
struct kbd_map {
	const char *name;
	const uint16_t *key[3]; /* KBD_KEYS each */
};
extern const struct kbd_map kbd_maps[]; /* NULL ends them; the first is the default */

/*
 * Start the keyboard, and say so, or that there is none. What is typed goes to input(), from an
 * interrupt handler: characters in UTF-8, and other keys as ECMA-48 terminals send them. The
 * keys that look back and forward on the screen call look() instead.
 */
void kbd_init(const char *layout, void (*input)(const uint8_t *s, size_t n),
	      void (*look)(bool back));
