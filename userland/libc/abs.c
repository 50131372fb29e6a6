/* Absolute values. That of the smallest number is undefined, as C has it. */
#include <stdlib.h>

int abs(int n)
{
	return n < 0 ? -n : n;
}

long labs(long n)
{
	return n < 0 ? -n : n;
}

long long llabs(long long n)
{
	return n < 0 ? -n : n;
}
