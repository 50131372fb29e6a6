/*
 * Control messages and fixed directories: kernel/file/cmd.c, kernel/file/dirtab.c.
 * Links: tests/kernel/fakes.c
 */
#include "tests/kernel/fakes.h"
#include "kernel/abi/errno.h"
#include "kernel/file/cmd.h"
#include "kernel/file/dev.h"
#include "kernel/file/dirtab.h"
#include "kernel/file/file.h"

enum { START, SET, ANY };

static unsigned started;

static int start(struct chan *, const struct cmd_words *msg)
{
	started += msg->n;
	return 0;
}

static int set(struct chan *, const struct cmd_words *msg)
{
	return strcmp(msg->word[1], "a") == 0 ? 0 : -EBUSY;
}

static const struct cmd words[] = {
	[START] = {"start", 0, 0, .run = start},
	[SET] = {"set", 1, 2, .run = set},
	[ANY] = {"any", 0, CMD_MAXWORD - 1, .run = start},
};

static const struct cmd_list cmds = {words, nelem(words)};

static const struct {
	const char *msg;
	size_t n; /* 0: strlen(msg) */
	int id;
	unsigned nwords;
	const char *last;
} cases[] = {
	{"start", 0, START, 1, "start"},
	{"start\n", 0, START, 1, "start"},
	{"  start\t \n", 0, START, 1, "start"},
	{"set a", 0, SET, 2, "a"},
	{"set a b\n", 0, SET, 3, "b"},
	{"set", 0, -EINVAL, 0, NULL},
	{"set a b c", 0, -EINVAL, 0, NULL},
	{"start now", 0, -EINVAL, 0, NULL},
	{"star", 0, -EINVAL, 0, NULL},
	{"starts", 0, -EINVAL, 0, NULL},
	{"START", 0, -EINVAL, 0, NULL},
	{"", 1, -EINVAL, 0, NULL},
	{"\n", 0, -EINVAL, 0, NULL},
	{"   ", 0, -EINVAL, 0, NULL},
	{"start\n\n", 0, -EINVAL, 0, NULL},
	{"start\nstart", 0, -EINVAL, 0, NULL},
	{"start", 6, -EINVAL, 0, NULL}, /* with its NUL */
	{"any 'a word'", 0, ANY, 2, "a word"},
	{"any 'it''s' ''''\n", 0, ANY, 3, "'"},
	{"any a' 'b'\n'\n", 0, ANY, 2, "a b\n"},
	{"'any'", 0, ANY, 1, "any"},
	{"any 'a", 0, -EINVAL, 0, NULL},
	{"any a'''", 0, -EINVAL, 0, NULL},
	{"any ''", 0, -EINVAL, 0, NULL},
	{"any a\nb", 0, -EINVAL, 0, NULL},
	{"any 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", 0, ANY, 16, "16"},
	{"any 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", 0, -EINVAL, 0, NULL},
};

static void control_messages_are_parsed(void **state)
{
	for (unsigned i = 0; i < nelem(cases); i++) {
		struct cmd_words w;
		size_t n = cases[i].n ? cases[i].n : strlen(cases[i].msg);

		assert_int_equal(cmd_parse(words, nelem(words), cases[i].msg, n, &w), cases[i].id);
		if (cases[i].id < 0)
			continue;
		assert_int_equal(w.n, cases[i].nwords);
		assert_string_equal(w.word[w.n - 1], cases[i].last);
	}
}

static void control_messages_run_their_function(void **state)
{
	assert_int_equal(cmd_write(&cmds, NULL, "start\n", 6), 6);
	assert_int_equal(started, 1);
	assert_int_equal(cmd_write(&cmds, NULL, "start now\n", 10), -EINVAL);
	assert_int_equal(started, 1);
	assert_int_equal(cmd_write(&cmds, NULL, "set a b", 7), 7);
	assert_int_equal(cmd_write(&cmds, NULL, "set b", 5), -EBUSY);
}

static void the_owner_is_told_the_words(void **state)
{
	fake_logged("");
	assert_int_equal(cmd_write(&cmds, NULL, "go", 2), -EINVAL);
	assert_true(fake_logged("no such message; the words are start set any\n"));
	assert_int_equal(cmd_write(&cmds, NULL, "set b", 5), -EBUSY);
	assert_false(fake_logged("words"));
	fake_proc.uid = UID_NONE;
	assert_int_equal(cmd_write(&cmds, NULL, "go", 2), -EINVAL);
	assert_false(fake_logged("words"));
	fake_proc.uid = UID_EVE;
}

