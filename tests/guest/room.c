/*
 * Which file is a module of prof(3), and what happens when modules are more than there is room
 * for: C13, and what a user must not be able to do to the owner's profiles.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

#define LEFT MODULES "left"
#define MB (1u << 20)
#define PATHS 30

/* The beginning of an executable, whose program does nothing and whose text is mostly zeros. */
struct program {
	uint8_t ident[16];
	uint16_t type, machine;
	uint32_t version, entry, phoff, shoff, flags;
	uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
	uint32_t p_type, off, va, pa, filesz, memsz, pflags, align;
	uint8_t text[8];
	uint8_t build;
};

/* Make a program with so many bytes of text. It exits at once, or, if it stays, never does. */
static void make(const char *name, uint32_t text, bool stays, uint8_t build)
{
	struct program p = {
		.ident = {0x7f, 'E', 'L', 'F', 1, 1, 1}, .type = 2, .machine = 3, .version = 1,
		.entry = TEXT + offsetof(struct program, text), .phoff = 52, .ehsize = 52,
		.phentsize = 32, .phnum = 1, .p_type = 1, .va = TEXT, .filesz = text,
		.memsz = text, .pflags = 5,
		/* exit(0): xor %ebx,%ebx; mov $1,%al; int $0x80 */
		.text = {0x31, 0xdb, 0xb0, 1, 0xcd, 0x80, 0xeb, 0xfe}, .build = build,
	};
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	if (stays)
		memcpy(p.text, (uint8_t[]){0xeb, 0xfe}, 2); /* jmp to itself */
	must(fd >= 0 && write(fd, &p, sizeof(p)) == (ssize_t)sizeof(p));
	must(ftruncate(fd, text) == 0 && close(fd) == 0);
}

static void run(const char *path)
{
	tap_program((char *[]){(char *)path, NULL});
}

/* Return how many programs the device has left out. */
static int left(void)
{
	return tap_exists(LEFT) ? atoi(tap_read(LEFT)) : 0;
}

static void C13_one_file_is_one_module(void)
{
	char path[32];

	make("prog", sizeof(struct program), false, 1);
	must(ctl("end") == 0 && ctl("module prog") == 0 && ctl("start") == 0);
	for (int i = 0; i < PATHS; i++) {
		snprintf(path, sizeof(path), "n%d", i);
		must(mkdir(path, 0755) == 0 && bind(".", path, MREPL) == 0);
		strlcat(path, "/prog", sizeof(path));
		run(path);
	}
	must(modules() == 1 && left() == 0);
	must(ctl("end") == 0);
}

/* Any name that a file may have; and one of two that are alike in what a process's name has. */
static void C13_any_name_selects(void)
{
	static const struct {
		const char *file, *word;
	} name[] = {
		{"a name with 'quotes'", "'a name with ''quotes'''"},
		{"two\nlines", "'two\nlines'"},
		{"0123456789abcdef0123456789abcdef-a", "0123456789abcdef0123456789abcdef-a"},
	};
	char path[64], word[64];

	make("0123456789abcdef0123456789abcdef-b", sizeof(struct program), false, 1);
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		make(name[i].file, sizeof(struct program), false, 1);
		snprintf(path, sizeof(path), "./%s", name[i].file);
		snprintf(word, sizeof(word), "module %s\n", name[i].word);
		must(ctl("end") == 0 && ctl(word) == 0 && ctl("start") == 0);
		run(path);
		run("./0123456789abcdef0123456789abcdef-b");
		must(modules() == 1);
		must(strcmp(tap_read(modules_file(NULL, "name")), name[i].file) == 0);
	}
	must(ctl("end") == 0);
}

static void C13_two_builds_at_one_path_are_two(void)
{
	must(ctl("end") == 0 && ctl("module prog") == 0 && ctl("start") == 0);
	make("prog", sizeof(struct program), false, 1);
	run("prog");
	run("prog");
	must(modules() == 1);
	tap_sleep(1100); /* files have the second of their last change */
	make("prog", sizeof(struct program), false, 2);
	run("prog");
	must(modules() == 2);
	must(ctl("end") == 0);
}

/* A user's program of much text does not keep the owner from profiling. */
static void C13_much_text_is_left_out(void)
{
	static const char *const start[] = {"start", "startcp", "startmp"};
	char status[32];

	make("huge", 4 * MB, true, 1);
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		execv("huge", (char *[]){"huge", NULL});
		_exit(1);
	}
	snprintf(status, sizeof(status), "/proc/%d/status", pid);
	while (strncmp(tap_read(status), "huge ", 5) != 0)
		tap_sleep(1); /* until exec has read it all */
	for (size_t i = 0; i < nelem(start); i++) {
		must(ctl("end") == 0 && left() == 0);
		must(ctl("module huge room") == 0 && ctl(start[i]) == 0);
		must(modules() == 1 && modules_file("/tests/room", "hist") != NULL);
		must(strcmp(tap_read(LEFT), "1 huge\n") == 0);
		must(ctl("stop") == 0);
		must(left() == 1);
	}
	must(ctl("end") == 0);
	must(!tap_exists(LEFT));
	tap_finish(pid);
}

