/* The places of the console: COM1, and a screen with a keyboard. */
#pragma once

struct framebuffer;

/*
 * The console: at first COM1 takes what the kernel prints; then, with memory, the screen too; and
 * with interrupts both read what is typed. The command line may say console=com1, screen or both,
 * and keymap=.
 */
void console_early(void);
void console_screen(const struct framebuffer *fb);
void console_start(void);
