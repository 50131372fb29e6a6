/* What is random: numbers, damaged text, paths. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/soak/soak.h"

uint32_t soak_seed;
bool soak_owner, soak_child;
pid_t soak_main;

uint32_t pick(uint32_t n)
{
	soak_seed = soak_seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(soak_seed >> 8) * n >> 24); /* the low bits repeat soon */
}

bool chance(uint32_t n)
{
	return pick(n) == 0;
}

uint32_t odd(void)
{
	static const uint32_t numbers[] = {
		0,	    1,		2,	    3,		7,	    31,		32,
		62,	    64,		255,	    256,	4095,	    4096,	4097,
		65535,	    65536,	0x100000,   0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
		0xfffff000, 0xc0000000, 0xbfffffff, 0xc0100000, 0xf8000000, 0xbfffeffc, 0xbffff000,
		0xbfffefff, 0x400000,	0x3fffff,   0x1000,
	};

	return chance(4) ? pick(1u << pick(24)) : numbers[pick(nelem(numbers))];
}

size_t damage(char *text, size_t n, size_t room)
{
	for (uint32_t i = pick(4); i > 0 && n > 0; i--) {
		size_t at = pick((uint32_t)n), len = pick((uint32_t)(n - at)) + 1;

		switch (pick(5)) {
		case 0:
			text[at] = (char)pick(256);
			break;
		case 1:
			text[at] = " \n0-/#\0 9"[pick(9)];
			break;
		case 2: /* drop */
			memmove(text + at, text + at + len, n - at - len);
			n -= len;
			break;
		case 3: /* repeat */
			if (n + len > room)
				break;
			memmove(text + at + len, text + at, n - at);
			n += len;
			break;
		default:
			n = at;
		}
	}
	return n;
}

/* Return where a path begins that may be changed: in the worker's own directory. */
static const char *ours(void)
{
	static const char *const paths[] = {
		MARK "d0",
		MARK "d1",
		MARK "d2",
		MARK "d0/" MARK "d1",
		MARK "f0",
		MARK "f1",
		MARK "d0/" MARK "f0",
		MARK "d1/../" MARK "f1",
		MARK "d0/" MARK "d1/" MARK "f2",
		MARK "d2/./" MARK "f0",
		MARK "d1/" MARK "d1/" MARK "d1/" MARK "d1",
		MARK "d0/../" MARK "d0/../" MARK "d0/" MARK "f1",
		MARK "f0/",
		MARK "f0/" MARK "f1",
		MARK "d2/" MARK
		     "a-name-that-is-nearly-as-long-as-a-name-of-a-file-may-be-in-this-system",
	};

	return paths[pick(nelem(paths))];
}

/*
 * Return a path that is only looked at, mounted and executed. /rc/init is none of them: executed
 * once more, it runs what the host has sent, which is this very test, and turns the machine off.
 */
static const char *anything(void)
{
	static const char *const paths[] = {
		".",
		"..",
		"/",
		"",
		"#c",
		"#c/null",
		"#c/zero",
		"#p",
		"#P",
		"#T",
		"#T/kpctl",
		"#T/kpdata",
		"#G",
		"#F",
		"#t",
		"#A",
		"#|",
		"#/",
		"#/tmp",
		"#/bin/true",
		"#x",
		"#",
		"#cc",
		"#/nothing",
		"/bin",
		"/bin/true",
		"/bin/sh",
		"/dev",
		"/dev/null",
		"/dev/kpstack",
		"/dev/sysstat",
		"/proc",
		"/proc/1/status",
		"/proc/1/text",
		"/prof",
		"/prof/ctl",
		"/tmp",
		"/src",
		"/sysctl/kern/profiling/tos",
		"/dev/../proc/../bin/./true",
		"//bin///true/",
		"/boot/gnomon",
		"/rc/workload",
		"/../..",
	};
	static char text[4][64];
	static unsigned next;
	char *t = text[next++ % 4];

	if (!chance(4))
		return paths[pick(nelem(paths))];
	snprintf(t, sizeof(text[0]), "%s/%d/%s", chance(2) ? "/proc" : "#p",
		 getpid() - (int)pick(3),
		 (const char *[]){"text", "status", "ctl", ""}[soak_owner ? 0 : pick(4)]);
	return t;
}

const char *soak_path(bool for_good)
{
	return for_good || chance(3) ? ours() : anything();
}

void soak_counted(unsigned *n)
{
	if (++*n % BATCH == 0)
		write(REPORT_FD, ".", 1);
}
