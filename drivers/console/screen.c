/* The screen: see screen.h. One lock guards the terminal and what shows it. */
#include "drivers/console/screen.h"
#include "kernel/machine/spin.h"
#include "kernel/machine/string.h"
#include "kernel/memory/frame.h"

static struct spinlock lock = {.name = "screen"};
static struct term term;		  /* lock */
static void (*answer_to)(const uint8_t *s, size_t n); /* constant after boot; NULL: nobody */

bool screen_init(const struct framebuffer *fb, void (*input)(const uint8_t *s, size_t n))
{
	char text[256];
	size_t n;

	const struct term_screen *s = fb ? fb_init(fb) : vga_init();
	if (!s)
		return false;
	void *pages = frame_alloc_n(term_pages(s));
	if (!pages)
		return false;
	term_init(&term, s, pages);
	answer_to = input;
	for (size_t at = 0; (n = print_log(text, sizeof(text), at)) > 0; at += n)
		screen_print(text, n);
	return true;
}

void screen_print_sync(const char *s, size_t n)
{
	term_write(&term, s, n);
}

void screen_print(const char *s, size_t n)
{
	HOLD_SPIN(&lock);
	screen_print_sync(s, n);
}

/* The spare page is for the lines that scroll off: screen_print() cannot allocate one. */
void screen_write(const char *s, size_t n)
{
	char answer[sizeof(term.answer)];

	if (!term.spare)
		term.spare = frame_alloc();
	spin_lock(&lock);
	screen_print_sync(s, n);
	strlcpy(answer, term.answer, sizeof(answer));
	term.answer[0] = 0;
	spin_unlock(&lock);
	if (answer_to && *answer)
		answer_to((const uint8_t *)answer, strlen(answer));
}

void screen_look(bool back)
{
	int lines = (int)term.screen->rows - 1;
	HOLD_SPIN(&lock);
	term_look(&term, back ? lines : -lines);
}
