/*
 * shares: writes bytes one by one, and reads pages as often. The kernel copies both with one
 * function; lab 3 asks gprof whose the time is.
 */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#define TIMES 10000

int main(void)
{
	static char page[4096];
	int small = open("/tmp/shares.small", O_CREAT | O_TRUNC | O_WRONLY, 0600);
	int large = open("/tmp/shares.large", O_CREAT | O_TRUNC | O_RDWR, 0600);

	if (small < 0 || large < 0)
		err(1, "/tmp");
	if (write(large, page, sizeof(page)) != sizeof(page))
		err(1, "write");
	for (int i = 0; i < TIMES; i++) {
		if (lseek(small, 0, SEEK_SET) < 0 || write(small, page, 1) != 1)
			err(1, "write");
		if (lseek(large, 0, SEEK_SET) < 0 || read(large, page, 4096) != 4096)
			err(1, "read");
	}
	return 0;
}
