/*
 * The root in memory, and unpacking archives into it: devroot.c, rootfile.c and cpio.c.
 * Links: tests/kernel/fakes.c boot/cpio.c
 */
#include "tests/kernel/fakes.h"
#include "boot/cpio.h"
#include "drivers/files/devroot.h"
#include "drivers/files/rootfile.h"
#include "kernel/abi/errno.h"
#include "kernel/file/dev.h"
#include "kernel/file/file.h"
#include "kernel/file/open.h"
#include "kernel/file/walk.h"

static int setup(void **state)
{
	fake_start(NULL);
	return 0;
}

static int teardown(void **state)
{
	fake_end();
	return 0;
}

/* Make a file that contains the string. */
static void put_file(const char *path, const char *s)
{
	struct chan *c;

	assert_int_equal(ns_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644, &c), 0);
	assert_int_equal(chan_write(c, s, strlen(s)), strlen(s));
	chan_put(c);
}

static void assert_content(const char *path, const char *s)
{
	char buf[256] = "";
	struct chan *c;

	assert_int_equal(ns_open(path, O_RDONLY, 0, &c), 0);
	assert_int_equal(chan_read(c, buf, sizeof(buf)), strlen(s));
	assert_memory_equal(buf, s, strlen(s));
	chan_put(c);
}

static void make_dir(const char *path)
{
	struct chan *dir, *c;
	const char *slash = strrchr(path, '/');
	char parent[64];

	memcpy(parent, path, (size_t)(slash - path) + 1);
	parent[slash - path + 1] = 0;
	assert_int_equal(ns_find(parent, FIND_NAMED, &dir), 0);
	c = chan_clone(dir);
	assert_int_equal(rootdev.create(c, slash + 1, S_IFDIR | 0755, O_RDONLY), 0);
	chan_put(c);
	chan_put(dir);
}

static int walk_remove(const char *path)
{
	struct chan *c;
	int err = ns_find(path, FIND_NAMED, &c);

	if (err)
		return err;
	err = rootdev.remove(c);
	chan_put(c);
	return err;
}

static void keeps_what_is_written(void **state)
{
	struct chan *c;
	char buf[64];
	struct stat st;

	assert_int_equal(ns_open("/f", O_RDWR | O_CREAT | O_EXCL, 0600, &c), 0);
	assert_int_equal(chan_write(c, "hello", 5), 5);
	assert_int_equal(rootdev.write(c, "X", 1, 3 * PAGE + 1), 1);
	assert_int_equal(chan_stat(c, &st), 0);
	assert_int_equal(st.st_size, 3 * PAGE + 2);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	assert_int_equal(chan_pread(c, buf, 7, 3 * PAGE - 5), 7); /* a hole, then X */
	assert_memory_equal(buf, "\0\0\0\0\0\0X", 7);
	assert_int_equal(chan_pread(c, buf, 8, 3), 8);
	assert_memory_equal(buf, "lo\0\0\0\0\0\0", 8);
	assert_int_equal(rootdev.set(c, FSET_SIZE, 2), 0);
	assert_int_equal(rootdev.set(c, FSET_SIZE, 5), 0);
	assert_int_equal(chan_pread(c, buf, 64, 0), 5);
	assert_memory_equal(buf, "he\0\0\0", 5);
	assert_int_equal(chan_pread(c, buf, 64, 5), 0);
	assert_int_equal(rootdev.set(c, FSET_SIZE, ROOTFILE_MAX + 1), -EFBIG);
	assert_int_equal(rootdev.write(c, "X", 1, ROOTFILE_MAX), -EFBIG);
	assert_int_equal(rootdev.write(c, "X", 1, UINT64_MAX), -EFBIG);
	chan_put(c);
	assert_int_equal(walk_remove("/f"), 0);
}

