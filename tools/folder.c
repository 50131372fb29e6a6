/* Folders for what comes out of a guest: see folder.h. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/folder.h"

/* The last test notices whatever could not be made. */
int folder_make(const char *path, struct complaint *why)
{
	char part[PATH_MAX + 8], *slash;
	struct stat st;

	snprintf(part, sizeof(part), "%s", path);
	for (slash = part + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
		*slash = 0;
		mkdir(part, 0777);
	}
	mkdir(part, 0777);
	if (stat(part, &st) == 0 && S_ISDIR(st.st_mode) && access(part, W_OK) == 0)
		return 0;
	return complain(why, "%s: no folder that can be written to", path);
}
