/*
 * sum: prints checksums of files: SHA-256 (FIPS 180-4), whose sections are named below, or with -c
 * CRC-32 (IEEE 802.3). The lines are those of sha256sum, so that a host's can check them.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/formats/crc32.h"
#include "userland/command/usage.h"
#include "userland/files/stream.h"

#define BLOCK 64 /* bytes that are hashed at a time */

/* A hash that is being made. */
struct sha256 {
	uint32_t h[8];		    /* of all whole blocks so far */
	uint64_t bytes;		    /* so far */
	unsigned char block[BLOCK]; /* its first bytes % BLOCK ones wait for the rest */
};

/* The first 32 bits of the fractions of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t round_constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

/* The same of the square roots of the first eight (5.3.3). */
static const uint32_t first_hash[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static unsigned char buf[STREAM_BUF];

static const char synopsis[] = "sum [-c] [file ...]";

/* ROTR of section 3.2. */
static uint32_t rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* Make the message schedule of a block (6.2.2, step 1). */
static void schedule(uint32_t w[64], const unsigned char *p)
{
	for (int i = 0; i < 16; i++, p += 4)
		w[i] = (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
		       (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

/* Hash one block in (6.2.2, steps 2 to 4). v holds the variables a to h. */
static void sha256_block(uint32_t h[8], const unsigned char *p)
{
	uint32_t w[64], v[8];

	schedule(w, p);
	memcpy(v, h, sizeof(v));
	for (int i = 0; i < 64; i++) {
		uint32_t e = v[4], a = v[0];
		uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
			      ((e & v[5]) ^ (~e & v[6])) + round_constants[i] + w[i];
		uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
			      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		/* b to h become what a to g were. */
		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

/* Hash n bytes in; what does not fill a block waits. */
static void sha256_add(struct sha256 *s, const unsigned char *p, size_t n)
{
	size_t held = s->bytes % BLOCK;

	s->bytes += n;
	if (held > 0) {
		size_t take = n < BLOCK - held ? n : BLOCK - held;

		memcpy(s->block + held, p, take);
		p += take;
		n -= take;
		if (held + take < BLOCK)
			return;
		sha256_block(s->h, s->block);
	}
	for (; n >= BLOCK; p += BLOCK, n -= BLOCK)
		sha256_block(s->h, p);
	memcpy(s->block, p, n);
}

/* Add the padding: a one bit, zeros, and at the end of a block the length in bits (5.1.1). */
static void sha256_end(struct sha256 *s)
{
	unsigned char pad[BLOCK + 8] = { 0x80 };
	size_t n = 1 + (2 * BLOCK - 9 - s->bytes % BLOCK) % BLOCK;
	uint64_t bits = s->bytes * 8;

	for (int i = 0; i < 8; i++)
		pad[n + i] = bits >> (56 - 8 * i);
	sha256_add(s, pad, n + 8);
}

/* Print a file's SHA-256. Return 1 after a warning, else 0. */
static int print_sha256(int fd, const char *name)
{
	struct sha256 s = { .bytes = 0 };
	ssize_t n;

	memcpy(s.h, first_hash, sizeof(s.h));
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		sha256_add(&s, buf, n);
	if (n < 0) {
		warn("%s", name);
		return 1;
	}
	sha256_end(&s);
	for (int i = 0; i < 8; i++)
		printf("%08x", s.h[i]);
	printf("  %s\n", name);
	return 0;
}

/* Print a file's CRC-32. Return 1 after a warning, else 0. */
static int print_crc(int fd, const char *name)
{
	uint32_t crc = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		crc = crc32_add(crc, buf, (size_t)n);
	if (n < 0) {
		warn("%s", name);
		return 1;
	}
	printf("%08x  %s\n", crc, name);
	return 0;
}

int main(int argc, char **argv)
{
	int (*print)(int fd, const char *name) = print_sha256;
	int c;

	while ((c = getopt(argc, argv, "ch")) != -1) {
		if (c != 'c')
			usage(c, synopsis);
		print = print_crc;
	}
	return stream_each(argv + optind, print);
}
