/*
 * Paths, unions, binds, permissions: kernel/file/ns.c, walk.c, union.c, open.c, rename.c, and the
 * calls on top of them, path.c and file.c.
 * Links: tests/kernel/fakes.c
 */
#include "tests/kernel/fakes.h"
#include "kernel/file/ns.h"
#include "kernel/file/open.h"
#include "drivers/files/devroot.h"
#include "kernel/abi/errno.h"
#include "kernel/process/syscall.h"

static void paths_are_walked(void **state)
{
	static const struct {
		const char *cwd, *path;
		int err;
		const char *name;
	} t[] = {
		{"/", "/", 0, "/"},
		{"/", "///", 0, "/"},
		{"/", ".", 0, "/"},
		{"/", "..", 0, "/"},
		{"/", "/..", 0, "/"},
		{"/", "/../../a", 0, "/a"},
		{"/", "a/f", 0, "/a/f"},
		{"/", "//a//f", 0, "/a/f"},
		{"/", "./a/./f", 0, "/a/f"},
		{"/", "a/../b/g", 0, "/b/g"},
		{"/", "a/sub/../../b/..", 0, "/"},
		{"/a/sub", "..", 0, "/a"},
		{"/a/sub", "../../b", 0, "/b"},
		{"/a/sub", ".././../b/g", 0, "/b/g"},
		{"/a/sub", "../../../..//../a/", 0, "/a"},
		{"/a/sub", "../../a/sub/../none", -ENOENT, NULL},
		{"/a", "f", 0, "/a/f"},
		{"/a", "f/", -ENOTDIR, NULL},
		{"/a", "f/.", -ENOTDIR, NULL},
		{"/a", "f/..", -ENOTDIR, NULL},
		{"/a", "f/x", -ENOTDIR, NULL},
		{"/a", "sub/", 0, "/a/sub"},
		{"/a", "nothing", -ENOENT, NULL},
		{"/a", "nothing/..", -ENOENT, NULL},
		{"/a", "", -ENOENT, NULL},
		{"/", "#T", 0, "#T"},
		{"/", "#T/", 0, "#T"},
		{"/", "#T/kpctl", 0, "#T/kpctl"},
		{"/", "#Tspec/kpctl", 0, "#Tspec/kpctl"},
		{"/", "#Tother", -ENOENT, NULL},
		{"/", "#T/..", 0, "#T"},
		{"/", "#Tspec/../note", 0, "#Tspec/note"},
		{"/", "#T/kpctl/..", -ENOTDIR, NULL},
		{"/", "#", -ENODEV, NULL},
		{"/", "#?", -ENODEV, NULL},
		{"/", "/#T", -ENOENT, NULL},
		{"/", "#/", 0, "#/"},
		{"/", "#/a/f", 0, "#/a/f"},
		{"/", "#//a/f", 0, "#/a/f"},
		{"/", "#/a/..", 0, "#/"},
		{"/", "#/a/sub/../f", 0, "#/a/f"},
		{"#T", "note", 0, "#T/note"},
		{"#T", "..", 0, "#T"},
		{"#/", "a", 0, "#/a"},
	};

	for (unsigned i = 0; i < nelem(t); i++) {
		fake_chdir(t[i].cwd);
		assert_walk(t[i].path, t[i].err, t[i].name);
	}
}

static void limits_lengths(void **state)
{
	char path[2 * PATH_MAX];

	memset(path, 'x', sizeof(path));
	path[NAME_MAX] = 0;
	assert_walk(path, -ENOENT, NULL);
	path[NAME_MAX] = 'x';
	path[NAME_MAX + 1] = 0;
	assert_walk(path, -ENAMETOOLONG, NULL);
	path[0] = '#';
	assert_walk(path, -ENODEV, NULL);
	path[NAME_MAX + 1] = path[NAME_MAX + 2] = 'x';
	path[NAME_MAX + 3] = 0;
	assert_walk(path, -ENAMETOOLONG, NULL);
	/* The path is long as written, short when clean. */
	for (size_t i = 0; i < sizeof(path); i += 2)
		memcpy(path + i, "./", 2);
	path[sizeof(path) - 1] = 0;
	assert_walk(path, 0, "/");
	/* A clean path of PATH_MAX does not fit: directories below directories. */
	for (int depth = 0;; depth++) {
		int err = ns_mkdir("0123456789012345678901234567890123456789", 0755);

		if (err) {
			assert_int_equal(err, -ENAMETOOLONG);
			assert_in_range(depth, PATH_MAX / 41 - 1, PATH_MAX / 41);
			break;
		}
		fake_chdir("0123456789012345678901234567890123456789");
	}
	while (strcmp(fake_proc.cwd->name, "/") != 0) {
		fake_chdir("..");
		assert_int_equal(ns_remove("0123456789012345678901234567890123456789", 0), 0);
	}
}

