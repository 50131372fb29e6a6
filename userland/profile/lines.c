/* Reads the table of a program's instructions and their source lines: lines(5). Optimize: speed. */
#include "userland/profile/lines.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 2

/* The first byte of a long entry: the length, what it is, and which numbers follow. */
#define LENGTH 0x0f
#define FILL 0x10
#define NEW_FILE 0x20
#define NEW_LINE 0x40

/*
 * The one byte of a short entry: a length less one, and in the lowest bits either that of a
 * second instruction or an index of steps.
 */
#define SHORT 0x80
#define SECOND 0x40
#define FIRST_LENGTH 0x38
#define LOWEST 0x07

/* By how many lines an instruction can be from the last one. */
static const int8_t steps[LOWEST + 1] = {-2, -1, 1, 2, 3, 4, 5, 6};

/* The table begins with it, in the byte order of the machine. */
struct head {
	char magic[4];
	uint32_t version;
	uint32_t text;	 /* bytes of all instructions */
	uint32_t nfiles; /* names */
	uint32_t names;	 /* bytes of all names */
	uint32_t stream; /* bytes that follow the names */
};

/* What is left of the stream. */
struct stream {
	const uint8_t *at, *end;
};

/* Take an unsigned LEB128 number: seven bits a byte, lowest first. Return false past 32 bits. */
static bool number(struct stream *s, uint32_t *value)
{
	*value = 0;
	for (unsigned shift = 0; s->at < s->end && shift < 35; shift += 7) {
		uint8_t b = *s->at++;

		if (shift == 28 && b > 15)
			return false;
		*value |= (uint32_t)(b & 127) << shift;
		if (b < 128)
			return true;
	}
	return false;
}

/* Take a signed number: the lowest bit says that the others are a negative one's complement. */
static bool difference(struct stream *s, uint32_t *value)
{
	if (!number(s, value))
		return false;
	*value = *value >> 1 ^ -(*value & 1);
	return true;
}

/* Find the names, each of which ends with a NUL. Return NULL, or what is wrong. They are shown. */
static const char *read_names(struct lines *l, const char *names, size_t size)
{
	const char *end = names + size, *nul;

	for (size_t i = 0; i < l->nfiles; i++, names = nul + 1) {
		nul = memchr(names, 0, (size_t)(end - names));
		if (!nul)
			return "its names end too early";
		if (nul - names >= LINES_NAME)
			return "a file's name is too long";
		l->file[i] = names;
		for (; names < nul; names++)
			if (*names < ' ' || *names > '~')
				return "a file's name is not printable";
	}
	return names == end ? NULL : "it has more names than it says";
}

/*
 * Turn an instruction into the next one by a long entry, in which only what changes is. Return
 * its length; 0: the entry is damaged.
 */
static unsigned read_long(struct lines_instruction *in, struct stream *s, uint8_t b)
{
	uint32_t file = in->file, more = 0;

	if ((b & NEW_FILE && !number(s, &file)) || (b & NEW_LINE && !difference(s, &more)) ||
	    file > UINT16_MAX)
		return 0;
	in->fill = b & FILL;
	in->file = (uint16_t)file;
	in->line += more;
	return b & LENGTH;
}

/* Turn an instruction into the first one of a short entry. Return its length. */
static unsigned read_short(struct lines_instruction *in, uint8_t b)
{
	in->fill = false;
	if (!(b & SECOND))
		in->line += (uint32_t)steps[b & LOWEST];
	return (b & FIRST_LENGTH) / 8u + 1;
}

/* Add an instruction, and move on by its length. Return NULL, or what is wrong. */
static const char *add(struct lines *l, struct lines_instruction *in, unsigned length,
		       uint32_t text)
{
	if (length == 0)
		return "an instruction is damaged";
	if (in->line && in->file >= l->nfiles)
		return "an instruction is in a file without a name";
	if (text - in->pc < length)
		return "its instructions are longer than the text";
	l->in[l->n++] = *in;
	in->pc += length;
	return NULL;
}

/* Read all instructions of a text of that size. Return NULL, or what is wrong. */
static const char *read_stream(struct lines *l, struct stream s, uint32_t text)
{
	struct lines_instruction in = {.pc = 0};
	const char *bad = NULL;

	while (s.at < s.end && !bad) {
		uint8_t b = *s.at++;

		bad = add(l, &in, b & SHORT ? read_short(&in, b) : read_long(&in, &s, b), text);
		if (!bad && b & SHORT && b & SECOND)
			bad = add(l, &in, (b & LOWEST) + 1u, text);
	}
	/* The two must end together. */
	return bad || in.pc == text ? bad : "its instructions end too early";
}

const char *lines_read(struct lines *l, const void *data, size_t size, bool names)
{
	const char *text = (const char *)data + sizeof(struct head), *bad;
	struct stream s;
	struct head h;

	memset(l, 0, sizeof(*l));
	if (size < sizeof(h))
		return "it is too short";
	memcpy(&h, data, sizeof(h));
	size -= sizeof(h);
	if (memcmp(h.magic, "LINE", 4) != 0 || h.version != VERSION)
		return "it is not a table of version 2";
	if (h.names > size || h.stream != size - h.names || h.nfiles > h.names)
		return "its sizes do not add up";
	l->nfiles = h.nfiles;
	l->file = calloc(h.nfiles + 1, sizeof(*l->file));
	if (names)
		h.stream = 0;
	/* A byte has two at most. */
	l->in = reallocarray(NULL, (size_t)h.stream + 1, 2 * sizeof(*l->in));
	s = (struct stream){(const uint8_t *)text + h.names, (const uint8_t *)text + size};
	if (!l->file || !l->in)
		bad = "there is no memory for it";
	else if ((bad = read_names(l, text, h.names)) == NULL && !names)
		bad = read_stream(l, s, h.text);
	if (bad)
		lines_free(l);
	return bad;
}

size_t lines_at(const struct lines *l, uint32_t pc)
{
	size_t lo = 0, hi = l->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->in[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->n && l->in[lo].pc == pc ? lo : l->n;
}

void lines_free(struct lines *l)
{
	free(l->file);
	free(l->in);
	memset(l, 0, sizeof(*l));
}
