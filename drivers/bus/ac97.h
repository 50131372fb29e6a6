/* The sound card: an AC'97 codec behind Intel's controller (ICH), for playing. */
#ifndef DRIVERS_BUS_AC97_H
#define DRIVERS_BUS_AC97_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AC97_FRAME 4	 /* bytes: two samples of 16 bits, little-endian, left first */
#define AC97_RATE 44100u /* frames a second, until set otherwise */

/* Find the card and make it ready: whether it is there, which it prints. Once, after pci_init. */
bool ac97_init(void);

/* One player at a time: -EBUSY. */
int ac97_open(void);

/* Wait until all is played, not longer than it can take; a signal cuts it short. */
void ac97_close(void);

/*
 * Queue n bytes, asleep while there is no room: how many were taken; -EINTR, or -EIO when
 * the card takes nothing. The last bytes that make no whole frame wait for the next write.
 */
int32_t ac97_write(const void *buf, size_t n);
bool ac97_writable(void);

/* Frames a second, 8000 to 48000: -EINVAL; -ENOTSUP when the codec has only one rate. */
int ac97_set_rate(unsigned hz);
unsigned ac97_rate(void);

/* How loud, in per cent of what the codec can, 0 being silent. */
enum ac97_gain { AC97_MASTER, AC97_PCM, AC97_NGAIN };
int ac97_set_gain(enum ac97_gain which, unsigned percent); /* -EINVAL: more than 100 */
unsigned ac97_gain(enum ac97_gain which);

#endif
