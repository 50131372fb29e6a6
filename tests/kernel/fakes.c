/*
 * See fakes.h. The files of the kernel that these fakes are for are linked with them.
 * Links: tests/fakes.c kernel/memory/accountinit.c kernel/file/cmd.c kernel/file/dev.c
 * Links: kernel/file/dirtab.c kernel/file/fd.c
 * Links: kernel/file/file.c kernel/file/picture.c
 * Links: kernel/file/ns.c kernel/file/open.c kernel/file/path.c kernel/file/pipe.c
 * Links: kernel/file/rename.c kernel/file/union.c
 * Links: kernel/file/walk.c drivers/files/devroot.c drivers/files/rootdir.c
 * Links: drivers/files/rootfile.c
 */
#include "tests/kernel/fakes.h"
#include "kernel/file/dev.h"
#include "kernel/file/dirtab.h"
#include "kernel/file/fd.h"
#include "kernel/file/file.h"
#include "kernel/file/ns.h"
#include "kernel/file/open.h"
#include "kernel/file/walk.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/image.h"
#include "kernel/machine/lib.h"
#include "kernel/machine/print.h"
#include "kernel/machine/string.h"
#include "kernel/machine/time.h"
#include "kernel/machine/user.h"
#include "kernel/memory/account.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"
#include "kernel/process/syscall.h"
#include "kernel/sched/wait.h"
#include "drivers/files/devroot.h"
#include "drivers/console/cons.h"

struct proc fake_proc, *fake_self = &fake_proc;
unsigned fake_signals;
long fake_allocs_left = -1, fake_allocs;
size_t fake_frames_free = 1u << 20;
static long allocs_before;
uint8_t fake_user[FAKE_USER_SIZE];
const uint8_t build_id_note[36] = {0};

unsigned fake_ways;
bool fake_killed;

int fake_give_way(void)
{
	assert_int_equal(fake_locks, 0);
	fake_ways++;
	return fake_killed ? -EINTR : 0;
}

size_t fake_alloc_most = SIZE_MAX;

static bool take_alloc(void)
{
	if (fake_allocs_left == 0)
		return false;
	if (fake_allocs_left > 0)
		fake_allocs_left--;
	fake_allocs++;
	return true;
}

void *kmalloc(size_t n)
{
	void *p = n <= fake_alloc_most && take_alloc() ? malloc(n) : NULL;

	if (p)
		memset(p, 0xa5, n);
	return p;
}

void kfree(void *p)
{
	fake_allocs -= p != NULL;
	free(p);
}

void *frame_alloc_n(size_t n)
{
	bool can = n * PAGE <= fake_alloc_most && take_alloc();
	void *p = can ? aligned_alloc(PAGE, n * PAGE) : NULL;

	if (p)
		memset(p, 0x5a, n * PAGE);
	return p;
}

void frame_free_n(void *p, size_t n)
{
	assert_non_null(p);
	fake_allocs--;
	free(p);
}

size_t frame_available(void)
{
	return fake_frames_free;
}

void wait_wake(struct waitq *q)
{
}

void wait_wake_one(struct waitq *q)
{
	wait_wake(q);
}

void wait_watch(struct watcher *w, struct waitq *q, struct spinlock *l)
{
}

void sched_signal(struct proc *p, int sig)
{
	assert_ptr_equal(p, fake_self);
	fake_signals |= 1u << sig;
}

/* The owner's group is 42, that of users 43, and these are the ones that users may signal. */
int proc_interrupt_group(int pgid, int sig, int uid)
{
	assert_int_equal(pgid, uid == UID_EVE ? 42 : 43);
	fake_signals |= 1u << (uid == UID_EVE ? sig : 16 + sig);
	return 0;
}

int proc_kill(int id, int sig)
{
	assert_int_equal(sig, 0);
	return id == -42 ? -EPERM : id == -43 ? 0 : -ESRCH;
}
/* Return where n bytes of user memory are; NULL: not all of them are there. */
static uint8_t *user_at(const void *user, size_t n)
{
	uintptr_t at = (uintptr_t)user - FAKE_USER;

	assert_int_equal(fake_locks, 0);
	return at <= FAKE_USER_SIZE && n <= FAKE_USER_SIZE - at ? fake_user + at : NULL;
}

int copyin(void *to, const void *user, size_t n)
{
	const void *from = user_at(user, n);

	if (!from)
		return -EFAULT;
	memcpy(to, from, n);
	return 0;
}

int copyout(void *user, const void *from, size_t n)
{
	void *to = user_at(user, n);

	if (!to)
		return -EFAULT;
	memcpy(to, from, n);
	return 0;
}

/* Copy all or nothing; the real one goes as far as it can. */
size_t user_copy(void *to, const void *from, size_t n)
{
	if ((uintptr_t)from < KERNBASE)
		return copyin(to, from, n) ? n : 0;
	if ((uintptr_t)to < KERNBASE)
		return copyout(to, from, n) ? n : 0;
	memcpy(to, from, n);
	return 0;
}

int copyinstr(char *to, const char *user, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (copyin(to + i, user + i, 1))
			return -EFAULT;
		if (to[i] == 0)
			return (int)i;
	}
	return -ENAMETOOLONG;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
	size_t n = strlen(from);

	if (size) {
		size_t k = n < size ? n : size - 1;

		memcpy(to, from, k);
		to[k] = 0;
	}
	return n;
}

