/* The types that several headers share. */
#ifndef SYS_TYPES_H
#define SYS_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef __PTRDIFF_TYPE__ ssize_t;
typedef int64_t off_t;
typedef int64_t time_t;
typedef uint32_t clock_t;
typedef int pid_t;
typedef uint32_t uid_t;
typedef uint32_t mode_t;
typedef uint32_t dev_t;
typedef uint64_t ino_t;
typedef uint32_t nlink_t;

#endif
