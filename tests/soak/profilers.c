/* Switching the profilers, as the owner. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prf.h>
#include <unistd.h>
#include "tests/soak/soak.h"

/* Write to a control file; that it may refuse is right. */
static void say(const char *path, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0)
		return;
	write(fd, text, n);
	close(fd);
}

static void kprof(const char *words)
{
	say("#T/kpctl", words, strlen(words));
}

static void prof(const char *words)
{
	say("#P/ctl", words, strlen(words));
}

static void gmon(uint32_t state)
{
	say("#G/kern/profiling/state", (const char *)&state, sizeof(state));
}

static void prf(int on)
{
	static const uint32_t addr[] = {0xc0100000, 0xc0104000, 0xc0108000, 0xc010c000};
	int fd = open("#F/prf", O_RDWR);

	if (fd < 0)
		return;
	if (on)
		write(fd, addr, sizeof(addr));
	ioctl(fd, PRF_SETSTATE, on);
	close(fd);
}

void soak_switch(void)
{
	static const char *const kprofs[] = {"start", "stop", "startclr", "stacks on",
					     "stacks off"};
	static const char *const profs[] = {"module true", "module kernel", "start", "startmp",
					    "stop",	   "end",	    "end"};
	char text[32];

	switch (pick(5)) {
	case 0:
	case 1:
		kprof(kprofs[pick(nelem(kprofs))]);
		break;
	case 2:
		gmon(chance(2) ? 0 : 3);
		break;
	case 3:
		prf((int)pick(2));
		break;
	default:
		prof(profs[pick(nelem(profs))]);
		if (!chance(20))
			break;
		snprintf(text, sizeof(text), "startcp %d", getpid() + 1 + (int)pick(20));
		prof(text);
		prof("stop");
	}
}

void soak_switch_off(void)
{
	kprof("stop");
	kprof("stacks off");
	kprof("filter off");
	kprof("depth 64");
	gmon(3);
	prf(0);
	prof("stop");
	prof("end");
}