static void current_directory_sees_binds(void **state)
{
	fake_chdir("/dev");
	assert_walk("note", -ENOENT, NULL);
	assert_int_equal(ns_bind("#T", ".", MAFTER), 0);
	assert_walk("note", 0, "/dev/note");
	assert_listing(".", "cons kpctl kpdata note");
	assert_int_equal(ns_unmount(NULL, "/dev"), 0);
	assert_walk("note", -ENOENT, NULL);
	/* .. leads out of a mounted tree the way that was taken. */
	assert_int_equal(ns_bind("/b", "/a/sub", MREPL), 0);
	fake_chdir("/a/sub");
	assert_walk("g", 0, "/a/sub/g");
	assert_walk("../f", 0, "/a/f");
	assert_reads("../f", "a/f");
}

static void refuses_bad_binds(void **state)
{
	static const struct {
		const char *name, *old;
		int flags, err;
	} t[] = {
		{"/b", "/a", MBEFORE | MAFTER, -EINVAL}, {"/b", "/a", 8, -EINVAL},
		{"/b/f", "/a", MREPL, -ENOTDIR},	 {"/b", "/a/f", MREPL, -ENOTDIR},
		{"/b/f", "/a/f", MAFTER, -ENOTDIR},	 {"/b/f", "/a/f", MCREATE, -ENOTDIR},
		{"/no", "/a", MREPL, -ENOENT},		 {"/b", "/no", MREPL, -ENOENT},
		{"", "/a", MREPL, -ENOENT},
	};

	for (unsigned i = 0; i < nelem(t); i++)
		assert_int_equal(ns_bind(t[i].name, t[i].old, t[i].flags), t[i].err);
	assert_listing("/a", "f sub");
}

static void table_fills_up(void **state)
{
	char name[16];
	int err = 0, n;

	for (n = 0; !err; n++) {
		snprintf(name, sizeof(name), "/tmp/%d", n);
		assert_int_equal(ns_mkdir(name, 0777), 0);
		err = ns_bind("/a", name, MREPL);
	}
	assert_int_equal(err, -ENOSPC);
	assert_int_equal(ns_unmount(NULL, "/tmp/0"), 0);
	assert_int_equal(ns_bind("/a", name, MREPL), 0);
	while (n-- > 0) {
		snprintf(name, sizeof(name), "/tmp/%d", n);
		ns_unmount(NULL, name);
		assert_int_equal(ns_remove(name, 0), 0);
	}
}

