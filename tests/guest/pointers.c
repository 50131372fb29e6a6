/* Bad pointers in system calls: an error, and the process lives on. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

#define PAGE 4096
#define KERNEL_TEXT 0xc0100000u
#define STACK_TOP 0xbffff000u

static const int constant[2048] = { 1, 2, 3 };

/* A call whose argument number `bad` is a pointer; the other arguments are fine. */
struct pointer_call {
	const char *name;
	int number, bad;
	bool writes; /* the kernel writes there */
	int arg[5];
};

static char name[] = "file", leads[] = "link", buf[2 * PAGE];
static char *no_words[] = { NULL };

#define P(p) ((int)(uintptr_t)(p))

/* fd 3 is a file open for reading and writing, 4 a directory, 5 /dev/zero: see setup_calls(). */
static const struct pointer_call *calls(size_t *n)
{
	static struct pointer_call table[] = {
		{ "execve path", SYS_execve, 0, false, { 0 } },
		{ "execve argv", SYS_execve, 1, false, { 0 } },
		{ "execve envp", SYS_execve, 2, false, { 0 } },
		{ "nanosleep", SYS_nanosleep, 0, false, { 0 } },
		{ "times", SYS_times, 0, true, { 0 } },
		{ "open", SYS_open, 0, false, { 0 } },
		{ "open to create", SYS_open, 0, false, { 0, 0102, 0644 } },
		{ "read", SYS_read, 1, true, { 3, 0, 16 } },
		{ "long read", SYS_read, 1, true, { 3, 0, 5000 } },
		{ "read zero", SYS_read, 1, true, { 5, 0, 16 } },
		{ "write", SYS_write, 1, false, { 3, 0, 16 } },
		{ "long write", SYS_write, 1, false, { 3, 0, 5000 } },
		{ "lseek", SYS_lseek, 4, true, { 3 } },
		{ "pipe", SYS_pipe, 0, true, { 0 } },
		{ "stat path", SYS_stat, 0, false, { 0, P(buf) } },
		{ "stat", SYS_stat, 1, true, { P(name) } },
		{ "fstat", SYS_fstat, 1, true, { 3 } },
		{ "getdents", SYS_getdents, 1, true, { 4, 0, 512 } },
		{ "mkdir", SYS_mkdir, 0, false, { 0, 0755 } },
		{ "remove", SYS_remove, 0, false, { 0 } },
		{ "rename from", SYS_rename, 0, false, { 0, P(name) } },
		{ "rename to", SYS_rename, 1, false, { P(name) } },
		{ "symlink target", SYS_symlink, 0, false, { 0, P(name) } },
		{ "symlink path", SYS_symlink, 1, false, { P(name) } },
		{ "readlink path", SYS_readlink, 0, false, { 0, P(buf), 16 } },
		{ "readlink", SYS_readlink, 1, true, { P(leads), 0, 16 } },
		{ "link from", SYS_link, 0, false, { 0, P(name) } },
		{ "link to", SYS_link, 1, false, { P(name) } },
		{ "realpath", SYS_realpath, 1, true, { P(name), 0, 512 } },
		{ "chmod", SYS_chmod, 0, false, { 0, 0644 } },
		{ "chdir", SYS_chdir, 0, false, { 0 } },
		{ "bind name", SYS_bind, 0, false, { 0, P(name) } },
		{ "bind old", SYS_bind, 1, false, { P(name) } },
		{ "unmount name", SYS_unmount, 0, false, { 0, P(name) } },
		{ "sigprocmask", SYS_sigprocmask, 2, true, { 0 } },
		{ "setitimer", SYS_setitimer, 4, true, { 0 } },
		{ "unmount old", SYS_unmount, 1, false, { P(name) } },
	};

	*n = nelem(table);
	return table;
}

