/* The boot loader's command line: words, each "key" or "key=value". */
#include "kernel/machine/cmdline.h"

static char line[512];

/* Keep a copy of the command line s, cut to what fits. */
void cmdline_init(const char *s)
{
	size_t n = min_size(strlcpy(line, s, sizeof(line)), sizeof(line) - 1);

	while (n > 0 && line[n - 1] == ' ')
		line[--n] = 0;
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
	size_t len = strlen(key), n;

	for (const char *p = line; *p; p += n + (p[n] == ' ')) {
		for (n = 0; p[n] && p[n] != ' ';)
			n++;
		if (strncmp(p, key, len) != 0)
			continue;
		if (!strchr("= ", p[len])) /* which finds the NUL, too */
			continue;
		size_t skip = min_size(len + 1, n);
		strlcpy(value, p + skip, min_size(n - skip + 1, size));
		return true;
	}
	return false;
}
