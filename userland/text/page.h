/* The preformatted manual pages under /man/SECTION/NAME. */
#ifndef USERLAND_TEXT_PAGE_H
#define USERLAND_TEXT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE_DIR "/man"

/*
 * Read a page into memory that the caller frees, ended by a NUL that *len does not count. Return
 * NULL with errno when there is no such page.
 */
char *page_read(const char *section, const char *name, size_t *len);

/*
 * Find the two halves of a page's NAME section, such as "cat" and "copy files to standard output",
 * each as one line; the page's text is changed. Return false when it has none.
 */
bool page_summary(char *page, char **names, char **about);

#endif
