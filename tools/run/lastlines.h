/*
 * The last lines that a guest, or QEMU, wrote: they tell why a run failed. What a terminal would
 * obey in them is shown as printable.h says.
 */
#ifndef TOOLS_RUN_LASTLINES_H
#define TOOLS_RUN_LASTLINES_H

#include <stdbool.h>

/*
 * Print the end of a console on the standard error, under a title: from where the kernel says what
 * went wrong, with the files and lines of the functions in its back trace, by the ELF file that
 * the guest ran; of other consoles, and of any text if kernel is NULL, the last lines. Return
 * whether the file has any lines.
 */
bool lastlines_print(const char *path, const char *title, const char *kernel);

#endif
