/* Adding snapshots of a prf device to a log: prf(4). */
#ifndef USERLAND_PROFILE_PRFAPPEND_H
#define USERLAND_PROFILE_PRFAPPEND_H

/*
 * Adds a snapshot of the counters of dev, and before it the addresses if the log does not
 * have them yet, to the log, which is made if it is not there. Ends the program with a
 * message when the device is not loaded, or the log is one of something else.
 */
void prfappend(const char *dev, const char *log);

#endif
