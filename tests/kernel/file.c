/*
 * The calls on open files and the current directory: kernel/file/file.c, fd.c, path.c.
 * Links: tests/kernel/fakes.c
 */
#include "tests/kernel/fakes.h"
#include "kernel/file/ns.h"
#include "kernel/file/dev.h"
#include "kernel/file/fd.h"
#include "kernel/file/file.h"
#include "kernel/file/open.h"
#include "kernel/machine/lib.h"
#include "kernel/machine/string.h"
#include "kernel/machine/user.h"
#include "kernel/abi/errno.h"
#include "kernel/process/syscall.h"

static int setup(void **state)
{
	fake_tree();
	fake_start(NULL);
	return 0;
}

/* Offsets at their limits, by the system calls that programs use. */
static void offsets_at_their_limits(void **state)
{
	static const struct {
		int64_t by;
		uint32_t whence;
		int err;
		int64_t now;
	} t[] = {
		{2, SEEK_SET, 0, 2},	  {1, SEEK_CUR, 0, 3},  {-4, SEEK_CUR, -EINVAL, 0},
		{0, SEEK_END, 0, 3},	  {-3, SEEK_END, 0, 0}, {-4, SEEK_END, -EINVAL, 0},
		{0, 3, -EINVAL, 0},	  {-1, SEEK_SET, -EINVAL, 0},
		{INT64_MAX, SEEK_SET, 0, INT64_MAX},
		{1, SEEK_CUR, -EOVERFLOW, 0},
		{1ll << 33, SEEK_SET, 0, 1ll << 33},
	};
	uint32_t arg[5] = {fake_string(0, "/a/f"), O_RDWR};
	uint32_t fd = (uint32_t)sys_open(arg);

	for (unsigned i = 0; i < nelem(t); i++) {
		uint32_t seek[5] = {fd, (uint32_t)t[i].by, (uint32_t)(t[i].by >> 32), t[i].whence,
				    FAKE_USER};
		int64_t now;

		assert_int_equal(sys_lseek(seek), t[i].err);
		memcpy(&now, fake_user, sizeof(now));
		if (!t[i].err)
			assert_int_equal(now, t[i].now);
	}
	arg[0] = fd;
	arg[1] = FAKE_USER;
	arg[2] = 1;
	assert_int_equal(sys_read(arg), 0);
	assert_int_equal(sys_write(arg), -EFBIG);
	arg[1] = 0;
	assert_int_equal(sys_write(arg), -EFAULT);
	arg[1] = FSET_SIZE;
	arg[2] = 3;
	arg[3] = 0;
	assert_int_equal(sys_fset(arg), 0);
	arg[3] = UINT32_MAX;
	assert_int_equal(sys_fset(arg), -EINVAL);
	arg[1] = FSET_MTIME + 1;
	arg[3] = 0;
	assert_int_equal(sys_fset(arg), -EINVAL);
	assert_int_equal(sys_close(arg), 0);
	assert_int_equal(sys_close(arg), -EBADF);
}

/* Transfers are longer than the bounce buffers, or run out of user memory at the end. */
static void transfers_long(void **state)
{
	uint32_t arg[5] = {fake_string(0, "/tmp/long"), O_RDWR | O_CREAT, 0644};
	uint32_t fd = (uint32_t)sys_open(arg);
	uint32_t io[5] = {fd, FAKE_USER, 50000}, seek[5] = {fd, 0, 0, SEEK_SET, FAKE_USER};

	for (unsigned i = 0; i < 50000; i++)
		fake_user[i] = (uint8_t)(i * 7);
	assert_int_equal(sys_write(io), 50000);
	assert_int_equal(sys_lseek(seek), 0);
	memset(fake_user, 0, sizeof(fake_user));
	io[2] = 60000;
	assert_int_equal(sys_read(io), 50000);
	for (unsigned i = 0; i < 50000; i++)
		assert_int_equal(fake_user[i], (uint8_t)(i * 7));
	assert_int_equal(sys_read(io), 0);
	assert_int_equal(sys_lseek(seek), 0);
	io[1] = FAKE_USER + FAKE_USER_SIZE - 20000;
	assert_int_equal(sys_read(io), 16384); /* the second piece does not fit */
	io[1] = FAKE_USER + FAKE_USER_SIZE - 1;
	assert_int_equal(sys_read(io), -EFAULT);
	assert_int_equal(sys_close(io), 0);
	assert_int_equal(ns_remove("/tmp/long", 0), 0);
}

