/*
 * prof/prof_module.c: which modules there are, and what is counted in them (P2 P5 P6 P8 P10).
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"

#define LO 0x400000u
#define SIZE 100u
#define ROOM 100000u /* bytes */
#define TICK 1000u /* microseconds */

static struct prof prof;

static int power_on(void **state)
{
	machine_reset();
	prof = (struct prof){0};
	prof_module_init(&prof, ROOM);
	prof_period(&prof, TICK);
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

/* Return the module of the file with that number, found at a path, with text of its own. */
static struct prof_module *get_text(const char *path, uint64_t file, uint32_t lo, uint32_t size)
{
	struct prof_module_text t = {.name = strrchr(path, '/') + 1,
				     .path = path,
				     .file.number = file,
				     .lo = lo,
				     .size = size};

	return prof_module_get(&prof, &t);
}

/* Return the module of a file whose number is the last letter of its path. */
static struct prof_module *get(const char *path)
{
	return get_text(path, (uint64_t)path[strlen(path) - 1], LO, SIZE);
}

static uint64_t total(const struct prof_module *m)
{
	uint32_t at, count;
	uint64_t sum = 0;

	for (at = 0; prof_module_next(m, &at, &count); at++) {
		assert_int_not_equal(count, 0);
		sum += count;
	}
	return sum;
}

static void tick(unsigned cpu, uint32_t pc, enum prof_cause what, struct prof_module *m)
{
	struct prof_sample s = {.cpu = cpu, .at.pc = pc, .what = what, .module = m};

	machine_tick(&prof, &s);
}

static void P2_names_and_paths_are_wanted(void **state)
{
	assert_true(prof_module_wanted(&prof, "sh", "/bin/sh"));
	assert_true(prof_module_want(&prof, "sh"));
	assert_true(prof_module_want(&prof, "/tmp/ls"));
	assert_true(prof_module_wanted(&prof, "sh", "/bin/sh"));
	assert_true(prof_module_wanted(&prof, "sh", "/tmp/sh"));
	assert_true(prof_module_wanted(&prof, "ls", "/tmp/ls"));
	assert_false(prof_module_wanted(&prof, "ls", "/bin/ls"));
	assert_false(prof_module_wanted(&prof, "s", "/bin/s"));
	assert_false(prof_module_wanted(&prof, "shx", "/bin/shx"));
	assert_false(prof_module_wanted(&prof, "", ""));
}

/* The list holds names up to its last byte; who is on it already takes none. */
static void P2_the_list_has_an_end(void **state)
{
	char name[16];
	size_t i;

	for (i = 0; i < PROF_MODULE_NAMES / 8; i++) {
		snprintf(name, sizeof(name), "name%03zu", i);
		assert_true(prof_module_want(&prof, name));
		assert_true(prof_module_want(&prof, name));
	}
	assert_false(prof_module_want(&prof, ""));
	assert_false(prof_module_want(&prof, "x"));
	assert_true(prof_module_wanted(&prof, "name063", "/bin/name063"));
	assert_false(prof_module_wanted(&prof, "x", "/bin/x"));
}

static void P1_modules_are_newest_first(void **state)
{
	struct prof_module *a = get("/bin/a"), *b = get("/bin/b");

	assert_ptr_equal(prof.module.newest, b);
	assert_ptr_equal(b->older, a);
	assert_null(a->older);
	assert_int_equal(a->id, 1);
	assert_int_equal(b->id, 2);
	assert_string_equal(b->name, "b");
	assert_string_equal(b->path, "/bin/b");
	assert_ptr_equal(get("/bin/a"), a);
	assert_ptr_not_equal(get_text("/bin/a", 'a', LO, SIZE + 1), a);
	assert_ptr_not_equal(get_text("/bin/a", 'a', LO + 1, SIZE), a);
}

static void no_memory_no_module(void **state)
{
	machine.allocs_left = 0;
	assert_null(get("/bin/a"));
	assert_null(prof.module.newest);
	machine.allocs_left = -1;
	prof.module.room = SIZE_MAX;
	assert_null(get_text("/bin/a", 'a', LO, UINT32_MAX));
	assert_null(get_text("/bin/a", 'a', LO, (16u << 20) + 1));
	assert_non_null(get("/bin/a"));
	assert_int_equal(prof.module.nleft, 3);
}

/* A file may have any number of paths, and a path may lead to one build after another. */
static void C13_a_module_is_a_file(void **state)
{
	struct prof_module_text t = {"a", "/bin/a", {1, 2, 3}, LO, SIZE, false};
	struct prof_module *m = prof_module_get(&prof, &t), *other[3];
	unsigned i;

	t.name = "b";
	t.path = "/n/n/n/b";
	assert_ptr_equal(prof_module_get(&prof, &t), m);
	assert_string_equal(m->path, "/bin/a");
	t.path = "/bin/a";
	for (i = 0; i < 3; i++) {
		uint64_t *number = i == 0   ? &t.file.device
				   : i == 1 ? &t.file.number
					    : &t.file.version;
		++*number;
		other[i] = prof_module_get(&prof, &t);
		assert_int_equal(other[i]->id, i + 2);
	}
	assert_ptr_equal(prof.module.newest, other[2]);
}

/* Modules take no more than the room, to the byte; the last that found none is named. */
static void C13_what_finds_no_room_is_left_out(void **state)
{
	const size_t bytes = sizeof(struct prof_module) + SIZE * sizeof(uint32_t) +
			     sizeof("a") + sizeof("/bin/a");

	prof.module.room = 2 * bytes;
	assert_non_null(get("/bin/a"));
	assert_non_null(get("/bin/b"));
	assert_int_equal(prof.module.nleft, 0);
	assert_null(get("/bin/c"));
	assert_null(get("/bin/a_name_of_more_than_thirty_one_letters"));
	assert_int_equal(prof.module.nleft, 2);
	assert_string_equal(prof.module.left, "a_name_of_more_than_thirty_one_");
	assert_non_null(get("/bin/a"));
	prof_module_free(&prof);
	assert_int_equal(prof.module.nleft, 0);
	prof.module.room = bytes - 1;
	assert_null(get("/bin/a"));
	prof.module.room = bytes;
	assert_non_null(get("/bin/a"));
}

/* Programs of others take half of the room, whichever comes first; the owner may take all. */
static void B16_others_have_a_share(void **state)
{
	struct prof_module_text t = {.name = "a", .path = "/bin/a", .lo = LO, .size = SIZE};
	const size_t bytes = sizeof(struct prof_module) + SIZE * sizeof(uint32_t) +
			     sizeof("a") + sizeof("/bin/a");
	static const struct {
		bool others, room;
	} step[] = {{true, true}, {true, true}, {true, false}, {false, true},
		    {true, false}, {false, true}, {false, false}};

	prof.module.room = 4 * bytes + 1;
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < nelem(step); i++) {
			t.others = step[i].others;
			t.file.number = i;
			assert_int_equal(prof_module_get(&prof, &t) != NULL, step[i].room);
		}
		prof_module_free(&prof);
	}
}

