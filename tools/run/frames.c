/* Cutting the guest's data into frames, and checking them: frames(5). */
#include <ctype.h>
#include <stdbool.h>
#include <inttypes.h>
#include <string.h>
#include <zlib.h>
#include "userland/formats/le.h"
#include "tools/order.h"
#include "tools/run/frames.h"

/* Offsets of a header's fields. */
enum { AT_TYPE = 4, AT_ZERO = 5, AT_LENGTH = 8, AT_CRC = 12 };

static const uint8_t magic[4] = {'G', 'N', 'M', 'F'};

/* Start a stream at its byte 0. */
void frames_init(struct frames *s)
{
	s->offset = 0;
	s->have = 0;
	s->damaged = 0;
	s->why.text[0] = 0;
}

/* Remember that the stream is damaged at the byte `at` of the frame in hand. */
static int damage(struct frames *s, size_t at, const char *what)
{
	s->damaged = 1;
	return complain(&s->why, "damaged at byte %" PRIu64 ": %s", s->offset + at, what);
}

/* Check that as much of the header as is there can be the start of a frame. */
static int check_header(struct frames *s)
{
	static const uint8_t zero[3];

	if (memcmp(s->buf, magic, order_min(s->have, sizeof(magic))) != 0)
		return damage(s, 0, "a frame should start here");
	if (s->have < FRAME_HEADER)
		return 0;
	if (!isupper(s->buf[AT_TYPE]))
		return damage(s, AT_TYPE, "the frame's type is no letter");
	if (memcmp(s->buf + AT_ZERO, zero, sizeof(zero)) != 0)
		return damage(s, AT_ZERO, "three zeros should follow the frame's type");
	if (le_get32(s->buf + AT_LENGTH) > FRAME_MAX)
		return damage(s, AT_LENGTH, "the frame is longer than frames may be");
	return 0;
}

/* Return how long the frame in hand is, as far as is known: its length is in its header. */
static size_t wanted(const struct frames *s)
{
	if (s->have < FRAME_HEADER)
		return FRAME_HEADER;
	return FRAME_HEADER + le_get32(s->buf + AT_LENGTH);
}

/* Check the payload of the frame in hand, which is whole, and pass the frame on. */
static int deliver(struct frames *s, frame_fn *take, void *arg)
{
	struct frame f = {
		.type = s->buf[AT_TYPE],
		.length = le_get32(s->buf + AT_LENGTH),
		.payload = s->buf + FRAME_HEADER,
		.offset = s->offset,
	};
	int r;

	if (crc32(0, f.payload, f.length) != le_get32(s->buf + AT_CRC))
		return damage(s, FRAME_HEADER, "the checksum of this payload is wrong");
	r = take(arg, &f);
	s->offset += s->have;
	s->have = 0;
	return r;
}

/* Return whether all of the frame in hand is there. */
static bool is_whole(const struct frames *s)
{
	return s->have >= FRAME_HEADER && s->have == wanted(s);
}

/* Take the next bytes of the stream. */
int frames_feed(struct frames *s, const uint8_t *p, size_t n, frame_fn *take, void *arg)
{
	size_t part;
	int r = 0;

	if (s->damaged)
		return -1;
	while (r >= 0 && n > 0) {
		part = order_min(wanted(s) - s->have, n);
		memcpy(s->buf + s->have, p, part);
		s->have += part;
		p += part;
		n -= part;
		if (s->have <= FRAME_HEADER)
			r = check_header(s);
		if (r >= 0 && is_whole(s))
			r = deliver(s, take, arg);
	}
	return r;
}

/* The stream is over. */
int frames_end(struct frames *s)
{
	if (s->damaged)
		return -1;
	if (s->have > 0)
		return damage(s, s->have, "the data end inside a frame");
	return 0;
}
