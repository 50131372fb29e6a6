/* The build id, by which a kernel's image is known to be the running kernel's. */
#ifndef USERLAND_PROFILE_BUILDID_H
#define USERLAND_PROFILE_BUILDID_H

#define BUILDID_MAX 64 /* hexadecimal digits */

/* The running kernel's, from /dev/version. */
void buildid_running(char hex[BUILDID_MAX + 1]);

/* Ends the program with a message when the ELF file's id is not the one in /dev/version. */
void buildid_check(const char *path);

#endif