bool parse_uint(const char *s, uint32_t *out)
{
	char *end;
	unsigned long v = strtoul(s, &end, 0);

	*out = (uint32_t)v;
	return *s >= '0' && *s <= '9' && !*end && v <= UINT32_MAX;
}

int64_t time_unix(void)
{
	return 1000000000;
}

uint32_t fake_string(unsigned at, const char *s)
{
	strcpy((char *)fake_user + at, s);
	return FAKE_USER + at;
}

void fake_chdir(const char *path)
{
	uint32_t arg[5] = {fake_string(0, path)};

	assert_int_equal(sys_chdir(arg), 0);
}

void assert_walk(const char *path, int err, const char *name)
{
	struct chan *c;

	assert_int_equal(ns_find(path, FIND_NAMED, &c), err);
	if (err)
		return;
	assert_string_equal(c->name, name);
	chan_put(c);
}

void assert_listing(const char *path, const char *names)
{
	uint32_t arg[5] = {fake_string(0, path), O_RDONLY};
	char is[512] = "";
	int fd = sys_open(arg), n;

	assert_true(fd >= 0);
	arg[0] = (uint32_t)fd;
	arg[1] = FAKE_USER;
	arg[2] = 64; /* few at a time */
	while ((n = sys_getdents(arg)) > 0) {
		for (int at = 0; at < n;) {
			struct dirent *d = (struct dirent *)(void *)(fake_user + at);

			strcat(is, *is ? " " : "");
			strcat(is, d->d_name);
			at += d->d_reclen;
			assert_int_equal(at % 8, 0);
		}
	}
	assert_int_equal(n, 0);
	assert_string_equal(is, names);
	assert_int_equal(sys_close(arg), 0);
}

void assert_reads(const char *path, const char *text)
{
	char buf[64];
	struct chan *c;

	assert_int_equal(ns_open(path, O_RDONLY, 0, &c), 0);
	assert_int_equal(chan_read(c, buf, sizeof(buf)), strlen(text));
	assert_memory_equal(buf, text, strlen(text));
	chan_put(c);
}

void fake_put(const char *path, uint32_t mode, const char *text)
{
	struct chan *c = chan_new(&rootdev);
	char dir[NAME_MAX + 1];
	const char *slash = strchr(path, '/'), *name = slash ? slash + 1 : path;

	assert_int_equal(rootdev.attach(c, ""), 0);
	if (slash) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path), path);
		assert_int_equal(chan_walk(c, dir), 0);
	}
	if (chan_walk(c, name) != 0)
		assert_int_equal(rootdev.create(c, name, mode, 0), 0);
	assert_int_equal(devroot_rom(c, mode, 0, text, strlen(text)), 0);
	chan_put(c);
}

void fake_tree(void)
{
	static const struct {
		const char *path;
		uint32_t mode;
	} tree[] = {
		{"a", S_IFDIR | 0755},	  {"a/f", S_IFREG | 0644},    {"a/sub", S_IFDIR | 0755},
		{"b", S_IFDIR | 0755},	  {"b/f", S_IFREG | 0644},    {"b/g", S_IFREG | 0600},
		{"dev", S_IFDIR | 0755},  {"dev/cons", S_IFREG | 0644}, {"tmp", S_IFDIR | 0777},
		{"shut", S_IFDIR | 0700}, {"shut/f", S_IFREG | 0644},
	};

	fake_proc.uid = UID_EVE;
	for (unsigned i = 0; i < nelem(tree); i++)
		fake_put(tree[i].path, tree[i].mode, tree[i].path);
}

void fake_start(const struct dev *more)
{
	static const struct dev *devices[2] = {&rootdev};
	struct chan *root;

	devices[1] = more;
	dev_table(devices, more ? 2 : 1);
	allocs_before = fake_allocs;
	fake_wait = NULL;
	fake_signals = 0;
	memset(&fake_proc, 0, sizeof(fake_proc));
	fake_proc.pid = 7;
	fake_proc.payer = PAYER_OWNER;
	fake_proc.vm = (struct vm *)(void *)fake_user; /* not NULL: it is a program */
	assert_int_equal(chan_attach('/', "", &root), 0);
	fake_proc.ns = ns_new(root);
	fake_proc.fds = fds_new();
	chan_put(root);
	assert_int_equal(ns_find("/", FIND_NAMED, &fake_proc.cwd), 0);
}

/* A device with a fixed directory: kpctl (the host owner's), kpdata, note. */
static const struct dirtab rows[] = {
	{.name = ".", .mode = S_IFDIR | 0555},
	{.name = "kpctl", .mode = S_IFCHR | 0600},
	{.name = "kpdata", .mode = S_IFREG | 0600},
	{.name = "note", .mode = S_IFREG | 0644},
};

static int toy_attach(struct chan *c, const char *spec)
{
	return *spec && strcmp(spec, "spec") != 0 ? -ENOENT : 0;
}

static const struct dev toy = {
	.letter = 'T',
	.dir = {rows, nelem(rows), NULL},
	.attach = toy_attach,
};

int fake_toy_setup(void **state)
{
	fake_tree();
	fake_start(&toy);
	return 0;
}

void fake_end(void)
{
	fds_put(fake_proc.fds);
	chan_put(fake_proc.cwd);
	ns_put(fake_proc.ns);
	assert_int_equal(fake_locks, 0);
}

int fake_teardown(void **state)
{
	fake_end();
	assert_int_equal(fake_allocs, allocs_before);
	return 0;
}
