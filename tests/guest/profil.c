/*
 * profil(2) and sprofil(2) with real processes: where counts go, what fork, exec and sproc
 * do, buffers that cannot be written (U1-U9), and short windows (C7). prof/'s own test has the
 * arithmetic.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/profil.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

#define SPIN_SIZE 128 /* more than spin() is long */
#define MS 300
#define SAMPLES (MS / 10)
#define PAGE 4096
#define ALL 2 /* a scale that puts everything into the first cell */

extern char etext[];

static const char *self;
static unsigned short cells[4096];
static unsigned one;
static const unsigned short constant[2] = {7, 7};
static bool several; /* processors */

/*
 * Stays in user mode for so long, but for a look at the clock now and then; and on several
 * processors of a busy host, where time passes without them, until ticks had enough to see.
 */
static __attribute__((noinline, aligned(SPIN_SIZE))) void spin(int ms)
{
	int64_t end = tap_now() + ms * 1000000ll;

	for (int n = 0; (several && n < 3 * ms) || tap_now() < end; n++)
		for (volatile int i = 0; i < 20000; i++)
			;
}

static bool near(unsigned got, unsigned wanted)
{
	return got + 3 >= wanted && got <= wanted + 3;
}

static unsigned sum(const unsigned short *c, size_t n)
{
	unsigned all = 0;

	while (n-- > 0)
		all += *c++;
	return all;
}

static void off(void)
{
	must(profil(NULL, 0, 0, 0) == 0);
}

static void U1_counts_are_where_the_program_is(void)
{
	size_t size = (size_t)(etext - (char *)TEXT);
	unsigned short *text = calloc(1, size);
	unsigned all, mine;

	must(text != NULL);
	must(profil(text, size, TEXT, 0x10000) == 0);
	spin(MS);
	off();
	all = sum(text, size / 2);
	mine = sum(text + ((uintptr_t)spin - TEXT) / 2, SPIN_SIZE / 2);
	must(all > 0 && mine >= all * 9 / 10);
	spin(50);
	must(sum(text, size / 2) == all);
	tap_exact();
	must(near(all, SAMPLES));
}

static void U2_two_bytes_to_one(void)
{
	must(profil(cells, SPIN_SIZE / 2, (uintptr_t)spin, 0x8000) == 0);
	spin(MS);
	off();
	must(sum(cells, SPIN_SIZE / 4) > 0);
	must(sum(cells, nelem(cells)) == sum(cells, SPIN_SIZE / 4));
}

static void U2_all_in_the_first(void)
{
	must(profil(cells, sizeof(cells), 0, ALL) == 0);
	spin(MS);
	off();
	must(cells[0] > 0 && sum(cells, nelem(cells)) == cells[0]);
}

static void U3_off(void)
{
	static const struct {
		unsigned size, scale;
	} c[] = {{sizeof(cells), 0}, {sizeof(cells), 1}, {0, ALL}, {1, ALL}};

	for (size_t i = 0; i < nelem(c); i++) {
		must(profil(cells, sizeof(cells), 0, ALL) == 0);
		must(profil(cells, c[i].size, 0, c[i].scale) == 0);
		memset(cells, 0, sizeof(cells));
		spin(50);
		must(sum(cells, nelem(cells)) == 0);
	}
}

static void U4_fork_keeps_it(void)
{
	unsigned before;
	pid_t pid;

	must(profil(cells, sizeof(cells), 0, ALL) == 0);
	spin(MS / 2);
	pid = fork();
	if (pid == 0) {
		getpid(); /* the noted tick is counted on return */
		before = cells[0];
		spin(MS);
		getpid();
		must(cells[0] > before);
		_exit(0);
	}
	getpid();
	before = cells[0];
	tap_join(pid);
	must(cells[0] <= before + 1); /* the child's counts are its own */
	spin(MS);
	off();
	must(cells[0] > before);
}

static void spin_shared(void *arg)
{
	(void)arg;
	spin(MS);
}

static void U4_sproc_keeps_it(void)
{
	unsigned mine;

	must(profil(cells, sizeof(cells), 0, ALL) == 0);
	spin(MS);
	getpid();
	mine = cells[0];
	tap_join(sproc(spin_shared, PR_SADDR, NULL));
	off();
	must(mine > 0 && cells[0] > mine);
	tap_exact();
	must(near(cells[0], 2 * SAMPLES));
}

/* U4_exec_ends_it() runs this: at the address of the buffer nothing may be counted. */
static int after_exec(void)
{
	spin(MS);
	getpid();
	return sum(cells, nelem(cells)) == 0 ? 0 : 1;
}

static void U4_exec_ends_it(void)
{
	must(profil(cells, sizeof(cells), 0, ALL) == 0);
	execl(self, self, "after-exec", (char *)NULL);
	must(false);
}

