/*
 * prof/prof_memprof.c: bytes in use, by whom they were asked for, and the most so far (P4 P8).
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"

#define LO 0x400000u
#define SIZE 100u

static struct prof prof;
static struct prof_module *m;
static const struct prof_module_text text = {.name = "a", .path = "/bin/a", .lo = LO, .size = SIZE};
static const char here, there, others; /* three owners; the last is not the machine's */

static int power_on(void **state)
{
	machine_reset();
	prof = (struct prof){0};
	prof_module_init(&prof, SIZE_MAX);
	prof.module.kind = PROF_MODULE_MEMORY;
	m = prof_module_get(&prof, &text);
	assert_true(prof_memprof_init(&prof, 0));
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

static void alloc(const void *owner, uint32_t addr, uint32_t at, uint32_t bytes)
{
	prof_memprof_alloc(&prof, owner, addr, m, LO + at, bytes, owner == &others);
}

static void release(const void *owner, uint32_t addr)
{
	prof_memprof_free(&prof, owner, addr);
}

/* The place of that instruction, which has asked for memory. */
static const struct prof_memprof_place *place(uint32_t at)
{
	assert_int_not_equal(m->count[at], 0);
	return &prof.module.memory.place[m->count[at]];
}

/* The bytes that are in use of what that instruction asked for, if it did. */
static uint32_t live_of(uint32_t at)
{
	return m->count[at] ? place(at)->live : 0;
}

/* The sums, and that those of the instructions agree. */
static void assert_sums(uint64_t live, uint64_t peak, uint32_t allocated, uint32_t freed)
{
	uint64_t sum = 0;
	uint32_t at, n;

	for (at = 0; prof_module_next(m, &at, &n); at++)
		sum += live_of(at);
	assert_int_equal(sum, live);
	assert_int_equal(m->memory.live, live);
	assert_int_equal(m->memory.peak, peak);
	assert_int_equal(m->memory.allocated, allocated);
	assert_int_equal(m->memory.freed, freed);
}

/* Return the text of kpmem but its first line; it stays until the next. */
static const char *paths(void)
{
	static char *out;
	size_t n;
	struct prof_sink to = {.write = machine_put};

	free(out);
	to.arg = open_memstream(&out, &n);
	assert_int_equal(prof_stack_write(&prof, PROF_HEAP, &to), 0);
	fclose(to.arg);
	return out;
}

/* Allocate a block on a path that is an address of a program's alone. */
static void alloc_on(uint32_t addr, uint32_t at, uint32_t bytes, unsigned cpu)
{
	struct prof_sample s = {.cpu = cpu, .what = PROF_USER, .at.pc = LO + at, .name = "sh",
				.waited = bytes};
	struct prof_memprof_block *b = prof_memprof_alloc(&prof, &here, addr, m, LO + at, bytes,
							     false);

	assert_non_null(b);
	b->path = prof_stack_add_times(&prof.heap, &s);
}

/* Each path has what is in use of it and what was freed, on whichever CPU that was. */
static void P4_bytes_by_path(void **state)
{
	prof_stack_init(&prof, 2, 0);
	prof.heap.digits = 8;
	assert_true(prof_stack_open(&prof, PROF_HEAP, 1000));
	assert_string_equal(paths(), "# unit=bytes blocks=0 overflow=0 depth=64 total_bytes=0\n");
	alloc_on(0x1000, 7, 100, 0);
	alloc_on(0x2000, 7, 20, 1);
	alloc_on(0x3000, 9, 5, 1);
	alloc(&here, 0x4000, 9, 1); /* of which no path is known */
	release(&here, 0x1000);
	release(&here, 0x4000);
	assert_string_equal(paths(),
			    "# count=2\nsh;[in_use];0x00400007 20\nsh;[freed];0x00400007 100\n"
			    "# count=1\nsh;[in_use];0x00400009 5\n"
			    "# unit=bytes blocks=3 overflow=0 depth=64 total_bytes=125\n");
	release(&here, 0x2000);
	release(&here, 0x3000);
	assert_string_equal(paths(),
			    "# count=2\nsh;[freed];0x00400007 120\n"
			    "# count=1\nsh;[freed];0x00400009 5\n"
			    "# unit=bytes blocks=3 overflow=0 depth=64 total_bytes=125\n");
	prof_stack_close(&prof, PROF_HEAP);
}

/* Blocks whose path finds no room are told in one number. */
static void P4_bytes_without_room(void **state)
{
	unsigned i;

	prof_stack_init(&prof, 1, 0);
	assert_true(prof_stack_open(&prof, PROF_HEAP, 1000));
	prof.heap.nword = prof.heap.cpu[0].used + PROF_STACK_MAXDEPTH + 12; /* no entry fits */
	for (i = 0; i < 3; i++)
		alloc_on(0x1000 * (i + 1), 7, 50, 0);
	release(&here, 0x1000);
	assert_string_equal(paths(), "[overflow] 150\n"
			    "# unit=bytes blocks=3 overflow=150 depth=64 total_bytes=150\n");
	prof_stack_close(&prof, PROF_HEAP);
}

/* The bytes of all blocks, also of those that were freed. */
static void P4_bytes_in_all(void **state)
{
	alloc(&here, 0x1000, 7, 100);
	alloc(&here, 0x2000, 9, 50);
	release(&here, 0x1000);
	alloc(&here, 0x3000, 7, 30);
	assert_int_equal(m->memory.total, 180);
	assert_sums(80, 150, 3, 1);
}

static void P4_bytes_come_and_go(void **state)
{
	alloc(&here, 0x1000, 7, 100);
	alloc(&here, 0x1010, 7, 20);
	alloc(&here, 0x1020, 8, 3);
	assert_int_equal(live_of(7), 120);
	assert_sums(123, 123, 3, 0);
	release(&here, 0x1000);
	alloc(&here, 0x1000, 8, 50);
	assert_int_equal(live_of(7), 20);
	assert_int_equal(live_of(8), 53);
	assert_int_equal(place(7)->peak, 120);
	assert_int_equal(place(8)->peak, 53);
	release(&here, 0x1000);
	release(&here, 0x1010);
	release(&here, 0x1020);
	assert_sums(0, 123, 4, 4);
	assert_int_equal(place(7)->peak, 120);
}

/* What nobody saw come does not go; addresses are their owner's. */
static void P4_unknown_blocks(void **state)
{
	release(&here, 0);
	release(NULL, 0x1000);
	alloc(&here, 0x1000, 0, 5);
	alloc(&there, 0x1000, 1, 6);
	alloc(NULL, 0x1000, 2, 7);
	release(&here, 0x1008);
	assert_sums(18, 18, 3, 0);
	release(&there, 0x1000);
	release(&there, 0x1000);
	assert_sums(12, 18, 3, 1);
	assert_int_equal(live_of(1), 0);
}

/* Its end was not seen, but somebody else has the address now. */
static void P4_a_block_that_comes_again(void **state)
{
	alloc(&here, 0x1000, 0, 5);
	alloc(&here, 0x1000, 1, 6);
	assert_sums(6, 6, 2, 1);
	assert_int_equal(live_of(0), 0);
	release(&here, 0x1000);
	assert_sums(0, 6, 2, 2);
}

static void P8_the_edges_of_text(void **state)
{
	alloc(&here, 0x1000, SIZE, 5);
	alloc(&here, 0x1010, (uint32_t)-1, 5);
	assert_int_equal(m->memory.lost, 2);
	alloc(&here, 0x1020, SIZE - 1, 5);
	alloc(&here, 0x1030, 0, 6);
	assert_int_equal(live_of(SIZE - 1), 5);
	assert_sums(11, 11, 2, 0);
	assert_int_equal(m->memory.lost, 2);
}

/* At its end a count stays, and so does its peak; sums are wide enough. */
static void P8_a_count_stays_at_its_end(void **state)
{
	alloc(&here, 0x1000, 0, UINT32_MAX - 1);
	release(&here, 0x1000);
	assert_int_equal(live_of(0), 0);
	alloc(&here, 0x1000, 0, UINT32_MAX - 1);
	alloc(&here, 0x1010, 0, 1);
	alloc(&here, 0x1020, 0, 10);
	assert_int_equal(live_of(0), UINT32_MAX);
	release(&here, 0x1000);
	release(&here, 0x1010);
	assert_int_equal(live_of(0), UINT32_MAX);
	assert_int_equal(place(0)->peak, UINT32_MAX);
	assert_int_equal(m->memory.live, 10);
	assert_int_equal(m->memory.peak, (uint64_t)UINT32_MAX + 10);
}

/* What each place ever had, also those that have nothing any more. */
static void P8_places_in_order(void **state)
{
	static const struct {
		uint32_t at, peak, total, allocated, freed;
	} wanted[] = {{3, 9, 11, 3, 2}, {4, 0, 0, 1, 0}, {99, 1, 1, 1, 1}};
	uint32_t at = 0, n;

	alloc(&here, 0x1000, 99, 1);
	alloc(&here, 0x1010, 3, 2);
	alloc(&here, 0x1020, 4, 0);
	release(&here, 0x1010);
	alloc(&here, 0x1030, 3, 4);
	alloc(&here, 0x1040, 3, 5);
	release(&here, 0x1040);
	release(&here, 0x1000);
	for (size_t i = 0; i < nelem(wanted); i++, at++) {
		assert_true(prof_module_next(m, &at, &n));
		assert_int_equal(at, wanted[i].at);
		assert_int_equal(place(at)->peak, wanted[i].peak);
		assert_int_equal(place(at)->total, wanted[i].total);
		assert_int_equal(place(at)->allocated, wanted[i].allocated);
		assert_int_equal(place(at)->freed, wanted[i].freed);
	}
	assert_false(prof_module_next(m, &at, &n));
}

/* Where there is no room for another place its blocks are lost, and no others. */
static void P8_no_room_for_a_place(void **state)
{
	static const struct prof_module_text large = {.name = "b", .path = "/bin/b", .lo = LO,
						      .size = 1000, .file.number = 1};
	uint32_t i, room = prof.module.memory.nblock / 8 - 1;

	m = prof_module_get(&prof, &large);
	assert_true(room < large.size);
	for (i = 0; i < room + 5; i++)
		alloc(&here, 0x1000 + 16 * i, i, 1);
	assert_int_equal(m->memory.lost, 5);
	assert_int_equal(m->count[room], 0);
	alloc(&here, 0x100000, room - 1, 1);
	assert_int_equal(m->memory.lost, 5);
	assert_sums(room + 1, room + 1, room + 1, 0);
}

/*
 * What others run gets no more than half of the blocks and of the places, in whichever module: they
 * may have been the first to run what the owner runs too.
 */
static void B16_others_leave_half(void **state)
{
	static const struct prof_module_text theirs = {.name = "b", .path = "/bin/b", .lo = LO,
						       .size = 1000, .file.number = 1,
						       .others = true};
	uint32_t i, n = prof.module.memory.nblock;

	m = prof_module_get(&prof, &theirs);
	for (i = 0; i < n; i++)
		alloc(&others, 0x1000 + 16 * i, 0, 1);
	assert_int_equal(m->memory.live, n / 2);
	for (i = 0; i < n / 2; i++) /* what they give back they may have again, and no more */
		release(&others, 0x1000 + 16 * i);
	for (i = 0; i < theirs.size; i++)
		alloc(&others, 0x1000 + 16 * i, i, 1);
	assert_int_equal(m->memory.live, n / 16 - 1);
	m->memory.lost = 0;
	for (i = 0; i < n / 2 + 10; i++)
		alloc(&there, 0x1000 + 16 * i, i % 64, 1);
	assert_int_equal(m->memory.lost, 0);
}

/* The table is not larger than it was made, and no worse for having been full. */
static void P4_a_full_table(void **state)
{
	uint32_t i, n = prof.module.memory.nblock, round;

	for (round = 0; round < 3; round++) {
		for (i = 0; i < n + 10; i++)
			alloc(&here, 0x1000 + 16 * i, 0, 1);
		assert_int_equal(live_of(0), n - 1);
		assert_int_equal(m->memory.lost, (round + 1) * 11);
		for (i = n + 10; i-- > 0;)
			release(&here, 0x1000 + 16 * i);
		assert_int_equal(live_of(0), 0);
	}
	assert_sums(0, n - 1, 3 * (n - 1), 3 * (n - 1));
}

/* However many entries are looked at in one go. */
/* Addresses that are meant to get into one list do not make it long (B14). */
static void P4_no_long_list(void **state)
{
	uint32_t i, first = 0x1000;

	for (i = 0; i < 128; i++) /* the uppermost and the lowest bits do not choose the list */
		alloc(&here, first + (i / 2 << 26) + i % 2, 1, 1);
	assert_int_equal(m->memory.lost, 64);
	assert_sums(64, 64, 64, 0);
	alloc(&here, first + 8, 2, 1);
	assert_int_equal(m->memory.lost, 64);
	release(&here, first);
	alloc(&here, first + 2, 1, 1);
	alloc(&here, first + 3, 1, 1);
	assert_int_equal(m->memory.lost, 65);
	assert_sums(65, 65, 66, 1);
}

/* What others run leaves half of each list to what the owner runs (B16). */
static void P4_half_of_a_list(void **state)
{
	const uintptr_t apart = ((uintptr_t)&here >> 4) - ((uintptr_t)&others >> 4);
	uint32_t i, far = (uint32_t)apart * 31 * 8;

	for (i = 0; i < 128; i++)
		alloc(&others, 0x1000 + far + (i / 2 << 26) + i % 2, 1, 1);
	assert_int_equal(m->memory.lost, 96);
	for (i = 0; i < 128; i++)
		alloc(&here, 0x1000 + (i / 2 << 26) + i % 2, 1, 1);
	assert_int_equal(m->memory.lost, 96 + 96);
	assert_sums(64, 64, 64, 0);
}

static void P4_an_owner_goes(void **state)
{
	static const uint32_t slices[] = {1, 7, 1000, UINT32_MAX};
	uint32_t i, at;
	size_t k;

	for (k = 0; k < nelem(slices); k++) {
		for (i = 0; i < 300; i++) {
			alloc(&here, 0x1000 + 16 * i, 0, 1);
			alloc(&there, 0x1000 + 16 * i, 1, 1);
		}
		at = 0;
		do
			at = prof_memprof_forget(&prof, &here, at, slices[k]);
		while (at);
		for (i = 0; i < 300; i++) {
			release(&here, 0x1000 + 16 * i);
			release(&there, 0x1000 + 16 * i);
		}
		assert_int_equal(live_of(0), 300 * (k + 1));
		assert_int_equal(live_of(1), 0);
	}
	for (i = 0; i < prof.module.memory.nblock - 1; i++)
		alloc(&here, 0x1000 + 16 * i, 2, 1);
	assert_int_equal(m->memory.lost, 0);
}

/* Nothing is wrong without a table. */
static void no_table(void **state)
{
	prof_module_free(&prof);
	assert_null(prof.module.memory.block);
	assert_int_equal(prof_memprof_forget(&prof, &here, 0, 512), 0);
	machine.allocs_left = 0;
	assert_false(prof_memprof_init(&prof, 100));
	machine.allocs_left = -1;
	assert_true(prof_memprof_init(&prof, 100));
	prof.module.kind = PROF_MODULE_SAMPLE;
	m = prof_module_get(&prof, &text);
	uint32_t at = 0, n;
	assert_false(prof_module_next(m, &at, &n));
	assert_string_equal(m->name, "a");
	assert_string_equal(m->path, "/bin/a");
}

/* A table is made once, and goes whole. */
static void a_table_is_given_back(void **state)
{
	const void *block = prof.module.memory.block;
	unsigned given = machine_given();

	assert_true(prof_memprof_init(&prof, 5000));
	assert_ptr_equal(prof.module.memory.block, block);
	assert_int_equal(machine_given(), given);
	prof_memprof_drop(&prof);
	assert_int_equal(machine_given(), given - 1);
}

static void sizes_of_tables(void **state)
{
	static const uint32_t wanted[][2] = {
		{0, 1024}, {2047, 1024}, {2048, 2048}, {5000, 4096}, {UINT32_MAX, 1 << 17},
	};

	for (size_t i = 0; i < nelem(wanted); i++) {
		prof_memprof_drop(&prof);
		assert_true(prof_memprof_init(&prof, wanted[i][0]));
		assert_int_equal(prof.module.memory.nblock, wanted[i][1]);
	}
}

/* Against another computation: every block by itself. */
static void P4_random_blocks(void **state)
{
	static struct {
		bool used;
		uint32_t at, bytes;
	} row[2][400];
	static const void *const owner[] = {&here, &there};
	uint32_t live[SIZE] = {0}, peak[SIZE] = {0};

	srand(3);
	for (unsigned step = 0; step < 20000; step++) {
		unsigned who = rand() & 1, i = rand() % 400, at = rand() % SIZE;

		if (row[who][i].used) {
			release(owner[who], 0x8000 + 8 * i);
			live[row[who][i].at] -= row[who][i].bytes;
		} else {
			alloc(owner[who], 0x8000 + 8 * i, at, step);
			row[who][i].at = at;
			row[who][i].bytes = step;
			live[at] += step;
			if (live[at] > peak[at])
				peak[at] = live[at];
		}
		row[who][i].used = !row[who][i].used;
	}
	for (unsigned i = 0; i < SIZE; i++) {
		assert_int_equal(live_of(i), live[i]);
		if (peak[i] > 0)
			assert_int_equal(place(i)->peak, peak[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(P4_bytes_by_path, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_bytes_without_room, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_bytes_in_all, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_bytes_come_and_go, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_unknown_blocks, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_a_block_that_comes_again, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_a_full_table, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_no_long_list, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_half_of_a_list, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_an_owner_goes, power_on, power_off),
		cmocka_unit_test_setup_teardown(P4_random_blocks, power_on, power_off),
		cmocka_unit_test_setup_teardown(P8_the_edges_of_text, power_on, power_off),
		cmocka_unit_test_setup_teardown(P8_a_count_stays_at_its_end, power_on, power_off),
		cmocka_unit_test_setup_teardown(P8_places_in_order, power_on, power_off),
		cmocka_unit_test_setup_teardown(P8_no_room_for_a_place, power_on, power_off),
		cmocka_unit_test_setup_teardown(B16_others_leave_half, power_on, power_off),
		cmocka_unit_test_setup_teardown(no_table, power_on, power_off),
		cmocka_unit_test_setup_teardown(a_table_is_given_back, power_on, power_off),
		cmocka_unit_test_setup_teardown(sizes_of_tables, power_on, power_off),
	};

	return RUN(tests, NULL, NULL);
}
