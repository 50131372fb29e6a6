/* Starting the other processors. */
#ifndef BOOT_AP_H
#define BOOT_AP_H

/*
 * Bring up those that the firmware tells of, cpus=N of the command line at most, with this
 * one; ncpu counts those that answer. They wait for ap_join.
 */
void ap_start(void);

/* The clocks run: the others may begin to work. */
void ap_join(void);

#endif
