/* Numbers for what is distinct: each key has one, however many there are. */
#include <sys/wait.h>
#include <unistd.h>
#include "tests/test.h"
#include "tools/distinct.h"
#include "tools/texts.h"

#define N 100000u

struct element {
	uint32_t a, b; /* the key */
	unsigned met;
};

/* Look a key up in an array of n, and append it if it is new. */
static struct element *meet(struct distinct *d, struct element *array, size_t *n, uint32_t a,
			    uint32_t b)
{
	struct element key = {.a = a, .b = b};
	size_t i = distinct_index(d, array, &key, *n);

	if (i == *n)
		array[(*n)++] = key;
	array[i].met++;
	return &array[i];
}

/* Keys that differ in one word only, or have their words exchanged, are different. */
static void each_key_has_a_number_of_its_own(void **state)
{
	struct element *array = calloc(2 * N, sizeof(*array));
	struct distinct d = {.size = sizeof(*array), .key = 2 * sizeof(uint32_t)};
	size_t n = 0;
	uint32_t i;

	for (unsigned round = 0; round < 2; round++) {
		for (i = 1; i <= N; i++) {
			assert_ptr_equal(meet(&d, array, &n, i << 12, 0), &array[2 * i - 2]);
			assert_ptr_equal(meet(&d, array, &n, 0, i << 12), &array[2 * i - 1]);
		}
	}
	assert_int_equal(n, 2 * N);
	for (i = 0; i < n; i++)
		assert_int_equal(array[i].met, 2);
	distinct_free(&d);
	free(array);
}

/* Return where a table has a key. */
static uint64_t hash_of_key(void)
{
	struct element key = {.a = 1};
	struct distinct d = {.size = sizeof(key), .key = 2 * sizeof(uint32_t)};

	distinct_index(&d, &key, &key, 0);
	for (size_t i = 0; i < d.slots; i++)
		if (d.slot[i].number)
			return d.slot[i].hash;
	return 0;
}

/* Return by what a text is found. */
static uint64_t hash_of_text(void)
{
	struct texts t = {.n = 0};

	texts_number(&t, "main", 4);
	return t.text[0].hash;
}

/* Return what a process of its own, which knows no secret yet, has of these. */
static uint64_t hash_in_a_process(uint64_t (*hash_of_it)(void))
{
	uint64_t hash;
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	if (fork() == 0) {
		hash = hash_of_it();
		_exit(write(fd[1], &hash, sizeof(hash)) != sizeof(hash));
	}
	assert_int_equal(read(fd[0], &hash, sizeof(hash)), sizeof(hash));
	close(fd[0]);
	close(fd[1]);
	wait(NULL);
	return hash;
}

/*
 * Who makes a file cannot know where its keys will be. First of all: later this process has drawn
 * the secret that the others would have of it. Four may be equal by chance once in 2^96 times.
 */
static void expect_a_secret(uint64_t (*hash_of_it)(void))
{
	uint64_t hash[4];
	bool all = true;

	for (unsigned i = 0; i < 4; i++) {
		hash[i] = hash_in_a_process(hash_of_it);
		all = all && hash[i] == hash[0];
	}
	assert_false(all);
}

static void H14_the_hash_has_a_secret(void **state)
{
	expect_a_secret(hash_of_key);
}

static void H14_the_hash_of_a_text_has_it_too(void **state)
{
	expect_a_secret(hash_of_text);
}

/* Texts, of which one may begin with another, are numbered in the order in which they come. */
static void each_text_has_a_number_of_its_own(void **state)
{
	struct texts t = {.n = 0};
	char text[16];
	int n;

	assert_int_equal(texts_number(&t, "", 0), 0);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 1; i <= N; i++) {
			n = snprintf(text, sizeof(text), "p%u", i);
			assert_int_equal(texts_number(&t, text, (size_t)n), i);
		}
	}
	assert_int_equal(texts_number(&t, "p1234", 3), 12);
	assert_int_equal(t.n, N + 1);
	assert_string_equal(t.text[12].text, "p12");
	texts_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(H14_the_hash_has_a_secret),
		cmocka_unit_test(H14_the_hash_of_a_text_has_it_too),
		cmocka_unit_test(each_key_has_a_number_of_its_own),
		cmocka_unit_test(each_text_has_a_number_of_its_own),
	};

	return RUN(tests, NULL, NULL);
}
