/* The terminal of gnomon top: see topscreen.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>
#include "tools/ending.h"
#include "tools/env.h"
#include "tools/guest/topscreen.h"
#include "tools/memory.h"
#include "tools/order.h"

static struct {
	bool on;
	struct termios before; /* as the terminal was */
	sigset_t mask;	       /* and the signals */
	int events;	       /* an epoll(7) of the keys and these signals: */
	int signals;	       /* SIGWINCH and SIGTSTP */
	char held;	       /* the first byte of the next key, if that was read already, or 0 */
} screen;

/* A terminal that TERM does not name is not known to do anything but to print. */
bool topscreen_usable(void)
{
	if (!isatty(STDIN_FILENO))
		return false;
	if (!isatty(STDOUT_FILENO))
		return false;
	return strcmp(env_or("TERM", "dumb"), "dumb") != 0;
}

bool topscreen_color(void)
{
	return !env_or("NO_COLOR", NULL);
}

int topscreen_write(const char *text, size_t n, struct complaint *why)
{
	size_t done = 0;
	ssize_t w;

	while (done < n && !ending_came()) {
		if (!ending_wait(STDOUT_FILENO, POLLOUT, -1))
			continue;
		/* A pipe that is ready takes this much without blocking: pipe(7). */
		w = write(STDOUT_FILENO, text + done, order_min(n - done, 4096));
		if (w >= 0)
			done += (size_t)w;
		else if (errno != EINTR && errno != EAGAIN)
			return complain_errno(why, "cannot write the standard output");
	}
	return 0;
}

/* Have events on a file wake topscreen_wait(). */
static void topscreen_watch(int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};

	epoll_ctl(screen.events, EPOLL_CTL_ADD, fd, &e);
}

void topscreen_begin(void)
{
	static bool registered;
	struct termios raw;
	sigset_t set;

	if (!registered)
		atexit(topscreen_end);
	registered = true;
	tcgetattr(STDIN_FILENO, &screen.before);
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_BLOCK, &set, &screen.mask);
	screen.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	screen.events = epoll_create1(EPOLL_CLOEXEC);
	topscreen_watch(screen.signals);
	topscreen_watch(STDIN_FILENO);
	screen.on = true;
	raw = screen.before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
	printf("\033[?1049h\033[?25l\033[H\033[J");
	fflush(stdout);
}

void topscreen_end(void)
{
	if (!screen.on)
		return;
	screen.on = false;
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &screen.before);
	printf("\033[0m\033[?25h\033[?1049l");
	fflush(stdout);
	close(screen.events);
	close(screen.signals);
	sigprocmask(SIG_SETMASK, &screen.mask, NULL);
}

void topscreen_size(int *lines, int *columns)
{
	struct winsize size = {.ws_row = 0};

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	*lines = 24;
	if (size.ws_row > 0)
		*lines = size.ws_row;
	*columns = 80;
	if (size.ws_col > 0)
		*columns = size.ws_col;
}

/* Give the terminal back while the program is stopped. */
static void topscreen_stop(void)
{
	topscreen_end();
	kill(getpid(), SIGSTOP);
	topscreen_begin();
}

/* Return what the bytes of one key mean, which come together. */
static int key_of(const char *bytes, size_t n)
{
	static const struct {
		const char *bytes;
		int key;
	} keys[] = {
		{"[A", TOPSCREEN_UP}, {"[B", TOPSCREEN_DOWN}, {"OA", TOPSCREEN_UP},
		{"OB", TOPSCREEN_DOWN}, {"[5~", TOPSCREEN_PAGE_UP},
		{"[6~", TOPSCREEN_PAGE_DOWN},
	};
	size_t i;

	if (bytes[0] != TOPSCREEN_ESCAPE || n == 1)
		return (unsigned char)bytes[0];
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i].bytes) == n - 1 && memcmp(keys[i].bytes, bytes + 1, n - 1) == 0)
			return keys[i].key;
	return TOPSCREEN_NOTHING;
}

