/* The console's modes. It knows one of them: whether lines are edited before they are read. */
#include <fcntl.h>
#include <string.h>
#include <sys/termios.h>
#include <unistd.h>
#include "ports/libc/calls.h"

static struct termios modes = {
	.c_iflag = ICRNL, .c_oflag = OPOST | ONLCR, .c_cflag = CS8,
	.c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | IEXTEN,
	.c_cc = {[VINTR] = 3, [VERASE] = 127, [VKILL] = 21, [VEOF] = 4, [VMIN] = 1},
};

int tcgetattr(int fd, struct termios *now)
{
	if (!isatty(fd))
		return -1;
	*now = modes;
	return 0;
}

/* Ask for raw input, without ICANON, or end that; the end of the process ends it, too. */
int tcsetattr(int fd, int, const struct termios *wanted)
{
	const char *word = wanted->c_lflag & ICANON ? "rawoff" : "rawon";
	static int control = -1;

	if (!isatty(fd))
		return -1;
	if (control < 0)
		control = open("/dev/consctl", O_WRONLY | O_CLOEXEC);
	if (write(control, word, strlen(word)) < 0)
		return -1;
	modes = *wanted;
	return 0;
}
