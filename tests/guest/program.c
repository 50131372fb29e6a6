/* Programs: what exec starts, and what it refuses. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

#define PAGE 4096
#define MB (1u << 20)

static char *self; /* this program's path */

static char *const words[] = { "name", "one", "", "t h r e e", NULL };
static char *const vars[] = { "A=b", "EMPTY=", "X=y z", NULL };

/* Do what the first argument tells this program, started again by a case, to do. */
static int second_life(int argc, char **argv)
{
	if (strcmp(argv[0], "name") == 0) {
		for (int i = 0; i < 5; i++)
			must(i < argc ? strcmp(argv[i], words[i]) == 0 : argv[i] == NULL);
		for (int i = 0; i < 3; i++)
			must(strcmp(environ[i], vars[i]) == 0);
		must(environ[3] == NULL);
		return 23;
	}
	if (strcmp(argv[1], "count") == 0)
		return argc == atoi(argv[2]) && strcmp(argv[argc - 1], "last") == 0 ? 0 : 1;
	return 99;
}

static void exec_passes_words(void)
{
	pid_t pid = fork();
	int status;

	must(pid >= 0);
	if (pid == 0) {
		execve(self, words, vars);
		must(!"execve returned");
	}
	must(waitpid(pid, &status, 0) == pid);
	must(status == 23 << 8);
}

static void exec_many_words(uintptr_t n)
{
	char **list = calloc(n + 1, sizeof(*list)), number[12];

	must(list);

	snprintf(number, sizeof(number), "%u", (unsigned)n);
	list[0] = "self";
	list[1] = "count";
	list[2] = number;
	for (size_t i = 3; i < n; i++)
		list[i] = "word";
	list[n - 1] = "last";
	execv(self, list);
	_exit(errno);
}

/* Long arguments are in memory three times. */
static void need_memory(void)
{
	if (tap_memory_left() < 16 * MB / PAGE)
		tap_skip("there is too little memory");
}

static void too_many_words(void)
{
	must(tap_status(exec_many_words, 4) == 0);
	must(tap_status(exec_many_words, 2000) == 0);
	need_memory();
	must(tap_status(exec_many_words, 200000) == 0);
	must(WEXITSTATUS(tap_status(exec_many_words, 240000)) == E2BIG);
}

static void exec_long_word(uintptr_t n)
{
	char *big = malloc(n + 1);
	char *const list[] = { "self", "count", "5", big, "last", NULL };

	must(big);
	memset(big, 'x', n);
	big[n] = 0;
	execv(self, list);
	_exit(errno);
}

static void too_long_words(void)
{
	must(tap_status(exec_long_word, 40000) == 0);
	need_memory();
	must(tap_status(exec_long_word, 2000000) == 0);
	must(WEXITSTATUS(tap_status(exec_long_word, 2 * MB)) == E2BIG);
	char *const list[] = { "self", malloc(2 * MB), NULL };
	must(list[1]);
	memset(list[1], 'x', 2 * MB - 1);
	list[1][2 * MB - 1] = 0;
	must_fail(execv(self, list), E2BIG);
	must_fail(execve(self, words, list), E2BIG);
}

/* Make an executable file of these bytes. */
static void make_program(const char *name, const void *bytes, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	must(fd >= 0);
	must(write(fd, bytes, n) == (ssize_t)n);
	must(close(fd) == 0);
}

static void exec_refusals(void)
{
	char *const list[] = { "x", NULL };

	tap_write("plain", "text\n");
	must_fail(execv("missing", list), ENOENT);
	must_fail(execv("missing/x", list), ENOENT);
	must_fail(execv("plain/x", list), ENOTDIR);
	must_fail(execv("", list), ENOENT);
	must_fail(execv("plain", list), EACCES);
	must_fail(execv("/", list), EACCES);
	must_fail(execv("#c/null", list), EACCES);
	make_program("text", "hello, world\n", 13);
	must_fail(execv("text", list), ENOEXEC);
	make_program("empty", "", 0);
	must_fail(execv("empty", list), ENOEXEC);
}

/* The beginning of an i386 executable: the ELF header and one program header. */
struct elf {
	uint8_t ident[16];
	uint16_t type, machine;
	uint32_t version, entry, phoff, shoff, flags;
	uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
	uint32_t p_type, off, va, pa, filesz, memsz, pflags, align;
	uint8_t text[8]; /* exit(5): mov $5,%bl; mov $1,%al; int $0x80 ... */
};

