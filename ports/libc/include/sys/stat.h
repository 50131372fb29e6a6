/* newlib declares lstat(2) for some systems only. */
#ifndef _GNOMON_SYS_STAT_H
#define _GNOMON_SYS_STAT_H

#include_next <sys/stat.h>

int lstat(const char *__restrict path, struct stat *__restrict st);

#endif
