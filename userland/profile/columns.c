/* Writes the columns of a table: see columns.h. */
#include "userland/profile/columns.h"

#include <string.h>

unsigned columns_permille(uint64_t n, uint64_t total)
{
	uint64_t rounded = (n * 1000 + total / 2) / total;

	return rounded == 1000 && n < total ? 999 : (unsigned)rounded;
}

/* By hand: there are thousands in a table, for each of which printf() would read its format. */
char *columns_number(char *to, uint64_t n, size_t width)
{
	char digit[20], *end = digit + sizeof(digit), *at = end;

	for (; n > UINT32_MAX; n /= 10)
		*--at = (char)('0' + n % 10);
	for (uint32_t small = (uint32_t)n; small > 0 || at == end; small /= 10)
		*--at = (char)('0' + small % 10);
	for (; width > (size_t)(end - at); width--)
		*to++ = ' ';
	while (at < end)
		*to++ = *at++;
	return to;
}

char *columns_percent(char *to, uint64_t n, uint64_t total)
{
	unsigned part;

	if (total == 0)
		return stpcpy(to, "     -");
	part = columns_permille(n, total);
	to = columns_number(to, part / 10, 3);
	*to++ = '.';
	*to++ = (char)('0' + part % 10);
	*to++ = '%';
	return to;
}
