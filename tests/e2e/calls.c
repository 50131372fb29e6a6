/* Make system calls, and do nothing else, for ever. */
#include <unistd.h>

int main(void)
{
	for (;;)
		getppid();
}