/* A buffer is unmapped while in use; once it is back, nothing more is counted. */
static void U5_buffer_unmapped(void)
{
	unsigned short *page = sbrk(2 * PAGE);

	must(page != (void *)-1);
	page = (void *)(((uintptr_t)page + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
	must(profil(page, PAGE, 0, ALL) == 0);
	spin(MS);
	getpid();
	must(page[0] > 0);
	must(brk(page) == 0);
	spin(MS);
	must(brk((char *)page + PAGE) == 0);
	spin(MS);
	off();
	must(sum(page, PAGE / 2) == 0);
}

static void U5_buffer_read_only(void)
{
	struct prof at[2] = {{(void *)(uintptr_t)constant, sizeof(constant), TEXT, ALL},
			     {cells, sizeof(cells), 0, ALL}};

	must(profil((void *)(uintptr_t)constant, sizeof(constant), 0, ALL) == 0);
	spin(MS);
	off();
	must(*(const volatile unsigned short *)constant == 7);
	must(sprofil(at, 2, NULL, PROF_USHORT) == 0);
	spin(MS);
	off();
	must(*(const volatile unsigned short *)constant == 7 && cells[0] == 0);
}

/* The cell begins in the last bytes of the heap and would end beyond them. */
static void U5_buffer_across_a_missing_page(void)
{
	char *end = sbrk(0);
	struct prof at;

	end = (char *)(((uintptr_t)end + 2 * PAGE) & ~(uintptr_t)(PAGE - 1));
	must(brk(end) == 0);
	memset(end - 4, 0, 4);
	at = (struct prof){end - 2, 4, 0, ALL};
	must(sprofil(&at, 1, NULL, PROF_UINT) == 0);
	spin(MS);
	must(end[-1] == 0 && end[-2] == 0);
	must(brk(end + PAGE) == 0);
	spin(MS);
	off();
	must(end[-1] == 0 && end[-2] == 0 && end[0] == 0 && end[1] == 0);
}

/* A cell may lie across two pages that are mapped. */
static void U5_buffer_across_pages(void)
{
	char *at = sbrk(3 * PAGE);
	struct prof r;

	must(at != (void *)-1);
	at = (char *)(((uintptr_t)at + 2 * PAGE - 1) & ~(uintptr_t)(PAGE - 1)) - 1;
	r = (struct prof){at, 4, 0, ALL};
	must(sprofil(&r, 1, NULL, PROF_UINT) == 0);
	spin(MS);
	off();
	must(at[0] > 0 && at[1] == 0 && at[2] == 0);
}

/* The cell would go on at address 0. Profiling ends, though other regions could be counted in. */
static void U5_buffer_that_wraps(void)
{
	struct prof at[2] = {{(void *)UINTPTR_MAX, 0x1000, TEXT, ALL},
			     {cells, sizeof(cells), 0, ALL}};

	must(sprofil(at, 2, NULL, PROF_USHORT) == 0);
	spin(MS);
	off();
	must(cells[0] == 0);
	must(profil((void *)(UINTPTR_MAX - PAGE), 0xffffffff, 0, 0x10000) == 0);
	spin(MS);
	off();
}

static void U5_buffers_that_are_nobodys(void)
{
	static const uintptr_t at[] = {0, 1, 0xbffffffe, 0xbfffffff, 0xc0000000, 0xc0100000,
				       0xfffffffe, 0xffffffff};

	for (size_t i = 0; i < nelem(at); i++) {
		must(profil((void *)at[i], 0xffffffff, 0, ALL) == 0);
		spin(30);
	}
	off();
}

static void U6_always_0(void)
{
	static const unsigned word[] = {0, 1, 2, 3, 0x8000, 0xffff, 0x10000, 0x10001, 0x7fffffff,
					0x80000000, 0xffffffff};
	uint32_t seed = 1;

	for (int i = 0; i < 2000; i++) {
		unsigned w[4];
		for (int k = 0; k < 4; k++)
			w[k] = word[tap_random(&seed) % nelem(word)];
		must(profil((void *)(uintptr_t)w[0], w[1], w[2], w[3]) == 0);
	}
	off();
}

static void U7_16_bits_wrap(void)
{
	cells[0] = 65535;
	must(profil(cells, 4, 0, ALL) == 0);
	spin(MS);
	off();
	must(cells[0] < 1000 && cells[1] == 0);
}

static void U7_32_bits_do_not(void)
{
	struct prof r = {&one, sizeof(one), 0, ALL};

	one = 65535;
	must(sprofil(&r, 1, NULL, PROF_UINT) == 0);
	spin(MS);
	off();
	must(one > 65535 && one < 66535);
}

static void U7_regions_and_overflow(void)
{
	static unsigned mine[SPIN_SIZE / 4], other[4], over;
	struct prof r[] = {
		{mine, sizeof(mine), (uintptr_t)spin, 0x10000},
		{other, sizeof(other), 0xb0000000, 0x10000}, /* no text there */
		{&over, sizeof(over), 0, ALL},
	};
	unsigned n = 0;

	must(sprofil(r, 3, NULL, PROF_UINT) == 0);
	spin(MS);
	getpid();
	for (size_t i = 0; i < nelem(mine); i++)
		n += mine[i];
	must(n > 0 && sum((unsigned short *)other, 8) == 0 && over < n);
	over = 0;
	for (volatile int i = 0; *(volatile unsigned *)&over == 0 && i < 600000000; i++)
		; /* until a sample has come: on a busy host that takes long */
	off();
	must(over > 0);
}

static void U8_below_and_behind(void)
{
	must(profil(cells, sizeof(cells), (uintptr_t)etext, 0x10000) == 0);
	spin(MS / 2);
	must(profil(cells, 16, TEXT, 0x10000) == 0);
	spin(MS / 2);
	off();
	must(sum(cells, nelem(cells)) == 0);
}

static void U9_period(void)
{
	struct timeval tv = {1, 1};

	must(sprofil(NULL, 0, &tv, PROF_USHORT) == 0);
	must(tv.tv_sec == 0 && tv.tv_usec == 10000);
	must(sprofil(NULL, 0, &tv, PROF_FAST | PROF_UINT) == 0);
	must(tv.tv_sec == 0 && tv.tv_usec == 1000);
}

/* The most periods by which the clock is ever off its timeline: profclock(9). */
#define STRAY 10

static void U9_fast(void)
{
	struct prof r = {&one, sizeof(one), 0, ALL};

	one = 0;
	must(sprofil(&r, 1, NULL, PROF_UINT | PROF_FAST) == 0);
	spin(MS);
	off();
	must(one > 0);
	tap_exact();
	must(one > MS * 9 / 10 && one <= MS + STRAY);
}

/*
 * With a sample to a tick, processes that run side by side and count into one cell get as
 * many as kprof sees ticks in programs, however many the emulator lost.
 */
static void U9_side_by_side(void)
{
	enum { N = 4, EDGE = 2 * (N + 1), OTHERS = 20 };
	struct prof r = {&one, sizeof(one), 0, ALL};
	uint32_t ticks;
	pid_t pid[N];

	one = 0;
	must(sprofil(&r, 1, NULL, PROF_UINT | PROF_FAST) == 0);
	must(kpctl("startclr") == 0);
	for (int i = 0; i < N; i++)
		pid[i] = sproc(spin_shared, PR_SADDR, NULL);
	for (int i = 0; i < N; i++)
		tap_join(pid[i]);
	must(kpctl("stop") == 0);
	off();
	ticks = kpdata_head(1);
	must(ticks > 50);
	must(one <= ticks + EDGE && one + EDGE + OTHERS >= ticks);
}

/* Samples do not depend on the clock's rate: a slower tick counts as several. */
static void D13_whatever_the_clock_does(void)
{
	static const struct {
		const char *word;
		uint32_t hz;
	} rate[] = {{"hz 20", 20}, {"hz 100", 100}, {"hz 333", 333}, {"hz 20000", 20000}};
	struct prof r = {&one, sizeof(one), 0, ALL};

	tap_exact();
	for (size_t i = 0; i < nelem(rate); i++) {
		one = 0;
		must(kpctl(rate[i].word) == 0);
		must(sprofil(&r, 1, NULL, PROF_UINT) == 0);
		spin(1000);
		off();
		must(kpctl("hz 1000") == 0);
		uint32_t off_by = 100 * STRAY / rate[i].hz + 3;
		must(one + off_by >= 100 && one <= 100 + off_by);
	}
}

/* Take a sample in 10 ms of n windows of 2.5 ms: by profil and sprofil in turn, and by prof(3). */
static void windows(uintptr_t n)
{
	struct prof r = {cells, sizeof(cells), 0, ALL};

	for (uintptr_t i = 0; i < n; i++) {
		must(ctl("start") == 0);
		must((i & 1 ? sprofil(&r, 1, NULL, PROF_USHORT)
			    : profil(cells, sizeof(cells), 0, ALL)) == 0);
		for (int64_t end = tap_now() + 2500000; tap_now() < end;)
			for (volatile int k = 0; k < 1000; k++)
				;
		off();
		must(ctl("stop") == 0);
	}
	must(cells[0] >= n / 4 - 10 && cells[0] <= n / 4 + 10);
}

/* In each process, whatever its number; the clock runs in the windows alone, too. */
static void C7_short_windows(void)
{
	enum { N = 400, PROCESSES = 3 };

	tap_exact();
	must(ctl("end") == 0 && ctl("module profil") == 0 && ctl("interval 10") == 0);
	for (int i = 0; i < PROCESSES; i++)
		must(tap_status(windows, N) == 0);
	uint64_t all = modules_sum("/tests/profil", "hist", 0, UINT32_MAX);
	must(ctl("end") == 0);
	must(all >= PROCESSES * (N / 4 - 30) && all <= PROCESSES * (N / 4 + 30));
}

static void U10_times_agrees(void)
{
	struct prof r = {&one, sizeof(one), 0, ALL};
	struct tms before, after;

	tap_exact();
	one = 0;
	must(sprofil(&r, 1, NULL, PROF_UINT) == 0);
	times(&before);
	spin(1000);
	times(&after);
	off();
	must(near(one, after.tms_utime - before.tms_utime));
}

static void U7_what_sprofil_refuses(void)
{
	static struct prof many[PROFIL_MAXREGION + 1];
	struct prof r = {&one, sizeof(one), 0, ALL};
	struct timeval tv = {1, 1};

	one = 0;
	must(sprofil(&r, 1, NULL, PROF_UINT) == 0);
	must_fail(sprofil(&r, -1, &tv, PROF_UINT), EINVAL);
	must_fail(sprofil(&r, 1, &tv, 4), EINVAL);
	must_fail(sprofil(many, nelem(many), &tv, PROF_UINT), E2BIG);
	must_fail(sprofil(NULL, 1, &tv, PROF_UINT), EFAULT);
	must_fail(sprofil((struct prof *)0xbffffffc, 1, &tv, PROF_UINT), EFAULT);
	must_fail(sprofil(&r, 0, (struct timeval *)4, PROF_UINT), EFAULT);
	must(tv.tv_sec == 1 && tv.tv_usec == 1);
	spin(MS);
	off();
	must(one > 0); /* nothing of this changed anything */
	must(sprofil(many, PROFIL_MAXREGION, NULL, PROF_UINT) == 0);
	off();
}

/* Processes that start and end while profiled leak no memory. */
static void nothing_is_left(void)
{
	size_t left;

	must(profil(cells, sizeof(cells), 0, ALL) == 0);
	for (int i = 0; i < 8; i++)
		tap_finish(tap_sleeper());
	left = tap_memory_left();
	for (int i = 0; i < 64; i++)
		tap_finish(tap_sleeper());
	must(tap_memory_back(left, 4));
	off();
}

static const struct tap_case cases[] = {
	{"U1 counts are where the program is", U1_counts_are_where_the_program_is},
	{"U2 two bytes of text to one of the buffer", U2_two_bytes_to_one},
	{"U2 scale 2 is everything in the first cell", U2_all_in_the_first},
	{"U3 scale 0 and 1, and no buffer, are off", U3_off},
	{"U4 fork keeps it, in memory of its own", U4_fork_keeps_it},
	{"U4 sproc keeps it, in the same memory", U4_sproc_keeps_it},
	{"U4 exec ends it", U4_exec_ends_it},
	{"U5 a buffer that is unmapped ends it", U5_buffer_unmapped},
	{"U5 a read-only buffer ends it", U5_buffer_read_only},
	{"U5 a cell of which part is missing ends it", U5_buffer_across_a_missing_page},
	{"U5 a cell across two pages is counted in", U5_buffer_across_pages},
	{"U5 a buffer that wraps ends it", U5_buffer_that_wraps},
	{"U5 addresses outside programs do no harm", U5_buffers_that_are_nobodys},
	{"U6 profil always returns 0", U6_always_0},
	{"U7 16-bit cells wrap", U7_16_bits_wrap},
	{"U7 32-bit cells do not wrap", U7_32_bits_do_not},
	{"U7 several regions, and the rest", U7_regions_and_overflow},
	{"U7 what sprofil refuses changes nothing", U7_what_sprofil_refuses},
	{"U8 nothing is counted below the offset or beyond the buffer", U8_below_and_behind},
	{"U9 sprofil tells the period", U9_period},
	{"U9 PROF_FAST is 1 ms", U9_fast},
	{"U9 processes side by side lose no sample", U9_side_by_side},
	{"C7 short windows see their share", C7_short_windows},
	{"U10 times(2) agrees", U10_times_agrees},
	{"D13 10 ms at every rate of the clock", D13_whatever_the_clock_does},
	{"U4 nothing is left of profiled processes", nothing_is_left},
};

int main(int argc, char **argv)
{
	self = argv[0];
	several = tap_processors() > 1;
	if (argc == 2)
		return after_exec();
	return tap_run(cases, nelem(cases));
}
