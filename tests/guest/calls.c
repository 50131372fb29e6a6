/* Durations of calls, kpcall(5), by /dev/kpctl: T1 to T4. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define FILE_OF "/dev/kpcall"
#define UNITS 8u /* of the clock to an instruction: QEMU's -icount shift=3 */

/* What the file says of all pairs, and of those whose callee was called that often. */
struct sums {
	uint64_t calls, total, own, away, inside, lost, left;
	uint64_t shortest, longest;
	unsigned pairs, said;
};

static char text[1 << 20];

/* Return the number after the key, which must be there. */
static uint64_t key(const char *line, const char *name)
{
	const char *at = strstr(line, name);

	must(at);
	return strtoull(at + strlen(name), NULL, 10);
}

/* Add a line of the file. */
static void add(struct sums *s, const char *line)
{
	uint64_t v[6];
	char *at;

	if (strncmp(line, "# cpu=", 6) == 0) {
		s->inside += key(line, " inside=");
		s->lost += key(line, " lost=");
		s->left += key(line, " left=");
		return;
	}
	if (strncmp(line, "# pairs=", 8) == 0)
		s->said = (unsigned)key(line, "pairs=");
	if (*line == '#')
		return;
	at = strchr(line, ' ');
	must(at);
	for (unsigned i = 0; i < nelem(v); i++)
		v[i] = strtoull(at, &at, 10);
	s->pairs++;
	s->calls += v[0];
	s->total += v[1];
	s->own += v[2];
	s->away += v[3];
	if (v[0] && v[4] < s->shortest)
		s->shortest = v[4];
	if (v[5] > s->longest)
		s->longest = v[5];
}

/* Stop, and read the file. */
static struct sums measured(void)
{
	struct sums s = {.shortest = UINT64_MAX};
	char *next;

	must(kpctl("stop") == 0);
	tap_load(FILE_OF, text, sizeof(text));
	must(strncmp(text, "# kpcall version=1 build=", 25) == 0);
	for (char *line = text; *line; line = next) {
		next = strchr(line, '\n');
		must(next);
		*next++ = 0;
		add(&s, line);
	}
	must(s.said == s.pairs);
	/* A jump of the host's clock may make a time less than none, which is shown as 0. */
	must(s.own >= s.inside);
	must(s.own - s.inside <= (tap_processors() > 1 ? s.inside / 100 : 0));
	return s;
}

static void measure(const char *words)
{
	must(kpctl(words) == 0);
	must(kpctl("startclr") == 0);
}

static bool shown(const char *line)
{
	return strstr(tap_read("/dev/kpctl"), line);
}

static void off(void)
{
	must(kpctl("stop") == 0);
	must(kpctl("calls off") == 0);
}

static void T2_words_are_read_back(void)
{
	must(shown("calls off\n"));
	must(kpctl("calls sys_getpid 'vm_*' -vm_fork") == 0);
	must(shown("calls sys_getpid vm_* -vm_fork\n"));
	must(kpctl("calls off") == 0);
	must(shown("calls off\n"));
}

static void T2_bad_words_change_nothing(void)
{
	static const struct {
		const char *words;
		int err;
	} bad[] = {
		{"calls nosuch", ENOENT},
		{"calls sys_getpid no*such", ENOENT},
		{"calls switch_to", ENOTSUP},
		{"calls prof_call_enter", ENOTSUP},
		{"calls isr_entry", ENOTSUP},
		{"calls", EINVAL},
		{"calls a b c d e f g h i j k l m n o p", EINVAL},
	};
	char big[400] = "calls ";

	must(kpctl("calls sys_getpid") == 0);
	for (unsigned i = 0; i < nelem(bad); i++)
		must_fail(kpctl(bad[i].words), bad[i].err);
	memset(big + 6, '*', 300);
	must_fail(kpctl(big), E2BIG);
	must(shown("calls sys_getpid\n"));
	off();
}

static void T1_every_call_is_counted(void)
{
	struct sums s;

	measure("calls sys_getpid");
	for (int i = 0; i < 1000; i++)
		getpid();
	s = measured();
	must(s.calls == 1000 && s.lost == 0);
	must(s.shortest <= s.longest);
	must(s.total >= 1000 * s.shortest && s.total <= 1000 * s.longest);
	off();
}

static void T1_time_of_others_is_away(void)
{
	struct sums s;

	measure("calls sys_nanosleep");
	tap_sleep(200);
	s = measured();
	must(s.calls >= 1);
	must(s.away > 10 * s.total);
	off();
}

/* Choosing a function with all that it calls has more pairs than choosing it alone. */
static void T2_with_all_that_they_call(void)
{
	struct sums s;

	measure("calls +sys_open");
	/* So often that a jump of the host's clock while one is open is little. */
	for (int i = 0; i < 100; i++)
		close(open("/dev/null", O_RDONLY));
	s = measured();
	must(s.pairs > 5);
	must(s.own < s.total);
	measure("calls +sys_open -*");
	close(open("/dev/null", O_RDONLY));
	must(measured().pairs == 0);
	off();
}

