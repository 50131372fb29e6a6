/* B8 of the profilers: they are started and read while an allocation, or a charge, fails. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prf.h>
#include <sys/profil.h>
#include <sys/sysctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof/prof_gmon.h"
#include "tests/guest/failing.h"
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

static int do_profil(void)
{
	static unsigned short count[256];
	const struct prof p = { count, sizeof(count), TEXT, 0x10000 };

	profil(count, sizeof(count), TEXT, 0x10000);
	if (fork() == 0) {
		sprofil(&p, 1, NULL, 0);
		_exit(0);
	}
	waitpid(-1, NULL, 0);
	return sprofil(&p, 1, NULL, PROF_UINT);
}

void B8_profil(void)
{
	walk(do_profil);
}

static const char *control, *start, *stop, *data;

static int tell(const char *words)
{
	int fd = open(control, O_WRONLY);

	return fd < 0 || write(fd, words, strlen(words)) < 0 || close(fd) < 0 ? -1 : 0;
}

/* Start a profiler by its words, be profiled, and read what was counted. */
static int do_profiler(void)
{
	char words[80];

	for (const char *s = start, *end; *s; s = *end ? end + 1 : end) {
		end = strchr(s, ';');
		if (end == NULL)
			end = s + strlen(s);
		snprintf(words, sizeof(words), "%.*s", (int)(end - s), s);
		if (tell(words) < 0)
			return -1;
	}
	if (do_fork() < 0)
		return -1;
	path = data;
	return data ? do_read() : 0;
}

static void stop_profiler(void)
{
	must(tell(stop) == 0);
}

/* Tables that are made at the first start stay. */
static void profiler(const char *file, const char *on, const char *off, const char *out)
{
	control = file;
	start = on;
	stop = off;
	data = out;
	undo = stop_profiler;
	walk(do_profiler);
}

void B8_kprof(void)
{
	profiler("/dev/kpctl", "start", "stop", "/dev/kpdata");
}

void B8_kpstack(void)
{
	profiler("/dev/kpctl", "stacks on;start", "stop", "/dev/kpstack");
	kpctl("stacks off");
}

void B8_kpwait(void)
{
	profiler("/dev/kpctl", "waits on;start", "stop", "/dev/kpwait");
	kpctl("waits off");
}

static int gmon_set(int32_t state)
{
	return sysctlbyname("kern.profiling.state", NULL, NULL, &state, sizeof(state));
}

static int do_gmon(void)
{
	path = "/sysctl/kern/profiling/tos";
	return gmon_set(PROF_GMON_ON) < 0 || do_fork() < 0 ? -1 : do_read();
}

static void stop_gmon(void)
{
	must(gmon_set(PROF_GMON_OFF) == 0);
}

void B8_gmon(void)
{
	undo = stop_gmon;
	walk(do_gmon);
}

void B8_modules(void)
{
	profiler("/prof/ctl", "start", "end", "/prof");
}

void B8_coverage(void)
{
	profiler("/prof/ctl", "startcp", "end", "/prof");
}

void B8_memory(void)
{
	profiler("/prof/ctl", "startmp", "end", "/prof");
}

static int do_prf(void)
{
	static const uint32_t address[] = { 0xc0100000u, 0xc0104000u, 0xc0108000u, 0xc010c000u };
	uint32_t words[16];
	int fd = open("/dev/prf", O_RDWR);

	return fd < 0 || write(fd, address, sizeof(address)) < 0 ||
	       ioctl(fd, PRF_SETSTATE, 1) < 0 || read(fd, words, sizeof(words)) < 0 ||
	       ioctl(fd, PRF_SETSTATE, 0) < 0 ? -1 : 0;
}

void B8_prf(void)
{
	walk(do_prf);
}
