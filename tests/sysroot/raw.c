/* W3: the console's modes, as termios.h has them. Prints what consctl(4) says in each. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static void show(void)
{
	char text[100] = "";
	int fd = open("/dev/consctl", O_RDONLY);

	read(fd, text, sizeof(text) - 1);
	printf("%.*s\n", (int)strcspn(text, "\n"), text);
	close(fd);
}

int main(void)
{
	struct termios old, raw;
	int cons = open("/dev/cons", O_RDONLY), null = open("/dev/null", O_RDONLY);

	printf("%d ", tcgetattr(cons, &old));
	printf("%d\n", !!(old.c_lflag & ICANON));
	raw = old;
	raw.c_lflag &= ~(ICANON | ECHO);
	printf("%d ", tcsetattr(cons, TCSAFLUSH, &raw));
	show();
	tcgetattr(cons, &raw);
	printf("%d ", !!(raw.c_lflag & ICANON));
	printf("%d ", tcsetattr(cons, TCSANOW, &old));
	show();
	printf("%d ", tcgetattr(null, &old));
	puts(strerror(errno));
	return 0;
}
