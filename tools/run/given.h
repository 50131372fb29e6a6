/*
 * The programs that a machine is given: its initrd's, and those that the user puts into it. What
 * tells them from others of their names stands beside profiles, which have the names alone.
 */
#ifndef TOOLS_RUN_GIVEN_H
#define TOOLS_RUN_GIVEN_H

#include "tools/profile/programs.h"
#include "tools/run/runopts.h"
#include "tools/run/workdir.h"

/*
 * Find the programs in the archives that QEMU is given, which are in the work directory. What
 * cannot be read there has none: QEMU will complain of it.
 */
void given_find(struct programs *p, const struct workdir *work, const struct runopts *o);

/*
 * Copy the content that a file of that path has in the guest at first. Return 0, or -1: the
 * archives do not have it. The caller frees *data, after success only.
 */
int given_data(const struct workdir *work, const char *path, uint8_t **data, size_t *n);

#endif
