/* T5, the flight recorder: entries and returns in kptrace(5), and what stops it, by /dev/kpctl. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/guest/tap.h"

static char text[1 << 20];

static bool shown(const char *line)
{
	return strstr(tap_read("/dev/kpctl"), line);
}

/* Record the calls of what the words choose. */
static void record(const char *words)
{
	must(kpctl("stacks on") == 0);
	must(kpctl(words) == 0);
	must(kpctl("trace 4096 calls") == 0);
	must(kpctl("startclr") == 0);
}

static void off(void)
{
	must(kpctl("stop") == 0);
	must(kpctl("calls off") == 0);
	must(shown("trace off\n")); /* it records calls no more */
	must(kpctl("stacks off") == 0);
}

/* Load the file, and return how many of its lines begin so for this process. */
static unsigned lines(const char *what)
{
	char begin[32];
	unsigned n = 0;

	snprintf(begin, sizeof(begin), "\n# %s=%d ns=", what, getpid());
	tap_load("/dev/kptrace", text, sizeof(text));
	for (const char *at = text; (at = strstr(at, begin)); at++)
		n++;
	return n;
}

static void T5_words_are_read_back(void)
{
	must(shown("trigger panic\n"));
	must_fail(kpctl("trace 64 calls"), ENOTSUP);
	must(kpctl("stacks on") == 0);
	must_fail(kpctl("trace 64 calls"), ENOTSUP);
	must(kpctl("calls sys_getpid sys_read") == 0);
	must(kpctl("trace 64 calls") == 0);
	must(shown("trace 64 calls\n"));
	must(kpctl("trigger sys_getpid 500us") == 0);
	must(shown("trigger sys_getpid 500us\n"));
	must(kpctl("trigger sys_read 20us 1000us") == 0);
	must(shown("trigger sys_read 20us 1000us\n"));
	must(kpctl("trigger 'the second half'") == 0);
	must(shown("trigger the second half\n"));
	must(kpctl("waits on") == 0);
	must(kpctl("trace 64 calls switches") == 0);
	must(shown("trace 64 switches calls\n"));
	must(kpctl("waits off") == 0);
	off();
	must(shown("trigger panic\n"));
}

static void T5_bad_words_change_nothing(void)
{
	static const struct {
		const char *words;
		int err;
	} bad[] = {
		{"trigger sys_open 5us", ENOENT}, /* is not measured */
		{"trigger nosuch 5us", ENOENT},
		{"trigger sys_getpid 5", EINVAL},
		{"trigger sys_getpid us", EINVAL},
		{"trigger sys_getpid 0us", EINVAL},
		{"trigger sys_getpid -5us", EINVAL},
		{"trigger sys_getpid 99999999999us", EINVAL},
		{"trigger sys_getpid 5us 5", EINVAL},
		{"trigger sys_getpid 5us 5us 5us", EINVAL},
		{"trigger", EINVAL},
		{"trigger a-word-that-is-longer-than-a-mark-can-be", E2BIG},
		{"trace 64 call", EINVAL},
		{"trace 64 calls switches calls", EINVAL},
		{"trace 1048577 calls", EINVAL},
	};

	must(kpctl("stacks on") == 0);
	must(kpctl("calls sys_getpid") == 0);
	must(kpctl("trace 64 calls") == 0);
	must(kpctl("trigger sys_getpid 500us") == 0);
	for (unsigned i = 0; i < nelem(bad); i++) {
		printf("# %s\n", bad[i].words);
		must_fail(kpctl(bad[i].words), bad[i].err);
	}
	must(shown("trace 64 calls\ntrigger sys_getpid 500us\n"));
	off();
}

static void T5_each_entry_and_return(void)
{
	record("calls sys_getpid");
	for (int i = 0; i < 1000; i++)
		getpid();
	must(kpctl("stop") == 0);
	getpid();
	must(lines("call") == 1000);
	must(lines("return") == 1000);
	must(kpctl("startclr") == 0);
	getpid();
	must(kpctl("stop") == 0);
	must(lines("call") - lines("return") == 0);
	off();
}

/* Reading the file does not end what it records, and records nothing of itself. */
static void T5_read_while_it_runs(void)
{
	unsigned before;

	record("calls sys_getpid");
	getpid();
	before = lines("call");
	getpid();
	getpid();
	must(lines("call") >= before + 2);
	off();
}

