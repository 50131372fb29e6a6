/* Changing an input field by field: see fuzz.h. It is compiled for all worlds of harnesses. */
#include <string.h>
#include "tests/fuzz/fuzz.h"

/* libFuzzer's. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);

static uint32_t state;

/* Return a random number below n: xorshift. */
static uint32_t pick(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % n;
}

void fuzz_field(struct fuzz_fields *f, size_t n, size_t at, unsigned width, enum fuzz_kind kind)
{
	if (f->n < FUZZ_FIELDS && width > 0 && at <= n && n - at >= width)
		f->field[f->n++] = (struct fuzz_field){at, width, kind};
}

void fuzz_numbers(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0, end; at < n; at = end + 1) {
		for (end = at; end < n && data[end] >= '0' && data[end] <= '9';)
			end++;
		if (end > at && end - at <= 20)
			fuzz_field(f, n, at, (unsigned)(end - at), FUZZ_DECIMAL);
	}
}

/* Return the value of a digit, 0 if it is none. */
static unsigned digit(uint8_t c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10u :
	       c >= 'A' && c <= 'F' ? c - 'A' + 10u : 0;
}

/* Return the number in a field. */
static uint64_t get(const uint8_t *data, const struct fuzz_field *f)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < f->width; i++)
		switch (f->kind) {
		case FUZZ_LITTLE:
			v |= (uint64_t)data[f->at + i] << 8 * i;
			break;
		case FUZZ_BIG:
			v = v << 8 | data[f->at + i];
			break;
		case FUZZ_HEX:
			v = v << 4 | digit(data[f->at + i]);
			break;
		case FUZZ_DECIMAL:
			v = v * 10 + digit(data[f->at + i]);
			break;
		}
	return v;
}

/* Put a number into a field, as much of it as there is room for. */
static void put(uint8_t *data, const struct fuzz_field *f, uint64_t v)
{
	for (unsigned i = 0; i < f->width; i++) {
		uint8_t *last = data + f->at + f->width - 1 - i;

		switch (f->kind) {
		case FUZZ_LITTLE:
			data[f->at + i] = (uint8_t)v;
			v >>= 8;
			break;
		case FUZZ_BIG:
			*last = (uint8_t)v;
			v >>= 8;
			break;
		case FUZZ_HEX:
			*last = (uint8_t)"0123456789abcdef"[v % 16];
			v /= 16;
			break;
		case FUZZ_DECIMAL:
			*last = (uint8_t)('0' + v % 10);
			v /= 10;
			break;
		}
	}
}

/* Return a number that is likely to be on an edge; `was` is in the field now. */
static uint64_t edge(const uint8_t *data, size_t n, const struct fuzz_fields *f, uint64_t was)
{
	const struct fuzz_field *other = &f->field[pick((uint32_t)f->n)];

	switch (pick(14)) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return UINT64_MAX;
	case 3:
		return UINT64_MAX >> 1;
	case 4:
		return was + 1;
	case 5:
		return was - 1;
	case 6:
		return (uint64_t)1 << pick(64);
	case 7:
		return ((uint64_t)1 << pick(64)) - 1;
	case 8:
		return n;
	case 9:
		return n - other->at;
	case 10:
		return other->at;
	case 11:
		return get(data, other);
	case 12:
		return 0 - was;
	default:
		return was + pick(33) - 16;
	}
}

/* Cut the input, or put a piece of it elsewhere, at the bounds of fields. Return the new size. */
static size_t move(uint8_t *data, size_t n, size_t max, const struct fuzz_fields *f)
{
	size_t a = f->field[pick((uint32_t)f->n)].at, b = f->field[pick((uint32_t)f->n)].at;
	size_t part = a < b ? b - a : a - b, from = a < b ? a : b;

	switch (pick(3)) {
	case 0:
		return a > 0 ? a : n;
	case 1: /* leave the piece out */
		memmove(data + from, data + from + part, n - from - part);
		return n - part > 0 ? n - part : n;
	default: /* have it twice */
		if (part > max - n)
			return n;
		memmove(data + from + part, data + from, n - from);
		return n + part;
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	static struct fuzz_fields f;

	state = seed | 1;
	f.n = 0;
	if (n > max)
		n = max;
	fuzz_fields(&f, data, n);
	if (f.n == 0 || pick(4) == 0) {
		n = LLVMFuzzerMutate(data, n, max);
	} else if (pick(8) == 0) {
		n = move(data, n, max, &f);
	} else {
		for (uint32_t i = 1 + pick(3); i > 0; i--) {
			const struct fuzz_field *one = &f.field[pick((uint32_t)f.n)];

			put(data, one, edge(data, n, &f, get(data, one)));
		}
	}
	if (pick(16) > 0)
		fuzz_seal(data, n);
	return n;
}
