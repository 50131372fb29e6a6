/* The preformatted manual pages under /man/SECTION/NAME. */
#ifndef USERLAND_TEXT_PAGE_H
#define USERLAND_TEXT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE_DIR "/man"

char *page_read(const char *section, const char *name, size_t *len);
bool page_summary(char *page, char **names, char **about);

#endif