/* Of a file in an archive the last page may have something else. */
static void B3_a_held_file_of_an_archive(void **state)
{
	static const char text[3 * PAGE + 5] = {[PAGE + 1] = 'x'};
	struct chan *c, *run;

	put_file("/rom", "");
	assert_int_equal(ns_open("/rom", O_RDWR, 0, &c), 0);
	assert_int_equal(devroot_rom(c, S_IFREG | 0644, 0, text, PAGE), 0);
	assert_int_equal(rootdev.hold(c), 0);
	assert_int_equal(devroot_rom(c, S_IFREG | 0644, 0, text, sizeof(text)), 0);
	assert_int_equal(ns_open("/rom", O_RDONLY, 0, &run), 0);
	assert_int_equal(rootdev.hold(run), 2 * PAGE + 5);
	assert_ptr_equal(rootdev.page(run, PAGE + 1), &text[PAGE + 1]);
	assert_int_equal(rootdev.write(c, "x", 1, 0), -ETXTBSY);
	chan_put(run);
	assert_int_equal(rootdev.write(c, "x", 1, 0), 1);
	assert_int_equal(rootdev.hold(c), 0); /* some of it is in pages, and some is not */
	chan_put(c);
	assert_int_equal(walk_remove("/rom"), 0);
}

/* A file that runs is held, if all of it is in pages; as often as it runs. */
static void B3_a_held_file_stays(void **state)
{
	static char page[3 * PAGE];
	struct chan *c, *run[2];

	put_file("/f", "");
	assert_int_equal(ns_open("/f", O_RDWR, 0, &c), 0);
	assert_int_equal(rootdev.hold(c), 0); /* an empty one is not */
	assert_int_equal(chan_write(c, page, sizeof(page)), sizeof(page));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ns_open("/f", O_RDONLY, 0, &run[i]), 0);
		assert_int_equal(rootdev.hold(run[i]), sizeof(page));
	}
	assert_int_equal(rootdev.write(c, "x", 1, 2 * PAGE + 7), -ETXTBSY);
	assert_int_equal((uintptr_t)rootdev.page(run[0], 2 * PAGE + 7) % PAGE,
			 ((uintptr_t)rootdev.page(run[0], 2 * PAGE) + 7) % PAGE);
	chan_put(run[0]);
	assert_int_equal(rootdev.write(c, "X", 1, 0), -ETXTBSY);
	assert_int_equal(rootdev.set(c, FSET_SIZE, 0), -ETXTBSY);
	assert_int_equal(ns_open("/f", O_RDWR | O_TRUNC, 0, &run[0]), -ETXTBSY);
	assert_int_equal(rootdev.set(c, FSET_MODE, 0), 0);
	chan_put(run[1]);
	assert_int_equal(rootdev.set(c, FSET_SIZE, 3 * PAGE + 1), 0);
	assert_int_equal(rootdev.hold(c), 0); /* its end is a hole */
	assert_int_equal(rootdev.set(c, FSET_SIZE, PAGE), 0);
	assert_int_equal(rootdev.write(c, "X", 1, 2 * PAGE), 1);
	assert_int_equal(rootdev.hold(c), 0); /* so is its middle */
	chan_put(c);
	assert_int_equal(walk_remove("/f"), 0);
}

static void appending_goes_to_the_end(void **state)
{
	struct chan *a, *b;

	put_file("/log", "1");
	assert_int_equal(ns_open("/log", O_WRONLY | O_APPEND, 0, &a), 0);
	assert_int_equal(ns_open("/log", O_WRONLY | O_APPEND, 0, &b), 0);
	assert_int_equal(chan_write(a, "2", 1), 1);
	assert_int_equal(chan_write(b, "3", 1), 1);
	assert_int_equal(chan_write(a, "4", 1), 1);
	chan_put(a);
	chan_put(b);
	assert_content("/log", "1234");
	assert_int_equal(walk_remove("/log"), 0);
}

