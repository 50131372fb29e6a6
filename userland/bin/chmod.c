/* chmod: changes who may read, write and execute files. */
#include <sys/stat.h>
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "userland/command/usage.h"

#define ALL 0777

static const char synopsis[] =
	"chmod mode file ...\n"
	"mode: an octal number, or [ugoa]...(+|-|=)[rwx]...";

/* Moves over the letters at *s that stand in set; returns the masks of those met, or'ed. */
static unsigned letters(const char **s, const char *set, const unsigned *masks)
{
	unsigned mask = 0;

	for (const char *p; **s && (p = strchr(set, **s)); ++*s)
		mask |= masks[p - set];
	return mask;
}

/* What mode becomes of an old one; false when it cannot be understood. */
static bool new_mode(const char *mode, unsigned old, unsigned *new)
{
	static const unsigned who_masks[] = { 0700, 0070, 0007, ALL };
	static const unsigned may_masks[] = { 0444, 0222, 0111 };
	unsigned who, may;
	char *end, how;

	*new = strtoul(mode, &end, 8);
	if (mode[0] >= '0' && mode[0] <= '7')
		return *end == '\0' && *new <= ALL;
	who = letters(&mode, "ugoa", who_masks);
	if (who == 0)
		who = ALL;
	how = *mode ? *mode++ : '\0';
	may = letters(&mode, "rwx", may_masks) & who;
	if (how == '+')
		*new = old | may;
	else if (how == '-')
		*new = old & ~may;
	else
		*new = (old & ~who) | may;
	return *mode == '\0' && (how == '+' || how == '-' || how == '=');
}

int main(int argc, char **argv)
{
	const char *mode;
	unsigned new;
	int failed = 0;

	if (argc > 1 && strcmp(argv[1], "-h") == 0)
		usage('h', synopsis);
	if (argc < 3)
		usage('?', synopsis);
	mode = argv[1];
	if (!new_mode(mode, 0, &new))
		usage('?', synopsis);
	for (int i = 2; i < argc; i++) {
		struct stat st;

		if (stat(argv[i], &st) < 0 || !new_mode(mode, st.st_mode & ALL, &new) ||
		    chmod(argv[i], new) < 0) {
			warn("%s", argv[i]);
			failed = 1;
		}
	}
	return failed;
}