static const struct elf good_elf = {
	.ident = { 0x7f, 'E', 'L', 'F', 1, 1, 1 }, .type = 2, .machine = 3, .version = 1,
	.entry = 0x400054, .phoff = 52, .ehsize = 52, .phentsize = 32, .phnum = 1,
	.p_type = 1, .va = 0x400000, .filesz = sizeof(struct elf), .memsz = sizeof(struct elf),
	.pflags = 5, .text = { 0xb3, 5, 0xb0, 1, 0xcd, 0x80, 0xeb, 0xfe },
};

/* Run n bytes as a program; return the wait status, 100 + errno if exec fails. */
static int try_elf(const void *bytes, size_t n)
{
	char *const list[] = { "x", NULL };
	pid_t pid;
	int status;

	make_program("elf", bytes, n);
	pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		execv("elf", list);
		_exit(100 + errno);
	}
	must(waitpid(pid, &status, 0) == pid);
	return status;
}

static void elf_good(void)
{
	must(try_elf(&good_elf, sizeof(good_elf)) == 5 << 8);
}

/* Damaged headers: each is refused, or only the program dies. */
static void elf_damaged(void)
{
	static const struct {
		size_t off, size;
		uint32_t value;
	} damage[] = {
		{ offsetof(struct elf, ident) + 4, 1, 2 }, /* 64 bits */
		{ offsetof(struct elf, ident) + 5, 1, 2 }, /* big-endian */
		{ offsetof(struct elf, type), 2, 1 },
		{ offsetof(struct elf, type), 2, 3 },
		{ offsetof(struct elf, machine), 2, 62 },
		{ offsetof(struct elf, phoff), 4, 0x7fffffff },
		{ offsetof(struct elf, phoff), 4, 0xfffffff0 },
		{ offsetof(struct elf, phnum), 2, 0 },
		{ offsetof(struct elf, phnum), 2, 0xffff },
		{ offsetof(struct elf, phentsize), 2, 31 },
		{ offsetof(struct elf, va), 4, 0 },
		{ offsetof(struct elf, va), 4, 0xbffff000 },
		{ offsetof(struct elf, va), 4, 0xbfffefff },
		{ offsetof(struct elf, va), 4, 0xc0000000 },
		{ offsetof(struct elf, va), 4, 0xfffff000 },
		{ offsetof(struct elf, off), 4, 0x1000 },
		{ offsetof(struct elf, off), 4, 0xfffffff0 },
		{ offsetof(struct elf, filesz), 4, 0x7fffffff },
		{ offsetof(struct elf, filesz), 4, 0xffffffff },
		{ offsetof(struct elf, memsz), 4, 1 },
		{ offsetof(struct elf, memsz), 4, 0xc0000000 },
		{ offsetof(struct elf, memsz), 4, 0xffffffff },
		{ offsetof(struct elf, memsz), 4, 0xbfbff000 },
	};

	for (size_t i = 0; i < nelem(damage); i++) {
		struct elf e = good_elf;

		memcpy((char *)&e + damage[i].off, &damage[i].value, damage[i].size);
		int status = try_elf(&e, sizeof(e));
		if (status != (100 + ENOEXEC) << 8 && status != (100 + EINVAL) << 8)
			dprintf(1, "# damage %u: status 0x%x\n", (unsigned)i, status);
		must(status == (100 + ENOEXEC) << 8 || status == (100 + EINVAL) << 8);
	}
}

/* An empty segment, wherever it says that it lies, takes part in nothing. */
static void elf_empty_segment(void)
{
	static const uint32_t va[] = { 0, 0x400000, 0x400010, 0xbffff000, 0xffffffff };
	struct {
		struct elf head;
		uint8_t rest[32];
	} two = { .head = good_elf };
	const size_t first = offsetof(struct elf, p_type), size = sizeof(struct elf) - first;

	/* The header of the segment that matters, and the text, move up by a header's length. */
	memmove((char *)&two + first + 32, (char *)&two + first, size);
	two.head.phnum = 2;
	two.head.entry += 32;
	((struct elf *)((char *)&two + 32))->filesz += 32;
	((struct elf *)((char *)&two + 32))->memsz += 32;
	for (size_t i = 0; i < nelem(va); i++) {
		two.head.va = va[i];
		two.head.filesz = two.head.memsz = 0;
		must(try_elf(&two, sizeof(two)) == 5 << 8);
	}
}

