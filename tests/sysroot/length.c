/* W4: nothing but strlen(3), which newlib has in assembly: profilers are to say so. */
#include <stdio.h>
#include <string.h>

int main(void)
{
	static char text[20000];
	size_t n = 0;
	int i;

	memset(text, 'x', sizeof(text) - 1);
	for (i = 0; i < 2000; i++)
		n += strlen(text);
	printf("%zu\n", n);
	return 0;
}