/* Open the files that calls() names. */
static void setup_calls(void)
{
	memset(buf, 'x', sizeof(buf));
	must(open(name, O_RDWR | O_CREAT, 0644) == 3);
	must(write(3, buf, sizeof(buf)) == sizeof(buf) && lseek(3, 0, SEEK_SET) == 0);
	must(open(".", O_RDONLY) == 4);
	must(open("#c/zero", O_RDONLY) == 5);
	must(symlink("././file", leads) == 0);
}

/* Make the call with that pointer; return what the kernel returned. */
static int call_with(const struct pointer_call *c, uintptr_t pointer)
{
	int a[5];

	memcpy(a, c->arg, sizeof(a));
	if (c->number == SYS_execve) {
		a[0] = P("missing");
		a[1] = P(no_words);
	}
	a[c->bad] = (int)pointer;
	return sys5(c->number, a[0], a[1], a[2], a[3], a[4]);
}

/* Tell whether NULL is a valid pointer for this argument. */
static bool takes_null(const struct pointer_call *c)
{
	return c->number == SYS_times || (c->number == SYS_unmount && c->bad == 0) ||
	       (c->number == SYS_execve && c->bad > 0);
}

static void each_call(uintptr_t pointer, bool writing)
{
	size_t n;
	const struct pointer_call *c = calls(&n);

	setup_calls();
	for (; n > 0; n--, c++) {
		if ((writing && !c->writes) || (pointer == 0 && takes_null(c)))
			continue;
		if (pointer == STACK_TOP - 4)
			memset((void *)pointer, 'x', 4); /* a name without an end */
		int r = call_with(c, pointer);
		if (r != -EFAULT)
			dprintf(1, "# %s with %08x: %d\n", c->name, (unsigned)pointer, r);
		must(r == -EFAULT);
	}
}

static void pointer_null(void)
{
	each_call(0, false);
}

static void pointer_unmapped(void)
{
	each_call(PAGE, false);
}

static void pointer_kernel(void)
{
	each_call(0xc0000000, false);
}

static void pointer_kernel_text(void)
{
	each_call(KERNEL_TEXT, false);
}

static void pointer_last(void)
{
	each_call(0xfffffff0, false);
}

/* Four bytes that are ours, and none after them. */
static void pointer_over_the_top(void)
{
	each_call(STACK_TOP - 4, false);
}

static void pointer_text(void)
{
	each_call((uintptr_t)pointer_text, true);
}

static void pointer_constant(void)
{
	each_call((uintptr_t)constant, true);
}

static void wait_pointer(void)
{
	static const uintptr_t bad[] = { PAGE, 0xc0000000, 0xfffffff0, (uintptr_t)constant };

	for (size_t i = 0; i < nelem(bad); i++) {
		if (fork() == 0)
			_exit(0);
		must(sys3(SYS_waitpid, -1, (int)bad[i], 0) == -EFAULT);
	}
}

/* Pointers in a list of words. */
static void words_pointers(void)
{
	static char *bad[] = { (char *)"x", (char *)PAGE, NULL };
	char **last = (char **)(STACK_TOP - 4);

	must(sys3(SYS_execve, P("/bin/echo"), P(bad), 0) == -EFAULT);
	must(sys3(SYS_execve, P("/bin/echo"), P(no_words), P(bad)) == -EFAULT);
	*last = (char *)"x";
	must(sys3(SYS_execve, P("/bin/echo"), P(last), 0) == -EFAULT);
	must(sys3(SYS_execve, P("/bin/echo"), P(no_words), 0) == -EINVAL);
	must(sys3(SYS_execve, P("/bin/echo"), 0, 0) == -EINVAL);
}

/* Names and data may reach to the last byte of a page, not one byte further. */
static void up_to_the_edge(void)
{
	char *end = sbrk(2 * PAGE);
	int fd;

	end += 2 * PAGE - (uintptr_t)end % PAGE;
	must(brk(end) == 0);
	memcpy(end - 5, "file", 5);
	fd = open(end - 5, O_RDWR | O_CREAT, 0644);
	must(fd >= 0);
	must(write(fd, end - 5, 5) == 5);
	must(lseek(fd, 0, SEEK_SET) == 0);
	must(read(fd, end - 5, 5) == 5);
	must_fail(write(fd, end - 5, 6), EFAULT);
	end[-1] = 'x';
	must_fail(open(end - 5, O_RDONLY), EFAULT);
	must_fail(open(end, O_RDONLY), EFAULT);
	must(write(fd, end, 0) == 0);
}

