/* Devices: each file of each is opened, read at any place, and written with damaged words. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prf.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/soak/soak.h"

/* What control files accept, and the like; it is damaged before it is written. */
static const char *const words[] = {
	"start",
	"stop",
	"startclr",
	"stacks on",
	"stacks off",
	"depth 64",
	"depth 1",
	"depth 128",
	"filter pid 1",
	"filter off",
	"module sh true",
	"module kernel",
	"module /bin/true",
	"startmp",
	"startmp 12",
	"startmp 3",
	"end",
	"interval 1",
	"interval 100",
	"interval 1000000",
	"rawon",
	"rawoff",
	"pgrp 0",
	"pgrp 1",
	"kill",
	"kill 9",
	"kill 99",
	"\1\0\0\0",
	"\3\0\0\0",
	"\0\0\0\0\0\0\0\0",
	"b9600",
	"m1",
	"",
	"\n",
	" ",
	"x",
};

/* These would hide how fast the clock is, take long, or end the machine: for the user none. */
static const char *const others[] = {
	"hz 10", "hz 20000", "hz 0",   "clock irq", "clock nmi",
	"halt",	 "halt 1",   "reboot", "startcp",   "startcp 1",
};

static const char *const roots[] = {"#c", "#t", "#T", "#F", "#p", "#P", "#G", "#A", "#|"};
static char buf[16384];

/* Whether the owner must leave a file alone: the machine ends, its script, or others' processes. */
static bool spared(const char *name)
{
	static const char *const names[] = {"reboot", "eia0", "eia1", "ctl-of-process"};

	for (size_t i = 0; i < nelem(names); i++)
		if (soak_owner && strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Go down from a device's root to some file. Return false if there is none. */
static bool choose(char *path, size_t room)
{
	struct dirent *entry;
	struct stat st;
	char name[64];

	snprintf(path, room, "%s", roots[pick(nelem(roots))]);
	for (int level = 0; level < 5; level++) {
		DIR *dir = opendir(path);
		unsigned n = 0;

		if (!dir)
			return level > 0;
		*name = 0;
		while ((entry = readdir(dir)) != NULL)
			if (entry->d_name[0] != '.' && chance(++n))
				snprintf(name, sizeof(name), "%s", entry->d_name);
		closedir(dir);
		if (!*name || strlen(path) + strlen(name) + 2 > room)
			return false;
		if (spared(name) || (soak_owner && path[1] == 'p' && strcmp(name, "ctl") == 0))
			return false;
		strcat(strcat(path, "/"), name);
		if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
			return true;
	}
	return false;
}

static void write_word(int fd)
{
	uint32_t i = pick(nelem(words) + (soak_owner ? 0 : nelem(others)));
	const char *word = i < nelem(words) ? words[i] : others[i - nelem(words)];
	size_t n = strlen(word);

	if (n == 0 || *word < ' ')
		n = pick(9);
	memcpy(buf, word, n);
	if (chance(2))
		n = damage(buf, n, 300);
	if (chance(20))
		n = pick(sizeof(buf));
	write(fd, buf, n);
}

/* Do something to an open file. */
static void act(int fd, const char *path)
{
	bool waits = strcmp(path, "#c/cons") == 0 || path[1] == '|' || path[1] == 't';

	switch (pick(8)) {
	case 0:
	case 1:
	case 2:
		write_word(fd);
		break;
	case 3:
	case 4:
		if (!waits)
			read(fd, buf, pick(sizeof(buf)));
		break;
	case 5:
		lseek(fd, (off_t)(int32_t)odd(), (int)pick(3));
		break;
	case 6:
		ioctl(fd, chance(2) ? PRF_SETSTATE : (int)(PRF_GETSTATUS + pick(6)), (int)odd());
		break;
	default:
		ftruncate(fd, (off_t)odd());
	}
}

void soak_files(unsigned calls)
{
	char path[200];

	for (unsigned n = 0; n < calls;) {
		int fd = choose(path, sizeof(path)) ? open(path, (int)pick(3)) : -1;

		for (uint32_t i = pick(12); fd >= 0 && i > 0; i--) {
			act(fd, path);
			soak_counted(&n);
		}
		soak_counted(&n);
		if (fd >= 0)
			close(fd);
	}
}
