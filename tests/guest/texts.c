/*
 * Programs that share their text with their files: such as were written, and those of the initial
 * file system, which lie in its archive so that they can.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kernel/abi/elf.h"
#include "kernel/abi/syscall.h"
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

#define PAGE 4096u
#define BASE 0x08048000u
#define LARGE (1u << 22) /* bytes of text */
#define STATUS 42

/* read(0, stack, 1); setuid(100); exit(the byte at the address that is put in at LAST) */
static const uint8_t code[] = {
	0xb8, SYS_read, 0, 0, 0, 0x31, 0xdb, 0x8d, 0x4c, 0x24, 0xf0, 0xba, 1, 0, 0, 0, 0xcd, 0x80,
	0xb8, SYS_setuid, 0, 0, 0, 0xbb, 100, 0, 0, 0, 0xcd, 0x80,
	0x0f, 0xb6, 0x1d, 0, 0, 0, 0, 0xb8, SYS_exit, 0, 0, 0, 0xcd, 0x80,
};
#define LAST 33 /* in the code */

/* A file's first page. */
struct first {
	struct elf32_head head;
	struct elf32_segment segment[2];
	uint8_t code[sizeof(code)];
	uint8_t rest[PAGE - sizeof(struct elf32_head) - 2 * sizeof(struct elf32_segment) -
		     sizeof(code)];
};

/* Fill the first page of a program whose text, of size bytes, is its whole file, put at a base. */
static void fill(struct first *page, uint32_t base, uint32_t size)
{
	const uint32_t last = base + size - 1;

	*page = (struct first){
		.head = {
			.ident = {.magic = ELF_MAGIC, .class = ELFCLASS32,
				  .data = ELFDATA2LSB, .version = 1},
			.type = ET_EXEC, .machine = EM_386, .version = 1,
			.entry = base + offsetof(struct first, code),
			.phoff = offsetof(struct first, segment), .ehsize = sizeof(page->head),
			.phentsize = sizeof(page->segment[0]), .phnum = 1,
		},
		.segment[0] = {.type = PT_LOAD, .vaddr = base, .filesz = size, .memsz = size,
			       .flags = PF_R | PF_X, .align = PAGE},
	};
	memcpy(page->code, code, sizeof(code));
	memcpy(page->code + LAST, &last, sizeof(last));
}

/* Write a page of a file. */
static void put(int fd, uint32_t at, const void *page)
{
	must(lseek(fd, at, SEEK_SET) == (off_t)at);
	must(write(fd, page, PAGE) == (ssize_t)PAGE);
}

/*
 * Make an executable file of size bytes, put at a base, whose text ends with STATUS; its process
 * ends so, too. Between its first page and its last it may be a hole.
 */
static void make(const char *path, uint32_t base, uint32_t size, bool hole)
{
	static struct first first;
	static uint8_t page[PAGE];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	must(fd >= 0);
	fill(&first, base, size);
	put(fd, 0, &first);
	memset(page, 0x90, PAGE);
	for (uint32_t at = PAGE; !hole && at < size; at += PAGE)
		put(fd, at, page);
	page[PAGE - 1] = STATUS;
	put(fd, size - PAGE, page);
	close(fd);
}

/* A program that runs, and waits for what it reads; then it touches its last page. */
struct run {
	pid_t pid;
	int go;
};

static struct run run(const char *path)
{
	char *const argv[] = {"program", NULL};
	struct run r;
	int p[2], began[2];
	char c;

	must(pipe(p) == 0 && pipe(began) == 0);
	must(fcntl(began[1], F_SETFD, FD_CLOEXEC) == 0);
	must(fcntl(p[1], F_SETFD, FD_CLOEXEC) == 0); /* no other run keeps it open */
	r.pid = fork();
	must(r.pid >= 0);
	if (r.pid == 0) {
		dup2(p[0], 0);
		dup2(open("/dev/null", O_WRONLY), 1);
		close(p[1]);
		execv(path, argv);
		must(!"execv returned");
	}
	close(p[0]);
	close(began[1]);
	must(read(began[0], &c, 1) == 0); /* it was closed as the program began */
	close(began[0]);
	r.go = p[1];
	return r;
}

