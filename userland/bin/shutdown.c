/* shutdown: stops the machine, or starts it again. */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"

#define REBOOT "/dev/reboot"

static const char synopsis[] = "shutdown [-r] [status]";

int main(int argc, char **argv)
{
	char words[32] = "reboot\n";
	bool again = false;
	int c, fd;

	while ((c = getopt(argc, argv, "hr")) != -1) {
		if (c != 'r')
			usage(c, synopsis);
		again = true;
	}
	if (argc - optind > (again ? 0 : 1))
		usage('?', synopsis);
	if (!again)
		snprintf(words, sizeof(words), "halt %ld\n",
			 optind < argc ? number(argv[optind], 0, 255) : 0);
	fd = open(REBOOT, O_WRONLY);
	if (fd < 0 || write(fd, words, strlen(words)) < 0)
		err(1, REBOOT);
	close(fd);
	return 0;
}
