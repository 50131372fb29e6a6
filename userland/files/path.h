/* Paths, and the names in a directory. */
#ifndef USERLAND_FILES_PATH_H
#define USERLAND_FILES_PATH_H

#include <stdbool.h>
#include <stddef.h>

struct stat;

/* All of these end the program when memory is exhausted. */

/* Return dir/name, in memory that the caller frees. */
char *path_join(const char *dir, const char *name);

/* Return the last part of a path without slashes after it ("/" stays), for the caller to free. */
char *path_base(const char *path);

/*
 * Return the names in a directory, sorted, without "." and "..", ended by NULL; *count, unless it
 * is NULL, gets their number. Return NULL with errno when the directory cannot be read.
 */
char **path_names(const char *dir, size_t *count);
void path_names_free(char **names);

/* Return whether two names led to one file. */
bool path_same(const struct stat *a, const struct stat *b);

/*
 * End the program, with a message that calls it shown, unless what is there now is what was seen
 * before: a user who may write around it has put another in its place, or a link to one.
 */
void path_must_be(const struct stat *now, const struct stat *seen, const char *shown);

/* Make dir, which must be what was seen, the current directory. Return false with errno if not. */
bool path_enter(const char *dir, const struct stat *seen, const char *shown);

/*
 * Go back to where the program was before it first entered a directory, if a path begins there; end
 * the program if that cannot be.
 */
void path_back_for(const char *path);

/*
 * Call f for each of n paths and what it is to become, as cp(1) and mv(1) do: its name in `to`, if
 * that is a directory, else `to` itself, when there is only one path: with more, end the program.
 * f returns 0, or 1 when it has warned; return whether it ever did.
 */
int path_each_into(char **from, int n, char *to, int (*f)(char *from, char *to));

#endif
