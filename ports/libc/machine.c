/* What programs may use of the machine. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>
#include "ports/libc/calls.h"

#define FILES 64

long sysconf(int name)
{
	return name == _SC_PAGESIZE ? 4096 :
	       name == _SC_CLK_TCK ? 100 : name == _SC_OPEN_MAX ? FILES : __sysret(-EINVAL);
}

/* What files can have at most is the same of all. */
long pathconf(const char *path, int name)
{
	(void)path;
	return name == _PC_PATH_MAX ? PATH_MAX : __sysret(-EINVAL);
}