/* By which path others run a file, and how often, is not said of what the owner runs. */
static void B16_the_owner_has_modules_of_her_own(void **state)
{
	struct prof_module_text t = {
		.name = "b", .path = "/tmp/b", .lo = LO, .size = SIZE, .others = true,
	};
	struct prof_module *theirs = prof_module_get(&prof, &t), *hers;

	t.name = "a";
	t.path = "/bin/a";
	assert_ptr_equal(prof_module_get(&prof, &t), theirs);
	t.others = false;
	hers = prof_module_get(&prof, &t);
	assert_ptr_not_equal(hers, theirs);
	assert_string_equal(hers->path, "/bin/a");
	assert_string_equal(theirs->path, "/tmp/b");
	assert_ptr_equal(prof_module_find(&prof, &t), hers);
}

/* However small they are, others have 512 modules at most, and leave room. */
static void B16_small_ones_have_a_bound(void **state)
{
	struct prof_module_text t = {.name = "a", .path = "/bin/a", .lo = LO, .size = 1};
	unsigned n = 0;

	prof.module.room = 1u << 20;
	t.others = true;
	while (prof_module_get(&prof, &t))
		t.file.number = ++n;
	assert_int_equal(n, 512);
	t.others = false;
	assert_non_null(prof_module_get(&prof, &t));
}

