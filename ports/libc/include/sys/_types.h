/*
 * usleep(3) takes an unsigned int, as that of our own library does. There are no sockets, but many
 * a configure ends where nothing counts their addresses' bytes.
 */
#ifndef _GNOMON_SYS__TYPES_H
#define _GNOMON_SYS__TYPES_H

#define __useconds_t __newlib_useconds_t
#include_next <sys/_types.h>
#undef __useconds_t

typedef unsigned int __useconds_t;
typedef __socklen_t socklen_t;

#endif
