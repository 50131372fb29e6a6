/*
 * Directories that several make up: kernel/file/union.c.
 * Links: tests/kernel/fakes.c
 */
#include "tests/kernel/fakes.h"
#include "kernel/file/ns.h"
#include "kernel/file/dev.h"
#include "kernel/file/fd.h"
#include "kernel/file/file.h"
#include "kernel/file/open.h"
#include "kernel/file/union.h"
#include "kernel/machine/print.h"
#include "kernel/abi/errno.h"
#include "kernel/process/syscall.h"

static void binds_replace_and_unite(void **state)
{
	assert_int_equal(ns_bind("#T", "/dev", MAFTER), 0);
	assert_walk("/dev/cons", 0, "/dev/cons");
	assert_walk("/dev/kpctl", 0, "/dev/kpctl");
	assert_walk("/dev/kpctl/..", -ENOTDIR, NULL);
	assert_walk("/dev/..", 0, "/");
	assert_listing("/dev", "cons kpctl kpdata note");
	assert_walk("#/dev/kpctl", 0, "#/dev/kpctl"); /* the same place by another path */
	assert_int_equal(ns_unmount("#T", "/dev"), 0);
	assert_walk("/dev/kpctl", -ENOENT, NULL);
	assert_int_equal(ns_unmount("#T", "/dev"), -EINVAL);
	assert_int_equal(ns_unmount(NULL, "/dev"), -EINVAL);

	assert_int_equal(ns_bind("/b", "/a", MBEFORE), 0);
	assert_reads("/a/f", "b/f");
	assert_listing("/a", "f g sub");
	assert_int_equal(ns_bind("/b", "/a", MAFTER), 0); /* moves; is not listed twice */
	assert_reads("/a/f", "a/f");
	assert_listing("/a", "f sub g");
	assert_int_equal(ns_bind("/dev", "/a", MREPL), 0);
	assert_listing("/a", "cons");
	assert_walk("/a/cons/..", -ENOTDIR, NULL);
	assert_walk("/a/../b", 0, "/b");
	assert_int_equal(ns_unmount(NULL, "/a"), 0);
	assert_listing("/a", "f sub");
	assert_int_equal(ns_bind("/a/f", "/b/f", MREPL), 0); /* a file */
	assert_reads("/b/f", "a/f");
}

static void binds_unions_whole(void **state)
{
	assert_int_equal(ns_bind("/b", "/a", MAFTER), 0);
	assert_int_equal(ns_bind("/a", "/dev", MBEFORE), 0);
	assert_listing("/dev", "f sub g cons");
	assert_int_equal(ns_unmount("/b", "/dev"), 0);
	assert_listing("/dev", "f sub cons");
	assert_listing("/a", "f sub g");
	assert_int_equal(ns_unmount("/a", "/dev"), 0); /* a union of two: both are removed */
	assert_listing("/dev", "cons");
}

static void unions_are_bounded(void **state)
{
	char name[24];
	int n;

	for (n = 1; n <= UNION_MAX; n++) {
		snprintf(name, sizeof(name), "/tmp/%d", n);
		assert_int_equal(ns_mkdir(name, 0777), 0);
		assert_int_equal(ns_bind(name, "/a", MAFTER), n < UNION_MAX ? 0 : -ENOSPC);
	}
	assert_int_equal(ns_bind("/tmp/1", "/a", MBEFORE), 0); /* it moves */
	assert_int_equal(ns_bind("/a", "/b", MAFTER), -ENOSPC);
	assert_listing("/b", "f g");
	assert_int_equal(ns_bind("/a", "/b", MREPL), 0);
	assert_int_equal(ns_unmount("/tmp/2", "/a"), 0);
	assert_int_equal(ns_bind(name, "/a", MAFTER), 0);
	assert_int_equal(ns_unmount(NULL, "/a"), 0);
	assert_int_equal(ns_unmount(NULL, "/b"), 0);
	while (--n > 0) {
		snprintf(name, sizeof(name), "/tmp/%d", n);
		assert_int_equal(ns_remove(name, 0), 0);
	}
}

