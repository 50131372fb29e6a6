/* Starting the other processors. */
#pragma once

/*
 * Start those that the firmware lists, at most cpus=N of the command line with this one;
 * ncpu counts those that answer. They wait for ap_join().
 */
void ap_start(void);

/* Let the others begin to work, for the clocks run. */
void ap_join(void);
