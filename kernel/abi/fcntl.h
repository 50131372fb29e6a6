/* Flags of open(2), bind(2) and rfork(2), commands of fcntl(2), and lseek(2)'s whence. */
#pragma once

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_ACCMODE 3
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_DIRECTORY 0200000
#define O_CLOEXEC 02000000

#define O_NONBLOCK 04000 /* for no file here */

#define F_DUPFD 0	   /* the lowest number that is free and at least the value */
#define F_GETFD 1	   /* FD_CLOEXEC or 0 */
#define F_SETFD 2
#define F_GETFL 3	   /* how it was opened: O_ACCMODE and O_APPEND */
#define F_SETFL 4	   /* O_APPEND alone can change */
#define F_DUPFD_CLOEXEC 14
#define F_DUP2FD 15	   /* this number, which is closed before: dup2(3) */
#define FD_CLOEXEC 1

#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

#define MREPL 0	  /* the new one hides what was there */
#define MBEFORE 1 /* searched before what was there */
#define MAFTER 2  /* searched after it */
#define MCREATE 4 /* files may be created in it */

#define RFNAMEG 1  /* the namespace becomes a copy of its own */
#define RFCNAMEG 2 /* it becomes a new one with only the root */
