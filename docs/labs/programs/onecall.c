/* onecall: writes lines to a file. Lab 4 finds the one call of write that takes long. */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#define LINES 3000
#define LONGEST 60000

/* Return how many bytes a line has. */
static size_t length(int line)
{
	return line * 7919 % 3001 == 42 ? LONGEST : 20 + (size_t)line % 40;
}

int main(void)
{
	static char text[LONGEST];
	int fd = open("/tmp/log", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	if (fd < 0)
		err(1, "/tmp/log");
	for (int i = 1; i <= LINES; i++)
		if (write(fd, text, length(i)) != (ssize_t)length(i))
			err(1, "/tmp/log");
	return 0;
}
