/* How much memory a message takes: see protoroom.h. */
#include <stdbool.h>
#include "tools/import/protoroom.h"

#define FIELD 64   /* of any field: what the library notes of it, and a pointer */
#define MESSAGE 48 /* of a message besides its fields: where it is found by its id */
#define NUMBER 8   /* of each byte, which may be a number */
#define LETTER 3   /* of each byte of a text, which may be kept twice more */

/* How a value is packed: the low bits of what comes before it. */
enum { VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 5, PACKINGS = 8 };

/* What is left of a message. */
struct packed {
	const uint8_t *at, *end;
};

/* Take a number, seven bits a byte. False: it is cut off. */
static bool take_number(struct packed *p, uint64_t *n)
{
	unsigned shift;

	*n = 0;
	for (shift = 0; p->at < p->end && shift < 64; shift += 7) {
		*n |= (uint64_t)(*p->at & 0x7f) << shift;
		if (*p->at++ < 0x80)
			return true;
	}
	return false;
}

/* Take the head of a field. Return its number, and *n, how many bytes it has; 0: it is damaged. */
static uint64_t take_head(struct packed *p, uint64_t *n)
{
	static const uint8_t size[PACKINGS] = {[EIGHT_BYTES] = 8, [FOUR_BYTES] = 4};
	uint64_t head, number;

	if (!take_number(p, &head))
		return 0;
	*n = size[head % PACKINGS];
	if (head % PACKINGS == VARINT && !take_number(p, &number))
		return 0;
	if (head % PACKINGS == LENGTH && !take_number(p, n))
		return 0;
	if (*n > (uint64_t)(p->end - p->at))
		return 0;
	return head / PACKINGS;
}

static size_t room_of(const ProtobufCMessageDescriptor *d, struct packed p);

/* Return the memory for the n bytes of a field. */
static size_t room_of_field(const ProtobufCMessageDescriptor *d, uint64_t number, const uint8_t *at,
			    size_t n)
{
	const ProtobufCFieldDescriptor *f = NULL;

	if (number <= UINT32_MAX)
		f = protobuf_c_message_descriptor_get_field(d, (unsigned)number);
	if (f && f->type == PROTOBUF_C_TYPE_MESSAGE)
		return room_of(f->descriptor, (struct packed){at, at + n});
	if (f && f->type == PROTOBUF_C_TYPE_STRING)
		return LETTER * n;
	return NUMBER * n;
}

/* Return the memory for a message; what is damaged, and the rest, will not be unpacked. */
static size_t room_of(const ProtobufCMessageDescriptor *d, struct packed p)
{
	size_t room = d->sizeof_message + MESSAGE;
	uint64_t number, n;

	while (p.at < p.end) {
		number = take_head(&p, &n);
		if (number == 0)
			break;
		room += FIELD + room_of_field(d, number, p.at, n);
		p.at += n;
	}
	return room;
}

size_t import_room(const ProtobufCMessageDescriptor *message, const uint8_t *data, size_t n)
{
	return n + room_of(message, (struct packed){data, data + n});
}
