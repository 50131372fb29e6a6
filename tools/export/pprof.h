/* pprof's profile as other formats begin with it. */
#ifndef TOOLS_EXPORT_PPROF_H
#define TOOLS_EXPORT_PPROF_H

#include "tools/export/export.h"

/* Write the message Profile of pprof.proto, compressed or not. 0, or -1 and *why. */
int pprof_write(struct export *x, bool compressed, FILE *to, struct complaint *why);

#endif
