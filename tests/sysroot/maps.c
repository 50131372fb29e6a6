/* W3: mmap and munmap, by newlib's headers. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	int fd = open("/tmp/file", O_RDWR | O_CREAT, 0644);
	char *text, *memory;

	write(fd, "some text", 9);
	text = mmap(NULL, 9, PROT_READ, MAP_PRIVATE, fd, 0);
	memory = mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
	memset(memory + 1, 'x', 99999);
	printf("%s %d %c\n", text, memory[0], memory[99999]);
	printf("%d %d\n", munmap(text, 9), munmap(memory, 100000));
	memory = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	printf("%d %s\n", memory == MAP_FAILED, strerror(errno));
	return 0;
}
