/*
 * Control messages, which are words: kernel/file/cmd.c.
 * Runs: 50000
 * Links: tests/kernel/fakes.c
 */
#include "tests/kernel/fakes.h"
#include "tests/fuzz/fuzz.h"
#include "kernel/abi/errno.h"
#include "kernel/file/cmd.h"
#include "kernel/file/dev.h"

static int run(struct chan *, const struct cmd_words *msg)
{
	for (unsigned i = 1; i < msg->n; i++) {
		int n = cmd_number(msg, i, 1, 5000), either = cmd_either(msg, i, "on", "off");

		if (n != -EINVAL && (n < 1 || n > 5000))
			abort();
		if (either != -EINVAL && either != 0 && either != 1)
			abort();
	}
	return 0;
}

/* As those of /dev/kpctl: words without arguments, with one, and with several. */
static const struct cmd words[] = {
	{"start", 0, 0, .run = run}, {"startclr", 0, 0, .run = run},
	{"rate", 1, 1, .run = run},  {"clock", 1, 2, .run = run},
	{"depth", 1, 1, .run = run}, {"any", 0, CMD_MAXWORD - 1, .run = run},
};

static const struct cmd_list cmds = {words, nelem(words)};

/* Every word is in the copy of the message, and has a length. */
static void check(const char *msg, size_t n)
{
	struct cmd_words w;
	int row = cmd_parse(words, nelem(words), msg, n, &w);

	if (row < 0)
		return;
	if (row >= (int)nelem(words) || w.n == 0 || w.n > CMD_MAXWORD ||
	    strcmp(w.word[0], words[row].word) != 0)
		abort();
	for (unsigned i = 0; i < w.n; i++)
		if (!*w.word[i] || w.word[i] < w.text ||
		    w.word[i] + strlen(w.word[i]) >= w.text + sizeof(w.text))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *copy = malloc(n ? n : 1);
	ssize_t r;

	memcpy(copy, data, n);
	check(copy, n);
	r = cmd_write(&cmds, NULL, copy, n);
	if (r != (ssize_t)n && r != -EINVAL)
		abort();
	free(copy);
	return 0;
}