/*
 * The stubs are patched with functions of the kernel that may be measured themselves, and until
 * then record entries without returns, afterwards returns without entries.
 */
static void T5_entries_have_their_returns(void)
{
	record("calls memcmp");
	for (int i = 0; i < 3; i++) {
		must(kpctl("stop") == 0);
		must(lines("call") == lines("return"));
		must(kpctl("startclr") == 0);
	}
	off();
}

static void getpids(int n)
{
	while (n-- > 0)
		getpid();
}

/* While gmon counts arcs, and coverage takes away its calls, pads call something else. */
static void T5_beside_gmon_and_coverage(void)
{
	if (tap_memory_left() < 2048)
		tap_skip("too little memory");
	record("calls sys_getpid");
	tap_program((char *[]){"/bin/kgmon", "-b", NULL});
	must(tap_say("/prof/ctl", "module kernel") == 0 && tap_say("/prof/ctl", "startcp") == 0);
	getpids(100);
	must(tap_say("/prof/ctl", "end") == 0);
	getpids(100);
	tap_program((char *[]){"/bin/kgmon", "-h", NULL});
	must(kpctl("stop") == 0);
	must(lines("call") >= 200);
	must(lines("return") == lines("call"));
	off();
}

static int opened(void)
{
	int fd = open("/dev/kptrace", O_RDONLY);

	must(fd >= 0);
	return fd;
}

/* Also by two who read it, and when it is started meanwhile. */
static void T5_nothing_while_it_is_open(void)
{
	int fd[2];

	record("calls sys_getpid");
	fd[0] = opened();
	fd[1] = opened();
	getpids(10);
	must(close(fd[0]) == 0);
	must(kpctl("start") == 0);
	getpids(10);
	must(close(fd[1]) == 0);
	getpids(3);
	must(kpctl("stop") == 0);
	must(lines("call") == 3);
	off();
}

/* Its text is made as it is read, the same for who goes back, and not on when it is cleared. */
static void T5_read_from_any_place(void)
{
	static const unsigned from[] = {9999, 100, 8192, 20000, 0, 4096};
	char part[500];
	size_t n;
	int fd;

	record("calls sys_getpid");
	getpids(500);
	must(kpctl("stop") == 0);
	must(lines("call") == 500);
	n = strlen(text);
	fd = opened();
	for (unsigned i = 0; i < nelem(from); i++) {
		must(lseek(fd, from[i], SEEK_SET) == (off_t)from[i]);
		ssize_t got = read(fd, part, sizeof(part));
		must(got > 0 && memcmp(part, text + from[i], (size_t)got) == 0);
	}
	must(lseek(fd, (off_t)n - 1, SEEK_SET) >= 0);
	must(read(fd, part, sizeof(part)) == 1 && part[0] == '\n');
	must(read(fd, part, sizeof(part)) == 0);
	must(kpctl("startclr") == 0);
	must(lseek(fd, 0, SEEK_SET) == 0);
	must_fail((int)read(fd, part, sizeof(part)), EIO);
	must(close(fd) == 0);
	off();
}

/* Count the lines, as what was read has them. */
static unsigned lines_of(int fd)
{
	unsigned n = 0;
	ssize_t got;

	while ((got = read(fd, text, sizeof(text))) > 0)
		for (ssize_t i = 0; i < got; i++)
			n += text[i] == '\n';
	must(got == 0);
	return n;
}

static void T5_full_ring(void)
{
	enum { RECORDS = 1 << 17 };
	size_t before, during;
	unsigned n;
	int fd;

	tap_exact(); /* only because it takes long */
	if (tap_memory_left() < 3072)
		tap_skip("too little memory");
	must(kpctl("stacks on") == 0 && kpctl("calls sys_getpid") == 0);
	must(kpctl("trace 131072 calls") == 0 && kpctl("startclr") == 0);
	getpids(RECORDS / 2 + 1000);
	must(kpctl("stop") == 0);
	before = tap_memory_left();
	fd = opened();
	n = lines_of(fd);
	during = tap_memory_left();
	must(close(fd) == 0);
	printf("# %u lines, %u pages\n", n, (unsigned)(before - during));
	must(n >= RECORDS && n < RECORDS + 1000);
	must(before - during <= 8);
	off();
}

