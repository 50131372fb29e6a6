/* utime(2), which newlib's header of that name leaves out. */
#ifndef GNOMON_UTIME_H
#define GNOMON_UTIME_H

#include <sys/types.h>
#include_next <utime.h>

int utime(const char *path, const struct utimbuf *times);

#endif