static void two_devices_of_one_letter_are_refused(void **state)
{
	static const struct dev one = {.letter = 'o', .name = "one"},
				other = {.letter = 'x', .name = "other"},
				again = {.letter = 'o', .name = "again"};
	static const struct dev *const good[] = {&one, NULL, &other, NULL},
				*const bad[] = {&one, &other, &again};
	jmp_buf stopped;

	fake_logged("");
	dev_table(good, nelem(good));
	fake_lacking = &stopped;
	if (setjmp(stopped) == 0) {
		dev_table(bad, nelem(bad));
		fail_msg("both were taken");
	}
	fake_lacking = NULL;
	assert_true(fake_logged("the devices one and again have the same letter, 'o'"));
}

static void arguments_are_numbers_or_one_of_two_words(void **state)
{
	struct cmd_words w = {.n = 4, .word = {"any", "7", "-7", "on"}};

	assert_int_equal(cmd_number(&w, 1, 7, 7), 7);
	assert_int_equal(cmd_number(&w, 1, 0, INT32_MAX), 7);
	assert_int_equal(cmd_number(&w, 1, 8, 9), -EINVAL);
	assert_int_equal(cmd_number(&w, 1, 0, 6), -EINVAL);
	assert_int_equal(cmd_number(&w, 2, 0, 9), -EINVAL);
	assert_int_equal(cmd_number(&w, 3, 0, 9), -EINVAL);
	assert_int_equal(cmd_either(&w, 3, "on", "off"), 1);
	assert_int_equal(cmd_either(&w, 3, "off", "on"), 0);
	assert_int_equal(cmd_either(&w, 1, "on", "off"), -EINVAL);
}

static int tell(struct chan *, const struct cmd_words *msg)
{
	return msg->number;
}

static void a_row_has_its_number_checked(void **state)
{
	static const struct cmd row = {"any", 0, 2, .run = tell, .least = 3, .most = 9, .usual = 5};
	struct cmd_words w = {.n = 2, .word = {"any", "3"}};

	assert_int_equal(cmd_run(&row, NULL, &w), 3);
	w.word[1] = "9";
	assert_int_equal(cmd_run(&row, NULL, &w), 9);
	w.word[1] = "2";
	assert_int_equal(cmd_run(&row, NULL, &w), -EINVAL);
	w.word[1] = "10";
	assert_int_equal(cmd_run(&row, NULL, &w), -EINVAL);
	w.n = 1;
	assert_int_equal(cmd_run(&row, NULL, &w), 5);
}

static void overlong_messages_are_refused(void **state)
{
	struct cmd_words w;
	char msg[sizeof(w.text) + 100];

	memset(msg, 'x', sizeof(msg));
	memcpy(msg, "set ", 4);
	assert_int_equal(cmd_parse(words, nelem(words), msg, sizeof(w.text) - 1, &w), SET);
	assert_int_equal(cmd_parse(words, nelem(words), msg, sizeof(w.text), &w), -EINVAL);
	assert_int_equal(cmd_parse(words, nelem(words), msg, sizeof(msg), &w), -EINVAL);
	assert_int_equal(cmd_parse(words, nelem(words), NULL, 0, &w), -EINVAL);
}

static void reads_stay_within_the_text(void **state)
{
	static const struct {
		size_t n;
		uint64_t off;
		const char *is;
	} t[] = {
		{10, 0, "hello"}, {5, 0, "hello"}, {4, 0, "hell"}, {4, 1, "ello"}, {9, 4, "o"},
		{9, 5, ""},	  {9, 6, ""},	   {0, 0, ""},	   {9, 1ull << 32, ""},
		{9, UINT64_MAX, ""},
	};
	char buf[16];

	for (unsigned i = 0; i < nelem(t); i++) {
		ssize_t r = read_mem(buf, t[i].n, t[i].off, "hello", 5);

		assert_int_equal(r, strlen(t[i].is));
		assert_memory_equal(buf, t[i].is, (size_t)r);
	}
}

static uint64_t seven(const struct chan *)
{
	return 7;
}

static const struct dirtab rows[] = {
	{.name = ".", .mode = S_IFDIR | 0555},
	{.name = "one", .mode = S_IFREG | 0600, .length = seven},
	{.name = "two", .mode = S_IFCHR | 0666},
};

static void a_table_serves_a_directory(void **state)
{
	static const struct dev dev = {.letter = 'x', .dir = {rows, nelem(rows), NULL}};
	struct chan c = {.dev = &dev};
	char name[NAME_MAX + 1];
	uint64_t at = 0, far = UINT32_MAX;
	struct stat st;

	assert_int_equal(chan_entry(&c, &at, name, &st), 3);
	assert_string_equal(name, "one");
	assert_int_equal(st.st_ino, 1);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	assert_int_equal(chan_entry(&c, &at, name, &st), 3);
	assert_int_equal(chan_entry(&c, &at, name, &st), -ENOENT);
	assert_int_equal(chan_entry(&c, &far, name, &st), -ENOENT);
	assert_int_equal(chan_walk(&c, "three"), -ENOENT);
	assert_int_equal(chan_walk(&c, "."), -ENOENT);
	assert_int_equal(chan_walk(&c, "two"), 0);
	assert_int_equal(c.type, S_IFCHR);
	assert_int_equal(chan_walk(&c, "one"), -ENOENT);
	assert_int_equal(chan_stat(&c, &st), 0);
	assert_int_equal(st.st_ino, 2);
	assert_int_equal(st.st_dev, 'x');
	c.qid = 1;
	assert_int_equal(chan_stat(&c, &st), 0);
	assert_int_equal(st.st_size, 7);
	c.qid = 3;
	assert_int_equal(chan_stat(&c, &st), -ENOENT);
}

