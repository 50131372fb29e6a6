/* What the kernel's files need of the rest of the kernel, in hosted tests. */
#ifndef TESTS_KERNEL_FAKES_H
#define TESTS_KERNEL_FAKES_H

#include "tests/test.h"
#include "kernel/file/dev.h"

extern unsigned fake_ways;	/* how often long work gave way */
extern bool fake_killed;	/* give_way() is to answer -EINTR */
extern struct proc fake_proc;	/* the calling process, unless a test changes fake_self */
extern long fake_allocs_left;	/* allocations that succeed from here on; negative: all */
extern size_t fake_alloc_most;	/* bytes; no larger piece can be had */
extern long fake_allocs;	/* blocks and frames in use */
extern size_t fake_frames_free; /* what frame_available() returns */
extern unsigned fake_signals;	/* bits of signals sent to the calling process or its group */

/* User memory: addresses from FAKE_USER on, FAKE_USER_SIZE bytes. */
#define FAKE_USER 0x1000u
#define FAKE_USER_SIZE (4u << 20)
extern uint8_t fake_user[FAKE_USER_SIZE];

/* Put a string into user memory, at bytes after its beginning; return its user address. */
uint32_t fake_string(unsigned at, const char *s);

/* Change the calling process's current directory. */
void fake_chdir(const char *path);

/* Put a file with that text, or a directory, into the root, or into a directory that is there. */
void fake_put(const char *path, uint32_t mode, const char *text);
/* Put files, which contain their own paths, and directories into the root; shut is the owner's. */
void fake_tree(void);

/* Check that the walk gives this error, or 0 and a channel of this name. */
void assert_walk(const char *path, int err, const char *name);
/* Check what getdents lists of a directory, as names with blanks between them. */
void assert_listing(const char *path, const char *names);
void assert_reads(const char *path, const char *text);

/* Serve the root, and one device more unless it is NULL. Make the calling process a new one. */
void fake_start(const struct dev *more);
void fake_end(void);

/* For cmocka: the tree and a device 'T' of one directory: kpctl (the owner's), kpdata, note. */
int fake_toy_setup(void **state);

/* For cmocka: end, and check that everything allocated since fake_start() has been freed. */
int fake_teardown(void **state);

#endif
