/*
 * The kernel that the library's hosted tests run on: files in memory, a break
 * with a limit, and hooks where the program would end.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stddef.h>
#include <stdint.h>

#define FAKE_FILES 8
#define FAKE_BYTES 65536

struct fake_file {
	const char *path; /* NULL: there is no such file */
	char data[FAKE_BYTES];
	size_t len;
	size_t at;   /* of its one descriptor, which is its index + 3 */
	size_t most; /* bytes that a read or write transfers at most; 0: any number */
	int flags;   /* of the last open */
	int tty;
	int pipe;   /* cannot seek */
	int denied; /* EACCES for writers */
	int dir;
	int fail;		/* the error number of the next reads and writes */
	unsigned reads, writes; /* calls */
};

extern struct fake_file fake_file[FAKE_FILES]; /* 0, 1 and 2 are the standard streams */
void fake_reset(void);
/* Make a file. Its descriptor, once opened, is its index in fake_file. */
struct fake_file *fake_make(int fd, const char *path, const char *data);

extern size_t fake_break_limit; /* bytes that the break may move in all */
extern size_t fake_break_gap;	/* how far somebody else moves the break, once */
size_t fake_break_used(void);

/* Memory profiling: whether the kernel asks, and what it was told. */
struct fake_block {
	const void *old, *new, *caller;
	size_t n;
};
extern uint32_t fake_memprof_asked;
extern struct fake_block fake_memprof[16];
extern size_t fake_memprof_told;

extern void (*fake_exit)(int status); /* called by _exit and, with -1, by abort */
extern char fake_exec[256];	      /* the paths that were tried, one a line */
extern int fake_exec_errno;	      /* why they do not run; ENOENT at first */

#endif
