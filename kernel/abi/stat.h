/* stat(2) and getdents(2), and what ftruncate(2) and chmod(2) set. */
#pragma once

#include <stdint.h>

#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFREG 0100000
#define S_IFIFO 0010000
#define S_IFLNK 0120000

#define UID_EVE 0  /* the host owner */
#define UID_NONE 1 /* everybody else */

/* What SYS_fset sets. */
#define FSET_SIZE 0
#define FSET_MODE 1  /* the nine permission bits */
#define FSET_MTIME 2 /* seconds since 1970 */

#define FIND_LINK 1 /* for SYS_stat: a symbolic link itself, not what it leads to */

#define NAME_MAX 255
#define PATH_MAX 1024
#define SYMLOOP_MAX 8 /* symbolic links that are followed in a path */
#define LINK_MAX 1024 /* names of a file */

struct stat {
	uint32_t st_dev;   /* the device's letter */
	uint32_t st_mode;  /* S_IF... and the nine permission bits */
	uint64_t st_ino;   /* unique in the device while the file exists */
	uint64_t st_size;  /* bytes */
	uint32_t st_uid;   /* UID_EVE or UID_NONE */
	uint32_t st_nlink; /* names of a file, by link(2) */
	int64_t st_mtime;  /* seconds since 1970 */
};

/* One entry of a directory; the next one begins d_reclen bytes further on. */
struct dirent {
	uint64_t d_ino;
	uint16_t d_reclen; /* a multiple of 8 */
	uint8_t d_type;	   /* S_IF... >> 12 */
	char d_name[NAME_MAX + 1];
};