/* Have it go on, and return the byte that it ended with. */
static int ended(struct run r)
{
	int status;

	must(write(r.go, "", 1) == 1);
	close(r.go);
	must(waitpid(r.pid, &status, 0) == r.pid && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void many_at_once(void)
{
	struct run r[16];
	size_t before = tap_memory_left();

	for (size_t i = 0; i < nelem(r); i++)
		r[i] = run("program");
	must(before - tap_memory_left() < nelem(r) * 40);
	for (size_t i = 0; i < nelem(r); i++)
		must(ended(r[i]) == STATUS);
}

static void takes_no_memory(void)
{
	size_t before;

	make("program", BASE, LARGE, false);
	many_at_once(); /* the kernel keeps stacks */
	before = tap_memory_left();
	many_at_once();
	must(tap_memory_back(before, 0));
}

static void stays_as_it_is(void)
{
	struct run r;
	int fd;

	make("program", BASE, LARGE, false);
	fd = open("program", O_RDWR);
	must(fd >= 0);
	r = run("program");
	must_fail(write(fd, "", 1), ETXTBSY);
	must_fail(ftruncate(fd, PAGE), ETXTBSY);
	must_fail(open("program", O_WRONLY | O_TRUNC), ETXTBSY);
	must(ended(r) == STATUS);
	must(write(fd, "", 1) == 1 && ftruncate(fd, PAGE) == 0);
	close(fd);
}

static void outlives_its_name(void)
{
	size_t before = tap_memory_left();
	struct run r, moved;

	make("program", BASE, LARGE, false);
	make("other", BASE, 2 * PAGE, false);
	r = run("program");
	moved = run("other");
	must(unlink("program") == 0);
	make("program", BASE, 3 * PAGE, true);
	must(rename("program", "other") == 0);
	must(ended(r) == STATUS && ended(moved) == STATUS);
	must(ended(run("other")) == STATUS);
	must(unlink("other") == 0);
	must(tap_memory_back(before, 4));
}

/* What cannot be shared is copied: a file with a hole, and what lies elsewhere in its pages. */
static void is_copied_else(void)
{
	make("program", BASE, 4 * PAGE, true);
	int fd = open("program", O_RDWR);
	struct run r = run("program");
	must(ftruncate(fd, PAGE) == 0);
	close(fd);
	must(ended(r) == STATUS);
	make("program", BASE + 16, LARGE, false);
	size_t before = tap_memory_left();
	r = run("program");
	must(before - tap_memory_left() > LARGE / PAGE);
	must(ended(r) == STATUS);
}

static void failure_lets_it_go(void)
{
	static struct first first;
	char *const argv[] = {"program", NULL};
	int fd = open("program", O_RDWR | O_CREAT, 0755);

	fill(&first, BASE, PAGE);
	first.head.phnum = 2;
	first.segment[1] = first.segment[0]; /* where the first is */
	put(fd, 0, &first);
	close(fd);
	must_fail(execv("program", argv), ENOEXEC);
	fd = open("program", O_RDWR);
	must(fd >= 0 && write(fd, "", 1) == 1);
	close(fd);
}

/* Return how many pages eight processes take of a program that waits for its input. */
static size_t taken_by_eight(const char *path)
{
	struct run r[8];
	size_t before = tap_memory_left(), taken;

	for (size_t i = 0; i < nelem(r); i++)
		r[i] = run(path);
	taken = before - tap_memory_left();
	for (size_t i = 0; i < nelem(r); i++) {
		tap_finish(r[i].pid);
		close(r[i].go);
	}
	return taken;
}

/* The shell's text has some ten pages; in a file of its own it does not lie as in memory. */
static void those_in_the_archive_share(void)
{
	char *const copy[] = {"/bin/cp", "/bin/sh", "shell", NULL};
	int fd = open("/bin/sh", O_RDWR), less = 0;

	must(fd >= 0);
	must_fail(write(fd, "", 1), ETXTBSY); /* init is one */
	must_fail(ftruncate(fd, 0), ETXTBSY);
	close(fd);
	tap_program(copy);
	taken_by_eight("shell"); /* the kernel keeps stacks */
	/* Other processors may not have come as far yet, with those that end and with these. */
	for (int i = 0; i < 20 && less < 8 * 8; i++)
		less = (int)taken_by_eight("shell") - (int)taken_by_eight("/bin/sh");
	must(less >= 8 * 8);
}

static void is_read_only(void)
{
	static struct first first;
	const uint32_t last = BASE + PAGE;
	uint8_t page[PAGE];
	int fd, status;

	make("program", BASE, 2 * PAGE, false);
	fd = open("program", O_RDWR);
	fill(&first, BASE, 2 * PAGE);
	first.code[LAST - 3] = 0x90;
	first.code[LAST - 2] = 0xc6; /* movb, to the last page */
	first.code[LAST - 1] = 0x05;
	memcpy(first.code + LAST, &last, sizeof(last));
	put(fd, 0, &first);
	close(fd);
	struct run r = run("program");
	must(write(r.go, "", 1) == 1);
	close(r.go);
	must(waitpid(r.pid, &status, 0) == r.pid && status == SIGSEGV);
	fd = open("program", O_RDONLY);
	must(lseek(fd, PAGE, SEEK_SET) == PAGE && read(fd, page, PAGE) == (ssize_t)PAGE);
	must(page[0] == 0x90);
	close(fd);
}

static const struct tap_case cases[] = {
	{"B3: the text of programs is their file's memory", takes_no_memory},
	{"B3: a file stays as it is while it runs", stays_as_it_is},
	{"B3: a program outlives the name of its file", outlives_its_name},
	{"B3: what cannot be shared is copied", is_copied_else},
	{"B3: programs in the archive share their text with it", those_in_the_archive_share},
	{"B8: a file whose execution fails can be changed", failure_lets_it_go},
	{"B3: nobody writes a file by way of a text", is_read_only},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
