/*
 * Spin in user mode in several processes at once, some million turns of a loop each.
 * usage: spin PROCESSES MILLIONS
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	if (argc != 3)
		return 2;
	for (int i = atoi(argv[1]); i > 0; i--) {
		if (fork() == 0) {
			for (volatile int n = atoi(argv[2]) * 1000000; n > 0; n--)
				;
			return 0;
		}
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