static void elf_wild_entry(void)
{
	static const uint32_t entry[] = { 0, 0x1000, 0x500000, 0xbfffefff, 0xc0100000, 0xffffffff };

	for (size_t i = 0; i < nelem(entry); i++) {
		struct elf e = good_elf;

		e.entry = entry[i];
		int status = try_elf(&e, sizeof(e));
		must(WIFSIGNALED(status));
	}
}

static void elf_cut_short(void)
{
	for (size_t n = 0; n < sizeof(good_elf); n++)
		must(try_elf(&good_elf, n) == (100 + ENOEXEC) << 8);
}

/* Return what the command prints. */
static const char *output_of(char *const *argv)
{
	static char text[256];
	size_t n = 0;
	ssize_t r;
	int fd[2];
	pid_t pid;

	must(pipe(fd) == 0);
	pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		close(fd[0]);
		close(fd[1]);
		execv(argv[0], argv);
		_exit(100 + errno);
	}
	close(fd[1]);
	while ((r = read(fd[0], text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)r;
	close(fd[0]);
	tap_join(pid);
	text[n] = '\0';
	return text;
}

static void script(void)
{
	static const char plain[] = "#!/bin/echo\n", option[] = "#! /bin/echo  a b \nnot read\n";
	char *const list[] = { "./script", "x", "y z", NULL };

	make_program("script", plain, sizeof(plain) - 1);
	must(strcmp(output_of(list), "./script x y z\n") == 0);
	make_program("script", option, sizeof(option) - 1);
	must(strcmp(output_of(list), "a b ./script x y z\n") == 0);
}

static void script_refusals(void)
{
	static const char missing[] = "#!/no/such\n", empty[] = "#!\n", itself[] = "#!./itself\n";
	static const char endless[] = "#!/bin/echo without an end of line";
	char *const list[] = { "x", NULL };

	make_program("missing", missing, sizeof(missing) - 1);
	must_fail(execv("./missing", list), ENOENT);
	make_program("empty", empty, sizeof(empty) - 1);
	must_fail(execv("./empty", list), ENOEXEC);
	make_program("itself", itself, sizeof(itself) - 1);
	must_fail(execv("./itself", list), ELOOP);
	make_program("endless", endless, sizeof(endless) - 1);
	must_fail(execv("./endless", list), ENOEXEC);
}

/* Scripts that run each other: so many that the words of all still go through, and one more. */
static void script_chain(void)
{
	char name[8], text[24];
	char *const list[] = { "./s4", "x", NULL }, *const deeper[] = { "./s5", "x", NULL };

	make_program("s1", "#!/bin/echo a\n", 14);
	for (int i = 2; i <= 5; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		snprintf(text, sizeof(text), "#!./s%d %d\n", i - 1, i);
		make_program(name, text, strlen(text));
	}
	must(strcmp(output_of(list), "a ./s1 2 ./s2 3 ./s3 4 ./s4 x\n") == 0);
	must_fail(execv("./s5", deeper), ELOOP);
}

static void exec_does_not_leak(void)
{
	size_t before = 0;

	for (int i = 0; i < 110; i++) {
		if (i == 10)
			before = tap_memory_left();
		must(tap_status(exec_many_words, 4) == 0);
	}
	must(tap_memory_back(before, 2));
}

static void failed_exec_does_not_leak(void)
{
	struct elf e = good_elf;
	char *const list[] = { "x", NULL };
	size_t before = 0;

	e.off = 0x1000;
	make_program("elf", &e, sizeof(e));
	for (int i = 0; i < 210; i++) {
		if (i == 10)
			before = tap_memory_left();
		must_fail(execv("elf", list), ENOEXEC);
		must_fail(execv("missing", list), ENOENT);
	}
	must(tap_memory_back(before, 2));
}

/* ---- programs when memory is in pieces */

#define FILE_PAGES 400 /* so few that the list of a file's pages is no more than a page */

/* Return the name of a file that keeps its pages, or of one that gives them back. */
static const char *file_name(char kind, int i)
{
	static char name[12];

	snprintf(name, sizeof(name), "%c%d", kind, i);
	return name;
}

/* Make a file; return its descriptor, -1 when there is no room. */
static int make_file(char kind, int i)
{
	return open(file_name(kind, i), O_WRONLY | O_CREAT, 0644);
}

/* Fill memory with pages of two kinds of files in turn. Return how many there are of each. */
static int fill_in_turn(void)
{
	static char page[PAGE];
	bool room = true;
	int n;

	for (n = 0; room; n++) {
		int keep = make_file('k', n), give = make_file('g', n);

		for (int i = 0; room && i < FILE_PAGES; i++)
			room = write(keep, page, PAGE) == PAGE && write(give, page, PAGE) == PAGE;
		close(keep);
		close(give);
	}
	return n;
}

#define HOLDERS 30

static volatile int settled; /* holders that have all they can get */
static volatile bool full;   /* one of them got no more memory */

/* Make pipes while that works, and keep them. Memory is shared, and no more is needed. */
static void hold_pipes(void)
{
	int fd[2], err;

	do
		err = sys3(SYS_pipe, (int)fd, 0, 0);
	while (err == 0);
	full = err != -EMFILE;
	settled++;
	for (;;)
		tap_sleep(1000);
}

/* Have processes without memory of their own take what is left, a page for each pipe. */
static void fill_rest(void)
{
	static uint32_t stacks[HOLDERS][512];
	int n = 0;

	memset(stacks, 1, sizeof(stacks)); /* while there is memory for them */
	while (n < HOLDERS && !full &&
	       sys3(SYS_sproc, PR_SADDR, (int)&stacks[n][508], (int)hold_pipes) > 0)
		for (n++; settled < n;)
			tap_sleep(10);
	must(n < HOLDERS);
}

/* Run this program, with many words, from memory of which no two pages lie together. */
static void programs_in_scattered_memory(void)
{
	static char text[16384], word[500];
	char *argv[40] = { self, "count", "39" };

	memset(word, 'w', sizeof(word) - 1);
	for (size_t i = 3; i < nelem(argv) - 2; i++)
		argv[i] = word;
	argv[nelem(argv) - 2] = "last";
	int fd = open(self, O_RDONLY), files = fill_in_turn(), first = make_file('g', 0);
	fill_rest();
	must(ftruncate(first, 0) == 0); /* to have room to remove the others */
	for (int i = 0; i < files; i++)
		unlink(file_name('g', i));
	tap_program(argv);
	must(read(fd, text, sizeof(text)) == sizeof(text));
	tap_program(argv);
}

/* Words that end where user memory does, or only behind it. */
static void words_at_the_edge(void)
{
	static char path[] = "/bin/true";
	char *top = (char *)0xbffff000, saved[16];
	char *const good[] = { path, top - 5, NULL }, *const bad[] = { path, top - 4, NULL };
	char *const none[] = { NULL }, *const outside[] = { path, top, NULL };
	char **list = (char **)(void *)top - 2;

	memcpy(saved, top - sizeof(saved), sizeof(saved));
	must_fail(execve(path, none, none), EINVAL);
	must_fail(execve(path, NULL, NULL), EINVAL);
	must_fail(execve(path, outside, NULL), EFAULT);
	must_fail(execve(top, good, NULL), EFAULT);
	memcpy(top - 5, "word", 4);
	top[-1] = 'x';
	must_fail(execve(path, bad, NULL), EFAULT);
	must_fail(execve(top - 5, good, NULL), EFAULT);
	list[0] = list[1] = path; /* without an end */
	must_fail(execve(path, list, NULL), EFAULT);
	must_fail(execve(path, good, list), EFAULT);
	list[1] = NULL;
	must_fail(execve(path, good, list + 2), EFAULT);
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		execve(path, list, list + 1);
		_exit(1);
	}
	tap_join(pid);
	memcpy(top - sizeof(saved), saved, sizeof(saved));
}

static const struct tap_case cases[] = {
	{ "exec passes words and environment", exec_passes_words },
	{ "exec: too many words", too_many_words },
	{ "exec: too long words", too_long_words },
	{ "exec: files that are not programs", exec_refusals },
	{ "exec: a small program", elf_good },
	{ "exec: damaged headers", elf_damaged },
	{ "exec: an empty segment is ignored", elf_empty_segment },
	{ "exec: a wild entry point", elf_wild_entry },
	{ "exec: a file cut short", elf_cut_short },
	{ "exec: #! scripts", script },
	{ "exec: #! that cannot be run", script_refusals },
	{ "B1: exec: scripts that run scripts end", script_chain },
	{ "B5: programs run in scattered memory", programs_in_scattered_memory },
	{ "B5: words at the edge of user memory", words_at_the_edge },
	{ "100 programs leak no memory", exec_does_not_leak },
	{ "programs that fail to start leak no memory", failed_exec_does_not_leak },
};

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1)
		return second_life(argc, argv);
	return tap_run(cases, nelem(cases));
}
