/* Directories: what getdents(2) gives, and what newlib's opendir(3) keeps. */
#ifndef _SYS_DIRENT_H
#define _SYS_DIRENT_H

#include <sys/types.h>

#define HAVE_NO_D_NAMLEN
#define MAXNAMLEN 255

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10

struct dirent {
	unsigned long long d_ino;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[MAXNAMLEN + 1];
};

typedef struct {
	int dd_fd;     /* the directory's file */
	int dd_loc;    /* where the next entry begins in dd_buf */
	int dd_seek;   /* unused: telldir(3) asks the file */
	char *dd_buf;  /* entries that were read */
	int dd_len;    /* bytes of dd_buf */
	int dd_size;   /* bytes of it that are entries */
} DIR;

#define __dirfd(dir) ((dir)->dd_fd)

#endif
