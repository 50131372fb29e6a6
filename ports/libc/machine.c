/* What the machine is called, and what programs may use of it. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "ports/libc/calls.h"

#define FILES 64

/* /dev/version has a name, the version, and the build id. */
int uname(struct utsname *about)
{
	FILE *f = fopen("/dev/version", "r");

	*about = (struct utsname){"gnomon", "gnomon", "", "", "i686"};
	if (f)
		fscanf(f, "%*s %64s %64s", about->release, about->version);
	return f ? fclose(f) : -1;
}

int gethostname(char *name, size_t n)
{
	strlcpy(name, "gnomon", n);
	return 0;
}

int getrlimit(int which, struct rlimit *limit)
{
	rlim_t n = which == RLIMIT_NOFILE ? FILES : which == RLIMIT_STACK ? 8 << 20 : RLIM_INFINITY;

	*limit = (struct rlimit){n, n};
	return 0;
}

long sysconf(int name)
{
	return name == _SC_PAGESIZE ? 4096 :
	       name == _SC_CLK_TCK ? 100 : name == _SC_OPEN_MAX ? FILES : __sysret(-EINVAL);
}

/* What files can have at most is the same of all. */
long pathconf(const char *, int name)
{
	return name == _PC_PATH_MAX ? PATH_MAX : __sysret(-EINVAL);
}
