/*
 * addresses: loads a prf device with addresses that are spread evenly over a kernel's text, for
 * what a tick costs depends on how many there are.
 *
 * usage: addresses N LO HI	LO and HI are hexadecimal
 */
#include <sys/prf.h>
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAXADDR 8192u /* what PRF_GETMAX gives */

int main(int argc, char **argv)
{
	static uint32_t address[MAXADDR];

	if (argc != 4) {
		fprintf(stderr, "usage: addresses N LO HI\n");
		return 2;
	}
	uint32_t n = (uint32_t)strtoul(argv[1], NULL, 10);
	uint32_t lo = (uint32_t)strtoul(argv[2], NULL, 16);
	uint32_t hi = (uint32_t)strtoul(argv[3], NULL, 16);
	int fd = open("/dev/prf", O_RDWR);

	if (fd < 0)
		err(1, "/dev/prf");
	if (n > MAXADDR)
		errx(1, "no more than %u", MAXADDR);
	for (uint32_t i = 0; i < n; i++)
		address[i] = lo + (hi - lo) / n * i;
	if (write(fd, address, n * sizeof(*address)) != (ssize_t)(n * sizeof(*address)))
		err(1, "/dev/prf");
	return 0;
}
