/*
 * shutdown: stops the machine, or starts it again, by a message to /dev/reboot, cons(4). An
 * emulator ends with the status.
 */
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/files/whole.h"

#define REBOOT "/dev/reboot"

static const char synopsis[] = "shutdown [-r] [status]";

int main(int argc, char **argv)
{
	char words[32] = "reboot";
	bool again = false; /* -r */
	int c;

	while ((c = getopt(argc, argv, "hr")) != -1) {
		if (c == 'h' && argc > 2)
			c = '?'; /* other systems' shutdown -h now is not a question */
		if (c != 'r')
			usage(c, synopsis);
		again = true;
	}
	if (argc - optind > (again ? 0 : 1))
		usage('?', synopsis);
	if (!again)
		snprintf(words, sizeof(words), "halt %ld",
			 optind < argc ? number(argv[optind], 0, 255) : 0);
	whole_write(REBOOT, words);
	return 0;
}
