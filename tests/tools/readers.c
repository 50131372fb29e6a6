/* See readers.h. */
#include "tests/test.h"
#include "tests/tools/readers.h"

/* Read a copy of exactly this size, for the sanitizer, with the NUL that readers may see. */
int read_bytes(profread_reader *read, struct profdata *p, const void *data, size_t n,
	       struct complaint *why)
{
	uint8_t *copy = calloc(1, n + 1);
	int r;

	memcpy(copy, data, n);
	why->text[0] = 0;
	r = read(p, &(struct profread_file){.data = copy, .n = n}, why);
	free(copy);
	return r;
}

/* Check that the frames of sample i are these n addresses. */
void expect_sample(const struct profdata *p, size_t i, uint64_t count, int mode, size_t n,
		   const uint32_t *pc)
{
	const struct profdata_sample *s = &p->sample[i];
	size_t j;

	assert_true(i < p->nsample);
	assert_int_equal(s->count, count);
	assert_int_equal(s->mode, mode);
	assert_int_equal(s->depth, n);
	for (j = 0; j < n; j++)
		assert_int_equal(p->frame[profdata_path(p, s)[j]].pc, pc[j]);
}

void refuse(profread_reader *read, const struct damaged *d, size_t n)
{
	struct complaint why;
	struct profdata p;
	size_t i;

	for (i = 0; i < n; i++) {
		assert_int_equal(read_bytes(read, &p, d[i].text, strlen(d[i].text), &why), -1);
		if (!strstr(why.text, d[i].why))
			fail_msg("\"%s\" not in \"%s\"", d[i].why, why.text);
	}
}

/* Check that every beginning of a file, and any byte changed, is read or refused with a reason. */
void shake(profread_reader *read, const void *data, size_t n)
{
	uint8_t *copy = malloc(n);
	struct complaint why;
	struct profdata p;
	size_t i;

	for (i = 0; i < 2 * n; i++) {
		memcpy(copy, data, n);
		if (i >= n)
			copy[i - n] ^= 1 << i % 8;
		if (read_bytes(read, &p, copy, i < n ? i : n, &why) == 0)
			profdata_free(&p);
		else
			assert_true(why.text[0] != 0);
	}
	free(copy);
}
