/* The sound card: an AC'97 codec at Intel's controller (ICH), for playing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watcher;

#define AC97_FRAME 4	 /* bytes: two samples of 16 bits, little-endian, left first */
#define AC97_RATE 44100u /* frames a second, if the codec can */

/* Find the card, set it up and print so. Return false if there is none. Once, after pci_init. */
bool ac97_init(void);

/* Take the card, on which one process at a time may play. Return 0 or -EBUSY. */
int ac97_open(void);

/* Wait until all is played, or the card is stuck, or a signal comes; then stop it. */
void ac97_close(void);

/*
 * Queue n bytes, sleeping while there is no room. Return how many were queued; -EINTR; or -EIO
 * if the card plays nothing. Bytes of an incomplete frame wait for the next write.
 */
int32_t ac97_write(const void *buf, size_t n);
/* Return whether there is room for some bytes. */
bool ac97_writable(void);
void ac97_watch(struct watcher *w); /* for that */