static void P8_counts_at_the_edges_of_text(void **state)
{
	static const uint32_t pc[] = {0, LO - 1, LO, LO + 1, LO + SIZE - 1, LO + SIZE, UINT32_MAX};
	static const uint32_t wanted[] = {0, 1, SIZE - 1};
	struct prof_module *m = get("/bin/a");
	uint32_t at = 0, count;
	size_t i;

	for (i = 0; i < nelem(pc); i++)
		prof_module_count(m, pc[i], (uint32_t)i + 1);
	prof_module_ran(m, LO - 1);
	prof_module_ran(m, LO + SIZE);
	for (i = 0; i < nelem(wanted); i++, at++) {
		assert_true(prof_module_next(m, &at, &count));
		assert_int_equal(at, wanted[i]);
		assert_int_equal(count, i + 3);
	}
	assert_false(prof_module_next(m, &at, &count));
}

static void P8_a_count_stays_at_its_end(void **state)
{
	struct prof_module *m = get("/bin/a");

	prof_module_count(m, LO, UINT32_MAX - 1);
	prof_module_count(m, LO, 1);
	assert_int_equal(m->count[0], UINT32_MAX);
	prof_module_count(m, LO, 1);
	prof_module_ran(m, LO);
	prof_module_count(m, LO, UINT32_MAX);
	assert_int_equal(m->count[0], UINT32_MAX);
}

static void P2_ticks_go_where_they_were(void **state)
{
	struct prof_module *user = get("/bin/a"), *kernel = get("/boot/k");

	prof_module_interval(&prof, TICK);
	prof_module_start(&prof, PROF_MODULE_SAMPLE, kernel);
	for (int i = 0; i < 100; i++) {
		tick(0, LO + 1, PROF_USER, user);
		tick(1, LO + 2, PROF_KERNEL, user);
		tick(2, LO + 3, PROF_USER, NULL);
		tick(3, LO + 4, PROF_IDLE, NULL);
	}
	assert_in_range(user->count[1], 99, 100);
	assert_in_range(kernel->count[2], 99, 100);
	assert_in_range(kernel->count[4], 99, 100);
	assert_int_equal(total(user), user->count[1]);
	assert_int_equal(total(kernel), (uint64_t)kernel->count[2] + kernel->count[4]);
}

static void P2_an_unwanted_kernel_is_not_counted(void **state)
{
	struct prof_module *user = get("/bin/a");

	prof_module_interval(&prof, TICK);
	prof_module_start(&prof, PROF_MODULE_SAMPLE, NULL);
	for (int i = 0; i < 10; i++)
		tick(0, LO, PROF_KERNEL, user);
	assert_int_equal(total(user), 0);
}

/* So many samples, give or take the one whose interval is not over. */
static void samples(uint32_t interval, uint32_t tick_us, uint32_t ticks)
{
	uint64_t wanted = (uint64_t)ticks * tick_us / interval;
	struct prof_module *m;
	uint64_t before;

	m = get("/bin/a");
	before = total(m);
	prof_period(&prof, tick_us);
	prof_module_interval(&prof, interval);
	prof_module_start(&prof, PROF_MODULE_SAMPLE, NULL);
	for (uint32_t i = 0; i < ticks; i++)
		tick(0, LO + i % SIZE, PROF_USER, m);
	prof_module_stop(&prof);
	assert_in_range(total(m) - before, wanted - 1, wanted + 1);
}

static void P6_the_interval_is_kept(void **state)
{
	assert_int_equal(prof.module.interval, 100000);
	samples(PROF_MODULE_US, 1000, 100000);
	samples(PROF_MODULE_US, 333, 100000);
	samples(1000, 1000, 10000);
	samples(1000, 10000, 1000); /* a tick counts for ten */
	samples(1000000000, 100000, 100000);
	samples(7000, 1000, 70000);
}

/* Windows shorter than the interval get their share between them, on each CPU. */
static void C7_short_windows(void **state)
{
	struct prof_module *m = get("/bin/a");

	prof_period(&prof, 500);
	prof_module_interval(&prof, 10000);
	for (int i = 0; i < 400; i++) {
		prof_module_start(&prof, PROF_MODULE_SAMPLE, NULL);
		for (unsigned k = 0; k < 5; k++) {
			tick(0, LO, PROF_USER, m);
			tick(1, LO + 1, PROF_USER, m);
		}
		prof_module_stop(&prof);
	}
	assert_in_range(m->count[0], 99, 101);
	assert_in_range(m->count[1], 99, 101);
}

