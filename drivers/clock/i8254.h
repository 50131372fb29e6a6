/* The 8254 programmable interval timer (82C54 data sheet): what the files that use it share. */
#pragma once

#define PIT_HZ 1193182u /* counts a second of each channel */

/* Ports: two channels' counts, low byte first, and the control word. */
#define PIT_CHANNEL0 0x40
#define PIT_CHANNEL2 0x42
#define PIT_CONTROL 0x43

/* Control words: both bytes, mode 0, in which the output rises at the end of the count. */
#define PIT_ONESHOT0 0x30
#define PIT_ONESHOT2 0xb0
#define PIT_LATCH2 0x80 /* hold the count until it is read */