static void outlives_removal(void **state)
{
	long before = fake_allocs;
	struct chan *c, *root;
	char buf[8];

	put_file("/gone", "still");
	assert_int_equal(ns_open("/gone", O_RDWR, 0, &c), 0);
	assert_int_equal(walk_remove("/gone"), 0);
	assert_int_equal(walk_remove("/gone"), -ENOENT);
	assert_int_equal(rootdev.remove(c), -ENOENT);
	assert_int_equal(ns_find("/", FIND_NAMED, &root), 0);
	assert_int_equal(rootdev.link(c, root, "again"), -ENOENT);
	chan_put(root);
	assert_int_equal(chan_read(c, buf, 8), 5);
	assert_int_equal(chan_write(c, "!", 1), 1);
	chan_put(c);
	assert_int_equal(fake_allocs, before);
}

static void removes_only_empty_directories(void **state)
{
	struct chan *c, *child;

	make_dir("/d");
	put_file("/d/f", "");
	assert_int_equal(walk_remove("/d"), -ENOTEMPTY);
	assert_int_equal(walk_remove("/"), -EBUSY);
	assert_int_equal(ns_find("/d", FIND_NAMED, &c), 0);
	assert_int_equal(walk_remove("/d/f"), 0);
	assert_int_equal(walk_remove("/d"), 0);
	/* Nothing can be made in a removed directory. */
	child = chan_clone(c);
	assert_int_equal(rootdev.create(child, "x", S_IFREG, O_RDONLY), -ENOENT);
	chan_put(child);
	chan_put(c);
}

static int rename_path(const char *from, const char *dir, const char *name)
{
	struct chan *c, *d;
	int err;

	assert_int_equal(ns_find(from, FIND_NAMED, &c), 0);
	assert_int_equal(ns_find(dir, FIND_NAMED, &d), 0);
	err = rootdev.rename(c, d, name);
	chan_put(c);
	chan_put(d);
	return err;
}

static void renames(void **state)
{
	static const struct {
		const char *from, *dir, *name;
		int err;
	} t[] = {
		{"/a/f", "/a", "f", 0},		  /* onto itself */
		{"/a/f", "/b", "g", 0},		  /* replaces a file */
		{"/b/g", "/a", "sub", -EISDIR},	  /* a file onto a directory */
		{"/a/sub", "/b", "g", -ENOTDIR},  /* and the other way */
		{"/a", "/a", "x", -EINVAL},	  /* into itself */
		{"/a", "/a/sub", "x", -EINVAL},
		{"/a/sub", "/", "b", -ENOTEMPTY}, /* onto a directory in use */
		{"/a/sub", "/", "c", 0},	  /* onto an empty one */
		{"/", "/b", "x", -EBUSY},
		{"/c", "/b/g", "x", -ENOTDIR},
	};

	make_dir("/a");
	make_dir("/a/sub");
	make_dir("/b");
	make_dir("/c");
	put_file("/a/f", "f");
	put_file("/b/g", "g");
	for (unsigned i = 0; i < nelem(t); i++)
		assert_int_equal(rename_path(t[i].from, t[i].dir, t[i].name), t[i].err);
	assert_content("/b/g", "f");
	assert_int_equal(walk_remove("/b/g"), 0);
	assert_int_equal(walk_remove("/b"), 0);
	assert_int_equal(walk_remove("/a"), 0);
	assert_int_equal(walk_remove("/c"), 0);
}

#define MANY 5000

/* Return the number in the name of dir's entry at *at; -1: there is none. */
static int next_number(struct chan *dir, uint64_t *at)
{
	char name[NAME_MAX + 1];
	struct stat st;

	if (rootdev.entry(dir, at, name, &st) < 0)
		return -1;
	return atoi(name + 1);
}

