/* Reading directories. */
#ifndef DIRENT_H
#define DIRENT_H

#include <sys/types.h>
#include "kernel/abi/stat.h"

#define DT_UNKNOWN 0
#define DT_FIFO (S_IFIFO >> 12)
#define DT_CHR (S_IFCHR >> 12)
#define DT_DIR (S_IFDIR >> 12)
#define DT_REG (S_IFREG >> 12)

typedef struct dirstream DIR;

DIR *opendir(const char *path);
struct dirent *readdir(DIR *dir); /* NULL at the end, with errno unchanged, and on errors */
void rewinddir(DIR *dir);
int dirfd(DIR *dir);
int closedir(DIR *dir);

#endif
