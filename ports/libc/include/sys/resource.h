/* getrlimit(2) and getrusage(2). */
#ifndef _GNOMON_SYS_RESOURCE_H
#define _GNOMON_SYS_RESOURCE_H

#include_next <sys/resource.h>

typedef unsigned long rlim_t;

struct rlimit {
	rlim_t rlim_cur, rlim_max;
};

#define RLIM_INFINITY ((rlim_t)-1)
#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_RSS 5
#define RLIMIT_NPROC 6
#define RLIMIT_NOFILE 7
#define RLIMIT_MEMLOCK 8
#define RLIMIT_AS 9

int getrlimit(int which, struct rlimit *limit);
int setrlimit(int which, const struct rlimit *limit);

#endif