static void a_large_directory_is_listed_while_it_changes(void **state)
{
	char path[32];
	struct chan *dir;
	uint64_t at = 0, other = 0;

	make_dir("/d");
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "/d/f%d", i);
		put_file(path, "");
	}
	assert_int_equal(ns_find("/d", FIND_NAMED, &dir), 0);
	/* What is removed behind the listing, at it or before it hides none of the others. */
	for (int i = 0; i < MANY; i += 5) {
		for (int k = 0; k < 3; k++)
			assert_int_equal(next_number(dir, &at), i + k);
		for (int k = 1; k < 4; k++) {
			snprintf(path, sizeof(path), "/d/f%d", i + k);
			assert_int_equal(walk_remove(path), 0);
		}
		assert_int_equal(next_number(dir, &other), i);
		assert_int_equal(next_number(dir, &at), i + 4);
		assert_int_equal(next_number(dir, &other), i + 4);
	}
	assert_int_equal(next_number(dir, &at), -1);
	/* A new entry comes last, an entry of another name too. */
	put_file("/d/f1", "");
	assert_int_equal(rename_path("/d/f0", "/d", "f2"), 0);
	assert_int_equal(next_number(dir, &at), 1);
	assert_int_equal(next_number(dir, &at), 2);
	assert_int_equal(walk_remove("/d/f1"), 0);
	assert_int_equal(walk_remove("/d/f2"), 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "/d/f%d", i);
		assert_int_equal(walk_remove(path), i && (i % 5 == 0 || i % 5 == 4) ? 0 : -ENOENT);
	}
	assert_int_equal(walk_remove("/d"), 0);
	chan_put(dir);
}

static void survives_short_memory(void **state)
{
	static char big[8 * PAGE];
	long before = fake_allocs;
	struct chan *c;

	assert_int_equal(ns_open("/big", O_RDWR | O_CREAT, 0600, &c), 0);
	fake_allocs_left = 3; /* the array and two blocks */
	assert_int_equal(chan_write(c, big, sizeof(big)), 2 * PAGE);
	assert_int_equal(chan_write(c, big, sizeof(big)), -ENOSPC);
	fake_allocs_left = -1;
	fake_frames_free = ROOTFILE_RESERVE;
	assert_int_equal(chan_write(c, big, sizeof(big)), -ENOSPC);
	fake_frames_free = 1u << 20;
	assert_int_equal(chan_write(c, big, sizeof(big)), sizeof(big));
	assert_int_equal(walk_remove("/big"), 0);
	chan_put(c);
	assert_int_equal(fake_allocs, before);
}

/* Without memory for a larger table what a directory has is found, moved and removed as before. */
static void B8_a_table_that_cannot_grow(void **state)
{
	char name[32];

	make_dir("/dir");
	put_file("/moved", "here");
	for (unsigned i = 0; i < 300; i++) {
		if (i == 200)
			fake_alloc_most = 256 * sizeof(void *); /* as many buckets are there */
		snprintf(name, sizeof(name), "/dir/%u", i);
		put_file(name, "");
	}
	assert_int_equal(ns_rename("/moved", "/dir/moved", false), 0);
	assert_content("/dir/moved", "here");
	assert_int_equal(walk_remove("/dir/moved"), 0);
	for (unsigned i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "/dir/%u", i);
		assert_int_equal(walk_remove(name), 0);
	}
	assert_int_equal(walk_remove("/dir"), 0);
	fake_alloc_most = SIZE_MAX;
}

/* The archive that is being made. */
static struct {
	char byte[8192];
	size_t n;
} cpio;

/* Offsets in the header. */
enum { MODE = 14, NLINK = 38, MTIME = 46, SIZE = 54, NAMESIZE = 94, NAME = 110 };

