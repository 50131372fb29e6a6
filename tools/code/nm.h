/*
 * Functions from the text that nm prints, as System.map and Linux's /proc/kallsyms have it. The
 * types are nm(1)'s: t, T, w and W are functions. There is neither code nor source in such a file.
 */
#ifndef TOOLS_CODE_NM_H
#define TOOLS_CODE_NM_H

#include "tools/code/symbols.h"

/*
 * Read a file of lines "ADDRESS TYPE NAME [MODULE]" with an address of 8 or 16 digits into s, with
 * the text from the first function to the last that is of no module. Return false: it is none such,
 * or has no functions; s then has none either. Functions have no end yet: the caller gives them the
 * next one's beginning.
 */
bool nm_read(struct symbols *s, const char *path);

#endif
