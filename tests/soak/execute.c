/* Damaged executables: ELF files with wrong fields, and scripts whose interpreters are scripts. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel/abi/elf.h"
#include "tests/soak/soak.h"

#define NAME MARK "program"
#define LIMIT 5000000 /* ns that one may run */
#define CHAIN 12

static uint8_t image[65536];

/* Put a number into a field of some bytes: an odd one, or one near what is there. */
static void change(uint8_t *field, size_t n)
{
	uint32_t v = 0;

	memcpy(&v, field, n);
	v = chance(2) ? odd() : v + pick(5) - 2 + (chance(4) ? 0x1000u << pick(20) : 0);
	memcpy(field, &v, n);
}

/* Damage some fields of the head, and of the segments that it has. */
static size_t damage_elf(size_t n)
{
	static const uint8_t head[][2] = {
		{0, 4},	 {4, 1},  {5, 1},  {6, 1},  {16, 2}, {18, 2}, {20, 4}, {24, 4}, {28, 4},
		{32, 4}, {36, 4}, {40, 2}, {42, 2}, {44, 2}, {46, 2}, {48, 2}, {50, 2},
	};
	struct elf32_head h;

	memcpy(&h, image, sizeof(h));
	for (uint32_t i = pick(4); i < 4; i++) {
		if (chance(3)) {
			const uint8_t *f = head[pick(nelem(head))];

			change(image + f[0], f[1]);
		} else {
			uint32_t segment = pick(h.phnum ? h.phnum : 1), field = pick(8);

			change(image + h.phoff + segment * sizeof(struct elf32_segment) + 4 * field,
			       4);
		}
	}
	return chance(6) ? pick((uint32_t)n) : n;
}

static void put(const char *name, const void *data, size_t n)
{
	int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0755);

	if (fd < 0)
		return;
	write(fd, data, n);
	close(fd);
}

/* Write scripts, each of which is interpreted by the next, and the last by what may be none. */
static void put_scripts(uint32_t n)
{
	static const char *const ends[] = {
		"/bin/true", "/bin/sh",	       NAME "0",       "/", "/dev/null", "", "nothing",
		"#c/null",   "/bin/true -a b", "/proc/1/text",
	};
	char line[600], name[16];

	for (uint32_t i = 0; i < n; i++) {
		size_t len;

		snprintf(name, sizeof(name), NAME "%u", (unsigned)i);
		if (i + 1 < n)
			snprintf(line, 300, "#!%s" NAME "%u%s\n", chance(6) ? " \t" : "",
				 (unsigned)i + 1, chance(3) ? " word" : "");
		else
			snprintf(line, 300, "#!%s\n", ends[pick(nelem(ends))]);
		len = strlen(line);
		if (chance(4))
			len = damage(line, len, sizeof(line));
		put(name, line, len);
	}
}

bool soak_execute(const uint8_t *good, size_t n)
{
	const char *name = NAME "0";
	uint32_t scripts = chance(4) ? 1 + pick(CHAIN) : 0;
	int ended;
	pid_t pid;

	if (n > sizeof(image))
		n = sizeof(image);
	if (scripts) {
		put_scripts(scripts);
	} else {
		memcpy(image, good, n);
		put(name, image, damage_elf(n));
	}
	pid = fork();
	if (pid == 0) {
		close(1);
		close(2);
		execl(name, name, "word", NULL);
		_exit(1);
	}
	ended = pid < 0 ? 0 : soak_wait(pid, LIMIT);
	for (uint32_t i = 0; i < (scripts ? scripts : 1); i++) {
		char other[16];

		snprintf(other, sizeof(other), NAME "%u", (unsigned)i);
		remove(other);
	}
	return ended == 0;
}