/* Boxes 3 and 5, while they are there. */
static bool box[8];

static size_t each_box(const struct dirtab *, uint32_t *which, char name[DIRTAB_NAME])
{
	while (*which < nelem(box) && !box[*which])
		++*which;
	if (*which == nelem(box))
		return 0;
	return (size_t)snprintf(name, DIRTAB_NAME, "box%u", *which);
}

enum { ROOT, BOX, ALL, LID, INNER, DEEP };

static const struct dirtab tree_rows[] = {
	[ROOT] = {".", S_IFDIR | 0555},
	[BOX] = {NULL, S_IFDIR | 0555, .each = each_box},
	[ALL] = {"all", S_IFDIR | 0555},
	[LID] = {"lid", S_IFREG | 0600, .in = 1u << BOX | 1u << ALL},
	[INNER] = {"inner", S_IFDIR | 0500, .in = 1u << BOX},
	[DEEP] = {"deep", S_IFREG | 0400, .in = 1u << INNER},
};
static const struct dev tree_dev = {
	.letter = 'x', .dir = {tree_rows, nelem(tree_rows), NULL},
};

/* Check that the directory at path, which ends in a NULL, lists just these names. */
static void lists(const char *const *path, const char *names)
{
	struct chan c = {.dev = &tree_dev}, entry;
	char name[NAME_MAX + 1], all[64] = "";
	struct stat st, is;
	uint64_t at = 0;

	for (; *path; path++)
		assert_int_equal(chan_walk(&c, *path), 0);
	while (chan_entry(&c, &at, name, &st) > 0) {
		strcat(strcat(all, name), " ");
		entry = c;
		assert_int_equal(chan_walk(&entry, name), 0);
		assert_int_equal(entry.qid, st.st_ino);
		assert_int_equal(chan_stat(&entry, &is), 0);
		assert_int_equal(is.st_mode, st.st_mode);
	}
	assert_int_equal(chan_entry(&c, &at, name, &st), -ENOENT);
	assert_string_equal(all, names);
}

static void a_table_serves_a_tree(void **state)
{
	struct chan c = {.dev = &tree_dev}, other = c;
	char name[NAME_MAX + 1];
	uint64_t at = 0;
	struct stat st;

	box[3] = box[5] = true;
	lists((const char *[]){NULL}, "box3 box5 all ");
	lists((const char *[]){"all", NULL}, "lid ");
	lists((const char *[]){"box5", NULL}, "lid inner ");
	lists((const char *[]){"box5", "inner", NULL}, "deep ");
	assert_int_equal(chan_walk(&c, "box4"), -ENOENT);
	assert_int_equal(chan_walk(&c, "lid"), -ENOENT);
	assert_int_equal(chan_walk(&c, "box3"), 0);
	assert_int_equal(chan_walk(&other, "box5"), 0);
	assert_int_equal(dirtab_which(&other), 5);
	assert_int_equal(chan_walk(&other, "lid"), 0);
	assert_int_equal(dirtab_row(&other), LID);
	assert_int_equal(dirtab_which(&other), 5);
	assert_int_equal(chan_walk(&other, "lid"), -ENOENT);
	box[5] = false;
	assert_int_equal(chan_stat(&other, &st), -ENOENT);
	assert_int_equal(chan_stat(&c, &st), 0);
	box[3] = false;
	assert_int_equal(chan_stat(&c, &st), -ENOENT);
	assert_int_equal(chan_entry(&c, &at, name, &st), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(control_messages_are_parsed),
		cmocka_unit_test(control_messages_run_their_function),
		cmocka_unit_test(the_owner_is_told_the_words),
		cmocka_unit_test(two_devices_of_one_letter_are_refused),
		cmocka_unit_test(arguments_are_numbers_or_one_of_two_words),
		cmocka_unit_test(a_row_has_its_number_checked),
		cmocka_unit_test(overlong_messages_are_refused),
		cmocka_unit_test(reads_stay_within_the_text),
		cmocka_unit_test(a_table_serves_a_directory),
		cmocka_unit_test(a_table_serves_a_tree),
	};

	return RUN(tests, NULL, NULL);
}