static void open_checks_permissions(void **state)
{
	static const struct {
		int uid;
		const char *path;
		int flags, err;
	} t[] = {
		{0, "/a/f", O_RDWR, 0},
		{0, "/a/f", O_ACCMODE, -EINVAL},
		{0, "/a/f", 04, -EINVAL},
		{0, "/a/f", O_RDONLY | O_DIRECTORY, -ENOTDIR},
		{0, "/a/f", O_RDONLY | O_CREAT | O_EXCL, -EEXIST},
		{0, "/a", O_RDONLY | O_DIRECTORY, 0},
		{0, "/a", O_WRONLY, -EISDIR},
		{0, "/a", O_RDONLY | O_TRUNC, -EISDIR},
		{0, "/a", O_RDONLY | O_CREAT, -EISDIR},
		{0, "/a/", O_RDONLY, 0},
		{0, "/a/new/", O_WRONLY | O_CREAT, -EISDIR},
		{0, "/no/new", O_WRONLY | O_CREAT, -ENOENT},
		{0, "/a/f/new", O_WRONLY | O_CREAT, -ENOTDIR},
		{0, "#T/new", O_WRONLY | O_CREAT, -ENOENT},
		{0, "#T/new", O_WRONLY | O_CREAT | O_EXCL, -EPERM},
		{0, "#T/kpctl", O_RDWR, 0},
		{0, "/shut/f", O_RDONLY, 0},
		{1, "#T/kpctl", O_RDONLY, -EACCES},
		{1, "#T/note", O_RDONLY, 0},
		{1, "#T/note", O_WRONLY, -EACCES},
		{1, "/a/f", O_RDONLY, 0},
		{1, "/a/f", O_WRONLY, -EACCES},
		{1, "/a/f", O_RDONLY | O_TRUNC, -EACCES},
		{1, "/b/g", O_RDONLY, -EACCES},
		{1, "/a/new", O_WRONLY | O_CREAT, -EACCES},
		{1, "/shut", O_RDONLY, -EACCES},
		{1, "/shut/f", O_RDONLY, -EACCES},
		{1, "/shut/no", O_RDONLY, -EACCES},
	};

	for (unsigned i = 0; i < nelem(t); i++) {
		struct chan *c;

		fake_proc.uid = t[i].uid;
		assert_int_equal(ns_open(t[i].path, t[i].flags, 0644, &c), t[i].err);
		if (!t[i].err)
			chan_put(c);
	}
}

static void keeps_users_apart(void **state)
{
	uint32_t arg[5] = {0, 0600};
	struct stat st;
	struct chan *c;

	fake_proc.uid = UID_NONE;
	assert_int_equal(ns_open("/tmp/mine", O_WRONLY | O_CREAT, 0600, &c), 0);
	chan_put(c);
	assert_int_equal(ns_mkdir("/a/d", 0755), -EACCES);
	assert_int_equal(ns_remove("/a/f", 0), -EACCES);
	assert_int_equal(ns_rename("/a/f", "/tmp/f", false), -EACCES);
	assert_int_equal(ns_rename("/tmp/mine", "/a/f", false), -EACCES);
	arg[0] = fake_string(0, "/a/f");
	assert_int_equal(sys_chmod(arg), -EPERM);
	fake_proc.uid = UID_EVE;
	assert_int_equal(ns_open("/tmp/mine", O_RDONLY, 0, &c), 0); /* eve may */
	assert_int_equal(chan_permit(c, MAY_READ | MAY_WRITE), 0);
	assert_int_equal(chan_permit(c, MAY_EXEC), -EACCES);
	chan_put(c);
	arg[0] = fake_string(0, "/tmp/mine");
	arg[1] = 0010;
	assert_int_equal(sys_chmod(arg), 0);
	assert_int_equal(ns_open("/tmp/mine", O_RDWR, 0, &c), 0);
	assert_int_equal(chan_permit(c, MAY_EXEC), 0);
	chan_put(c);
	fake_proc.uid = UID_NONE;
	arg[1] = 0644;
	assert_int_equal(sys_chmod(arg), 0);
	arg[1] = FAKE_USER + 100;
	assert_int_equal(sys_stat(arg), 0);
	memcpy(&st, fake_user + 100, sizeof(st));
	assert_int_equal(st.st_uid, UID_NONE);
	assert_int_equal(st.st_mode, S_IFREG | 0644);
	fake_proc.uid = UID_EVE;
	assert_int_equal(ns_remove("/tmp/mine", 0), 0);
}

