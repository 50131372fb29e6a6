/* prf(7): the commands of ioctl(2) on a prf file, and the file's layout. */
#pragma once

#define PRF_GETSTATUS 0x5001 /* *arg = PRF_ON and PRF_LOADED bits */
#define PRF_GETSIZE 0x5002   /* *arg = number of addresses loaded */
#define PRF_SETSTATE 0x5003  /* arg's low bit: ON or OFF; nothing happens when not loaded */
#define PRF_GETMAX 0x5004    /* *arg = most addresses that can be loaded */

#define PRF_ON 1
#define PRF_LOADED 2

#define PRF_ALL 255 /* minor number of the profiler of all processors */
#define PRF_MIN 3   /* fewest addresses */

/* A read gives N addresses, then N + 2 counters: the last two are user and idle ticks. */
