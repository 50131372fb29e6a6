/* The file that is a log of prf's snapshots. */
#ifndef USERLAND_PROFILE_PRFFILE_H
#define USERLAND_PROFILE_PRFFILE_H

/* End the program with a message if the open file, which should be a log, is a device. */
void prffile_check(int fd, const char *path);

#endif
