/* The console: what it prints goes to its places, and what is typed at them comes to it. */
#include "boot/console.h"
#include "drivers/console/cons.h"
#include "drivers/console/kbd.h"
#include "drivers/console/screen.h"
#include "drivers/console/uart.h"
#include "kernel/cmdline.h"
#include "kernel/lib.h"
#include "kernel/print.h"

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

/* Make whoever sends the console its input stop, or go on. Nobody types that fast. */
static void console_throttle(bool stop)
{
	uart_throttle(UART_COM1, stop);
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

/* With both, the terminal at COM1 answers what programs ask for. */
void console_screen(const struct framebuffer *fb)
{
	char where[8] = "both";
	bool com1 = uart_present(UART_COM1), alone;

	cmdline_get("console", where, sizeof(where));
	alone = strcmp(where, "screen") == 0;
	if (!alone && strcmp(where, "com1") != 0 && strcmp(where, "both") != 0)
		printk("console: no place \"%s\": screen, com1 or both\n", where);
	if (strcmp(where, "com1") != 0 || !com1)
		on_screen = screen_init(fb, alone || !com1 ? cons_input : NULL);
	on_com1 = com1 && !(alone && on_screen);
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

	uart_init(com1_input);
	cmdline_get("keymap", layout, sizeof(layout));
	if (on_screen)
		kbd_init(layout, cons_input, screen_look);
	cons_connect(console_write, console_throttle);
}
