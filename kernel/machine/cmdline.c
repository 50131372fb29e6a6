/* The boot loader's command line: words, each "key" or "key=value". */
#include "kernel/machine/cmdline.h"
#include "kernel/machine/string.h"

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
		bool found = strncmp(p, key, len) == 0 && (n == len || p[len] == '=');
		if (found) {
			size_t skip = min_size(len + 1, n);

			strlcpy(value, p + skip, min_size(n - skip + 1, size));
			return true;
		}
		p += n;
		while (*p == ' ')
			p++;
	}
	return false;
}
