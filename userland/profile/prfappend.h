/* Adding snapshots of a prf device to a log: prf(4). */
#ifndef USERLAND_PROFILE_PRFAPPEND_H
#define USERLAND_PROFILE_PRFAPPEND_H

/*
 * Append a snapshot of dev's counters to the log, which is made if it is not there, and before it
 * the addresses unless they are those that the log has. End the program with a message when the
 * device is not loaded, or the log is another kernel's or another device's.
 */
void prfappend(const char *dev, const char *log);

#endif