/* Many files have a module each, until the room is used up. Then all of it comes back. */
static void C13_modules_have_a_bound(void)
{
	char name[16];
	int n, kept;

	must(ctl("end") == 0);
	run("/bin/true");
	size_t before = tap_memory_left();
	must(ctl("interval 1000000") == 0);
	for (n = 0; n < 60; n++) {
		snprintf(name, sizeof(name), "m%d", n);
		make(name, 128 << 10, false, 1);
	}
	size_t with_files = tap_memory_left();
	must(ctl("module m0 m1 m2 m3 m4 m5 m6 m7 m8 m9") == 0);
	for (n = 10; n < 60; n++) {
		snprintf(name, sizeof(name), "module m%d", n);
		must(ctl(name) == 0);
	}
	must(ctl("start") == 0);
	for (n = 0; n < 60; n++) {
		snprintf(name, sizeof(name), "m%d", n);
		run(name);
	}
	kept = modules();
	must(kept > 0 && left() > 0 && kept + left() == 60);
	must(strcmp(strchr(tap_read(LEFT), ' '), " m59\n") == 0);
	must(tap_memory_left() >= with_files - before / 3);
	must(ctl("end") == 0);
	must(tap_memory_back(with_files, 64));
}

static void run_many(void)
{
	char name[16];

	for (int n = 0; n < 80; n++) {
		snprintf(name, sizeof(name), "m%d", n);
		run(name);
	}
}

/* B16: Another program of the owner's is seen, whatever users have run. */
static void B16_users_leave_room(void)
{
	static const uint32_t kb[] = {128, 128, 16, 4}; /* until nothing is left */
	char name[16];

	for (int n = 0; n < 80; n++) {
		snprintf(name, sizeof(name), "m%d", n);
		make(name, kb[n / 20] << 10, false, 1);
	}
	must(chmod(".", 0755) == 0 && ctl("end") == 0 && ctl("start") == 0);
	tap_as_none(run_many);
	must(left() > 0);
	run("/bin/sort");
	must(modules_file("/bin/sort", "hist") != NULL);
	must(ctl("end") == 0);
}

/* Report so many blocks of this program as the C library does. */
static void tell_blocks(uint32_t n)
{
	for (uint32_t i = 1; i <= n; i++)
		sys5(SYS_memprof, 0, (int)(16 * i), 1, (int)(uintptr_t)tell_blocks + 1, 0);
}

/* Return of how many blocks of a module nothing is known. */
static uint32_t lost_blocks(const char *module)
{
	const char *at = strstr(tap_read(modules_file(module, "memory")), "lost ");

	must(at != NULL);
	return (uint32_t)strtoul(at + 5, NULL, 10);
}

/* B16: A user runs the program that the owner ran first; for her blocks there is room. */
static void B16_users_leave_room_for_blocks(void)
{
	uint32_t lost;
	int told[2];
	char byte = 0;

	must(ctl("end") == 0 && ctl("module room") == 0 && ctl("startmp") == 0);
	must(pipe(told) == 0);
	pid_t user = fork();
	if (user == 0) {
		must(setuid(UID_NONE) == 0);
		tell_blocks(100000);
		must(write(told[1], &byte, 1) == 1);
		for (;;)
			pause();
	}
	must(read(told[0], &byte, 1) == 1);
	lost = lost_blocks("/tests/room");
	must(lost > 0);
	tell_blocks(100);
	must(lost_blocks("/tests/room") == lost);
	tap_finish(user);
	close(told[0]);
	close(told[1]);
	must(ctl("end") == 0);
}

/* Make files, which the kernel has blocks for; the last number that could be had. */
static int make_files(const char *name, int n)
{
	char path[16];
	int i;

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s%d", name, i);
		close(open(path, O_CREAT | O_WRONLY, 0600));
		if (!tap_exists(path))
			break;
	}
	return i;
}

static void make_others_files(void)
{
	must(make_files("u", 30000) > 0);
}

/* B16: Blocks that the kernel has for users leave room for those that it has for the owner. */
static void B16_users_leave_room_in_the_heap(void)
{
	uint32_t lost;

	must(chmod(".", 0777) == 0);
	must(ctl("end") == 0 && ctl("module kernel") == 0 && ctl("startmp") == 0);
	tap_as_none(make_others_files);
	lost = lost_blocks("/boot/gnomon");
	must(lost > 0);
	must(make_files("o", 100) == 100);
	must(lost_blocks("/boot/gnomon") == lost);
	must(ctl("end") == 0 && chmod(".", 0755) == 0);
}

static void none_cannot_see(void)
{
	must_fail(open(LEFT, O_RDONLY), EACCES);
}

static void C13_left_is_the_owners(void)
{
	must(ctl("end") == 0 && ctl("module huge") == 0 && ctl("start") == 0);
	make("huge", 4 * MB, false, 1);
	run("huge");
	must(left() == 1);
	tap_as_none(none_cannot_see);
	must_fail(open(LEFT, O_WRONLY), EACCES);
	must(ctl("start") != 0 && ctl("stop") == 0 && left() == 1);
	must(ctl("start") == 0 && left() == 0); /* of this start */
	must(ctl("end") == 0);
}

static const struct tap_case cases[] = {
	{"C13 one file by many paths is one module", C13_one_file_is_one_module},
	{"C13 a module is selected by any name", C13_any_name_selects},
	{"C13 two builds at one path are two modules", C13_two_builds_at_one_path_are_two},
	{"C13 much text is left out", C13_much_text_is_left_out},
	{"C13 modules have a bound", C13_modules_have_a_bound},
	{"B16 users leave room for the owner's programs", B16_users_leave_room},
	{"B16 users leave room for the owner's blocks", B16_users_leave_room_for_blocks},
	{"B16 users leave room in the kernel's heap", B16_users_leave_room_in_the_heap},
	{"C13 what was left out is for the owner to see", C13_left_is_the_owners},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
