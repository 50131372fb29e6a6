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
#include "tools/guest/topscreen.h"
#include "tools/memory.h"

static struct {
	bool on;
	struct termios before; /* as the terminal was */
	sigset_t mask;	       /* and the signals */
	int events;	       /* an epoll(7) of the keys and these signals: */
	int signals;	       /* SIGWINCH and SIGTSTP */
} screen;

/* A terminal that TERM does not name is not known to do anything but to print. */
bool topscreen_usable(void)
{
	const char *term = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

bool topscreen_color(void)
{
	const char *no = getenv("NO_COLOR");

	return !no || !*no;
}

int topscreen_write(const char *text, size_t n, struct complaint *why)
{
	size_t done = 0;
	ssize_t w;

	while (done < n && !ending_came()) {
		if (!ending_wait(STDOUT_FILENO, POLLOUT, -1))
			continue;
		/* A pipe that is ready takes this much without blocking: pipe(7). */
		w = write(STDOUT_FILENO, text + done, n - done < 4096 ? n - done : 4096);
		if (w < 0 && errno != EINTR && errno != EAGAIN)
			return complain(why, "cannot write the standard output: %s",
					strerror(errno));
		done += w > 0 ? (size_t)w : 0;
	}
	return 0;
}

/* Have events on a file wake topscreen_wait(). */
static void watch(int fd)
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
	watch(screen.signals);
	watch(STDIN_FILENO);
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
	*lines = size.ws_row > 0 ? size.ws_row : 24;
	*columns = size.ws_col > 0 ? size.ws_col : 80;
}

/* Give the terminal back while the program is stopped. */
static void stop(void)
{
	topscreen_end();
	kill(getpid(), SIGSTOP);
	topscreen_begin();
}

/* Return what the bytes of one key mean, which come together. */
static int key(const char *bytes, size_t n)
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

/* Read a key. Return how many bytes it has; 0: nobody types any more. */
static size_t read_key(char *bytes)
{
	size_t n = 0;
	ssize_t got;
	int more = 1;

	while (more > 0 && n < 8) {
		got = read(STDIN_FILENO, bytes + n, 1);
		if (got <= 0)
			break;
		n++;
		/* Only the rest of a sequence belongs to the same key. */
		more = bytes[0] != TOPSCREEN_ESCAPE ? 0 :
		       n > 2 && bytes[n - 1] >= '@' ? 0 :
		       ioctl(STDIN_FILENO, FIONREAD, &more) == 0 ? more : 0;
	}
	return n;
}

int topscreen_wait(int ms)
{
	struct signalfd_siginfo signal;
	struct epoll_event e;
	char bytes[8];
	size_t n;

	if (!ending_wait(screen.events, POLLIN, ms) ||
	    epoll_wait(screen.events, &e, 1, 0) != 1)
		return TOPSCREEN_NOTHING;
	if (e.data.fd == screen.signals) {
		if (read(screen.signals, &signal, sizeof(signal)) == sizeof(signal) &&
		    signal.ssi_signo == SIGTSTP)
			stop();
		return TOPSCREEN_RESIZED;
	}
	n = read_key(bytes);
	if (n == 0) {
		epoll_ctl(screen.events, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
		return TOPSCREEN_NOTHING;
	}
	return key(bytes, n);
}

/* Copy a line, as much as fits; attributes take no place. Return where the next one begins. */
static const char *put_line(FILE *to, const char *text, int columns)
{
	while (*text && *text != '\n') {
		if (*text == '\033') {
			do
				putc(*text, to);
			while (*text++ != 'm' && *text);
			continue;
		}
		if (columns-- > 0)
			putc(*text, to);
		text++;
	}
	fputs("\033[0m\033[K", to);
	return *text ? text + 1 : text;
}

/* The cursor is never put behind the last place of the screen, which would move it all up. */
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
