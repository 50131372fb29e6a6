/* The console: what it prints goes to its places, and what is typed at them comes to it. */
#include "boot/console.h"
#include "drivers/console/cons.h"
#include "drivers/console/kbd.h"
#include "drivers/console/screen.h"
#include "drivers/console/uart.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/string.h"

/* Which of its two places the console has: COM1, the screen with the keyboard, or both. */
static bool on_com1 = true, on_screen;

/* Send n bytes, asleep while the queue is full. */
static void console_write(const char *s, size_t n)
{
	if (on_screen)
		screen_write(s, n);
	if (on_com1)
		uart_write(UART_COM1, s, n);
}

static void console_print(const char *s, size_t n)
{
	if (on_screen)
		screen_print(s, n);
	if (on_com1)
		uart_print(s, n);
}

static void console_print_sync(const char *s, size_t n)
{
	if (on_screen)
		screen_print_sync(s, n);
	if (on_com1)
		uart_print_sync(s, n);
}

void console_early(void)
{
	uart_early();
	print_sink(console_print, console_print_sync);
}

/* If the console has both places, the terminal at COM1 answers what programs ask a terminal. */
void console_screen(const struct framebuffer *fb)
{
	void (*answers)(const uint8_t *s, size_t n) = NULL;
	bool com1 = uart_present(UART_COM1), alone, only_com1;
	char where[8] = "both";

	cmdline_get("console", where, sizeof(where));
	alone = strcmp(where, "screen") == 0;
	only_com1 = strcmp(where, "com1") == 0;
	if (!alone && !only_com1 && strcmp(where, "both") != 0)
		printk("console: no place \"%s\": screen, com1 or both\n", where);
	if (alone || !com1)
		answers = cons_input;
	if (!only_com1 || !com1)
		on_screen = screen_init(fb, answers);
	on_com1 = com1;
	if (alone && on_screen)
		on_com1 = false;
}

/* Input of a place that the console does not have is dropped. */
static void com1_input(const uint8_t *s, size_t n)
{
	if (on_com1)
		cons_input(s, n);
}

void console_start(void)
{
	char layout[8] = "";

	/* Nobody types so fast that the keyboard would have to stop. */
	cons_connect(console_write, uart_throttle);
	uart_init(com1_input);
	cmdline_get("keymap", layout, sizeof(layout));
	if (on_screen)
		kbd_init(layout, cons_input, screen_look);
}
