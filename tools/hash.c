/*
 * A hash with a secret: SipHash-1-3, of Aumasson and Bernstein, SipHash: a fast short-input PRF
 * (INDOCRYPT 2012), with one round for each 8 bytes and three at the end.
 */
#include <string.h>
#include <unistd.h>
#include "tools/hash.h"

struct hash {
	uint64_t v[4];
};

/* Return the secret, two numbers that nobody can know who makes a file. */
static const uint64_t *secret(void)
{
	static uint64_t number[2];

	while (number[0] == 0)
		if (getentropy(number, sizeof(number)) < 0)
			number[0] = 1;
	return number;
}

static uint64_t rotated(uint64_t v, unsigned n)
{
	return v << n | v >> (64 - n);
}

static void hash_round(struct hash *h)
{
	uint64_t *v = h->v;

	v[0] += v[1];
	v[1] = rotated(v[1], 13) ^ v[0];
	v[0] = rotated(v[0], 32);
	v[2] += v[3];
	v[3] = rotated(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotated(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotated(v[1], 17) ^ v[2];
	v[2] = rotated(v[2], 32);
}

/* Take 8 bytes. */
static void hash_word(struct hash *h, uint64_t word)
{
	h->v[3] ^= word;
	hash_round(h);
	h->v[0] ^= word;
}

uint64_t hash_of(const void *bytes, size_t n)
{
	const uint64_t *key = secret();
	struct hash h = {{
		key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
		key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573,
	}};
	const char *at = bytes;
	uint64_t word, last = 0;
	size_t left;

	for (left = n; left >= sizeof(word); left -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash_word(&h, word);
		at += sizeof(word);
	}
	if (left > 0)
		memcpy(&last, at, left);
	hash_word(&h, last | (uint64_t)n << 56);
	h.v[2] ^= 0xff;
	hash_round(&h);
	hash_round(&h);
	hash_round(&h);
	return h.v[0] ^ h.v[1] ^ h.v[2] ^ h.v[3];
}
