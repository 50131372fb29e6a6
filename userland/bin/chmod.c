/*
 * chmod: changes who may read, write and execute files. A mode is octal or one symbolic change of
 * POSIX's chmod; lists of changes and the set-id and sticky bits are not known.
 */
#include <sys/stat.h>
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "userland/command/usage.h"

#define ALL 0777 /* the bits that there are */

/* Its second line is no other way to use it, but what a mode is. */
static const char synopsis[] =
	"chmod mode file ...\n"
	"mode: an octal number, or [ugoa]...(+|-|=)[rwx]...";

/* Move *s past letters that are in the set. Return their masks, or'ed. */
static unsigned letters(const char **s, const char *set, const unsigned *masks)
{
	unsigned mask = 0;

	for (const char *p; **s && (p = strchr(set, **s)); ++*s)
		mask |= masks[p - set];
	return mask;
}

/* Work out the mode that an old one becomes. Return false if the change makes no sense. */
static bool new_mode(const char *mode, unsigned old, unsigned *new)
{
	static const unsigned who_masks[] = { 0700, 0070, 0007, ALL };
	static const unsigned may_masks[] = { 0444, 0222, 0111 };
	unsigned who, may;
	char *end, how;

	*new = strtoul(mode, &end, 8);
	if (mode[0] >= '0' && mode[0] <= '7')
		return *end == '\0' && *new <= ALL;
	/* Without letters it is all; POSIX would take the umask off, but there is none. */
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
	if (!new_mode(mode, 0, &new)) /* look first, before any file is changed */
		usage('?', synopsis);
	/* A symbolic mode depends on what each file has. */
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
