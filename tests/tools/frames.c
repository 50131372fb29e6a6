/* tools/run/frames.c: whole streams in pieces of any size, and every kind of damage. */
#include "tests/test.h"
#include "tests/tools/framedata.h"
#include "tools/run/frames.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

/* What has been taken: each frame's type, and all payloads one after the other. */
struct taken {
	char types[64];
	char text[512];
	size_t n;
	uint64_t last;
	int stop;
};

static int take(void *arg, const struct frame *f)
{
	struct taken *t = arg;

	t->types[strlen(t->types)] = f->type;
	memcpy(t->text + t->n, f->payload, f->length);
	t->n += f->length;
	t->last = f->offset;
	return t->stop;
}

/* A stream of three frames: 5, 0 and 3 bytes of payload. */
static size_t three(uint8_t *buf)
{
	size_t n = framedata_make(buf, 'O', "hello", 5);

	n += framedata_make(buf + n, 'O', "", 0);
	return n + framedata_make(buf + n, 'D', "abc", 3);
}

/* Whatever the size of the pieces, the same frames come. */
static void pieces(void **state)
{
	static struct frames s;
	uint8_t buf[256];
	size_t n = three(buf), step, at, part;

	for (step = 1; step <= n; step++) {
		struct taken t = {0};

		frames_init(&s);
		for (at = 0; at < n; at += part) {
			part = n - at < step ? n - at : step;
			assert_int_equal(frames_feed(&s, buf + at, part, take, &t), 0);
		}
		assert_int_equal(frames_end(&s), 0);
		assert_string_equal(t.types, "OOD");
		assert_string_equal(t.text, "helloabc");
		assert_int_equal(t.last, 21 + 16);
	}
}

/* The same in three pieces, cut at any two places. */
static void two_cuts(void **state)
{
	static struct frames s;
	uint8_t buf[256];
	size_t n = three(buf), a, b;

	for (a = 0; a <= n; a++)
		for (b = a; b <= n; b++) {
			struct taken t = {0};

			frames_init(&s);
			assert_int_equal(frames_feed(&s, buf, a, take, &t), 0);
			assert_int_equal(frames_feed(&s, buf + a, b - a, take, &t), 0);
			assert_int_equal(frames_feed(&s, buf + b, n - b, take, &t), 0);
			assert_int_equal(frames_end(&s), 0);
			assert_string_equal(t.types, "OOD");
			assert_string_equal(t.text, "helloabc");
		}
}

/* A frame of the largest size is taken, one of a byte more is refused. */
static void largest(void **state)
{
	static struct frames s;
	static uint8_t buf[16 + FRAME_MAX + 1], zero[FRAME_MAX + 1];
	size_t n = framedata_make(buf, 'E', zero, FRAME_MAX);
	struct taken t = {0};

	frames_init(&s);
	assert_int_equal(frames_feed(&s, buf, n - 1, take, &t), 0);
	assert_string_equal(t.types, "");
	assert_int_equal(frames_end(&s), -1);
	frames_init(&s);
	framedata_make(buf, 'E', zero, FRAME_MAX + 1);
	assert_int_equal(frames_feed(&s, buf, n + 1, take, &t), -1);
	assert_non_null(strstr(s.why.text, "at byte 8:"));
}

/* One byte changed, in the second frame of three (it starts at 21): where is it seen? */
static const struct damage {
	const char *what;
	unsigned at;
	uint8_t xor;
	const char *where, *why;
} damaged[] = {
	{"magic", 21, 1, "at byte 21:", "should start"},
	{"last of the magic", 24, 1, "at byte 21:", "should start"},
	{"type", 25, 0x80, "at byte 25:", "no letter"},
	{"zeros", 28, 1, "at byte 26:", "zeros"},
	{"length, a little", 29, 1, "at byte 37:", "checksum"},
	{"length, too long", 31, 2, "at byte 29:", "longer"},
	{"checksum", 33, 1, "at byte 37:", "checksum"},
};

static void damage(void **state)
{
	static struct frames s;
	uint8_t buf[256];
	size_t i, n;

	for (i = 0; i < nelem(damaged); i++) {
		struct taken t = {0};

		n = three(buf);
		buf[damaged[i].at] ^= damaged[i].xor;
		frames_init(&s);
		assert_int_equal(frames_feed(&s, buf, n, take, &t), -1);
		assert_non_null(strstr(s.why.text, damaged[i].where));
		assert_non_null(strstr(s.why.text, damaged[i].why));
		/* What came before is kept, and nothing comes afterwards. */
		assert_string_equal(t.types, "O");
		assert_int_equal(frames_feed(&s, buf, n, take, &t), -1);
		assert_string_equal(t.types, "O");
		assert_int_equal(frames_end(&s), -1);
	}
}

/* Every single bit of the payload and the checksum is covered. */
static void every_bit(void **state)
{
	static struct frames s;
	uint8_t buf[64];
	size_t n, bit;

	for (bit = 12 * 8; bit < 21 * 8; bit++) {
		struct taken t = {0};

		n = framedata_make(buf, 'O', "hello", 5);
		buf[bit / 8] ^= 1 << bit % 8;
		frames_init(&s);
		assert_int_equal(frames_feed(&s, buf, n, take, &t), -1);
		assert_int_equal(t.n, 0);
	}
}

/* A stream may end between frames and nowhere else. */
static void cut(void **state)
{
	static struct frames s;
	uint8_t buf[256];
	size_t n = three(buf), at;
	char where[64];

	for (at = 0; at <= n; at++) {
		struct taken t = {0};
		int whole = at == 0 || at == 21 || at == 37 || at == n;

		frames_init(&s);
		assert_int_equal(frames_feed(&s, buf, at, take, &t), 0);
		assert_int_equal(frames_end(&s), whole ? 0 : -1);
		snprintf(where, sizeof(where), "at byte %zu:", at);
		assert_int_equal(strstr(s.why.text, where) != NULL, !whole);
	}
}

/* The function that takes frames can stop, and its number is passed on. */
static void stop(void **state)
{
	static struct frames s;
	struct taken t = {.stop = -7};
	uint8_t buf[256];

	frames_init(&s);
	assert_int_equal(frames_feed(&s, buf, three(buf), take, &t), -7);
	assert_string_equal(t.types, "O");
	assert_int_equal(s.damaged, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces), cmocka_unit_test(two_cuts), cmocka_unit_test(largest),
		cmocka_unit_test(damage), cmocka_unit_test(every_bit), cmocka_unit_test(cut),
		cmocka_unit_test(stop),
	};

	return RUN(tests, NULL, NULL);
}