/* B14: what is in /shut can neither be found by a user, nor told from what happens to a union. */
static void closed_members_hide_and_show_nothing(void **state)
{
	struct chan *c;

	assert_int_equal(ns_mkdir("/shut/secret", 0755), 0);
	assert_int_equal(ns_mkdir("/shut/sub", 0755), 0);
	assert_int_equal(ns_bind("/shut", "/a", MBEFORE), 0);
	assert_int_equal(ns_bind("/tmp", "/a", MAFTER | MCREATE), 0);
	assert_int_equal(ns_bind("/shut", "/b", MREPL), 0);
	assert_reads("/a/f", "shut/f");
	assert_listing("/a", "f secret sub");
	fake_proc.uid = UID_NONE;
	assert_reads("/a/f", "a/f");
	assert_listing("/a", "f sub");
	fake_chdir("/a");
	assert_walk("sub", 0, "/a/sub");
	assert_walk("/a/secret", -ENOENT, NULL);
	assert_walk("/a/other", -ENOENT, NULL);
	assert_int_equal(ns_remove("/a/secret", 0), -ENOENT);
	assert_int_equal(ns_rename("/a/secret", "/a/x", false), -ENOENT);
	assert_int_equal(ns_open("/a/secret", O_WRONLY | O_CREAT | O_EXCL, 0644, &c), 0);
	chan_put(c);
	assert_int_equal(ns_rename("/a/secret", "/a/other", false), 0);
	assert_int_equal(ns_rename("/a/other", "/a/secret", false), 0);
	assert_int_equal(ns_remove("/a/secret", 0), 0);
	assert_int_equal(ns_mkdir("/a/secret", 0755), 0);
	assert_int_equal(ns_remove("/tmp/secret", 0), 0);
	assert_listing("/a", "f sub");
	assert_walk("/b/f", -EACCES, NULL); /* nothing else is there that could be searched */
	assert_int_equal(ns_open("/b", O_RDONLY, 0, &c), -EACCES);
	assert_walk("/b/other", -EACCES, NULL);
	fake_proc.uid = UID_EVE;
	assert_int_equal(ns_remove("/shut/secret", 0), 0);
	assert_int_equal(ns_remove("/shut/sub", 0), 0);
}

/* A long listing gives way, and ends when a signal ends its caller. */
static void listing_gives_way(void **state)
{
	uint32_t arg[5] = {fake_string(0, "/a"), O_RDONLY};

	assert_int_equal(ns_bind("/b", "/a", MAFTER), 0);
	fake_ways = 0;
	assert_listing("/a", "f sub g");
	assert_in_range(fake_ways, 5, 30);
	fake_string(0, "/a");
	arg[0] = (uint32_t)sys_open(arg);
	fake_killed = true;
	arg[1] = FAKE_USER;
	arg[2] = 1024;
	assert_true(sys_getdents(arg) > 0); /* one entry */
	assert_true(sys_getdents(arg) > 0);
	assert_int_equal(sys_getdents(arg), -EINTR);
	fake_killed = false;
	assert_true(sys_getdents(arg) > 0);
	assert_int_equal(sys_close(arg), 0);
}

static void creates_in_unions(void **state)
{
	struct chan *c;

	assert_int_equal(ns_bind("#T", "/dev", MBEFORE), 0);
	assert_int_equal(ns_open("/dev/new", O_WRONLY | O_CREAT, 0600, &c), -ENOENT);
	assert_int_equal(ns_open("/dev/new", O_WRONLY | O_CREAT | O_EXCL, 0600, &c), -EPERM);
	assert_int_equal(ns_mkdir("/dev/new", 0755), -EPERM);
	assert_int_equal(ns_bind("/tmp", "/dev", MAFTER | MCREATE), 0);
	assert_int_equal(ns_open("/dev/new", O_WRONLY | O_CREAT | O_EXCL, 0600, &c), 0);
	assert_string_equal(c->name, "/dev/new");
	chan_put(c);
	assert_int_equal(ns_open("/dev/new", O_WRONLY | O_CREAT | O_EXCL, 0600, &c), -EEXIST);
	assert_int_equal(ns_mkdir("/dev/kpctl", 0755), -EEXIST); /* a member has it */
	assert_walk("/tmp/new", 0, "/tmp/new");
	assert_int_equal(ns_rename("/dev/new", "/dev/newer", false), 0);
	assert_walk("/tmp/newer", 0, "/tmp/newer");
	assert_int_equal(ns_remove("/dev/newer", 0), 0);
	assert_int_equal(ns_remove("/dev/kpctl", 0), -EACCES); /* its directory is 0555 */
	/* A directory bound over another can be written to. */
	assert_int_equal(ns_bind("/tmp", "/a/sub", MREPL), 0);
	assert_int_equal(ns_mkdir("/a/sub/x", 0755), 0);
	assert_int_equal(ns_remove("/tmp/x/", 0), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_toy_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(binds_replace_and_unite),
		TEST(binds_unions_whole),
		TEST(unions_are_bounded),
		TEST(closed_members_hide_and_show_nothing),
		TEST(listing_gives_way),
		TEST(creates_in_unions),
	};

	return RUN(tests, NULL, NULL);
}