static void renames_and_removes(void **state)
{
	static const struct {
		const char *from, *to;
		int err;
	} t[] = {
		{"/tmp/x", "/tmp/y", -ENOENT},	{"/a/f", "#T/f", -EACCES},
		{"#T/note", "/tmp/note", -EACCES}, {"/a/sub", "/tmp/", -ENOTEMPTY},
		{"/a", "/a/sub/x", -EINVAL},	{"/", "/tmp/x", -EINVAL},
		{"/a/f", "/", -EINVAL},		{"/a/f", "/tmp/.", -EINVAL},
		{"/a/..", "/tmp/x", -EINVAL},	{"#T", "/tmp/x", -EINVAL},
		{"", "/tmp/x", -ENOENT},	{"/dev", "/tmp/x", -EBUSY},
		{"/a/sub", "/dev", -EBUSY},
	};

	assert_int_equal(ns_bind("#T", "/dev", MAFTER), 0);
	assert_int_equal(ns_mkdir("/tmp/full", 0755), 0);
	assert_int_equal(ns_mkdir("/tmp/full/x", 0755), 0);
	for (unsigned i = 0; i < nelem(t); i++)
		assert_int_equal(ns_rename(t[i].from, t[i].to, false), t[i].err);
	assert_int_equal(ns_remove("/dev", 0), -EBUSY);
	assert_int_equal(ns_remove("/", 0), -EINVAL);
	assert_int_equal(ns_remove(".", 0), -EINVAL);
	assert_int_equal(ns_remove("/a/f/", 0), -ENOTDIR);
	assert_int_equal(ns_remove("/tmp/full", 0), -ENOTEMPTY);
	assert_int_equal(ns_remove("/tmp/full/x", 0), 0);
	assert_int_equal(ns_remove("/tmp/full/", 0), 0);
	assert_int_equal(ns_rename("/a/f", "/tmp/f", false), 0);
	assert_int_equal(ns_rename("/tmp/f", "/a/f", false), 0);
	assert_reads("/a/f", "a/f");
}

static void rfork_copies_or_clears_the_namespace(void **state)
{
	uint32_t arg[5] = {RFNAMEG};
	struct ns *old = ns_ref(fake_proc.ns);

	assert_int_equal(ns_bind("#T", "/dev", MAFTER), 0);
	assert_int_equal(sys_rfork(arg), 0);
	assert_int_equal(ns_bind("/b", "/a", MREPL), 0);
	assert_walk("/dev/note", 0, "/dev/note");
	assert_listing("/a", "f g");
	arg[0] = RFCNAMEG;
	assert_int_equal(sys_rfork(arg), 0);
	assert_walk("/dev/note", -ENOENT, NULL);
	ns_put(fake_proc.ns);
	fake_proc.ns = old;
	assert_walk("/dev/note", 0, "/dev/note");
	assert_walk("/a/g", -ENOENT, NULL);
	arg[0] = 0;
	assert_int_equal(sys_rfork(arg), -EINVAL);
	arg[0] = RFNAMEG | RFCNAMEG;
	assert_int_equal(sys_rfork(arg), -EINVAL);
}

/* Memory runs out after 0, 1, 2... allocations: each time an error, and nothing is lost. */
static void survives_no_memory(void **state)
{
	bool all = false;

	for (long k = 0; !all; k++) {
		long before = fake_allocs;
		struct chan *c;
		int err = 0;

		fake_allocs_left = k;
		err = ns_bind("#T", "/dev", MAFTER);
		if (!err)
			err = ns_bind("/tmp", "/dev", MBEFORE | MCREATE);
		if (!err)
			err = ns_mkdir("/dev/d", 0755);
		if (!err)
			err = ns_open("/dev/d/../d/f", O_RDWR | O_CREAT, 0644, &c);
		if (!err) {
			chan_put(c);
			err = ns_rename("/tmp/d/f", "/tmp/g", false);
		}
		if (!err)
			err = ns_unmount("#T", "/dev");
		all = !err;
		assert_true(!err || err == -ENOMEM || err == -ENOSPC);
		fake_allocs_left = -1;
		ns_remove("/tmp/g", 0);
		ns_remove("/tmp/d/f", 0);
		ns_remove("/tmp/d", 0);
		ns_unmount(NULL, "/dev");
		assert_int_equal(fake_allocs, before);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_toy_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(paths_are_walked),
		TEST(limits_lengths),
		TEST(current_directory_sees_binds),
		TEST(refuses_bad_binds),
		TEST(table_fills_up),
		TEST(open_checks_permissions),
		TEST(keeps_users_apart),
		TEST(renames_and_removes),
		TEST(rfork_copies_or_clears_the_namespace),
		TEST(survives_no_memory),
	};

	return RUN(tests, NULL, NULL);
}
