/* The boot loader's command line: words, each "key" or "key=value". */
#include "kernel/cmdline.h"
#include "kernel/lib.h"

static char line[512];

/* Keep a copy of the command line s, cut to what fits. */
void cmdline_init(const char *s)
{
	strlcpy(line, s, sizeof(line));
	for (char *end = line + strlen(line); end > line && end[-1] == ' ';)
		*--end = 0;
}

/* Return the whole line, for /dev/cmdline. */
const char *cmdline(void)
{
	return line;
}

/*
 * Look up key. True if it is there; value gets what follows "=", cut to size,
 * or "" for a bare word. The first occurrence counts.
 */
bool cmdline_get(const char *key, char *value, size_t size)
{
	size_t len = strlen(key);

	for (const char *p = line; *p;) {
		size_t n = 0;

		while (p[n] && p[n] != ' ')
			n++;
		if (strncmp(p, key, len) == 0 && (n == len || p[len] == '=')) {
			size_t skip = n == len ? len : len + 1, room = n - skip + 1;

			strlcpy(value, p + skip, room < size ? room : size);
			return true;
		}
		p += p[n] ? n + 1 : n;
	}
	return false;
}
