/* Functions from the text that nm prints, as System.map and Linux's /proc/kallsyms have it. */
#ifndef TOOLS_CODE_NM_H
#define TOOLS_CODE_NM_H

#include "tools/code/symbols.h"

/*
 * Read a file of lines "ADDRESS TYPE NAME [MODULE]" with an address of 8 or 16 digits into s, with
 * the text from the first function to the last that is of no module. Return false: it is none such,
 * or has no functions; s then has none either.
 */
bool nm_read(struct symbols *s, const char *path);

#endif
