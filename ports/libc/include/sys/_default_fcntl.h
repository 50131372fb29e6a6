/* open(2)'s flags are the kernel's: kernel/abi/fcntl.h. */
#ifndef _GNOMON_SYS__DEFAULT_FCNTL_H
#define _GNOMON_SYS__DEFAULT_FCNTL_H

#include_next <sys/_default_fcntl.h>

#undef _FCREAT
#undef _FEXCL
#undef _FTRUNC
#undef _FAPPEND
#undef _FNONBLOCK
#undef _FNOCTTY
#undef _FNOINHERIT
#undef _FNOFOLLOW
#undef _FDIRECTORY
#define _FCREAT 0100
#define _FEXCL 0200
#define _FNOCTTY 0
#define _FTRUNC 01000
#define _FAPPEND 02000
#define _FNONBLOCK 04000
#define _FDIRECTORY 0200000
#define _FNOFOLLOW 0400000
#define _FNOINHERIT 02000000

/* A command of fcntl(2) that newlib has not. */
#define F_DUP2FD 15

#endif
