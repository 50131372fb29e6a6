/*
 * Arguments and environment on their way from one program to the next: kernel/process/args.c.
 * Links: tests/kernel/fakes.c kernel/process/args.c
 */
#include "tests/kernel/fakes.h"
#include "kernel/process/args.h"
#include "kernel/memory/vm.h"
#include "kernel/abi/errno.h"
#include "kernel/memory/page.h"

#define TOP (4u << 20) /* where the new stack begins */

static uint8_t stack[TOP]; /* the new program's memory, as far as it has any */
static uint32_t stack_low; /* nothing below has memory */

void *page_load(struct vm *vm, uint32_t va, size_t n)
{
	assert_true(va % PAGE + n <= PAGE);
	return va >= stack_low && va < TOP ? stack + va : NULL;
}

static int setup(void **state)
{
	fake_start(NULL);
	fake_alloc_most = PAGE / 4 * sizeof(void *); /* B5: a page, of 4-byte pointers */
	stack_low = 0;
	memset(stack, 0xee, sizeof(stack));
	return 0;
}

static int teardown(void **state)
{
	fake_alloc_most = SIZE_MAX;
	return fake_teardown(state);
}

static void word_at(unsigned i, uint32_t value)
{
	memcpy(fake_user + 4 * i, &value, sizeof(value));
}

/* Put n words of len characters into user memory, and pointers to them, with NULL, at its start. */
static uint32_t user_words(unsigned n, unsigned len)
{
	uint32_t at = 4 * (n + 1);

	for (unsigned i = 0; i < n; i++, at += len + 1) {
		assert_true(at + len < FAKE_USER_SIZE);
		word_at(i, FAKE_USER + at);
		memset(fake_user + at, 'a' + i % 26, len);
		fake_user[at + len] = 0;
	}
	word_at(n, 0);
	return FAKE_USER;
}

static uint32_t stack_word(uint32_t at)
{
	uint32_t word;

	memcpy(&word, stack + at, sizeof(word));
	return word;
}

/* Check a list of strings on the stack, and return where the word after its NULL is. */
static uint32_t check_words(uint32_t at, unsigned n, unsigned len)
{
	for (unsigned i = 0; i < n; i++, at += 4) {
		const char *s = (const char *)stack + stack_word(at);

		assert_int_equal(strlen(s), len);
		assert_true(len == 0 || (s[0] == 'a' + (int)(i % 26) && s[len - 1] == s[0]));
	}
	assert_int_equal(stack_word(at), 0);
	return at + 4;
}

/* Words of every length up to some pages, which end and begin at every place of a page. */
static void words_arrive(void **state)
{
	static const struct {
		unsigned n, len;
	} t[] = {
		{1, 0}, {1, 1}, {3, 5}, {1, 4095}, {2, 4095}, {1, 4096}, {2, 4094}, {3, 6000},
		{1, 27647}, {1023, 20}, {1024, 1}, {27, 1023}, {26, 63}, {1, 2093055},
		{2, 1046525}, {418612, 0},
	};

	for (unsigned i = 0; i < nelem(t); i++) {
		struct args *a = args_new();
		uint32_t esp = TOP - 16;

		assert_int_equal(args_in(a, user_words(t[i].n, t[i].len), &a->argc), 0);
		assert_int_equal(a->argc, t[i].n);
		assert_int_equal(args_push(a, NULL, &esp), 0);
		assert_int_equal(esp % 16, 0);
		assert_int_equal(stack_word(esp), t[i].n);
		uint32_t at = check_words(esp + 4, t[i].n, t[i].len);
		assert_int_equal(stack_word(at), 0); /* no environment */
		assert_int_equal(stack[TOP - 16], 0xee);
		args_free(a);
	}
}

static void both_lists_arrive(void **state)
{
	struct args *a = args_new();
	uint32_t esp = TOP;

	assert_int_equal(args_in(a, user_words(500, 9), &a->argc), 0);
	assert_int_equal(args_in(a, user_words(524, 30), &a->envc), 0);
	assert_int_equal(args_push(a, NULL, &esp), 0);
	assert_int_equal(stack_word(esp), 500);
	check_words(check_words(esp + 4, 500, 9), 524, 30);
	stack_low = esp + PAGE;
	esp = TOP;
	assert_int_equal(args_push(a, NULL, &esp), -ENOMEM);
	stack_low = TOP - 100;
	esp = TOP;
	assert_int_equal(args_push(a, NULL, &esp), -ENOMEM);
	args_free(a);
}

static void too_much_is_refused(void **state)
{
	static const struct {
		unsigned n, len;
	} t[] = {{1, 2093056}, {2, 1046526}, {418613, 0}, {200000, 7}};

	for (unsigned i = 0; i < nelem(t); i++) {
		struct args *a = args_new();

		assert_int_equal(args_in(a, user_words(t[i].n, t[i].len), &a->argc), -E2BIG);
		args_free(a);
	}
	struct args *a = args_new();
	assert_int_equal(args_in(a, user_words(418612, 0), &a->argc), 0);
	assert_int_equal(args_in(a, user_words(1, 0), &a->envc), -E2BIG);
	args_free(a);
}