static void end_inside(uintptr_t i)
{
	if (i % 2)
		tap_program((char *[]){"/bin/true", NULL});
	_exit(0);
}

/* Processes end, start programs and fork within functions that are measured. */
static void T3_processes_come_and_go(void)
{
	size_t before = tap_memory_left();
	struct sums s;

	measure("calls *");
	for (int i = 0; i < 4; i++)
		tap_together(4, end_inside);
	s = measured();
	must(s.pairs > 100);
	must(s.left > 0);
	off();
	must(tap_memory_back(before, 64));
}

/* A zombie's stack belongs to somebody else. */
static void T3_undone_while_there_are_zombies(void)
{
	pid_t child[20];

	measure("calls *");
	for (unsigned i = 0; i < nelem(child); i++) {
		child[i] = fork();
		if (child[i] == 0)
			_exit(0);
	}
	tap_sleep(20);
	for (unsigned i = 0; i < 10; i++) {
		must(kpctl("stop") == 0);
		must(kpctl("start") == 0);
		tap_call(2);
	}
	off();
	for (unsigned i = 0; i < nelem(child); i++)
		tap_join(child[i]);
}

static void switch_a_lot(uintptr_t i)
{
	for (int n = 0; n < 20; n++) {
		if (i > 0) {
			tap_call(5);
		} else {
			must(kpctl("calls *") == 0);
			must(kpctl("start") == 0);
			tap_call(2);
			must(kpctl("stop") == 0);
		}
	}
}

/* Processes that are within functions when all is undone return as if nothing had been. */
static void T2_undone_while_functions_run(void)
{
	tap_together(5, switch_a_lot);
	off();
}

/* Return the shortest time of a function of that many instructions, in instructions. */
static unsigned instructions(unsigned n)
{
	char word[32];
	struct sums s;

	snprintf(word, sizeof(word), "spin %u", (n - 4) / 2);
	measure("calls test_spin");
	for (int i = 0; i < 10; i++)
		must(tap_say("x/ctl", word) == 0);
	s = measured();
	must(s.calls == 10 && s.lost == 0);
	return (unsigned)((s.shortest + UNITS / 2) / UNITS);
}

static void T4_durations_are_right(void)
{
	static const unsigned length[] = {10, 1000, 100000};

	tap_exact();
	mkdir("x", 0700);
	if (bind("#X", "x", MREPL) != 0)
		tap_skip("no test device");
	must(kpctl("hz 10") == 0); /* a tick within a call is a part of its time */
	for (unsigned i = 0; i < nelem(length); i++) {
		unsigned n = instructions(length[i]);
		printf("# %u instructions: %u\n", length[i], n);
		must(n + 2 >= length[i] && n <= length[i] + 2);
	}
	must(kpctl("hz 1000") == 0);
	off();
}

/* Entries and returns that are recorded have their cost taken off too. */
static void T4_durations_are_right_when_recorded(void)
{
	tap_exact();
	mkdir("x", 0700);
	if (bind("#X", "x", MREPL) != 0)
		tap_skip("no test device");
	must(kpctl("hz 10") == 0 && kpctl("stacks on") == 0 && kpctl("calls test_spin") == 0);
	must(kpctl("trace 64 calls") == 0);
	unsigned n = instructions(1000);
	printf("# 1000 instructions: %u\n", n);
	must(n + 2 >= 1000 && n <= 1000 + 2);
	must(kpctl("stop") == 0 && kpctl("hz 1000") == 0);
	off();
	must(kpctl("stacks off") == 0);
}

static const char *const others[] = {"stacks on", "waits on", "trace 512 switches"};

#define ALL_PAGES 2048 /* what the tables of all profilers take, and three processes beside them */

/* With paths of ticks and waits, gmon and coverage, at once. */
static void T3_all_profilers_together(void)
{
	if (tap_memory_left() < ALL_PAGES)
		tap_skip("too little memory");
	for (unsigned i = 0; i < nelem(others); i++)
		must(kpctl(others[i]) == 0);
	measure("calls *");
	tap_program((char *[]){"/bin/kgmon", "-b", NULL});
	tap_call(20);
	tap_together(3, end_inside);
	tap_program((char *[]){"/bin/kgmon", "-h", NULL});
	measured();
	must(kpctl("stacks off") == 0 && kpctl("waits off") == 0);
	off();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{"T2 the words of calls are read back", T2_words_are_read_back},
		{"T2 bad words change nothing", T2_bad_words_change_nothing},
		{"T1 every call is counted; own times add up", T1_every_call_is_counted},
		{"T1 while others run is time away", T1_time_of_others_is_away},
		{"T2 functions with all that they call", T2_with_all_that_they_call},
		{"T3 processes end, exec and fork inside", T3_processes_come_and_go},
		{"T2 undone while functions run", T2_undone_while_functions_run},
		{"T3 undone while there are zombies", T3_undone_while_there_are_zombies},
		{"T4 durations are right to 2 instructions", T4_durations_are_right},
		{"T4 durations are right when recorded", T4_durations_are_right_when_recorded},
		{"T3 all profilers together", T3_all_profilers_together},
	};

	return tap_run(cases, nelem(cases));
}
