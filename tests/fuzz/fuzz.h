/*
 * What the harnesses of make fuzz share. A harness has LLVMFuzzerTestOneInput(), which libFuzzer
 * calls with each input; one that links tests/fuzz/mutate.c also has fuzz_fields() and
 * fuzz_seal(), by which inputs are changed field by field, not only byte by byte.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* How a number is written: its lowest byte first, its highest first, or in digits. */
enum fuzz_kind { FUZZ_LITTLE, FUZZ_BIG, FUZZ_HEX, FUZZ_DECIMAL };

struct fuzz_field {
	size_t at;
	unsigned width; /* bytes or digits */
	enum fuzz_kind kind;
};

#define FUZZ_FIELDS 256 /* the most that are looked for */

/* The fields found so far. */
struct fuzz_fields {
	struct fuzz_field field[FUZZ_FIELDS];
	size_t n;
};

/* Note a field of an input of n bytes, unless it is not all there, or there are too many. */
void fuzz_field(struct fuzz_fields *f, size_t n, size_t at, unsigned width, enum fuzz_kind kind);

/* Note every run of decimal digits: for texts. */
void fuzz_numbers(struct fuzz_fields *f, const uint8_t *data, size_t n);

/* The harness's: find the fields of an input. */
void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n);

/* The harness's: make right again what would be refused at once, such as checksums. */
void fuzz_seal(uint8_t *data, size_t n);

/* Read all of a string, which may be NULL. */
void fuzz_use(const char *s);

/* Put an input into a file that is nowhere but in memory. Return its path. */
const char *fuzz_file(const uint8_t *data, size_t n);

#endif
