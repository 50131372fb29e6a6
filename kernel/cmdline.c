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

/* The whole line, for /dev/cmdline. */
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
		while (*p == ' ')
			p++;
		const char *end = p;
		while (*end && *end != ' ')
			end++;
		if ((size_t)(end - p) >= len && strncmp(p, key, len) == 0 &&
		    (p + len == end || p[len] == '=')) {
			const char *v = p + len == end ? end : p + len + 1;
			size_t n = (size_t)(end - v) + 1;
			strlcpy(value, v, n < size ? n : size);
			return true;
		}
		p = end;
	}
	return false;
}
