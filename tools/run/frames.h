/*
 * The frames in which the guest sends its data over the serial port: frames(5). The checksum is
 * that of zlib's crc32(). A stream that is damaged is not taken up again: QEMU writes it to a file,
 * where nothing gets lost, so that damage is a fault in the guest.
 */
#ifndef TOOLS_RUN_FRAMES_H
#define TOOLS_RUN_FRAMES_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

#define FRAME_HEADER 16 /* bytes */
#define FRAME_MAX 65536 /* bytes of payload */

struct frame {
	char type; /* a letter: what the payload is */
	uint32_t length;
	const uint8_t *payload; /* valid until the next call */
	uint64_t offset;	/* in the stream, of the frame's first byte */
};

/* A stream that is being cut into frames. */
struct frames {
	uint64_t offset; /* in the stream, of buf[0] */
	size_t have;	 /* bytes in buf */
	struct complaint why; /* says where, once it is damaged */
	int damaged;
	uint8_t buf[FRAME_HEADER + FRAME_MAX];
};

/* Takes each whole, undamaged frame; a negative result stops. */
typedef int frame_fn(void *arg, const struct frame *f);

void frames_init(struct frames *s);

/*
 * Take the next n bytes of the stream and call `take` for each frame that they complete.
 * Return 0; -1 when the stream is damaged, now or earlier; or what `take` returned when that
 * was negative.
 */
int frames_feed(struct frames *s, const uint8_t *p, size_t n, frame_fn *take, void *arg);

/* Tell that the stream has ended. 0, or -1: inside a frame, or it is damaged. */
int frames_end(struct frames *s);

#endif
