/* What the kernel says of files, by names that newlib has not. It comes before any header. */
#ifndef PORTS_LIBC_KERNELSTAT_H
#define PORTS_LIBC_KERNELSTAT_H

#define stat kernel_stat
#define dirent kernel_dirent
#define st_mtime kernel_mtime
#include "kernel/abi/stat.h"
#undef stat
#undef dirent
#undef st_mtime
#undef S_IFMT
#undef S_IFDIR
#undef S_IFCHR
#undef S_IFREG
#undef S_IFIFO
#undef S_IFLNK

#endif