/* Return how many bytes a transfer has moved that had not memory enough. */
static int moved(ssize_t r)
{
	must(r > 0 || (r == -1 && errno == EFAULT));
	return r > 0 ? (int)r : 0;
}

/* What a transfer returns has moved, and no more, wherever memory ends. */
static void over_the_edge(void)
{
	int fd = open("file", O_RDWR | O_CREAT, 0644), in, out;
	struct stat st;
	char *end = sbrk(4 * PAGE), c;

	end += 4 * PAGE - (uintptr_t)end % PAGE;
	must(fd >= 0 && brk(end) == 0);
	must_fail(write(fd, end - 4095, 4096), EFAULT);
	must(fstat(fd, &st) == 0 && st.st_size == 0);
	for (int have = 0; have < 3 * PAGE; have += 1777) {
		must(ftruncate(fd, 0) == 0 && lseek(fd, 100, SEEK_SET) == 100);
		for (int i = 0; i < have; i++)
			end[i - have] = (char)(i % 251);
		in = moved(write(fd, end - have, 4 * PAGE));
		must(in + PAGE > have && lseek(fd, 0, SEEK_CUR) == 100 + in);
		must(fstat(fd, &st) == 0 && st.st_size == (in ? 100u + (unsigned)in : 0));
		must(ftruncate(fd, 5 * PAGE) == 0 && lseek(fd, 100, SEEK_SET) == 100);
		for (int i = 0; i < 4 * PAGE; i++)
			must(read(fd, &c, 1) == 1 && c == (i < in ? (char)(i % 251) : 0));
		must(lseek(fd, 100, SEEK_SET) == 100);
		must_fail(read(fd, end - 4, 8), EFAULT);
		out = moved(read(fd, end - have / 2, 4 * PAGE));
		must(out + PAGE > have / 2 && lseek(fd, 0, SEEK_CUR) == 100 + out);
		for (int i = 0; i < out; i++)
			must(end[i - have / 2] == (i < in ? (char)(i % 251) : 0));
	}
}

/* Sizes that lead beyond the end of memory. */
static void wrapping_sizes(void)
{
	setup_calls();
	int r = sys3(SYS_write, 3, P(buf), -1);
	must(r == -EFAULT || r >= (int)sizeof(buf));
	must(lseek(3, 0, SEEK_SET) == 0);
	must(sys3(SYS_read, 3, P(constant), -1) == -EFAULT);
	must(lseek(3, 0, SEEK_SET) == 0);
	must(sys3(SYS_getdents, 4, P(buf), -1) > 0);
	must(sys3(SYS_realpath, P(name), P(buf), -1) > 0);
	must(sys3(SYS_write, 3, -16, 32) == -EFAULT);
	must(sys3(SYS_read, 3, -16, 32) == -EFAULT);
}

static const struct tap_case cases[] = {
	{ "calls with a null pointer", pointer_null },
	{ "calls with an unmapped pointer", pointer_unmapped },
	{ "calls with a pointer to the kernel", pointer_kernel },
	{ "calls with a pointer to the kernel's text", pointer_kernel_text },
	{ "calls with a pointer that wraps", pointer_last },
	{ "calls with a pointer to the last word", pointer_over_the_top },
	{ "calls that would write text", pointer_text },
	{ "calls that would write constants", pointer_constant },
	{ "waitpid's pointer", wait_pointer },
	{ "execve's pointers", words_pointers },
	{ "pointers up to the edge", up_to_the_edge },
	{ "a transfer ends where memory does", over_the_edge },
	{ "sizes that wrap", wrapping_sizes },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
