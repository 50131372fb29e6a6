/* The parts of a path. Both functions may change their argument. */
#ifndef LIBGEN_H
#define LIBGEN_H

char *basename(char *path);
char *dirname(char *path);

#endif
