/*
 * pprof's profile as other formats begin with it: the message of pprof.proto here, of which the
 * original is proto/profile.proto of github.com/google/pprof.
 */
#ifndef TOOLS_EXPORT_PPROF_H
#define TOOLS_EXPORT_PPROF_H

#include "tools/export/export.h"

/* Write the message Profile of pprof.proto, compressed or not. 0, or -1 and *why. */
int pprof_write(struct export *x, bool compressed, FILE *to, struct complaint *why);

#endif