/* Lists and words at the end of user memory, and behind it. */
static void edges_of_user_memory(void **state)
{
	struct args *a = args_new();
	uint32_t last = FAKE_USER_SIZE / 4 - 1;

	assert_int_equal(args_in(a, 0, &a->argc), 0); /* no list */
	assert_int_equal(a->argc, 0);
	user_words(1, 1);
	word_at(last, 0);
	assert_int_equal(args_in(a, FAKE_USER + 4 * last, &a->argc), 0); /* an empty one */
	word_at(last, FAKE_USER);
	assert_int_equal(args_in(a, FAKE_USER + 4 * last, &a->argc), -EFAULT); /* no NULL */
	a->argc = 0;
	fake_user[FAKE_USER_SIZE - 1] = 0;
	fake_user[FAKE_USER_SIZE - 2] = 'z';
	word_at(0, FAKE_USER + FAKE_USER_SIZE - 1);
	word_at(1, FAKE_USER + FAKE_USER_SIZE - 2);
	word_at(2, 0);
	for (uint32_t bad = FAKE_USER + FAKE_USER_SIZE;; bad = 0xfffffffcu) {
		struct args *b = args_new();

		word_at(3, bad);
		assert_int_equal(args_in(b, FAKE_USER + 12, &b->argc), -EFAULT);
		assert_int_equal(args_in(b, bad, &b->envc), -EFAULT);
		args_free(b);
		if (bad == 0xfffffffcu)
			break;
	}
	args_free(a);
}

static void scripts_put_words_before(void **state)
{
	struct args *a = args_new();
	char line[64];
	uint32_t esp = TOP;

	assert_int_equal(args_in(a, user_words(3, 2), &a->argc), 0);
	assert_int_equal(args_in(a, user_words(2, 3), &a->envc), 0);
	strcpy(a->path, "./script");
	assert_int_equal(args_script(a, "/bin/sh", NULL), 0);
	strcpy(a->path, "/bin/sh");
	assert_int_equal(args_script(a, "/bin/echo", "-n"), 0);
	args_join(a, line, sizeof(line));
	assert_string_equal(line, "-n /bin/sh ./script bb cc");
	for (size_t size = 1; size <= strlen(line); size++) {
		char cut[64];

		args_join(a, cut, size);
		assert_int_equal(strlen(cut), size - 1);
		assert_memory_equal(cut, line, size - 1);
	}
	assert_int_equal(args_push(a, NULL, &esp), 0);
	assert_int_equal(stack_word(esp), 6);
	assert_string_equal((char *)stack + stack_word(esp + 4), "/bin/echo");
	assert_string_equal((char *)stack + stack_word(esp + 24), "cc");
	check_words(esp + 4 * 8, 2, 3);
	args_free(a);
}

/* The most that a caller gives and scripts add fits, and so does the longest path. */
static void scripts_fit_always(void **state)
{
	struct args *a = args_new();
	char interp[125];
	uint32_t esp = TOP;

	assert_int_equal(args_in(a, user_words(1, 2093055), &a->argc), 0);
	memset(a->path, 'p', PATH_MAX - 1);
	a->path[PATH_MAX - 1] = 0;
	memset(interp, 'i', sizeof(interp) - 1);
	interp[sizeof(interp) - 1] = 0;
	for (int i = 0; i < MAXSCRIPT; i++) {
		assert_int_equal(args_script(a, interp, interp), 0);
		strcpy(a->path, interp);
	}
	assert_int_equal(a->argc, 1 + 2 * MAXSCRIPT);
	assert_int_equal(args_push(a, NULL, &esp), 0);
	assert_int_equal(stack_word(esp), a->argc);
	args_free(a);
}

/* Memory runs out after 0, 1, 2... pages. */
static void survives_no_memory(void **state)
{
	int err = -ENOMEM;

	for (long k = 0; err; k++) {
		fake_allocs_left = k;
		struct args *a = args_new();
		if (!a)
			continue;
		strcpy(a->path, "./script");
		err = args_in(a, user_words(3, 16000), &a->argc);
		if (!err)
			err = args_script(a, "interpreter", NULL);
		assert_true(!err || err == -ENOMEM);
		args_free(a);
	}
	fake_allocs_left = -1;
}

static void a_signal_ends_it(void **state)
{
	struct args *a = args_new();

	fake_killed = true;
	assert_int_equal(args_in(a, user_words(1, 5000), &a->argc), -EINTR);
	assert_int_equal(args_in(a, user_words(2, 0), &a->envc), -EINTR); /* B4: by word, too */
	fake_killed = false;
	args_free(a);
	a = args_new();
	assert_int_equal(args_in(a, user_words(1, 5000), &a->argc), 0);
	uint32_t esp = TOP;
	fake_killed = true;
	assert_int_equal(args_push(a, NULL, &esp), -EINTR);
	fake_killed = false;
	args_free(a);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(words_arrive),
		TEST(both_lists_arrive),
		TEST(too_much_is_refused),
		TEST(edges_of_user_memory),
		TEST(scripts_put_words_before),
		TEST(scripts_fit_always),
		TEST(survives_no_memory),
		TEST(a_signal_ends_it),
	};

	return RUN(tests, NULL, NULL);
}
