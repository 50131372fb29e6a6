/* The machine's own screen: VGA's text mode, or a frame buffer that the firmware has set up. */
#pragma once

#include "drivers/console/term.h"

/* A linear frame buffer, as the boot loader describes it. */
struct framebuffer {
	uint32_t address, pitch;      /* physical; bytes from one row of points to the next */
	uint32_t width, height, bits; /* points; bits of each */
	uint8_t red, green, blue;     /* the lowest bit of each, which has 8 */
};

/*
 * Look for a screen, the frame buffer if there is one (else NULL), show the kernel's log on it,
 * and return whether there is one. input takes its answers to what programs ask the terminal, as if
 * they were typed; NULL: another terminal answers.
 */
bool screen_init(const struct framebuffer *fb, void (*input)(const uint8_t *s, size_t n));

/*
 * Write to the screen, once there is one: text in UTF-8, with control functions. From processes
 * that take turns.
 */
void screen_write(const char *s, size_t n);

/* The same from any context but NMI; and after a panic, from any context, past the lock. */
void screen_print(const char *s, size_t n);
void screen_print_sync(const char *s, size_t n);

/* Look a page further back, or forward. */
void screen_look(bool back);

/* vga.c, fb.c: make them ready. NULL: there is none, or none that can be used, which fb.c says. */
const struct term_screen *vga_init(void);
const struct term_screen *fb_init(const struct framebuffer *fb);
