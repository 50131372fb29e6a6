/*
 * Numbers from text that is not checked: what is not a number is 0, and no error is
 * reported.
 */
#include <stdlib.h>

int atoi(const char *s)
{
	return (int)strtol(s, NULL, 10);
}

long atol(const char *s)
{
	return strtol(s, NULL, 10);
}

long long atoll(const char *s)
{
	return strtoll(s, NULL, 10);
}
