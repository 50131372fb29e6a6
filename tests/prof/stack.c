/*
 * prof/prof_stack.c and stackout.c: paths of calls, through memory that may hold anything.
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"
#include "prof/prof_text.h"

#define TRAP 0xc0100999u /* where trap handlers return to */
#define LO ((prof_addr)0xf8001000u) /* the kernel's stack */
#define WORDS 2048u
#define USER ((prof_addr)0xbffe0000u) /* the program's, of two pages or four */
#define W sizeof(prof_addr)

static struct prof prof;
static prof_addr kernel[WORDS], user[2 * WORDS];
static struct {
	enum prof_stack_trap what;
	struct prof_stack_place at;
} trapped;
static _Alignas(4) char name[32];
static uint32_t entered; /* the next tick is in another system call if it becomes another */

static const void *peek(prof_addr addr)
{
	return addr - USER < sizeof(user) ? (const uint8_t *)user + (addr - USER) : NULL;
}

static enum prof_stack_trap trap(const void *frame, size_t room, struct prof_stack_place *at)
{
	assert_true((const uint8_t *)frame + room == (const uint8_t *)(kernel + WORDS));
	*at = trapped.at;
	return trapped.what;
}

static void begin(unsigned ncpu)
{
	machine_reset();
	machine.user = peek;
	machine.trap = trap;
	prof = (struct prof){0};
	memset(kernel, 0, sizeof(kernel));
	memset(user, 0, sizeof(user));
	memset(name, 0, sizeof(name));
	strcpy(name, "sh");
	prof_stack_init(&prof, ncpu, TRAP);
	prof.stack.digits = 8;
	prof_stack_depth(&prof, 32);
	prof_period(&prof, 1000);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	prof_start(&prof, PROF_PATHS);
}

