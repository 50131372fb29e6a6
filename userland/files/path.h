/* Paths, and the names in a directory. */
#ifndef USERLAND_FILES_PATH_H
#define USERLAND_FILES_PATH_H

#include <stddef.h>

char *path_join(const char *dir, const char *name);
char *path_base(const char *path);
char **path_names(const char *dir, size_t *count);
void path_names_free(char **names);

#endif
