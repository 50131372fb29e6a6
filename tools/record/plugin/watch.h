/*
 * How long the machine may run, by its own time: QEMU's virtual clock, which stands while the
 * machine is stopped. A QEMU that keeps it to itself has the host's time taken instead.
 */
#ifndef TOOLS_RECORD_PLUGIN_WATCH_H
#define TOOLS_RECORD_PLUGIN_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Call end() when so many nanoseconds of the machine's time have gone by, from a thread of its own
 * that takes no signals and looks every half millisecond; 0: never. To be called once, as the
 * machine begins. False: no thread can be made.
 */
bool watch_begin(int64_t ns, void (*end)(void));

#endif