/* A loop of ten ticks, which 100 ms hold a whole number of times, is seen everywhere. */
static void P6_nothing_hides_in_step(void **state)
{
	struct prof_module *m = get("/bin/a");

	prof_module_start(&prof, PROF_MODULE_SAMPLE, NULL);
	for (int i = 0; i < 1000000; i++)
		tick(0, LO + (uint32_t)i % 10, PROF_USER, m);
	for (int i = 0; i < 10; i++)
		assert_in_range(m->count[i], 800, 1200);
}

static bool waited;

static void see_wait(void)
{
	assert_false(prof_wants(&prof, PROF_MODULE));
	waited = true;
}

static void P5_stop_waits_for_ticks_and_keeps(void **state)
{
	struct prof_module *m = get("/bin/a");

	prof_module_interval(&prof, TICK);
	prof_module_start(&prof, PROF_MODULE_SAMPLE, NULL);
	assert_true(prof.module.on);
	for (int i = 0; i < 10; i++)
		tick(0, LO, PROF_USER, m);
	waited = false;
	machine.quiesce = see_wait;
	prof_module_stop(&prof);
	assert_true(waited);
	assert_false(prof.module.on);
	uint64_t kept = total(m);
	assert_true(kept > 0);
	tick(0, LO, PROF_USER, m);
	assert_int_equal(total(m), kept);
	prof_module_stop(&prof);
}

static void P5_forget_is_as_at_first(void **state)
{
	get("/bin/a");
	get("/bin/b");
	prof_module_want(&prof, "a");
	prof_module_interval(&prof, 5000);
	assert_true(machine_given() > 2);
	prof_module_forget(&prof);
	assert_int_equal(machine_given(), 0);
	assert_null(prof.module.newest);
	assert_true(prof_module_wanted(&prof, "b", "/bin/b"));
	assert_int_equal(prof.module.interval, PROF_MODULE_US);
	assert_int_equal(prof.module.kind, PROF_MODULE_NONE);
	assert_int_equal(get("/bin/c")->id, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(P1_modules_are_newest_first, power_on, power_off),
		cmocka_unit_test_setup_teardown(P2_names_and_paths_are_wanted, power_on, power_off),
		cmocka_unit_test_setup_teardown(P2_the_list_has_an_end, power_on, power_off),
		cmocka_unit_test_setup_teardown(P2_ticks_go_where_they_were, power_on, power_off),
		cmocka_unit_test_setup_teardown(P2_an_unwanted_kernel_is_not_counted, power_on,
						power_off),
		cmocka_unit_test_setup_teardown(P5_stop_waits_for_ticks_and_keeps, power_on,
						power_off),
		cmocka_unit_test_setup_teardown(P5_forget_is_as_at_first, power_on, power_off),
		cmocka_unit_test_setup_teardown(P6_the_interval_is_kept, power_on, power_off),
		cmocka_unit_test_setup_teardown(C7_short_windows, power_on, power_off),
		cmocka_unit_test_setup_teardown(P6_nothing_hides_in_step, power_on, power_off),
		cmocka_unit_test_setup_teardown(P8_counts_at_the_edges_of_text, power_on,
						power_off),
		cmocka_unit_test_setup_teardown(P8_a_count_stays_at_its_end, power_on, power_off),
		cmocka_unit_test_setup_teardown(no_memory_no_module, power_on, power_off),
		cmocka_unit_test_setup_teardown(C13_a_module_is_a_file, power_on, power_off),
		cmocka_unit_test_setup_teardown(C13_what_finds_no_room_is_left_out, power_on,
						power_off),
		cmocka_unit_test_setup_teardown(B16_others_have_a_share, power_on, power_off),
		cmocka_unit_test_setup_teardown(B16_the_owner_has_modules_of_her_own, power_on,
						power_off),
		cmocka_unit_test_setup_teardown(B16_small_ones_have_a_bound, power_on, power_off),
	};

	return RUN(tests, NULL, NULL);
}