/*
 * Return whether n bytes of a key are not all: only the rest of a sequence is of the same key. What
 * follows Escape may be another key.
 */
static bool goes_on(const char *bytes, size_t n)
{
	int more;

	if (bytes[0] != TOPSCREEN_ESCAPE)
		return false;
	if (n > 2 && bytes[n - 1] >= '@')
		return false;
	return ioctl(STDIN_FILENO, FIONREAD, &more) == 0 && more > 0;
}

/* Read a byte, or take the one that is held. */
static bool read_byte(char *byte)
{
	if (!screen.held)
		return read(STDIN_FILENO, byte, 1) > 0;
	*byte = screen.held;
	screen.held = 0;
	return true;
}

/*
 * Read a key. Return how many bytes it has; 0: nobody types any more. Escape and another key may
 * both have come; a sequence's second byte is one of two.
 */
static size_t read_key(char *bytes)
{
	size_t n = 0;

	while (n < 8 && read_byte(bytes + n)) {
		n++;
		if (n == 2 && !strchr("[O", bytes[1])) {
			screen.held = bytes[1];
			return 1;
		}
		if (!goes_on(bytes, n))
			break;
	}
	return n;
}

/* Wait for a key or a signal; no longer than `ms`. Return whether there is one. */
static bool wait_for_event(struct epoll_event *e, int ms)
{
	e->data.fd = STDIN_FILENO;
	if (screen.held)
		return true;
	return ending_wait(screen.events, POLLIN, ms) && epoll_wait(screen.events, e, 1, 0) == 1;
}

int topscreen_wait(int ms)
{
	struct signalfd_siginfo signal;
	struct epoll_event e;
	char bytes[8];
	size_t n;

	if (!wait_for_event(&e, ms))
		return TOPSCREEN_NOTHING;
	if (e.data.fd == screen.signals) {
		n = (size_t)read(screen.signals, &signal, sizeof(signal));
		if (n == sizeof(signal) && signal.ssi_signo == SIGTSTP)
			topscreen_stop();
		return TOPSCREEN_RESIZED;
	}
	n = read_key(bytes);
	if (n == 0) {
		epoll_ctl(screen.events, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
		return TOPSCREEN_NOTHING;
	}
	return key_of(bytes, n);
}

/* Return how many bytes an attribute at this place has, such as "\033[31m"; 0: none is here. */
static size_t attribute_length(const char *text)
{
	size_t n;

	if (strncmp(text, "\033[", 2) != 0)
		return 0;
	n = 2 + strspn(text + 2, "0123456789;");
	if (text[n] != 'm')
		return 0;
	return n + 1;
}

/* Copy a line, as much as fits; attributes take no place. Return where the next one begins. */
static const char *put_line(FILE *to, const char *text, int columns)
{
	const char *end = text + strcspn(text, "\n");

	while (text < end) {
		size_t n = attribute_length(text);

		if (n > 0)
			fwrite(text, 1, n, to);
		else if (columns-- > 0)
			putc(*text, to);
		text += order_max(n, 1);
	}
	fputs("\033[0m\033[K", to);
	if (*end)
		end++;
	return end;
}

/* The cursor is never put past the last place of the screen, which would move it all up. */
int topscreen_show(const char *text, const char *bottom, struct complaint *why)
{
	struct memory_stream to;
	int line, lines, columns, bad;

	topscreen_size(&lines, &columns);
	memory_stream_open(&to);
	for (line = 1; line < lines && *text; line++) {
		fprintf(to.f, "\033[%dH", line);
		text = put_line(to.f, text, columns);
	}
	fprintf(to.f, "\033[%dH\033[J\033[%dH", line, lines);
	put_line(to.f, bottom, columns - 1);
	memory_stream_close(&to);
	bad = topscreen_write(to.data, to.n, why);
	free(to.data);
	return bad;
}