/* B5: no call needs more than a page in one piece. */
static void transfers_page_by_page(void **state)
{
	uint32_t arg[5] = {fake_string(0, "/tmp/long"), O_RDWR | O_CREAT, 0644};
	uint32_t fd = (uint32_t)sys_open(arg);
	uint32_t io[5] = {fd, FAKE_USER, 50000}, seek[5] = {fd, 0, 0, SEEK_SET, FAKE_USER};

	fake_alloc_most = PAGE;
	for (unsigned i = 0; i < 50000; i++)
		fake_user[i] = (uint8_t)(i * 7);
	assert_int_equal(sys_write(io), 50000);
	assert_int_equal(sys_lseek(seek), 0);
	memset(fake_user, 0, sizeof(fake_user));
	assert_int_equal(sys_read(io), 50000);
	for (unsigned i = 0; i < 50000; i++)
		assert_int_equal(fake_user[i], (uint8_t)(i * 7));
	fake_alloc_most = SIZE_MAX;
	/* A long transfer ends early when a signal ends the caller. */
	assert_int_equal(sys_lseek(seek), 0);
	fake_killed = true;
	assert_int_equal(sys_read(io), 16384);
	fake_killed = false;
	assert_int_equal(sys_close(io), 0);
	assert_int_equal(ns_remove("/tmp/long", 0), 0);
}

static void the_lowest_descriptor_is_given(void **state)
{
	uint32_t arg[5] = {fake_string(0, "/a/f"), O_RDONLY | O_CLOEXEC};
	uint32_t two[5] = {0, F_DUPFD, 0}, to[5] = {0, F_DUP2FD, NFD - 1};

	for (int i = 0; i < NFD; i++)
		assert_int_equal(sys_open(arg), i);
	assert_int_equal(sys_open(arg), -EMFILE);
	assert_int_equal(sys_fcntl(two), -EMFILE);
	assert_int_equal(sys_fcntl(to), NFD - 1);
	fds_exec(fake_proc.fds); /* all but the duplicate */
	assert_int_equal(sys_close(two), -EBADF);
	two[0] = to[0] = NFD - 1;
	assert_int_equal(sys_fcntl(two), 0);
	assert_int_equal(sys_fcntl(to), NFD - 1);
	to[2] = NFD;
	assert_int_equal(sys_fcntl(to), -EBADF);
	two[0] = UINT32_MAX;
	assert_int_equal(sys_fcntl(two), -EBADF);
	two[0] = NFD - 1;
	assert_int_equal(sys_close(two), 0);
	two[0] = 0;
	assert_int_equal(sys_close(two), 0);
}

static void tells_current_directory(void **state)
{
	uint32_t arg[5] = {0, FAKE_USER + 100, 7};

	fake_chdir("/a/sub");
	arg[0] = fake_string(0, ".");
	assert_int_equal(sys_realpath(arg), 7);
	assert_string_equal((char *)fake_user + 100, "/a/sub");
	arg[2] = 6;
	assert_int_equal(sys_realpath(arg), -ERANGE);
	arg[0] = fake_string(0, "/a/f");
	assert_int_equal(sys_chdir(arg), -ENOTDIR);
	fake_proc.uid = UID_NONE;
	arg[0] = fake_string(0, "/shut");
	assert_int_equal(sys_chdir(arg), -EACCES);
	arg[0] = 0;
	assert_int_equal(sys_chdir(arg), -EFAULT);
}

/* What the last read of a file of the device below was asked for. */
static const void *asked_at;
static size_t asked;

static int direct_attach(struct chan *c, const char *spec)
{
	c->type = S_IFREG;
	return 0;
}

static int direct_stat(struct chan *c, struct stat *st)
{
	st->st_mode = S_IFREG | 0444;
	return 0;
}

static ssize_t direct_read(struct chan *c, void *buf, size_t n, uint64_t at)
{
	asked_at = buf;
	asked = n;
	return (ssize_t)n;
}

/* A device that reads straight into a program is never given an address of the kernel's. */
static void direct_reads_end_below_the_kernel(void **state)
{
	static const struct dev dev = {
		.letter = 'D',
		.attach = direct_attach,
		.stat = direct_stat,
		.read = direct_read,
		.direct = true,
	};
	uint32_t arg[5] = {fake_string(0, "#D"), O_RDONLY};
	uint32_t io[5] = {0, KERNBASE - 100, 4096};

	fake_end();
	fake_start(&dev);
	assert_int_equal(sys_open(arg), 0);
	assert_int_equal(sys_read(io), 100);
	assert_ptr_equal(asked_at, user_ptr(KERNBASE - 100));
	assert_int_equal(asked, 100);
	asked = 0;
	for (uint32_t above = 0; above <= PAGE; above += PAGE) {
		io[1] = KERNBASE + above;
		assert_int_equal(sys_read(io), -EFAULT);
	}
	assert_int_equal(asked, 0);
	assert_int_equal(sys_close(io), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(offsets_at_their_limits),
		TEST(transfers_long),
		TEST(transfers_page_by_page),
		TEST(the_lowest_descriptor_is_given),
		TEST(direct_reads_end_below_the_kernel),
		TEST(tells_current_directory),
	};

	return RUN(tests, NULL, NULL);
}