static int power_on(void **state)
{
	begin(1);
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

/* A frame in the kernel's stack, n words from its begin. */
static void frame(uint32_t n, uint32_t next, prof_addr ret)
{
	kernel[n] = next ? LO + W * next : 0;
	kernel[n + 1] = ret;
}

/* Return a number that no other name of these tests has. */
static uint32_t number(const char *its)
{
	uint32_t n = 0;

	while (*its)
		n = n * 31 + (unsigned char)*its++;
	return n;
}

static void tick(unsigned cpu, enum prof_cause what, prof_addr pc, prof_addr fp, prof_addr ret)
{
	struct prof_sample s = {
		.at = {pc, fp, ret},
		.cpu = cpu,
		.what = what,
		.lo = LO,
		.hi = LO + sizeof(kernel),
		.stack = kernel,
		.pid = 7,
		.entered = entered,
		.name = name,
		.named = number(name),
	};

	machine_tick(&prof, &s);
}

static void at_kernel(prof_addr pc, uint32_t word)
{
	tick(0, PROF_KERNEL, pc, LO + W * word, 0);
}

/* A tick in a process of that name. */
static void named(const char *its)
{
	struct prof_sample s = {
		.at = {0xc0100011, 0, 0}, .lo = LO, .hi = LO + sizeof(kernel), .stack = kernel,
		.pid = 7, .entered = ++entered, .name = its,
		.named = number(its),
	};

	machine_tick(&prof, &s);
}

/* The file, in memory; valid until the next call. */
static const char *text(void)
{
	static char *out;
	size_t n;
	struct prof_sink to = {.write = machine_put};

	free(out);
	to.arg = open_memstream(&out, &n);
	assert_int_equal(prof_stack_write(&prof, PROF_STACK, &to), 0);
	fclose(to.arg);
	return out;
}

/* The sum of all counts must be what the last line says. */
static unsigned long total(void)
{
	unsigned long sum = 0, said = 0;
	const char *s, *blank;

	for (s = text(); *s && *s != '#'; s = strchr(s, '\n') + 1) {
		blank = strchr(s, ' ');
		assert_non_null(blank);
		sum += strtoul(blank, NULL, 10);
	}
	assert_int_equal(sscanf(s, "# period_us=1000 ticks=%lu ", &said), 1);
	assert_int_equal(sum, said);
	return sum;
}

static void has(const char *line)
{
	if (!strstr(text(), line))
		fail_msg("no \"%s\" in\n%s", line, text());
}

static void a_path_is_followed_outwards(void **state)
{
	frame(10, 20, 0xc0100020);
	frame(20, 30, 0xc0100030);
	frame(30, 0, 0xc0100040);
	at_kernel(0xc0100011, 10);
	at_kernel(0xc0100011, 10);
	at_kernel(0xc0100012, 10);
	has("sh;[kernel];0xc0100040;0xc0100030;0xc0100020;0xc0100011 2\n");
	has("sh;[kernel];0xc0100040;0xc0100030;0xc0100020;0xc0100012 1\n");
	assert_int_equal(total(), 3);
}

/* The same place and frame pointer, but another caller, or one more, or one less, or a name. */
static void what_was_met_before_is_compared(void **state)
{
	frame(10, 20, 0xc0100020);
	frame(20, 30, 0xc0100030);
	frame(30, 0, 0xc0100040);
	at_kernel(0xc0100011, 10);
	kernel[21] = 0xc0100031;
	at_kernel(0xc0100011, 10);
	kernel[20] = 0;
	at_kernel(0xc0100011, 10);
	kernel[10] = 0;
	at_kernel(0xc0100011, 10);
	frame(10, 20, 0xc0100020);
	strcpy(name, "shell");
	at_kernel(0xc0100011, 10);
	memset(name, 0, sizeof(name));
	strcpy(name, "sh");
	tick(0, PROF_IDLE, 0xc0100011, LO + 10 * W, 0);
	tick(0, PROF_KERNEL, 0xc0100011, LO + 10 * W, 0xc0100077);
	has("sh;[kernel];0xc0100040;0xc0100030;0xc0100020;0xc0100011 1\n");
	has("sh;[kernel];0xc0100040;0xc0100031;0xc0100020;0xc0100011 1\n");
	has("sh;[kernel];0xc0100031;0xc0100020;0xc0100011 1\n");
	has("sh;[kernel];0xc0100020;0xc0100011 1\n");
	has("shell;[kernel];0xc0100031;0xc0100020;0xc0100011 1\n");
	has("sh;[idle];0xc0100031;0xc0100020;0xc0100011 1\n");
	has("sh;[kernel];0xc0100031;0xc0100020;0xc0100077;0xc0100011 1\n");
	assert_int_equal(total(), 7);
}

static void a_system_call_has_the_program_s_callers(void **state)
{
	int i;

	frame(10, 40, 0xc0100020);
	frame(40, 60, TRAP);
	user[8] = USER + W * WORDS; /* the next lies in another page */
	user[9] = 0x400100;
	user[WORDS] = 0;
	user[WORDS + 1] = 0x400200;
	trapped.what = PROF_STACK_AT_USER;
	trapped.at = (struct prof_stack_place){0x400050, USER + 8 * W, 0};
	for (i = 0; i < 3; i++)
		at_kernel(0xc0100011, 10);
	has("sh;[kernel];0x00400200;0x00400100;0x00400050;0xc0100020;0xc0100011 3\n");
	user[9] = 0x400101;
	entered++;
	at_kernel(0xc0100011, 10);
	entered++;
	trapped.at.ret = 0x400060;
	at_kernel(0xc0100011, 10);
	has("sh;[kernel];0x00400200;0x00400101;0x00400050;0xc0100020;0xc0100011 1\n");
	has("sh;[kernel];0x00400200;0x00400101;0x00400060;0x00400050;0xc0100020;0xc0100011 1\n");
	assert_int_equal(total(), 5);
}

/* Within a call of the kernel the program stands still, but what the kernel does is compared. */
static void a_system_call_s_program_is_looked_at_once(void **state)
{
	frame(10, 40, 0xc0100020);
	frame(40, 60, TRAP);
	frame(30, 40, 0xc0100030);
	frame(50, 60, TRAP);
	user[1] = 0x400100;
	trapped.what = PROF_STACK_AT_USER;
	trapped.at = (struct prof_stack_place){0x400050, USER, 0};
	at_kernel(0xc0100011, 10);
	at_kernel(0xc0100011, 10);
	user[1] = 0x400200;
	at_kernel(0xc0100011, 10);
	has("sh;[kernel];0x00400100;0x00400050;0xc0100020;0xc0100011 3\n");
	kernel[10] = LO + W * 30; /* a caller more */
	at_kernel(0xc0100011, 10);
	kernel[10] = LO + W * 50; /* another trap's frame */
	at_kernel(0xc0100011, 10);
	kernel[10] = LO + W * 40;
	kernel[11] = 0xc0100021; /* another caller */
	at_kernel(0xc0100011, 10);
	kernel[11] = TRAP; /* a caller less */
	at_kernel(0xc0100011, 10);
	has("sh;[kernel];0x00400200;0x00400050;0xc0100030;0xc0100020;0xc0100011 1\n");
	has("sh;[kernel];0x00400200;0x00400050;0xc0100020;0xc0100011 1\n");
	has("sh;[kernel];0x00400200;0x00400050;0xc0100021;0xc0100011 1\n");
	has("sh;[kernel];0x00400200;0x00400050;0xc0100011 1\n");
	kernel[11] = 0xc0100020;
	at_kernel(0xc0100011, 10);
	at_kernel(0xc0100011, 10);
	user[1] = 0x400300;
	entered++;
	at_kernel(0xc0100011, 10);
	has("sh;[kernel];0x00400200;0x00400050;0xc0100020;0xc0100011 3\n");
	has("sh;[kernel];0x00400300;0x00400050;0xc0100020;0xc0100011 1\n");
	tick(0, PROF_USER, 0xc0100011, LO + 10 * W, 0); /* a program's registers may be these */
	has("sh;[user];0xc0100011 1\n");
	assert_int_equal(total(), 11);
}

/* What an interrupt met is chance: only its own calls are shown, whatever else was going on. */
static void interrupts_stand_alone(void **state)
{
	frame(10, 40, 0xc0100020);
	frame(40, 0, TRAP);
	trapped.what = PROF_STACK_AT_INTERRUPT;
	at_kernel(0xc0100011, 10);
	at_kernel(0xc0100011, 10);
	tick(0, PROF_IDLE, 0xc0100011, LO + 10 * W, 0);
	has("sh;[interrupt];0xc0100020;0xc0100011 3\n");
	trapped.what = PROF_STACK_AT_KERNEL;
	trapped.at = (struct prof_stack_place){0xc0100500, LO + 100 * W, 0};
	frame(100, 0, 0xc0100600);
	at_kernel(0xc0100011, 10);
	has("sh;[kernel];0xc0100600;0xc0100500;0xc0100020;0xc0100011 1\n");
	trapped.what = PROF_STACK_AT_NOTHING;
	at_kernel(0xc0100011, 10);
	has("sh;[kernel];0xc0100020;0xc0100011 1\n");
	assert_int_equal(total(), 5);
}

static void a_depth_is_the_most_of_addresses(void **state)
{
	uint32_t i;
	char line[32 + 12 * PROF_STACK_MAXDEPTH] = "\nsh;[kernel]";

	for (i = 0; i < 100; i++)
		frame(10 + 2 * i, i < 99 ? 12 + 2 * i : 0, 0xc0110000 + i);
	at_kernel(0xc0100011, 10 + 2 * 69); /* 31 frames and itself */
	strcpy(line, "sh;[kernel]");
	for (i = 99; i >= 69; i--)
		sprintf(line + strlen(line), ";0x%08x", 0xc0110000 + i);
	strcat(line, ";0xc0100011 1\n");
	has(line);
	at_kernel(0xc0100011, 10 + 2 * 68);
	at_kernel(0xc0100011, 10 + 2 * 68);
	has("sh;[kernel];[cut];0xc0110062;0xc0110061;");
	has(";0xc0110044;0xc0100011 2\n");
	prof_stack_close(&prof, PROF_STACK);
	prof_stack_depth(&prof, 1);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	prof_start(&prof, PROF_PATHS);
	at_kernel(0xc0100011, 10);
	assert_string_equal(text(), "sh;[kernel];[cut];0xc0100011 1\n"
				    "# period_us=1000 ticks=1 overflow=0 depth=1\n");
	frame(10 + 2 * 30, 0, TRAP); /* far out, it is an interrupt */
	trapped.what = PROF_STACK_AT_INTERRUPT;
	at_kernel(0xc0100011, 10);
	has("sh;[interrupt];[cut];0xc0100011 1\n");
}

/* Frame pointers of all kinds, into memory of all kinds; ASan and UBSan look on. */
static void registers_may_hold_anything(void **state)
{
	static const prof_addr wild[] = {
		0, 1, 2, 3, 4, UINT32_MAX, UINT32_MAX - 3, UINT32_MAX - 7, LO - 4, LO - 8, LO,
		LO + 1, LO + W * WORDS - 8, LO + W * WORDS - 7, LO + W * WORDS - 4, LO + W * WORDS,
		UINTPTR_MAX, UINTPTR_MAX - 7, UINTPTR_MAX - 15, LO + W * WORDS - 16,
		USER - 4, USER - 8, USER, USER + 1, USER + 0xff8, USER + 0xff9, USER + 0xffc,
		USER + 0x1ff8, USER + 0x1ffc, USER + 0x2000, USER + 2 * W * WORDS - 8,
		USER + 2 * W * WORDS - 4, USER + 2 * W * WORDS, 0x80000000, 0x7fffffff, 0xc0000000,
	};
	unsigned n = 0, i, k;

	srand(1);
	for (i = 0; i < 200; i++) {
		for (k = 0; k < WORDS; k++)
			kernel[k] = wild[(unsigned)rand() % nelem(wild)];
		for (k = 0; k < 2 * WORDS; k++)
			user[k] = wild[(unsigned)rand() % nelem(wild)];
		kernel[i] = LO + W * i; /* a cycle */
		user[i] = USER + W * i;
		if (i % 3 == 0)
			kernel[2 * i + 1] = TRAP;
		for (k = 0; k < nelem(wild); k++, n += 2) {
			trapped.what = (enum prof_stack_trap)(k & 3);
			if (trapped.what == PROF_STACK_AT_KERNEL)
				trapped.what = PROF_STACK_AT_USER;
			trapped.at = (struct prof_stack_place){k, wild[(k + i) % nelem(wild)],
							       k % 2};
			tick(0, (enum prof_cause)(k % 3), k, wild[k], k % 5);
			tick(0, PROF_USER, k, USER + W * i, 0);
		}
	}
	assert_int_equal(total(), n);
}

static void what_does_not_fit_is_counted(void **state)
{
	uint32_t i, n = 300000;
	unsigned long over;

	for (i = 0; i < n; i++)
		at_kernel(0xc0000000 + 16 * i, 10);
	assert_int_equal(total(), n);
	assert_int_equal(sscanf(strstr(text(), "[overflow] "), "[overflow] %lu\n", &over), 1);
	assert_in_range(over, n / 2, n - 10000);
	at_kernel(0xc0000000, 10); /* what fitted still counts */
	has("0xc0000000 2\n");
	prof_clear(&prof, PROF_PATHS);
	at_kernel(0xc0000000, 10);
	assert_int_equal(total(), 1);
	assert_null(strstr(text(), "[overflow]"));
}

static void B16_others_leave_half_of_the_room(void **state)
{
	struct prof_sample s = {.at = {0, 0, 0}, .what = PROF_USER, .name = "none", .others = true};
	uint32_t n = 100000, half;
	unsigned long over;

	for (uint32_t i = 0; i < n; i++) {
		s.at.pc = 16 * (i + 1);
		machine_tick(&prof, &s);
	}
	half = prof.stack.cpu[0].used;
	assert_in_range(half, prof.stack.nword / 2 - 64, prof.stack.nword / 2 + 64);
	for (uint32_t i = 0; i < 1000; i++)
		at_kernel(0xc0000000 + 16 * i, 10);
	has("0xc0000000 1\n");
	has("0xc0003e70 1\n"); /* the last one */
	s.at.pc = 16; /* what others had they have still */
	machine_tick(&prof, &s);
	has("none;[user];0x00000010 2\n");
	assert_int_equal(sscanf(strstr(text(), "[overflow] "), "[overflow] %lu\n", &over), 1);
	assert_int_equal(total(), n + 1001);
	assert_in_range(over, n / 2, n - 10000);
	prof_clear(&prof, PROF_PATHS);
	machine_tick(&prof, &s);
	assert_null(strstr(text(), "[overflow]"));
}

static void names_cannot_forge_lines(void **state)
{
	strcpy(name, "#a b;[\n\x7f\xff z");
	at_kernel(0xc0100011, WORDS);
	has("_a_b______z;[kernel];0xc0100011 1\n");
	memset(name, 'x', 31);
	at_kernel(0xc0100011, WORDS);
	has("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;[kernel];0xc0100011 1\n");
	memset(name, 0, sizeof(name));
	at_kernel(0xc0100011, WORDS);
	has("\n;[kernel];0xc0100011 1\n");
}

/* A2: addresses are shown with all their digits, and none is taken for another. */
static void A2_addresses_are_whole(void **state)
{
	const prof_addr high = (prof_addr)-1 << (4 * W), odd = high | 0x1234;
	char line[128];

	prof.stack.digits = 2 * W;
	frame(10, 20, odd);
	frame(20, 0, odd ^ high);
	at_kernel(high | 0x11, 10);
	at_kernel(0x11, 10);
	sprintf(line, "sh;[kernel];0x%0*zx;0x%0*zx;0x%0*zx 1\n", (int)(2 * W), odd ^ high,
		(int)(2 * W), odd, (int)(2 * W), high | 0x11);
	has(line);
	assert_int_equal(total(), 2);
}

/* C21: whatever was written to a table, its readers do not fault, and say that it is damaged. */
static void C21_a_damaged_table_is_said_to_be_one(void **state)
{
	const prof_addr wild[] = {0, 0xff, 0x7f00ff, 0xa0101, UINT32_MAX, UINTPTR_MAX};
	struct prof_stack_cpu *c = &prof.stack.cpu[0];
	unsigned said = 0;

	for (unsigned i = 0; i < 20; i++)
		at_kernel(0xc0100000 + 16 * i, 10);
	for (uint32_t at = PROF_STACK_BODY; at < c->used; at++) {
		for (unsigned k = 0; k < nelem(wild); k++) {
			prof_addr was = c->word[at];

			c->word[at] = wild[k];
			said += strstr(text(), "# damaged cpu=0 word=") != NULL;
			c->word[at] = was;
		}
	}
	assert_in_range(said, 20 * 3, 20 * 2 * nelem(wild));
	assert_int_equal(total(), 20);
}

/* All ones are an address like any other, wherever they stand. */
static void an_address_of_all_ones_counts(void **state)
{
	unsigned i;

	frame(10, 20, UINTPTR_MAX);
	frame(20, 30, 0xc0100030);
	frame(30, 0, UINTPTR_MAX);
	for (i = 0; i < 3; i++) {
		at_kernel(0xc0100011, 10);
		at_kernel(0xc0100011, 20);
		at_kernel(0xc0100011, WORDS);
		at_kernel(UINTPTR_MAX, 10);
		at_kernel(UINTPTR_MAX, WORDS);
		tick(0, PROF_KERNEL, 0xc0100011, LO + 30 * W, UINTPTR_MAX);
	}
	has("sh;[kernel];0xffffffff;0xc0100030;0xffffffff;0xc0100011 3\n");
	has("sh;[kernel];0xffffffff;0xc0100030;0xc0100011 3\n");
	has("sh;[kernel];0xc0100011 3\n");
	has("sh;[kernel];0xffffffff;0xc0100030;0xffffffff;0xffffffff 3\n");
	has("sh;[kernel];0xffffffff 3\n");
	has("sh;[kernel];0xffffffff;0xffffffff;0xc0100011 3\n");
	assert_int_equal(total(), 18);
}

/* A name may begin at any address and end with its NUL; its memory ends there. */
static void names_need_no_padding(void **state)
{
	static const char *const text[] = {"", "a", "ab", "abc", "abcd", "abcde", "abcdefgh"};
	char line[64];
	size_t i, off;

	for (i = 0; i < nelem(text); i++)
		for (off = 0; off < 4; off++) {
			char *memory = malloc(off + strlen(text[i]) + 1);

			strcpy(memory + off, text[i]);
			named(memory + off);
			named(memory + off);
			free(memory);
		}
	for (i = 0; i < nelem(text); i++) {
		sprintf(line, "%s;[kernel];0xc0100011 8\n", text[i]);
		has(line);
	}
}

/* Without prof_stack_init(), or with a number of CPUs that is out of range. */
static void there_are_tables_for_a_good_number_of_cpus_only(void **state)
{
	static const unsigned bad[] = {0, PROF_MAXCPU + 1, UINT32_MAX};
	size_t i;

	prof_stack_close(&prof, PROF_STACK);
	prof = (struct prof){0};
	for (i = 0; i < nelem(bad); i++) {
		assert_false(prof_stack_open(&prof, PROF_STACK, 1));
		prof_start(&prof, PROF_PATHS);
		at_kernel(0xc0100011, 10);
		prof_clear(&prof, PROF_PATHS);
		prof_stack_close(&prof, PROF_STACK);
		assert_non_null(strstr(text(), "ticks=0 "));
		prof_stack_init(&prof, bad[i], TRAP);
	}
	assert_false(prof_stack_open(&prof, PROF_STACK, 1));
	prof_stack_init(&prof, 16, TRAP);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
}

/* The n-th piece and later ones fail. */
static int fail_at(void *left, const void *data, size_t n)
{
	assert_in_range(n, 1, sizeof((struct prof_text){0}.piece));
	assert_in_range(*(int *)left, 1, 100);
	return --*(int *)left == 0 ? 42 : 0;
}

static void A9_a_sink_s_error_ends_the_writing(void **state)
{
	int i, left;

	for (i = 0; i < 50; i++)
		at_kernel(0xc0100011 + (prof_addr)i, 10);
	for (i = 1; i < 5; i++) {
		left = i;
		assert_int_equal(prof_stack_write(&prof, PROF_STACK,
						  &(struct prof_sink){.write = fail_at,
								      .arg = &left}),
				 42);
		assert_int_equal(left, 0);
	}
}

static void a_filter_lets_one_process_through(void **state)
{
	prof_stack_only(&prof, 8);
	at_kernel(0xc0100011, 10);
	assert_int_equal(total(), 0);
	prof_stack_only(&prof, 7);
	at_kernel(0xc0100011, 10);
	prof_stack_only(&prof, PROF_STACK_EVERY);
	at_kernel(0xc0100011, 10);
	assert_int_equal(total(), 2);
}

static void memory_is_held_while_it_is_on(void **state)
{
	int i;

	prof_stop(&prof, PROF_PATHS);
	at_kernel(0xc0100011, 10);
	assert_int_equal(total(), 0);
	prof_stack_close(&prof, PROF_STACK);
	assert_false(prof_stack_on(&prof, PROF_STACK));
	prof_start(&prof, PROF_PATHS);
	assert_false(prof_wants(&prof, PROF_STACK));
	assert_int_equal(total(), 0);
	for (i = 0; i < 2; i++) {
		machine.allocs_left = i;
		assert_false(prof_stack_open(&prof, PROF_STACK, 1));
		assert_false(prof_stack_on(&prof, PROF_STACK));
	}
	machine.allocs_left = -1;
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, power_on, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_path_is_followed_outwards),
		TEST(what_was_met_before_is_compared),
		TEST(a_system_call_has_the_program_s_callers),
		TEST(a_system_call_s_program_is_looked_at_once),
		TEST(interrupts_stand_alone),
		TEST(a_depth_is_the_most_of_addresses),
		TEST(registers_may_hold_anything),
		TEST(what_does_not_fit_is_counted),
		TEST(B16_others_leave_half_of_the_room),
		TEST(names_cannot_forge_lines),
		TEST(A2_addresses_are_whole),
		TEST(C21_a_damaged_table_is_said_to_be_one),
		TEST(an_address_of_all_ones_counts),
		TEST(names_need_no_padding),
		TEST(there_are_tables_for_a_good_number_of_cpus_only),
		TEST(A9_a_sink_s_error_ends_the_writing),
		TEST(a_filter_lets_one_process_through),
		TEST(memory_is_held_while_it_is_on),
	};

	return RUN(tests, NULL, NULL);
}