/* Call getpid() so often, which takes *ns. Return how many records are overwritten then. */
static unsigned overwritten(int calls, int64_t *ns)
{
	const char *head;

	must(kpctl("start") == 0);
	*ns = -tap_now();
	getpids(calls);
	*ns += tap_now();
	must(kpctl("stop") == 0);
	int fd = opened();
	ssize_t got = read(fd, text, sizeof(text) - 1);
	must(got > 0 && close(fd) == 0);
	text[got] = 0;
	head = strstr(text, " overwritten=");
	must(head);
	return (unsigned)strtoul(head + strlen(" overwritten="), NULL, 10);
}

/* A million in a second, while nobody reads; that they were there, what comes after them shows. */
static void T5_a_million_records(void)
{
	enum { SIZE = 1 << 20, CALLS = 500000, MORE = 50000 };
	int64_t ns;
	unsigned n;

	tap_exact(); /* the time is the machine's, and there is one ring */
	if (tap_memory_left() < 6144)
		tap_skip("too little memory");
	must(kpctl("stacks on") == 0 && kpctl("calls sys_getpid") == 0);
	int err = kpctl("trace 1048576 calls") < 0 ? errno : 0;
	if (err == ENOMEM) { /* other programs ran before, and left no block of 16 MB */
		off();
		tap_skip("too little memory in one piece");
	}
	must(err == 0 && kpctl("startclr") == 0);
	must(overwritten(CALLS, &ns) == 0);
	must(ns < 1000000000 || tap_checking());
	n = overwritten(MORE, &ns);
	must(n >= 2 * (CALLS + MORE) - SIZE && n < 2 * (CALLS + MORE) - SIZE + 2000); /* ticks */
	off();
}

static void spin(unsigned n)
{
	char word[32];

	snprintf(word, sizeof(word), "spin %u", n);
	must(tap_say("x/ctl", word) == 0);
}

/* What led to the first slow call stays, and what came after it does not. */
static void T5_one_slow_call(void)
{
	const char *caught;

	tap_exact();
	mkdir("x", 0700);
	if (bind("#X", "x", MREPL) != 0)
		tap_skip("no test device");
	record("calls test_spin sys_getpid");
	must(kpctl("trigger test_spin 500us") == 0);
	for (int i = 0; i < 20; i++)
		spin(10);
	must(shown("trigger test_spin 500us\n"));
	spin(50000); /* 100,000 instructions of 8 ns */
	must(shown("trigger test_spin 500us caught\n"));
	for (int i = 0; i < 20; i++)
		spin(50000);
	must(kpctl("stop") == 0);
	must(kpctl("start") == 0); /* is not yet the word to forget it */
	spin(50000);
	must(kpctl("stop") == 0);
	must(lines("call") == 21);
	must(lines("return") == 21);
	caught = strstr(text, " trigger\n");
	must(caught && !strstr(caught + strlen(" trigger"), "trigger"));
	must(kpctl("startclr") == 0);
	spin(10);
	must(kpctl("stop") == 0);
	must(shown("trigger test_spin 500us\n"));
	must(lines("return") == 1);
	off();
}

/* A mark of the owner's with that text does the same. */
static void T5_a_mark(void)
{
	record("calls sys_getpid");
	must(kpctl("trigger 'it is here'") == 0);
	must(tap_say("/dev/kpmark", "it is there") == 0);
	getpid();
	must(tap_say("/dev/kpmark", "it is here") == 0);
	getpid();
	must(kpctl("stop") == 0);
	must(shown("trigger it is here caught\n"));
	must(lines("call") == 1);
	must(strstr(text, " it is here\n") && strstr(text, " trigger\n"));
	off();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{"T5 the words are read back", T5_words_are_read_back},
		{"T5 bad words change nothing", T5_bad_words_change_nothing},
		{"T5 each entry and return is recorded", T5_each_entry_and_return},
		{"T5 entries have their returns", T5_entries_have_their_returns},
		{"T5 entries are recorded beside gmon and coverage", T5_beside_gmon_and_coverage},
		{"T5 the file is read while it runs", T5_read_while_it_runs},
		{"T5 nothing is recorded while the file is open", T5_nothing_while_it_is_open},
		{"T5 the file is read from any place", T5_read_from_any_place},
		{"T5 H9 a full ring is read in little memory", T5_full_ring},
		{"T5 a million records in a second, none lost", T5_a_million_records},
		{"T5 a slow call stops the recorder", T5_one_slow_call},
		{"T5 a mark stops the recorder", T5_a_mark},
	};

	return tap_run(cases, nelem(cases));
}
