/* What gnomon run says of its files and of several runs, on the standard error. */
#ifndef TOOLS_RUN_TELL_H
#define TOOLS_RUN_TELL_H

#include <stdbool.h>
#include "tools/run/runopts.h"

/* Return whether a person sees what is said beside the guest's output. */
bool tell_watched(const struct runopts *o);

/* Tell a person where the files are that were fetched; after several runs, where the folders. */
void tell_files(const struct runopts *o, const char *base, const char *dir);

/* Say which of these files are profiles in which nothing was counted, and what starts that. */
void tell_empty(const struct runopts *o, const char *dir);

/* Of several runs say which one failed, and where its files are. */
void tell_failed(const struct runopts *o, unsigned nth, const char *dir);

/* Or that all brought back the same, if they did. */
void tell_alike(const struct runopts *o, const char *base);

#endif
