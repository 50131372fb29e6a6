/*
 * Functions of one name in one program, told apart: mostly static ones of several files. Else two
 * rows of a report would be alike, and no option could name one of them.
 */
#ifndef TOOLS_CODE_NAMESAKES_H
#define TOOLS_CODE_NAMESAKES_H

#include "tools/code/symbols.h"

/*
 * Give functions of one name different ones: "step (main.c)" by their source files, which the
 * symbol table or DWARF data tell; with the whole path where the files have one name, too; with
 * the address where they are not known. All others keep theirs. The symbols are sorted, and so
 * they stay; new names last as long as they do.
 */
void namesakes_part(struct symbols *s);

#endif