/* Add a member; return its beginning. */
static char *cpio_add(const char *name, unsigned mode, unsigned nlink, const char *data)
{
	char *h = cpio.byte + cpio.n, *p = h + NAME;

	cpio.n += NAME + (strlen(name) + 1 + 1) / 4 * 4 + 2 + (strlen(data) + 3) / 4 * 4;
	assert_true(cpio.n + 100 < sizeof(cpio.byte));
	memset(h, 0, cpio.n - (size_t)(h - cpio.byte));
	sprintf(h, "070701%08x%08X%08x%08x%08x%08x%08X%08x%08x%08x%08x%08x%08x", 7, mode, 11, 12,
		nlink, 42, (unsigned)strlen(data), 1, 2, 3, 4, (unsigned)strlen(name) + 1, 0);
	strcpy(p, name);
	memcpy(cpio.byte + cpio.n - (strlen(data) + 3) / 4 * 4, data, strlen(data));
	return h;
}

static char *cpio_file(const char *name, const char *data)
{
	return cpio_add(name, S_IFREG | 0751, 1, data);
}

static void cpio_end(void)
{
	cpio_add("TRAILER!!!", 0, 1, "");
}

static void an_archive_is_unpacked(void **state)
{
	char path[201] = "/pre/fix/";
	struct chan *c;
	struct stat st;

	memset(path + 9, 'n', 191);
	cpio.n = 0;
	cpio_add(".", S_IFDIR | 0755, 2, "");
	cpio_add("./bin", S_IFDIR | 0755, 2, "");
	cpio_file("bin/sh", "shell");
	cpio_file("deep/er/file", "implied");
	cpio_file(path + 1, "long");
	cpio_add("link", 0120777, 1, "bin/sh");
	cpio_add("second", S_IFREG | 0644, 2, ""); /* its content comes with its last name */
	cpio_add("last", S_IFREG | 0644, 2, "content");
	cpio_file("empty", "");
	cpio_end();
	cpio_file("behind", "the end");
	assert_int_equal(cpio_unpack(cpio.byte, cpio.n), 0);
	assert_content("/bin/sh", "shell");
	assert_content("/deep/er/file", "implied");
	assert_content(path, "long");
	assert_content("/second", "content");
	assert_content("/last", "content");
	assert_content("/empty", "");
	assert_int_equal(ns_find("/link", FIND_NAMED, &c), -ENOENT);
	assert_int_equal(ns_find("/behind", FIND_NAMED, &c), -ENOENT);
	assert_int_equal(ns_find("/bin/sh", FIND_NAMED, &c), 0);
	assert_int_equal(chan_stat(c, &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0751);
	assert_int_equal(st.st_mtime, 42);
	assert_int_equal(st.st_uid, UID_EVE);
	chan_put(c);
	/* A second archive overwrites the first. */
	cpio.n = 0;
	cpio_file("/bin/sh", "other");
	cpio_end();
	assert_int_equal(cpio_unpack(cpio.byte, cpio.n), 0);
	assert_content("/bin/sh", "other");
}

static void copies_on_write(void **state)
{
	static char text[2 * PAGE + 10], buf[2 * PAGE + 10];
	struct chan *c;

	memset(text, 'r', sizeof(text));
	assert_int_equal(ns_open("/rom", O_RDWR | O_CREAT, 0644, &c), 0);
	assert_int_equal(devroot_rom(c, S_IFDIR | 0755, 0, NULL, 0), -ENOTDIR);
	assert_int_equal(devroot_rom(c, S_IFREG | 0644, 0, text, sizeof(text)), 0);
	assert_int_equal(rootdev.write(c, "WW", 2, PAGE - 1), 2);
	assert_int_equal(rootdev.write(c, "W", 1, sizeof(text) + 1), 1);
	assert_int_equal(text[PAGE - 1], 'r');
	assert_int_equal(chan_read(c, buf, sizeof(buf)), sizeof(buf));
	assert_int_equal(buf[PAGE - 2], 'r');
	assert_int_equal(buf[PAGE - 1], 'W');
	assert_int_equal(buf[PAGE], 'W');
	assert_int_equal(buf[PAGE + 1], 'r');
	assert_int_equal(buf[sizeof(buf) - 1], 'r');
	assert_int_equal(chan_read(c, buf, sizeof(buf)), 2);
	assert_memory_equal(buf, "\0W", 2);
	assert_int_equal(rootdev.set(c, FSET_SIZE, 3), 0);
	assert_int_equal(rootdev.set(c, FSET_SIZE, PAGE), 0);
	assert_int_equal(chan_pread(c, buf, PAGE, 0), PAGE);
	assert_memory_equal(buf, "rrr\0\0\0", 6);
	chan_put(c);
	assert_int_equal(walk_remove("/rom"), 0);
}

static void refuses_damage(void **state)
{
	static const struct {
		size_t at; /* this byte of the second header */
		char is;
		const char *says;
	} t[] = {
		{0, '1', "newc"},		{5, '2', "newc"},
		{6, 'g', "number"},		{MODE, ' ', "number"},
		{MTIME, 0, "number"},		{MTIME + 7, '/', "number"},
		{NAMESIZE - 1, ':', "number"},	{NAME - 1, '@', "number"},
		{SIZE, '7', "cut short"},	{SIZE, 'f', "cut short"},
		{NAMESIZE, 'F', "cut short"},	{NAMESIZE + 7, '0', "name"},
		{NAMESIZE + 7, '6', "name"},	{NAME + 6, 'x', "name"},
	};

	for (unsigned i = 0; i < nelem(t); i++) {
		char *h, at[32];

		cpio.n = 0;
		cpio_file("first", "1");
		h = cpio_file("second", "2");
		cpio_end();
		h[t[i].at] = t[i].is;
		assert_int_equal(cpio_unpack(cpio.byte, cpio.n), -EINVAL);
		snprintf(at, sizeof(at), "byte %d:", (int)(h - cpio.byte));
		assert_non_null(strstr(fake_log, at));
		assert_true(fake_logged(t[i].says));
	}
}

static void refuses_bad_names(void **state)
{
	static const char *const names[] = {"../up", "a/../b", "..", "first/below", "bin"};

	for (unsigned i = 0; i < nelem(names); i++) {
		cpio.n = 0;
		cpio_file("first", "1");
		cpio_file(names[i], "2");
		cpio_end();
		assert_int_equal(cpio_unpack(cpio.byte, cpio.n), -EINVAL);
	}
}

/* An archive cut to any length is refused, without reading past its end. */
static void survives_truncation(void **state)
{
	cpio.n = 0;
	cpio_file("first", "1");
	cpio_file("second", "22222");
	cpio_end();
	for (size_t n = 0; n <= cpio.n; n++) {
		char *copy = malloc(n + !n);

		memcpy(copy, cpio.byte, n);
		assert_int_equal(cpio_unpack(copy, n), n < cpio.n ? -EINVAL : 0);
		assert_true(fake_logged("cut short") || n == cpio.n);
		/* The files must no longer refer to the copy. */
		fake_put("first", S_IFREG | 0644, "");
		fake_put("second", S_IFREG | 0644, "");
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_what_is_written),
		cmocka_unit_test(B3_a_held_file_stays),
		cmocka_unit_test(B3_a_held_file_of_an_archive),
		cmocka_unit_test(appending_goes_to_the_end),
		cmocka_unit_test(outlives_removal),
		cmocka_unit_test(removes_only_empty_directories),
		cmocka_unit_test(renames),
		cmocka_unit_test(a_large_directory_is_listed_while_it_changes),
		cmocka_unit_test(survives_short_memory),
		cmocka_unit_test(B8_a_table_that_cannot_grow),
		cmocka_unit_test(an_archive_is_unpacked),
		cmocka_unit_test(copies_on_write),
		cmocka_unit_test(refuses_damage),
		cmocka_unit_test(refuses_bad_names),
		cmocka_unit_test(survives_truncation),
	};

	return RUN(tests, setup, teardown);
}
