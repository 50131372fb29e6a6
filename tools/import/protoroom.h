/*
 * How much memory a message of protobuf's takes when it is unpacked, known before: one of two bytes
 * becomes more than a hundred.
 */
#ifndef TOOLS_IMPORT_PROTOROOM_H
#define TOOLS_IMPORT_PROTOROOM_H

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Return about how many bytes of memory the n bytes of such a message take, with what a reader
 * notes of each message in it. No message may be within another of its own kind.
 */
size_t import_room(const ProtobufCMessageDescriptor *message, const uint8_t *data, size_t n);

#endif
