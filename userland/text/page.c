/* The preformatted manual pages. */
#include "userland/text/page.h"

#include <stdlib.h>
#include <string.h>

#include "userland/files/path.h"
#include "userland/files/whole.h"

char *page_read(const char *section, const char *name, size_t *len)
{
	char *dir = path_join(PAGE_DIR, section), *path = path_join(dir, name);
	char *page = whole_read(path, len);

	free(path);
	free(dir);
	return page;
}

/* Blanks and newlines in a row become one blank; the section ends at an empty line. */
bool page_summary(char *page, char **names, char **about)
{
	char *p = strstr(page, "\nNAME\n"), *end, *to;
	bool space = true;

	if (!p)
		return false;
	p += strlen("\nNAME\n");
	end = strstr(p, "\n\n");
	if (end)
		*end = '\0';
	*names = to = p;
	for (; *p; p++) {
		bool blank = *p == ' ' || *p == '\n';

		if (!blank)
			*to++ = *p;
		else if (!space)
			*to++ = ' ';
		space = blank;
	}
	if (to > *names && to[-1] == ' ')
		to--;
	*to = '\0';
	*about = strstr(*names, " - ");
	if (!*about)
		return false;
	**about = '\0';
	*about += strlen(" - ");
	return true;
}
