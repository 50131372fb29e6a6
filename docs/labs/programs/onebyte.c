/* onebyte: adds up the bytes of a file. Lab 1 asks where its time goes. */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned char c;
	unsigned sum = 0;
	ssize_t n;
	int fd;

	if (argc != 2)
		errx(2, "usage: onebyte FILE");
	fd = open(argv[1], O_RDONLY);
	if (fd < 0)
		err(1, "%s", argv[1]);
	while ((n = read(fd, &c, 1)) == 1)
		sum += c;
	if (n < 0)
		err(1, "%s", argv[1]);
	printf("%u\n", sum);
	return 0;
}
