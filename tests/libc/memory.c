/*
 * Areas of memory and strings of any place and length against the host's functions, at the end of
 * a page after which there is none; sorting by a simple model; and what takes too long if the time
 * is not linear.
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include "tests/libc/gn.h"

#define PAGE 4096
#define ROUNDS 20000

static char *area[2]; /* each a page, before one that nobody may touch */

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

static int setup(void **state)
{
	for (size_t i = 0; i < nelem(area); i++) {
		area[i] = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);
		assert_true(area[i] != MAP_FAILED);
		assert_int_equal(mprotect(area[i] + PAGE, PAGE, PROT_NONE), 0);
	}
	srand(1);
	return 0;
}

/* Fill with few different bytes, which are often the same. */
static void fill(char *p, size_t n, unsigned kinds)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)(0x7f + (unsigned)rand() % kinds);
}

static void ends(void **state)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		size_t n = (size_t)rand() % 70, m = (size_t)rand() % 9;
		char *a = area[0] + PAGE - n, *b = area[1] + PAGE - n, *sub = area[1] + PAGE - m;

		fill(a, n, 2);
		memcpy(b, a, n);
		if (n > 0 && i % 4 > 0)
			b[(size_t)rand() % n] ^= (char)(1 << i % 8);
		assert_int_equal(sign(gn_memcmp(a, b, n)), sign(memcmp(a, b, n)));
		assert_ptr_equal(gn_memchr(a, 0x180, n), memchr(a, 0x180, n));
		assert_ptr_equal(gn_memrchr(a, 0x80, n), memrchr(a, 0x80, n));
		assert_ptr_equal(gn_memmem(a, n, sub, m), memmem(a, n, sub, m));
		if (n == 0)
			continue;
		a[n - 1] = b[n - 1] = '\0';
		assert_int_equal(gn_strlen(a), n - 1);
		assert_int_equal(gn_strnlen(a, n), n - 1);
		assert_int_equal(sign(gn_strcmp(a, b)), sign(strcmp(a, b)));
	}
}

/* What lies around a copy stays as it is. */
static void moves(void **state)
{
	static char ours[512], theirs[512];

	fill(ours, sizeof(ours), 200);
	memcpy(theirs, ours, sizeof(ours));
	for (unsigned i = 0; i < ROUNDS; i++) {
		size_t n = (size_t)rand() % 200, to = (size_t)rand() % 300;
		size_t from = i % 2 ? (size_t)rand() % 300 : to - to % 8 / 2;

		assert_ptr_equal(gn_memmove(ours + to, ours + from, n), ours + to);
		memmove(theirs + to, theirs + from, n);
		assert_memory_equal(ours, theirs, sizeof(ours));
		assert_ptr_equal(gn_memset(ours + from, (int)i, n / 4), ours + from);
		memset(theirs + from, (int)i, n / 4);
		assert_memory_equal(ours, theirs, sizeof(ours));
	}
}

/* Texts and words of two letters, and all words that are in a text of repetitions. */
static void searches(void **state)
{
	for (unsigned i = 0; i < 10 * ROUNDS; i++) {
		size_t n = (size_t)rand() % 120, m = (size_t)rand() % 40;
		size_t period = 1 + (size_t)rand() % 12, at;
		char *text = area[0] + PAGE - n, *word = area[1] + PAGE - m;

		fill(text, n, 2);
		fill(word, m, 2);
		for (size_t k = period; k < n && i % 2; k++)
			text[k] = text[k - period];
		for (size_t k = 0; k < i % 3 && n > 0; k++)
			text[(size_t)rand() % n] ^= 1;
		if (i % 4 > 0 && n >= m) {
			at = (size_t)rand() % (n - m + 1);
			memcpy(word, text + at, m);
		}
		if (i % 8 > 5 && m > 0)
			word[(size_t)rand() % m] ^= 1;
		assert_ptr_equal(gn_memmem(text, n, word, m), memmem(text, n, word, m));
	}
}

/* With a million bytes, what is not linear takes minutes. */
static void linear(void **state)
{
	size_t n = 1 << 20, m = n / 2;
	char *text = malloc(n), *word = malloc(m);

	memset(text, 'a', n);
	for (size_t at = 0; at < m; at += m / 4 - 1) {
		memset(word, 'a', m);
		word[at] = 'b';
		assert_null(gn_memmem(text, n, word, m));
	}
	/* Each place of the text is the word but for its end. */
	for (size_t i = 0; i < n; i++)
		text[i] = i % 3 ? 'b' : 'a';
	memcpy(word, text, m);
	word[m - 1] ^= 3;
	assert_null(gn_memmem(text, n, word, m));
	free(text);
	free(word);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends),
		cmocka_unit_test(moves),
		cmocka_unit_test(searches),
		cmocka_unit_test(linear),
	};

	return RUN(tests, setup, NULL);
}
