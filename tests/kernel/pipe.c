/*
 * Pipes: kernel/file/pipe.c.
 * Links: tests/kernel/fakes.c
 */
#include "tests/kernel/fakes.h"
#include "kernel/file/dev.h"
#include "kernel/file/fd.h"
#include "kernel/file/file.h"
#include "kernel/file/walk.h"
#include "kernel/machine/string.h"
#include "kernel/abi/errno.h"
#include "kernel/process/syscall.h"

#define HOLDS (4 * PAGE)

static struct chan *end[2];

static int setup(void **state)
{
	uint32_t arg[5] = {FAKE_USER};

	fake_start(NULL);
	int err = sys_pipe(arg);
	for (uint32_t fd = 0; fd < 2 && !err; fd++) {
		end[fd] = fd_chan(fd);
		err = sys_close((uint32_t[5]){fd});
	}
	return err;
}

static int teardown(void **state)
{
	chan_put(end[0]);
	chan_put(end[1]);
	return fake_teardown(state);
}

static void carries_bytes_round_the_ring(void **state)
{
	static uint8_t in[PAGE], out[PAGE];
	unsigned put = 0, got = 0;

	for (unsigned round = 0; round < 1000; round++) {
		size_t n = round * 37 % 2000 + 1;

		for (size_t i = 0; i < n; i++)
			in[i] = (uint8_t)(put++ * 31);
		assert_int_equal(chan_write(end[1], in, n), n);
		assert_int_equal(chan_read(end[0], out, sizeof(out)), n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(out[i], (uint8_t)(got++ * 31));
	}
}

static void each_end_has_one_direction(void **state)
{
	struct stat st;
	char buf[8];

	assert_int_equal(chan_write(end[0], "x", 1), -EBADF);
	assert_int_equal(chan_read(end[1], buf, 1), -EBADF);
	assert_int_equal(chan_write(end[1], "x", 0), 0);
	assert_int_equal(chan_write(end[1], "bye", 3), 3);
	assert_int_equal(chan_stat(end[0], &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(st.st_mode, S_IFIFO | 0600);
	chan_put(end[1]);
	end[1] = NULL;
	assert_int_equal(chan_read(end[0], buf, 8), 3);
	assert_int_equal(chan_read(end[0], buf, 8), 0);
	assert_int_equal(chan_read(end[0], buf, 8), 0);
}

static void signals_writers_without_reader(void **state)
{
	chan_put(end[0]);
	end[0] = NULL;
	assert_int_equal(chan_write(end[1], "x", 1), -EPIPE);
	assert_int_equal(fake_signals, 1u << SIGPIPE);
}

static int read_some(void)
{
	char buf[1000];

	assert_true(chan_read(end[0], buf, sizeof(buf)) > 0);
	return 0;
}

static int reader_leaves(void)
{
	chan_put(end[0]);
	end[0] = NULL;
	return 0;
}

static int signal_comes(void)
{
	return -EINTR;
}

/* Return how many bytes the pipe holds. */
static unsigned held(void)
{
	struct stat st;

	assert_int_equal(chan_stat(end[0], &st), 0);
	return (unsigned)st.st_size;
}

/* What happens while a writer waits for room, by the size of its write. */
static void waits_for_room(void **state)
{
	static uint8_t buf[2 * HOLDS];
	unsigned room;

	assert_int_equal(chan_write(end[1], buf, HOLDS), HOLDS);
	fake_wait = read_some;
	assert_int_equal(chan_write(end[1], buf, 2 * HOLDS), 2 * HOLDS);
	/* A small write goes in whole or not at all. */
	fake_wait = signal_comes;
	assert_int_equal(chan_write(end[1], buf, PAGE), -EINTR);
	fake_wait = read_some;
	assert_int_equal(chan_write(end[1], buf, PAGE), PAGE);
	/* A long one returns how far it came. */
	assert_int_equal(chan_read(end[0], buf, 10), 10);
	fake_wait = signal_comes;
	room = HOLDS - held();
	assert_in_range(room, 10, PAGE);
	assert_int_equal(chan_write(end[1], buf, PAGE + 1), room);
	fake_wait = reader_leaves;
	assert_int_equal(chan_write(end[1], buf, 1), -EPIPE);
	assert_int_equal(fake_signals, 1u << SIGPIPE);
}

static int write_some(void)
{
	assert_int_equal(chan_write(end[1], "now", 3), 3);
	return 0;
}

static int writer_leaves(void)
{
	chan_put(end[1]);
	end[1] = NULL;
	return 0;
}

static void waits_for_data(void **state)
{
	char buf[8];

	fake_wait = signal_comes;
	assert_int_equal(chan_read(end[0], buf, 8), -EINTR);
	fake_wait = write_some;
	assert_int_equal(chan_read(end[0], buf, 8), 3);
	fake_wait = writer_leaves;
	assert_int_equal(chan_read(end[0], buf, 8), 0);
}

/* Pages come as a writer needs them, and go when the pipe is empty. */
static void empty_pipes_have_one_page(void **state)
{
	static uint8_t buf[HOLDS];
	long empty = fake_allocs;

	for (unsigned n = 1; n <= 4; n++) {
		assert_int_equal(chan_write(end[1], buf, n * PAGE), n * PAGE);
		assert_int_equal(fake_allocs, empty + n - 1);
		assert_int_equal(chan_read(end[0], buf, n * PAGE - 1), n * PAGE - 1);
		assert_int_equal(chan_read(end[0], buf, 2), 1);
		assert_int_equal(fake_allocs, empty);
	}
	assert_int_equal(chan_write(end[1], buf, HOLDS), HOLDS); /* they go with it, too */
}

/* Without memory for a page more, a writer waits until the pipe is empty. */
static void writers_need_no_memory(void **state)
{
	static uint8_t in[2 * PAGE], out[PAGE];

	for (unsigned i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)(i * 31);
	fake_allocs_left = 0;
	fake_wait = signal_comes;
	assert_int_equal(chan_write(end[1], in, 100), 100);
	assert_int_equal(chan_write(end[1], in + 100, PAGE), -EINTR);
	assert_int_equal(chan_write(end[1], in + 100, 2 * PAGE - 100), PAGE - 100);
	fake_wait = read_some;
	assert_int_equal(chan_write(end[1], in + PAGE, PAGE), PAGE);
	assert_int_equal(chan_read(end[0], out, PAGE), PAGE);
	assert_memory_equal(out, in + PAGE, PAGE);
	fake_allocs_left = -1;
}

/* A fault leaves the pipe as it was, and others may go on. */
static void faults_change_nothing(void **state)
{
	uint32_t arg[5] = {FAKE_USER}, io[5] = {1, FAKE_USER + FAKE_USER_SIZE - 99, 100};
	struct chan *own[2] = {end[0], end[1]};

	assert_int_equal(sys_pipe(arg), 0);
	assert_int_equal(sys_write(io), -EFAULT);
	end[0] = fd_chan(0);
	end[1] = fd_chan(1);
	assert_int_equal(held(), 0);
	assert_int_equal(chan_write(end[1], "there", 5), 5);
	io[0] = 0;
	io[1] = FAKE_USER + FAKE_USER_SIZE;
	assert_int_equal(sys_read(io), -EFAULT);
	assert_int_equal(held(), 5);
	io[1] = FAKE_USER;
	assert_int_equal(sys_read(io), 5);
	assert_memory_equal(fake_user, "there", 5);
	chan_put(end[0]);
	chan_put(end[1]);
	memcpy(end, own, sizeof(end));
}

/* Call pipe(2), with bad memory, with too few descriptors left, and without memory. */
static void pipe_gives_descriptors(void **state)
{
	uint32_t arg[5] = {FAKE_USER}, dup[5] = {0}, dir[5] = {fake_string(100, "/"), O_RDONLY};
	int fd[2];
	struct chan *c;

	assert_int_equal(sys_pipe(arg), 0);
	memcpy(fd, fake_user, sizeof(fd));
	assert_int_equal(fd[0], 0);
	assert_int_equal(fd[1], 1);
	arg[0] = 0;
	assert_int_equal(sys_pipe(arg), -EFAULT);
	for (int i = 2; i < NFD - 1; i++)
		assert_int_equal(sys_fcntl(dup), i);
	arg[0] = FAKE_USER;
	assert_int_equal(sys_pipe(arg), -EMFILE);
	assert_int_equal(sys_open(dir), NFD - 1); /* the one number left was given back */
	for (long k = 0; k < 4; k++) {
		fake_allocs_left = k;
		assert_int_equal(sys_pipe(arg), -ENOMEM);
		fake_allocs_left = -1;
	}
	assert_int_equal(ns_find("#|", FIND_NAMED, &c), -ENODEV);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(carries_bytes_round_the_ring),
		TEST(each_end_has_one_direction),
		TEST(signals_writers_without_reader),
		TEST(waits_for_room),
		TEST(waits_for_data),
		TEST(empty_pipes_have_one_page),
		TEST(writers_need_no_memory),
		TEST(faults_change_nothing),
		TEST(pipe_gives_descriptors),
	};

	return RUN(tests, NULL, NULL);
}
